// SPDX-License-Identifier: Apache-2.0
/// Declares what nd_item, group and sub_group know.
#pragma once

#include <lanefold/execution/detail/lane_ids.hpp>
#include <lanefold/execution/fiber/worker.hpp>
#include <lanefold/execution/nd_range.hpp>

#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Says where a unit stands: it is copied by value, so that in a kernel without barriers nothing of it lives in memory.
template <int D, class Lanes>
struct group_place {
  nd_range<D> space;
  id<D> group;             ///< id of the work-group
  id<D> local;             ///< local id of the work-item, or of the first lane of the sub-group
  unsigned sub_group_size; ///< of work-item kernels; lane-generic ones have Lanes::size
  unit_state* state;
  lane_context<Lanes>* context; ///< null for `scalar`
  bool full;                    ///< every lane is a work-item
  bool alone;                   ///< known at compile time: the unit is the whole group

  static constexpr bool has_lanes = !std::is_same_v<Lanes, scalar>;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr id<D> global() const {
    id<D> result;
    for (int d = 0; d < D; ++d) {
      result[d] = space.get_offset()[d] + group[d] * space.get_local_range()[d] + local[d];
    }
    return result;
  }

  /// An id of this place as kernels see it: id<D> for `scalar`, else with lanes.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto with_lanes(const id<D>& first) const {
    return detail::ids_of_lanes(context, first);
  }

  /// One dimension of an id: `Dimension` is an int, or dim<K> for the exact type.
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto in_dimension(const id<D>& first, Dimension dimension) const {
    return detail::ids_in_dimension(context, first, dimension);
  }

  /// Row-major position of an id in `extents`.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto linear(const id<D>& i, const range<D>& extents) const {
    return detail::linear_ids(context, i, extents);
  }

  [[nodiscard]] static constexpr std::size_t linear_uniform(const id<D>& i, const range<D>& extents) {
    return detail::linear_id(i, extents);
  }

  friend constexpr bool operator==(const group_place& a, const group_place& b) {
    return a.space == b.space && a.group == b.group && a.local == b.local;
  }
};

[[noreturn]] LANEFOLD_COLD void throw_divergent_barrier();

/// A barrier of the work-group or of the sub-group, reached by the unit at `place`.
template <int D, class Lanes>
LANEFOLD_ALWAYS_INLINE void barrier_at(const group_place<D, Lanes>& place) {
  if constexpr (group_place<D, Lanes>::has_lanes) {
    auto& context = *place.context;
    if (context.divergent) [[unlikely]] {
      throw_divergent_barrier();
    }
    if (!place.full) {
      announce_convergence(); // so that the unit that runs next finds no mask announced
    }
    prefetch_ahead(context);
    if (place.alone) {
      asm volatile("" : : : "memory");
    } else {
      arrive_at_barrier(*place.state);
    }
    // The switch may have changed all memory as far as the compiler knows. Values that it knows without memory are what
    // folds masks away behind a barrier.
    context.all = place.full;
    context.divergent = false;
    if (!place.full) {
      announce_divergence(context);
    }
  } else {
    arrive_at_barrier(*place.state);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
