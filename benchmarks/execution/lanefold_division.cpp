// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

template <class T, class Divisor>
work divided(const T* from, T* to, std::size_t count, Divisor by) {
  lf::queue& q = queue_with(1);
  const lf::view<const T> x(from, count);
  const lf::view<T> y(to, count);
  const lf::nd_range<1> space(count, 256);
  return {"lanes",
          [=, &q] {
            q.parallel_for(space, [=](auto it) {
               const auto i = it.get_global_id(0);
               y[i] = x[i] / by();
             }).wait();
          },
          {}};
}

} // namespace

template <class T>
work quotients(divisor kind, const T* x, T* y, std::size_t count) {
  if (kind == divisor::constant) {
    return divided(x, y, count, [] { return T(known_divisor); });
  }
  static volatile T number = known_divisor;
  return divided(x, y, count, [d = T(number)] { return d; });
}
template work quotients(divisor, const std::int32_t*, std::int32_t*, std::size_t);
template work quotients(divisor, const std::uint8_t*, std::uint8_t*, std::size_t);

} // namespace lanefold_benchmarks::ours
