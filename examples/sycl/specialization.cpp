// SPDX-License-Identifier: Apache-2.0
/// Constants that are known when a kernel is built, not when the program is compiled: through the handler of a launch,
/// and in a kernel bundle that is built once.
///
///     specialization [elements]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <vector>

struct polynomial {
  float coefficients[3];
};
constexpr sycl::specialization_id<polynomial> shape{polynomial{{1, 0, 0}}};
constexpr sycl::specialization_id<int> times{1};

class evaluate;

int main(int argc, char** argv) {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10000;
  std::vector<float> by_handler(n), by_bundle(n);
  sycl::queue q;

  // A bundle holds kernels and their constants. Constants are set while it can still be built.
  auto input = sycl::get_kernel_bundle<sycl::bundle_state::input>(q.get_context(), {sycl::get_kernel_id<evaluate>()});
  input.set_specialization_constant<shape>(polynomial{{1, 2, 3}});
  input.set_specialization_constant<times>(2);
  const auto built = sycl::build(input);

  const auto run = [&](std::vector<float>& results, const auto& configure) {
    sycl::buffer buffer(results);
    q.submit([&](sycl::handler& cgh) {
      configure(cgh);
      const sycl::accessor out(buffer, cgh, sycl::write_only, sycl::no_init);
      cgh.parallel_for<evaluate>(sycl::range(n), [=](sycl::id<1> i, sycl::kernel_handler constants) {
        const polynomial p = constants.get_specialization_constant<shape>();
        const float x = static_cast<float>(i[0] % 100);
        float y = 0;
        for (int k = 0; k < constants.get_specialization_constant<times>(); ++k) {
          y += p.coefficients[0] + x * (p.coefficients[1] + x * p.coefficients[2]);
        }
        out[i] = y;
      });
    });
  };
  run(by_handler, [](sycl::handler& cgh) { cgh.set_specialization_constant<shape>(polynomial{{0, 1, 0}}); });
  run(by_bundle, [&](sycl::handler& cgh) { cgh.use_kernel_bundle(built); });

  std::size_t wrong = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = static_cast<float>(i % 100);
    wrong += by_handler[i] != x;
    wrong += by_bundle[i] != 2 * (1 + x * (2 + x * 3));
  }
  std::cout << wrong << " of " << 2 * n << " values are wrong\n";
  return wrong == 0 ? 0 : 1;
}
