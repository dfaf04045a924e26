// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

#include <stdexcept>

namespace lanefold_benchmarks::ours {

namespace {

/// a = b + s * c over an index space as it is, by the library's choice of lanes.
template <int D>
work over(const triad_arrays& of, const lf::range<D>& extents, const lf::range<D>* local, bool by_items,
          unsigned threads) {
  lf::queue& q = queue_with(threads);
  const lf::view<float, D> out(of.a, extents);
  const lf::view<const float, D> x(of.b, extents), y(of.c, extents);
  const float s = of.s;
  const std::string name = std::to_string(D) + "-D " + (local == nullptr ? "range" : "nd_range");
  if (by_items) {
    if constexpr (D > 2) {
      throw std::logic_error("rows of work-items are measured in one and two dimensions");
    } else {
      return {name + " of work-items",
              [=, &q] { q.parallel_for(extents, [=](lf::id<D> i) { out[i] = x[i] + s * y[i]; }).wait(); },
              {}};
    }
  }
  if (local == nullptr) {
    return {name, [=, &q] { q.parallel_for(extents, [=](auto it) { out[it] = x[it] + s * y[it]; }).wait(); }, {}};
  }
  const lf::nd_range<D> space(extents, *local);
  return {name,
          [=, &q] {
            q.parallel_for(space, [=](auto it) {
               const auto i = it.get_global_id();
               out[i] = x[i] + s * y[i];
             }).wait();
          },
          {}};
}

} // namespace

work rows(const triad_arrays& of, std::size_t width, int dimensions, row_kernel kernel, unsigned threads) {
  const bool by_items = kernel == row_kernel::work_items;
  const bool in_groups = kernel == row_kernel::lanes_in_groups;
  const std::size_t rows = of.count / width;
  if (dimensions == 1) {
    return over<1>(of, lf::range<1>(of.count), nullptr, by_items, threads);
  }
  if (dimensions == 2) {
    return over<2>(of, {rows, width}, nullptr, by_items, threads);
  }
  if (dimensions == 3) {
    const lf::range<3> local(4, 4, width);
    return over<3>(of, {rows / 16, 16, width}, in_groups ? &local : nullptr, by_items, threads);
  }
  const lf::range<4> local(1, 4, 4, width);
  return over<4>(of, {rows / 256, 16, 16, width}, in_groups ? &local : nullptr, by_items, threads);
}

} // namespace lanefold_benchmarks::ours
