// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/nbody.hpp"

#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

template <class Strategy, class T>
work form(const bodies<T>& b, unsigned threads) {
  lf::queue& q = queue_with(threads);
  return {form_name<Strategy>(),
          [=, &q] {
            const programs::bodies<const T> in{{b.x, b.count}, {b.y, b.count}, {b.z, b.count}, {b.mass, b.count}};
            const programs::bodies<T> out{{b.ax, b.count}, {b.ay, b.count}, {b.az, b.count}, {}};
            programs::nbody_accelerations<256>(q, in, out, b.softening, how<Strategy>()).wait();
          },
          {}};
}

} // namespace

std::vector<work> nbody(const bodies<float>& b, unsigned threads) {
  return {form<lf::simd<16>>(b, threads), form<lf::simd<32>>(b, threads), form<lf::simd<64>>(b, threads)};
}
std::vector<work> nbody(const bodies<double>& b, unsigned threads) {
  return {form<lf::simd<8>>(b, threads), form<lf::simd<16>>(b, threads), form<lf::simd<32>>(b, threads)};
}

} // namespace lanefold_benchmarks::ours
