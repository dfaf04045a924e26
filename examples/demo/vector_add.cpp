// SPDX-License-Identifier: Apache-2.0
#include "../programs/vector_add.hpp"

#include "demo.hpp"

#include <numeric>

namespace demo {

void run_vector_add(lf::queue& q, const sizes& s, table& t) {
  std::vector<float> x(s.elements), y(s.elements), z(s.elements);
  std::iota(x.begin(), x.end(), 1.0F);
  std::iota(y.begin(), y.end(), -5.0F);
  const lf::view<const float> vx(x.data(), x.size()), vy(y.data(), y.size());
  const lf::view<float> vz(z.data(), z.size());
  const auto verify = [&] {
    for (std::size_t i = 0; i < z.size(); ++i) {
      if (z[i] != x[i] + y[i]) {
        return false;
      }
    }
    return true;
  };
  const auto run = [&](auto strategy) {
    std::fill(z.begin(), z.end(), 0.0F);
    t.measure(
        "vector_add", strategy.name, "-", [&] { programs::vector_add(q, vx, vy, vz, how(strategy)).wait(); }, verify);
  };
  run(scalar);
  run(omp_simd);
  run(simd<16>);
  run(simd<64>);
}

} // namespace demo
