// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

#include <fstream>
#include <map>
#include <memory>

#include <unistd.h>

namespace lanefold_benchmarks::ours {

lf::queue& queue_with(unsigned threads) {
  static std::map<unsigned, std::unique_ptr<lf::queue>> queues;
  std::unique_ptr<lf::queue>& q = queues[threads];
  if (q == nullptr) {
    q = std::make_unique<lf::queue>(lf::property_list{lf::property::in_order{}, lf::property::threads{threads}});
  }
  return *q;
}

std::vector<work> empty_launch(std::size_t groups, std::size_t group, unsigned threads) {
  lf::queue& q = queue_with(threads);
  return {{"lanes",
           [&q, groups, group] { q.parallel_for(lf::nd_range<1>(groups * group, group), [](auto) {}).wait(); },
           {}}};
}

namespace {

std::size_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

} // namespace

std::optional<double> resident_bytes_per_unit(unsigned threads) {
  constexpr std::size_t units = 1024;
  const std::size_t groups = 64 * threads;
  std::vector<std::uint32_t> values(groups * units);
  lf::queue q{lf::property_list{lf::property::in_order{}, lf::property::threads{threads}}};
  const auto launch = [&](bool with_barriers) {
    const lf::view<std::uint32_t> v(values.data(), values.size());
    q.submit([&](lf::handler& h) {
       lf::local_accessor<std::uint32_t> tile(lf::range<1>(units), h);
       h.parallel_for(lf::nd_range<1>(values.size(), units), [=](lf::nd_item<1> it) {
         const std::size_t l = it.get_local_id(0);
         tile[l] = static_cast<std::uint32_t>(l);
         if (with_barriers) {
           lf::group_barrier(it.get_group());
         }
         v[it.get_global_id(0)] = tile[with_barriers ? units - 1 - l : l]; // without, each has what it wrote alone
       });
     }).wait();
  };
  launch(false); // the threads, the local memory and the data are there now
  const std::size_t before = resident_bytes();
  for (int i = 0; i < 4; ++i) {
    launch(true);
  }
  const std::size_t after = resident_bytes();
  return static_cast<double>(after - before) / static_cast<double>(units * threads);
}

} // namespace lanefold_benchmarks::ours
