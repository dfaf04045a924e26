// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

#include <array>

namespace lanefold_benchmarks::ours {

namespace {

/// `point(i)` returns the four coordinates of point i.
template <class Point>
work sums(const points& of, const std::string& name, const Point& point) {
  lf::queue& q = queue_with(1);
  const lf::view<float> to(of.sums, of.count);
  const lf::nd_range<1> space(of.count, 256);
  const auto sum = [point](const auto& i) {
    const auto p = point(i);
    return 2.0F * p[0] + p[1] + p[2] + p[3];
  };
  if (of.order == nullptr) {
    return {name,
            [=, &q] {
              q.parallel_for(space, [=](auto it) {
                 const auto i = it.get_global_id(0);
                 to[i] = sum(i);
               }).wait();
            },
            {}};
  }
  const lf::view<const unsigned> order(of.order, of.count);
  return {name,
          [=, &q] {
            q.parallel_for(space, [=](auto it) {
               const auto i = it.get_global_id(0);
               to[i] = sum(order[i]);
             }).wait();
          },
          {}};
}

} // namespace

work sums_of_vectors(const points& of) {
  const lf::view<const lf::float4> all(reinterpret_cast<const lf::float4*>(of.values), of.count);
  return sums(of, "vectors", [=](const auto& i) { return all[i]; });
}
work sums_of_arrays(const points& of) {
  const auto array = [&](std::size_t k) { return lf::view<const float>(of.values + k * of.count, of.count); };
  return sums(of, "arrays", [x = array(0), y = array(1), z = array(2), w = array(3)](const auto& i) {
    return std::array{x[i] + 0.0F, y[i] + 0.0F, z[i] + 0.0F, w[i] + 0.0F}; // values, not references
  });
}

} // namespace lanefold_benchmarks::ours
