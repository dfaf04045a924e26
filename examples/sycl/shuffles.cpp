// SPDX-License-Identifier: Apache-2.0
/// The work-items of a sub-group look into each other's registers: a moving average by shifts, a sum by exchanges, and
/// each sub-group reversed by a selection.
///
///     shuffles [work-groups]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>

int main(int argc, char** argv) {
  const std::size_t groups = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 64;
  const std::size_t group_size = 128;
  const std::size_t n = groups * group_size;

  sycl::queue q;
  auto* x = sycl::malloc_shared<std::int32_t>(n, q);
  auto* average = sycl::malloc_shared<std::int32_t>(n, q); // three times the average of three
  auto* sum = sycl::malloc_shared<std::int32_t>(n, q);
  auto* reversed = sycl::malloc_shared<std::int32_t>(n, q);
  auto* width = sycl::malloc_shared<std::uint32_t>(1, q);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<std::int32_t>(i * 2654435761u >> 20);
  }

  q.submit([&](sycl::handler& h) {
     h.parallel_for(sycl::nd_range<1>(n, group_size), [=](sycl::nd_item<1> it) {
       const auto sg = it.get_sub_group();
       const std::uint32_t lane = sg.get_local_linear_id();
       const std::uint32_t lanes = sg.get_local_linear_range();
       const std::size_t i = it.get_global_linear_id();
       const std::int32_t mine = x[i];

       // Work-items without a neighbour on a side count themselves instead.
       const std::int32_t from_left = sycl::shift_group_right(sg, mine, 1);
       const std::int32_t from_right = sycl::shift_group_left(sg, mine, 1);
       average[i] = (lane == 0 ? mine : from_left) + mine + (lane + 1 == lanes ? mine : from_right);

       // After log2(lanes) exchanges everybody has the sum. The number of lanes is a power of two here.
       std::int32_t total = mine;
       for (std::uint32_t step = 1; step < lanes; step *= 2) {
         total += sycl::permute_group_by_xor(sg, total, step);
       }
       sum[i] = total;

       reversed[i] = sycl::select_from_group(sg, mine, lanes - 1 - lane);
       if (i == 0) {
         *width = lanes;
       }
     });
   }).wait();

  const std::size_t lanes = *width;
  std::size_t wrong = lanes == 0 || group_size % lanes != 0;
  for (std::size_t first = 0; wrong == 0 && first < n; first += lanes) {
    std::int32_t total = 0;
    for (std::size_t k = 0; k < lanes; ++k) {
      total += x[first + k];
    }
    for (std::size_t k = 0; k < lanes; ++k) {
      const std::size_t i = first + k;
      const std::int32_t left = k == 0 ? x[i] : x[i - 1];
      const std::int32_t right = k + 1 == lanes ? x[i] : x[i + 1];
      wrong += average[i] != left + x[i] + right;
      wrong += sum[i] != total;
      wrong += reversed[i] != x[first + lanes - 1 - k];
    }
  }
  std::cout << "sub-groups of " << lanes << ", " << wrong << " wrong\n";
  for (void* p : {static_cast<void*>(x), static_cast<void*>(average), static_cast<void*>(sum),
                  static_cast<void*>(reversed), static_cast<void*>(width)}) {
    sycl::free(p, q);
  }
  return wrong == 0 ? 0 : 1;
}
