// SPDX-License-Identifier: Apache-2.0
/// Rusanov's fluxes of a gas between neighbouring cells.
#include "programs.hpp"

#include <algorithm>

namespace lanefold_benchmarks {

void measure_flux(contest& to, unsigned threads) {
  constexpr std::size_t count = std::size_t{1} << 18;
  const array<float> rho = random_floats(count + 1, 0.5F, 2), mom = random_floats(count + 1, -1, 1, 2),
                     ene = random_floats(count + 1, 3, 6, 3);
  array<float> flux_rho(count), flux_mom(count), flux_ene(count);
  const gas of{rho.data(), mom.data(), ene.data(), flux_rho.data(), flux_mom.data(), flux_ene.data(), count};
  const work loop = openmp::flux(of, threads);
  loop.run();
  const std::vector<float> expected_rho(flux_rho.begin(), flux_rho.end());
  const std::vector<float> expected_mom(flux_mom.begin(), flux_mom.end());
  const std::vector<float> expected_ene(flux_ene.begin(), flux_ene.end());

  const auto clear = [&] {
    for (auto* const fluxes : {&flux_rho, &flux_mom, &flux_ene})
      std::fill(fluxes->begin(), fluxes->end(), 0.F);
  };
  const auto check = [&] {
    return first_difference(flux_rho, expected_rho, 1e-4) + first_difference(flux_mom, expected_mom, 1e-4) +
           first_difference(flux_ene, expected_ene, 1e-4);
  };
  to.run("flux", loop, clear, check, [=](lf::queue& q, auto properties) {
    const lf::view<const float> r(of.rho, count + 1), m(of.mom, count + 1), e(of.ene, count + 1);
    const lf::view<float> to_r(of.flux_rho, count), to_m(of.flux_mom, count), to_e(of.flux_ene, count);
    q.parallel_for(lf::range<1>(count), properties, [=](auto it) {
       constexpr float gamma = 1.4F;
       const auto i = it.get_id(0);
       const auto pressure = [](auto velocity, auto momentum, auto energy) {
         return (gamma - 1) * (energy - 0.5F * momentum * velocity);
       };
       const auto v0 = m[i] / r[i], v1 = m[i + 1] / r[i + 1];
       const auto p0 = pressure(v0, m[i], e[i]), p1 = pressure(v1, m[i + 1], e[i + 1]);
       const auto fastest =
           lf::max(lf::fabs(v0) + lf::sqrt(gamma * p0 / r[i]), lf::fabs(v1) + lf::sqrt(gamma * p1 / r[i + 1]));
       to_r[i] = 0.5F * (m[i] + m[i + 1]) - 0.5F * fastest * (r[i + 1] - r[i]);
       to_m[i] = 0.5F * (m[i] * v0 + p0 + m[i + 1] * v1 + p1) - 0.5F * fastest * (m[i + 1] - m[i]);
       to_e[i] = 0.5F * (v0 * (e[i] + p0) + v1 * (e[i + 1] + p1)) - 0.5F * fastest * (e[i + 1] - e[i]);
     }).wait();
  });
}

} // namespace lanefold_benchmarks
