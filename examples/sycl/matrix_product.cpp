// SPDX-License-Identifier: Apache-2.0
/// Matrix product with tiles in local memory: each work-group computes a part of one row of the result, and shares what
/// it needs of the left matrix.
///
///     matrix_product [order of the matrices, a multiple of 64]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <vector>

constexpr std::size_t tile_size = 64;

template <typename T>
class tiled_product;

template <typename T>
void multiply(sycl::queue& q, const std::vector<T>& left, const std::vector<T>& right, std::vector<T>& result,
              std::size_t n) {
  sycl::buffer<T, 2> left_buffer(left.data(), sycl::range{n, n});
  sycl::buffer<T, 2> right_buffer(right.data(), sycl::range{n, n});
  sycl::buffer<T, 2> result_buffer(result.data(), sycl::range{n, n});

  q.submit([&](sycl::handler& h) {
    sycl::accessor a(left_buffer, h, sycl::read_only);
    sycl::accessor b(right_buffer, h, sycl::read_only);
    sycl::accessor c(result_buffer, h, sycl::write_only, sycl::no_init);
    sycl::local_accessor<T, 1> tile(sycl::range<1>{tile_size}, h);

    h.parallel_for<tiled_product<T>>(sycl::nd_range<2>{{n, n}, {1, tile_size}}, [=](sycl::nd_item<2> item) {
      const std::size_t row = item.get_global_id(0);
      const std::size_t column = item.get_global_id(1);
      const std::size_t i = item.get_local_id(1);

      T sum = 0;
      for (std::size_t first = 0; first < n; first += tile_size) {
        tile[i] = a[row][first + i];
        sycl::group_barrier(item.get_group());
        for (std::size_t k = 0; k < tile_size; ++k) {
          sum += tile[k] * b[first + k][column];
        }
        sycl::group_barrier(item.get_group());
      }
      c[row][column] = sum;
    });
  });
} // the buffers write back here

template <typename T>
bool run(sycl::queue& q, std::size_t n) {
  std::vector<T> left(n * n), right(n * n), result(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    left[i] = T(i % 7) - 3;
    right[i] = T(i % 5) - 2;
  }
  multiply(q, left, right, result, n);
  for (std::size_t row = 0; row < n; row += n / 8) {
    for (std::size_t column = 0; column < n; ++column) {
      T expected = 0;
      for (std::size_t k = 0; k < n; ++k) {
        expected += left[row * n + k] * right[k * n + column];
      }
      if (result[row * n + column] != expected) { // small whole numbers: exact
        std::cerr << "wrong at (" << row << ", " << column << "): " << result[row * n + column] << " for " << expected
                  << '\n';
        return false;
      }
    }
  }
  return true;
}

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 512;
  if (n == 0 || n % tile_size != 0) {
    std::cerr << "the order must be a multiple of " << tile_size << '\n';
    return 2;
  }
  sycl::queue q;
  std::cout << "running on " << q.get_device().get_info<sycl::info::device::name>() << '\n';
  const bool right = run<float>(q, n) && run<double>(q, n);
  std::cout << (right ? "right" : "wrong") << '\n';
  return right ? 0 : 1;
}
