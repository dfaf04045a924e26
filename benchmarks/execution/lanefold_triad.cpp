// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

/// The work of lanefold_peers::plain::triad: group g works on the elements from (g * group) % footprint on.
template <class Strategy, std::size_t... Group, class T>
work form(T* a, const T* b, const T* c, T s, std::size_t count, std::size_t group, std::size_t footprint,
          unsigned threads) {
  lf::queue& q = queue_with(threads);
  return {form_name<Strategy>(),
          [=, &q] {
            const lf::view<T> out(a, footprint);
            const lf::view<const T> x(b, footprint), y(c, footprint);
            const std::size_t last_place = footprint / group - 1; // footprints are powers of two times the group
            q.parallel_for(lf::nd_range<1>(count, group), how<Strategy, Group...>(), [=](auto it) {
               const auto i = (it.get_group(0) & last_place) * group + it.get_local_id(0);
               out[i] = x[i] + s * y[i];
             }).wait();
          },
          {}};
}

template <class T>
std::vector<work> forms(T* a, const T* b, const T* c, T s, std::size_t count, std::size_t group, std::size_t footprint,
                        model m, unsigned threads) {
  if (m == model::work_item) {
    return {form<lf::scalar>(a, b, c, s, count, group, footprint, threads),
            form<lf::omp_simd>(a, b, c, s, count, group, footprint, threads)};
  }
  std::vector<work> result{form<lf::simd<16>>(a, b, c, s, count, group, footprint, threads),
                           form<lf::simd<64>>(a, b, c, s, count, group, footprint, threads),
                           form<lf::simd<128>>(a, b, c, s, count, group, footprint, threads)};
  if (group == 256) {
    result.push_back(form<lf::simd<256>, 256>(a, b, c, s, count, group, footprint, threads));
  }
  return result;
}

} // namespace

std::vector<work> triad(float* a, const float* b, const float* c, float s, std::size_t count, std::size_t group,
                        std::size_t footprint, model m, unsigned threads) {
  return forms(a, b, c, s, count, group, footprint, m, threads);
}
std::vector<work> triad(double* a, const double* b, const double* c, double s, std::size_t count, std::size_t group,
                        std::size_t footprint, model m, unsigned threads) {
  return forms(a, b, c, s, count, group, footprint, m, threads);
}

} // namespace lanefold_benchmarks::ours
