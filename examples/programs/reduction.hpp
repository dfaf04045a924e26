// SPDX-License-Identifier: Apache-2.0
/// Sum by a tree in local memory.
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>

namespace programs {

namespace lf = lanefold;

/// One pass: group g writes the sum of its elements of `in` to `out[g]`. The accumulating work-items halve at each
/// level, with a barrier a level. `out` has one element a group.
template <class T, class Properties>
lf::event reduction_pass(lf::queue& q, lf::view<const T> in, lf::view<T> out, std::size_t group_size,
                         const Properties& how) {
  return q.submit([&](lf::handler& h) {
    lf::local_accessor<T> sums({group_size}, h);
    h.parallel_for(lf::nd_range<1>(out.size() * group_size, group_size), how, [=](auto it) {
      const auto i = it.get_global_id(0);
      const auto l = it.get_local_id(0);
      auto mine = it.var(T(0));
      it.if_(i < in.size(), [&] { mine = in[i]; });
      sums[l] = mine;
      for (std::size_t half = group_size / 2; half > 0; half /= 2) {
        lf::group_barrier(it.get_group());
        it.if_(l < half, [&] { sums[l] += sums[l + half]; });
      }
      it.if_(l == 0, [&] { out[it.get_group(0)] = sums[0]; });
    });
  });
}

/// Sums `in`, launching passes until one group suffices. `scratch` holds two times `scratch_size(in.size(), group)`
/// elements. `group_size` is a power of two. Returns where the sum will be when `q` is done.
template <class T, class Properties>
T* tree_reduction(lf::queue& q, lf::view<const T> in, T* scratch, std::size_t group_size, const Properties& how) {
  std::size_t groups = (in.size() + group_size - 1) / group_size;
  T* from = scratch;
  T* to = scratch + groups;
  reduction_pass(q, in, lf::view<T>(from, groups), group_size, how);
  while (groups > 1) {
    const lf::view<const T> partial(from, groups);
    groups = (groups + group_size - 1) / group_size;
    reduction_pass(q, partial, lf::view<T>(to, groups), group_size, how);
    std::swap(from, to);
  }
  return from;
}

/// Elements of scratch memory that tree_reduction needs.
inline std::size_t reduction_scratch(std::size_t elements, std::size_t group_size) {
  return 2 * ((elements + group_size - 1) / group_size);
}

} // namespace programs
