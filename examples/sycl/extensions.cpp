// SPDX-License-Identifier: Apache-2.0
/// Extensions of SYCL that many programs use: sorting by a work-group, who of a sub-group votes for something, a
/// variable of the device, local memory declared in the kernel, and a command graph whose command changes.
///
///     extensions [work-groups]
#include <sycl/ext/oneapi/experimental/graph.hpp>
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace ext = sycl::ext::oneapi;
namespace experimental = sycl::ext::oneapi::experimental;

experimental::device_global<const int[2]> limits{100, 900};

int main(int argc, char** argv) {
  const std::size_t groups = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 32;
  constexpr std::size_t local = 128;
  const std::size_t n = groups * local;
  std::vector<int> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = static_cast<int>(i * 7919 % 1000);
  }
  std::vector<int> sorted(n), between(n);
  sycl::queue q{sycl::property::queue::in_order()};

  const int* const from = values.data();
  int* const in_order = sorted.data();
  int* const votes = between.data();
  using sorter = experimental::default_sorters::group_sorter<int>;
  const auto sort = [=](sycl::handler& cgh) {
    const sycl::local_accessor<std::byte> memory(sorter::memory_required(sycl::memory_scope::work_group, local), cgh);
    cgh.parallel_for(sycl::nd_range<1>(n, local), [=](sycl::nd_item<1> it) {
      const sycl::span<std::byte> scratch(memory.get_multi_ptr<sycl::access::decorated::no>().get(), memory.size());
      const std::size_t i = it.get_global_id(0);
      in_order[i] = experimental::sort_over_group(it.get_group(), from[i], sorter(scratch));
    });
  };
  const auto vote = [=](sycl::handler& cgh) {
    cgh.parallel_for(sycl::nd_range<1>(n, local), [=](sycl::nd_item<1> it) {
      int(&first)[1] = *ext::group_local_memory<int[1]>(it.get_group(), in_order[it.get_group(0) * local]);
      const int mine = in_order[it.get_global_id(0)];
      const auto mask =
          ext::group_ballot(it.get_sub_group(), mine >= limits[0] && mine < limits[1] && mine >= first[0]);
      votes[it.get_global_id(0)] = static_cast<int>(mask.count());
    });
  };

  // The two commands as a graph, of which the second does nothing at first.
  experimental::command_graph graph(q);
  experimental::node first = graph.add(sort);
  experimental::dynamic_command_group second(graph, {[](sycl::handler& cgh) { cgh.single_task([] {}); }, vote});
  experimental::node last = graph.add(second, experimental::property::node::depends_on(first));
  auto exec = graph.finalize(experimental::property::graph::updatable());
  q.ext_oneapi_graph(exec).wait();
  std::size_t wrong =
      static_cast<std::size_t>(std::count_if(between.begin(), between.end(), [](int v) { return v != 0; }));
  second.set_active_index(1);
  exec.update(last);
  q.ext_oneapi_graph(exec).wait();

  std::size_t counted = 0;
  std::size_t inside = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    const auto begin = sorted.begin() + static_cast<std::ptrdiff_t>(g * local);
    wrong += !std::is_sorted(begin, begin + local);
  }
  for (std::size_t i = 0; i < n; ++i) {
    inside += values[i] >= 100 && values[i] < 900;
    counted += static_cast<std::size_t>(between[i]);
  }
  // Each of the work-items of a sub-group has counted all of it.
  const std::size_t sub_group = q.get_device().get_info<sycl::info::device::sub_group_sizes>()[0];
  std::cout << wrong << " wrong, " << counted / sub_group << " of " << inside << " values between the limits\n";
  return wrong == 0 && counted == inside * sub_group ? 0 : 1;
}
