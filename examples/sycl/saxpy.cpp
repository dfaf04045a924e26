// SPDX-License-Identifier: Apache-2.0
/// The smallest complete program: y = a x + y, with explicit memory of the device, named kernel, errors caught.
///
///     saxpy [elements]
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <numeric>
#include <vector>

class saxpy;

int main(int argc, char** argv) try {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000;
  const float a = 2.f;
  std::vector<float> x(n), y(n, 1.f);
  std::iota(x.begin(), x.end(), 0.f);

  auto report = [](sycl::exception_list errors) {
    for (const std::exception_ptr& error : errors) {
      try {
        std::rethrow_exception(error);
      } catch (const sycl::exception& e) {
        std::cerr << "asynchronous: " << e.what() << '\n';
      }
    }
    std::exit(1);
  };
  sycl::queue q{sycl::default_selector_v, report, {sycl::property::queue::in_order{}}};
  float* device_x = sycl::malloc_device<float>(n, q);
  float* device_y = sycl::malloc_device<float>(n, q);
  q.copy(x.data(), device_x, n);
  q.copy(y.data(), device_y, n);
  q.submit([&](sycl::handler& h) {
    h.parallel_for<saxpy>(sycl::range<1>{n}, [=](sycl::id<1> i) { device_y[i] += a * device_x[i]; });
  });
  q.copy(device_y, y.data(), n);
  q.wait_and_throw();
  sycl::free(device_x, q);
  sycl::free(device_y, q);

  for (std::size_t i = 0; i < n; ++i) {
    if (y[i] != a * x[i] + 1.f) {
      std::cerr << "wrong at " << i << '\n';
      return 1;
    }
  }
  std::cout << n << " elements\n";
  return 0;
} catch (const sycl::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}
