// SPDX-License-Identifier: Apache-2.0
/// Prefix sums of an array of any length, in phases: each work-group scans its block in local memory (Blelloch: up and
/// down a tree) and notes its sum, the sums are scanned in the same way, and added to the blocks.
///
///     prefix_sum [elements]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

using value = std::uint64_t;
constexpr std::size_t group_size = 128;
constexpr std::size_t block = 2 * group_size;

/// Turns `data` into its exclusive prefix sums.
sycl::event exclusive_scan(sycl::queue& q, value* data, std::size_t n, const std::vector<sycl::event>& after,
                           std::vector<value*>& scratch) {
  const std::size_t blocks = (n + block - 1) / block;
  value* sums = sycl::malloc_device<value>(blocks, q);
  scratch.push_back(sums);

  const sycl::event scanned = q.submit([&](sycl::handler& h) {
    h.depends_on(after);
    sycl::local_accessor<value, 1> tree(block, h);
    h.parallel_for(sycl::nd_range<1>{blocks * group_size, group_size}, [=](sycl::nd_item<1> it) {
      const auto g = it.get_group();
      const std::size_t me = it.get_local_id(0);
      const std::size_t first = g.get_group_id(0) * block;
      tree[2 * me] = first + 2 * me < n ? data[first + 2 * me] : 0;
      tree[2 * me + 1] = first + 2 * me + 1 < n ? data[first + 2 * me + 1] : 0;

      std::size_t offset = 1;
      for (std::size_t nodes = group_size; nodes > 0; nodes /= 2, offset *= 2) {
        sycl::group_barrier(g);
        if (me < nodes) {
          tree[offset * (2 * me + 2) - 1] += tree[offset * (2 * me + 1) - 1];
        }
      }
      if (me == 0) {
        sums[g.get_group_id(0)] = tree[block - 1];
        tree[block - 1] = 0;
      }
      for (std::size_t nodes = 1; nodes <= group_size; nodes *= 2) {
        offset /= 2;
        sycl::group_barrier(g);
        if (me < nodes) {
          const std::size_t left = offset * (2 * me + 1) - 1, right = offset * (2 * me + 2) - 1;
          const value before = tree[left];
          tree[left] = tree[right];
          tree[right] += before;
        }
      }
      sycl::group_barrier(g);
      for (const std::size_t i : {2 * me, 2 * me + 1}) {
        if (first + i < n) {
          data[first + i] = tree[i];
        }
      }
    });
  });
  if (blocks == 1) {
    return scanned;
  }
  const sycl::event sums_scanned = exclusive_scan(q, sums, blocks, {scanned}, scratch);
  return q.parallel_for(sycl::range{n}, sums_scanned, [=](sycl::id<1> i) { data[i] += sums[i / block]; });
}

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 300'001;
  if (n == 0) {
    std::cerr << "nothing to scan\n";
    return 2;
  }
  std::vector<value> input(n);
  for (std::size_t i = 0; i < n; ++i) {
    input[i] = i * i % 1009;
  }

  sycl::queue q;
  value* data = sycl::malloc_device<value>(n, q);
  std::vector<value> result(n);
  std::vector<value*> scratch;
  const sycl::event filled = q.memcpy(data, input.data(), n * sizeof(value));
  const sycl::event scanned = exclusive_scan(q, data, n, {filled}, scratch);
  q.memcpy(result.data(), data, n * sizeof(value), scanned).wait();
  sycl::free(data, q);
  for (value* p : scratch) {
    sycl::free(p, q);
  }

  value expected = 0;
  for (std::size_t i = 0; i < n; ++i) {
    if (result[i] != expected) {
      std::cerr << "wrong at " << i << ": " << result[i] << " for " << expected << '\n';
      return 1;
    }
    expected += input[i];
  }
  std::cout << n << " elements, sum " << expected << '\n';
  return 0;
}
