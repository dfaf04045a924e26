// SPDX-License-Identifier: Apache-2.0
/// Sum by a tree in local memory by groups of a size that is known at compile time: as ND-range kernel (reduction.hpp
/// has the same for any size), in the hierarchical and in the scoped model.
#pragma once

#include "reduction.hpp"

#include <type_traits>
#include <utility>

namespace programs {

/// The levels of the tree from `Half` active work-items down to one. The level is distributed over as many items as are
/// active, so that its size is known at compile time.
template <std::size_t Half, class Group, class Sums>
LANEFOLD_ALWAYS_INLINE void add_halves(const Group& group, const Sums& sums) {
  if constexpr (Half > 0) {
    const auto add = [&](auto it) {
      const auto l = it.get_local_id(group, lf::dim<0>);
      sums[l] += sums[l + Half];
    };
    lf::distribute_items_and_wait(group, lf::static_range<Half>(), add);
    add_halves<Half / 2>(group, sums);
  }
}
template <std::size_t Half, class Group, class Sums>
LANEFOLD_ALWAYS_INLINE void add_halves_of_work_group(const Group& group, const Sums& sums) {
  if constexpr (Half > 0) {
    group.parallel_for_work_item(lf::static_range<Half>(), [&](auto it) {
      const auto l = it.get_local_id(lf::dim<0>);
      sums[l] += sums[l + Half];
    });
    add_halves_of_work_group<Half / 2>(group, sums);
  }
}

/// Asks for the elements that group `group` reads, if it is a whole one.
template <std::size_t Group, class T>
LANEFOLD_ALWAYS_INLINE void prefetch_group(lf::view<const T> in, std::size_t group) {
  constexpr std::size_t line = 64 / sizeof(T);
  if ((group + 1) * Group <= in.size()) {
    for (std::size_t i = group * Group; i < (group + 1) * Group; i += line) {
      __builtin_prefetch(&in[i]);
    }
  }
}

/// One pass: group g writes the sum of its `Group` elements of `in` to `out[g]`. `Group` is a power of two. With
/// simd<Group> the group is one unit, whose barriers cost nothing. Lanes ask early for what the next group reads: the
/// masked tree is so many instructions that the processor does not look past it.
template <std::size_t Group, class T, class Properties>
lf::event ndrange_reduction_pass(lf::queue& q, lf::view<const T> in, lf::view<T> out, const Properties& how) {
  return q.submit([&](lf::handler& h) {
    lf::local_accessor<T> sums({Group}, h);
    const lf::nd_range<1> space(out.size() * Group, Group);
    h.parallel_for(space, how, lf::property::work_group_size<Group>{}, [=](auto it) {
      const std::size_t group = it.get_group(0);
      const auto i = it.get_global_id(0);
      const auto l = it.get_local_id(0);
      if constexpr (!std::is_same_v<typename decltype(it)::lanes, lf::scalar>) {
        prefetch_group<Group>(in, group + 1);
      }
      if ((group + 1) * Group <= in.size()) {
        sums[l] = in[i];
      } else {
        auto mine = it.var(T(0));
        it.if_(i < in.size(), [&] { mine = in[i]; });
        sums[l] = mine;
      }
      for (std::size_t half = Group / 2; half > 0; half /= 2) {
        lf::group_barrier(it.get_group());
        it.if_(l < half, [&] { sums[l] += sums[l + half]; });
      }
      it.if_(l == 0, [&] { out[group] = sums[0]; });
    });
  });
}

/// Computes the same as ndrange_reduction_pass in a hierarchical kernel.
template <std::size_t Group, class T, class Properties>
lf::event hierarchical_reduction_pass(lf::queue& q, lf::view<const T> in, lf::view<T> out, const Properties& how) {
  return q.submit([&](lf::handler& h) {
    h.parallel_for_work_group(lf::range<1>(out.size()), lf::static_range<Group>(), how, [=](auto group) {
      alignas(64) T memory[Group]; // in work-group scope: shared by the items
      const lf::view<T> sums(memory, Group);
      const auto load = [&](auto it) {
        const auto i = it.get_global_id(lf::dim<0>);
        auto mine = it.var(T(0));
        it.if_(i < in.size(), [&] { mine = in[i]; });
        sums[it.get_local_id(lf::dim<0>)] = mine;
      };
      const auto load_whole = [&](auto it) { sums[it.get_local_id(lf::dim<0>)] = in[it.get_global_id(lf::dim<0>)]; };
      if ((group.get_group_id(0) + 1) * Group <= in.size()) {
        group.parallel_for_work_item(load_whole);
      } else {
        group.parallel_for_work_item(load);
      }
      add_halves_of_work_group<Group / 2>(group, sums);
      out[group.get_group_id(0)] = sums[0];
    });
  });
}

/// Computes the same as ndrange_reduction_pass in a scoped kernel.
template <std::size_t Group, class T, class Properties>
lf::event scoped_reduction_pass(lf::queue& q, lf::view<const T> in, lf::view<T> out, const Properties& how) {
  return q.parallel(lf::range<1>(out.size()), lf::static_range<Group>(), how, [=](auto group) {
    lf::memory_environment(group, lf::require_local_mem<T[Group]>(), [&](auto& sums) {
      if ((group.get_group_id(0) + 1) * Group <= in.size()) {
        lf::distribute_items_and_wait(
            group, [&](auto it) { sums[it.get_innermost_local_id(lf::dim<0>)] = in[it.get_global_id(lf::dim<0>)]; });
      } else {
        lf::distribute_items_and_wait(group, [&](auto it) {
          const auto i = it.get_global_id(lf::dim<0>);
          auto mine = it.var(T(0));
          it.if_(i < in.size(), [&] { mine = in[i]; });
          sums[it.get_innermost_local_id(lf::dim<0>)] = mine;
        });
      }
      add_halves<Group / 2>(group, sums);
      lf::single_item(group, [&] { out[group.get_group_id(0)] = sums[0]; });
    });
  });
}

/// Sums `in` by `pass(in, out)`, as tree_reduction does, until one group suffices; a group has `group_size` elements.
template <class T, class Pass>
T* reduction_by_passes(lf::view<const T> in, T* scratch, std::size_t group_size, Pass pass) {
  std::size_t groups = (in.size() + group_size - 1) / group_size;
  T* from = scratch;
  T* to = scratch + groups;
  pass(in, lf::view<T>(from, groups));
  while (groups > 1) {
    const lf::view<const T> partial(from, groups);
    groups = (groups + group_size - 1) / group_size;
    pass(partial, lf::view<T>(to, groups));
    std::swap(from, to);
  }
  return from;
}

} // namespace programs
