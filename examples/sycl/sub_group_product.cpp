// SPDX-License-Identifier: Apache-2.0
/// Matrix product without local memory: each sub-group keeps a tile of the left matrix in its registers, one element a
/// work-item, and broadcasts it element by element.
///
///     sub_group_product [order of the matrices, a multiple of 64]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>

using T = float;

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 256;
  constexpr std::size_t group_size = 64;
  if (n == 0 || n % group_size != 0) {
    std::cerr << "the order must be a multiple of " << group_size << '\n';
    return 2;
  }

  sycl::queue q{sycl::property::queue::in_order()};
  T* a = sycl::malloc_shared<T>(n * n, q);
  T* b = sycl::malloc_shared<T>(n * n, q);
  T* c = sycl::malloc_shared<T>(n * n, q);

  q.parallel_for(sycl::range{n, n}, [=](sycl::id<2> i) {
    a[i[0] * n + i[1]] = T((i[0] + 2 * i[1]) % 11) - 5;
    b[i[0] * n + i[1]] = T((3 * i[0] + i[1]) % 13) - 6;
  });
  q.parallel_for(sycl::nd_range<2>{{n, n}, {1, group_size}}, [=](sycl::nd_item<2> item) {
    const sycl::sub_group sg = item.get_sub_group();
    const std::size_t row = item.get_global_id(0);
    const std::size_t column = item.get_global_id(1);
    const std::size_t width = sg.get_local_linear_range();

    T sum = 0;
    for (std::size_t first = 0; first < n; first += width) {
      const T tile = a[row * n + first + sg.get_local_linear_id()];
      for (std::size_t k = 0; k < width; ++k) {
        sum += sycl::group_broadcast(sg, tile, k) * b[(first + k) * n + column];
      }
    }
    c[row * n + column] = sum;
  });
  q.wait_and_throw();

  std::size_t wrong = 0;
  for (std::size_t row = 0; row < n; row += n / 16) {
    for (std::size_t column = 0; column < n; ++column) {
      T expected = 0;
      for (std::size_t k = 0; k < n; ++k) {
        expected += a[row * n + k] * b[k * n + column];
      }
      wrong += c[row * n + column] != expected; // small whole numbers: exact
    }
  }
  sycl::free(a, q);
  sycl::free(b, q);
  sycl::free(c, q);
  std::cout << wrong << " wrong\n";
  return wrong == 0 ? 0 : 1;
}
