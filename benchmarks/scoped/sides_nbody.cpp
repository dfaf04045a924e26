// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/scoped_nbody.hpp"

#include "forms.hpp"

namespace lanefold_benchmarks::scoped {

namespace {

template <class... Lanes, class T>
std::vector<work> forms(const bodies<T>& b, model m, strategy s, unsigned threads) {
  lf::queue& q = queue_with(threads);
  const programs::bodies<const T> in{{b.x, b.count}, {b.y, b.count}, {b.z, b.count}, {b.mass, b.count}};
  const programs::bodies<T> out{{b.ax, b.count}, {b.ay, b.count}, {b.az, b.count}, {}};
  const T softening = b.softening;
  std::vector<work> result;
  for_strategies<Lanes...>(s, [&]<class Strategy>() {
    const auto add = [&](auto run) { result.push_back({form_name<Strategy>(name_of(m)), run, {}}); };
    switch (m) {
    case model::ndrange:
      return add([=, &q] { programs::nbody_accelerations<256>(q, in, out, softening, how<Strategy>()).wait(); });
    case model::hierarchical:
      return add([=, &q] { programs::hierarchical_nbody<256>(q, in, out, softening, how<Strategy>()).wait(); });
    case model::scoped:
      return add([=, &q] { programs::scoped_nbody<256>(q, in, out, softening, how<Strategy>()).wait(); });
    }
  });
  return result;
}

} // namespace

std::vector<work> nbody(const bodies<float>& b, model m, strategy s, unsigned threads) {
  return forms<lf::simd<32>, lf::simd<64>>(b, m, s, threads);
}
std::vector<work> nbody(const bodies<double>& b, model m, strategy s, unsigned threads) {
  return forms<lf::simd<16>, lf::simd<32>>(b, m, s, threads);
}

} // namespace lanefold_benchmarks::scoped
