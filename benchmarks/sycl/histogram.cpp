// SPDX-License-Identifier: Apache-2.0
/// A histogram of bytes with atomics in local memory, against one private histogram a thread.
#include "programs.hpp"
#include "queues.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanefold_benchmarks {

using lanefold_peers::array;

void measure_histogram(report& to, const options& given) {
  constexpr std::size_t count = std::size_t{1} << 26, bins = 256, group = 256, per_item = 1024;
  array<std::uint8_t> bytes(count);
  std::uint32_t state = 1;
  std::vector<std::uint32_t> expected(bins, 0), result(bins);
  for (std::uint8_t& byte : bytes) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::uint8_t>(state >> 24);
    ++expected[byte];
  }
  const auto side_of = [&](work only) {
    return side{{std::move(only)},
                [&] { std::fill(result.begin(), result.end(), 0u); },
                [&]() -> std::string { return result == expected ? "" : "the bins are not what they should be"; },
                {},
                false};
  };
  const side by_hand = side_of(by_hand::histogram(bytes.data(), count, result.data(), given.threads));
  if (given.absolute_times)
    return to.absolute("histogram", by_hand, -static_cast<double>(count) * 1e-9, "GB/s");

  sycl::queue q = queue_of(given.threads);
  const side ours = side_of({"local atomics",
                             [&] {
                               sycl::buffer<std::uint8_t> in(bytes.data(), sycl::range(count));
                               sycl::buffer out(result);
                               q.submit([&](sycl::handler& h) {
                                 sycl::accessor total(out, h, sycl::write_only, sycl::no_init);
                                 h.fill(total, 0u);
                               });
                               q.submit([&](sycl::handler& h) {
                                 sycl::accessor total(out, h, sycl::read_write);
                                 sycl::accessor from(in, h, sycl::read_only);
                                 sycl::local_accessor<std::uint32_t> mine(bins, h);
                                 h.parallel_for(sycl::nd_range<1>(count / per_item, group), [=](sycl::nd_item<1> it) {
                                   using sycl::access::address_space;
                                   const std::size_t me = it.get_local_id(0);
                                   mine[me] = 0;
                                   sycl::group_barrier(it.get_group());
                                   const std::size_t first = it.get_global_id(0) * per_item;
                                   for (std::size_t k = 0; k < per_item; ++k) {
                                     sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed,
                                                      sycl::memory_scope::work_group, address_space::local_space>
                                         bin(mine[from[first + k]]);
                                     bin.fetch_add(1u);
                                   }
                                   sycl::group_barrier(it.get_group());
                                   sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed,
                                                    sycl::memory_scope::device, address_space::global_space>
                                       of_all(total[me]);
                                   of_all.fetch_add(mine[me]);
                                 });
                               });
                             },
                             {}});
  to.compare("histogram/by_hand", quantity::speed, ours, by_hand);
}

} // namespace lanefold_benchmarks
