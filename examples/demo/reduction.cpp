// SPDX-License-Identifier: Apache-2.0
#include "../programs/reduction.hpp"

#include "demo.hpp"

#include <cmath>

namespace demo {

void run_reduction(lf::queue& q, const sizes& s, table& t) {
  constexpr std::size_t group = 256;
  std::vector<double> in(s.elements), scratch(programs::reduction_scratch(s.elements, group));
  double reference = 0;
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<double>(i % 1000) - 17; // every partial sum is exact
    reference += in[i];
  }
  double* sum = nullptr;
  const lf::view<const double> v(in.data(), in.size());
  const auto run = [&](auto strategy, lf::fiber_engine engine) {
    sum = nullptr;
    t.measure(
        "reduction", strategy.name, to_string(engine),
        [&] {
          sum = programs::tree_reduction(q, v, scratch.data(), group, how(strategy, engine));
          q.wait();
        },
        [&] { return *sum == reference; });
  };
  for_engines(scalar, run);
  for_engines(simd<16>, run);
  for_engines(simd<64>, run);
  for_engines(simd<256>, run);
}

} // namespace demo
