// SPDX-License-Identifier: Apache-2.0
#include "../programs/nbody.hpp"

#include "demo.hpp"

#include <cmath>
#include <random>

namespace demo {

namespace {

template <class T>
void run(lf::queue& q, const sizes& s, table& t, const char* name) {
  const std::size_t n = s.bodies;
  constexpr std::size_t tile = 256;
  const T softening = T(1e-3);
  std::mt19937 random(2);
  std::uniform_real_distribution<T> values(-1, 1);
  std::vector<T> in[4], out[3];
  for (auto& component : in) {
    component.resize(n);
    for (T& x : component) {
      x = values(random);
    }
  }
  for (T& mass : in[3]) {
    mass = std::abs(mass);
  }
  for (auto& component : out) {
    component.resize(n);
  }
  std::vector<double> reference(3 * n);
  for (std::size_t i = 0; i < n; ++i) {
    double ax = 0, ay = 0, az = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double dx = double(in[0][j]) - double(in[0][i]), dy = double(in[1][j]) - double(in[1][i]),
                   dz = double(in[2][j]) - double(in[2][i]);
      const double r2 = dx * dx + dy * dy + dz * dz + double(softening);
      const double f = double(in[3][j]) / (r2 * std::sqrt(r2));
      ax += dx * f;
      ay += dy * f;
      az += dz * f;
    }
    reference[3 * i] = ax;
    reference[3 * i + 1] = ay;
    reference[3 * i + 2] = az;
  }
  const auto verify = [&] {
    double error = 0, norm = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t d = 0; d < 3; ++d) {
        const double difference = double(out[d][i]) - reference[3 * i + d];
        error += difference * difference;
        norm += reference[3 * i + d] * reference[3 * i + d];
      }
    }
    return std::sqrt(error / norm) < (sizeof(T) == 4 ? 1e-4 : 1e-12);
  };
  const programs::bodies<const T> from{{in[0].data(), n}, {in[1].data(), n}, {in[2].data(), n}, {in[3].data(), n}};
  const programs::bodies<T> to{{out[0].data(), n}, {out[1].data(), n}, {out[2].data(), n}, {}};
  const auto measure = [&](auto strategy, lf::fiber_engine engine) {
    for (auto& component : out) {
      std::fill(component.begin(), component.end(), T(0));
    }
    t.measure(
        name, strategy.name, to_string(engine),
        [&] { programs::nbody_accelerations<tile>(q, from, to, softening, how(strategy, engine)).wait(); }, verify);
  };
  for_engines(scalar, measure);
  for_engines(simd<16>, measure);
  for_engines(simd<64>, measure);
}

} // namespace

void run_nbody(lf::queue& q, const sizes& s, table& t) {
  run<float>(q, s, t, "n-body fp32");
  run<double>(q, s, t, "n-body fp64");
}

} // namespace demo
