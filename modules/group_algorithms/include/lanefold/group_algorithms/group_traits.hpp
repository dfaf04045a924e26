// SPDX-License-Identifier: Apache-2.0
/// Says what a group algorithm knows of the group that it is called on: by this one class a new algorithm is one
/// function that all kinds of groups have. docs/group-algorithms.md has an example.
#pragma once

#include <lanefold/group_algorithms/detail/joint_range.hpp>
#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>
#include <lanefold/group_algorithms/detail/part_values.hpp>

#include <cstddef>
#include <new>

LANEFOLD_BEGIN_NAMESPACE

/// Describes a group of type G: a work-group or a sub-group of a work-item kernel or of lanes, a part of a sub-group, a
/// group of a scoped or hierarchical kernel. (Not the groups of recorded kernels, whose algorithms are functions of the
/// device library.)
///
/// An algorithm is called by all units of the group: by each work-item in a work-item kernel, by each pack of lanes in
/// a lane-generic one. What it is given is one value for each work-item: a plain one, or a varying.
template <Group G>
struct group_traits {
private:
  using access = detail::group_access<G>;
  static_assert(
      requires { G::lanes::size; },
      "lanefold: this group algorithm runs on the CPU, and the groups of recorded kernels do not have it");

public:
  /// The lanes of a unit; `scalar` in work-item kernels.
  using lanes = typename G::lanes;
  static constexpr bool has_lanes = detail::has_lanes_v<G>;
  /// Says whether the lanes of one unit are several groups side by side (parts of a sub-group of lanes): what is
  /// uniform in a group, such as its size, is varying then.
  static constexpr bool side_by_side = detail::in_parts<G>;

  /// The type of the values of single work-items, where a kernel gives an X: a T, a varying of Ts, `x[i]`, a variable.
  template <class X>
  using element_type = detail::group_element_t<G, X>;

  /// Returns what a kernel gave as the value of each calling work-item: an element_type<X>, a varying of these, or a
  /// mask.
  template <class X>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE static auto value(const X& x) {
    if constexpr (has_lanes) {
      return detail::lane_value<lanes>(x);
    } else {
      return detail::group_element_t<G, X>(x);
    }
  }

  /// The position of the calling work-items in the linear order of the group, from 0 on. Varying: an integer, a lane
  /// index, or a varying integer.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE static auto position(const G& g) {
    if constexpr (requires { access::item_position(g); }) {
      return access::item_position(g);
    } else {
      return g.get_local_linear_id();
    }
  }

  /// Work-items of the group. Uniform; varying where groups lie side by side.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE static auto size(const G& g) {
    if constexpr (requires { access::items(g); }) {
      return access::items(g);
    } else {
      return g.get_local_linear_range();
    }
  }

  /// Checks that the calling work-items are not in divergent code: errc::kernel otherwise. `in_memory` and `once` do.
  LANEFOLD_ALWAYS_INLINE static void check_converged(const G& g) { detail::check_converged(g); }

  /// Brings the values of x of all work-items of the group together: `f(values, n)` is called once for each group, with
  /// them in memory in the linear order of the group (`element_type<X>*`, std::size_t), and may change them. Returns
  /// what then stands at the position of each calling work-item. Varying.
  /// Where `x` is private memory of a scoped or hierarchical group, `f` is called with that, and nothing is returned.
  /// `function` is the name of the algorithm, for messages. The type of `f` is what tells one algorithm from another:
  /// let it be a lambda. To be called by all work-items of the group, in converged code (errc::kernel otherwise, also
  /// if others call something else). Cost: a store and a load, one barrier; no barrier in a group of one sub-group.
  template <class X, class F>
  LANEFOLD_ALWAYS_INLINE static auto in_memory(const G& g, [[maybe_unused]] const char* function, const X& x, F f) {
    if constexpr (detail::ValuesOf<X, G>) {
      detail::values_in_memory<G, X>::check(g, function);
      f(x.begin(), x.size());
    } else {
      detail::check_converged(g);
      if constexpr (has_lanes) {
        return lanes_in_memory(g, value(x), f);
      } else {
        using E = element_type<X>;
        const auto here = detail::meeting_point<G>::template arrive<F, E>(g);
        E* const values = here.template data<E>(here.units());
        new (values + here.position()) E(x);
        if (here.last()) {
          f(values, std::size_t{here.units()});
        }
        here.wait();
        return E(values[here.position()]);
      }
    }
  }

  /// Calls `compute()` in one work-item of the group, the last to come, so that what the others have written before is
  /// there; returns what it returns to all. Uniform. (For groups side by side in one unit it is called once.) The rest
  /// as for `in_memory`.
  template <class F>
  LANEFOLD_ALWAYS_INLINE static auto once(const G& g, F compute) {
    return detail::compute_once<F>(g, compute);
  }

private:
  template <class V, class F>
  LANEFOLD_ALWAYS_INLINE static V lanes_in_memory(const G& g, const V& v, F& f) {
    static_assert(!is_mask_v<V>, "lanefold: conditions do not go through memory; give numbers");
    using E = typename V::value_type;
    if constexpr (side_by_side) {
      return detail::parts_in_memory(g, v, f);
    } else {
      const auto store = [&](E* own) LANEFOLD_INLINE_LAMBDA {
        const auto& context = *access::context(g);
        context.all ? v.store(own) : v.store(own, context.active);
      };
      const auto load = [&](const E* own) LANEFOLD_INLINE_LAMBDA {
        const auto& context = *access::context(g);
        return context.all ? V::load(own) : V::load(own, context.active);
      };
      if (detail::alone(g)) {
        alignas(64) E values[V::size()];
        store(values);
        f(static_cast<E*>(values), detail::active_count(*access::context(g)));
        return load(values);
      }
      if constexpr (detail::can_meet<G>) {
        const std::size_t size = g.get_local_linear_range();
        const auto here = detail::meeting_point<G>::template arrive<F, E>(g);
        E* const values = here.template data<E>(size);
        store(values + access::first_item(g));
        if (here.last()) {
          f(values, size);
        }
        here.wait();
        return load(values + access::first_item(g));
      } else {
        return V(v); // not reached: its only unit is alone
      }
    }
  }
};

LANEFOLD_END_NAMESPACE
