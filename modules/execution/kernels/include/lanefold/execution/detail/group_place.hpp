// SPDX-License-Identifier: Apache-2.0
/// Declares what nd_item, group and sub_group know.
#pragma once

#include <lanefold/execution/detail/int_ids.hpp>
#include <lanefold/execution/detail/lane_ids.hpp>
#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/execution/fiber/worker.hpp>
#include <lanefold/execution/nd_range.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The part of a group_place that differs between lanes and work-items. Lanes refer to an index space that
/// outlives the kernel's call; work-items hold it, because programs keep nd_items beyond the kernel.
template <int D, class Lanes>
class place_in_launch {
public:
  LANEFOLD_ALWAYS_INLINE constexpr place_in_launch(const nd_range<D>& space, lane_context<Lanes>* context)
      : m_space(&space), m_context(context) {}
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr const nd_range<D>& space() const { return *m_space; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr lane_context<Lanes>* context() const { return m_context; }

private:
  const nd_range<D>* m_space;
  lane_context<Lanes>* m_context;
};

template <int D>
class place_in_launch<D, scalar> {
public:
  LANEFOLD_ALWAYS_INLINE constexpr place_in_launch(const nd_range<D>& space, lane_context<scalar>*)
      : m_space(copy_coordinates<D>(space.get_global_range()), copy_coordinates<D>(space.get_local_range()),
                copy_coordinates<D>(space.get_offset())) {}
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr const nd_range<D>& space() const { return m_space; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr lane_context<scalar>* context() const { return nullptr; }

private:
  nd_range<D> m_space;
};

/// Says where a unit stands: it is copied by value, so that in a kernel without barriers nothing of it lives in memory.
/// It must be small for that: g++ keeps no copy of more than 17 words in registers.
template <int D, class Lanes>
struct group_place : place_in_launch<D, Lanes> {
  id<D> group; ///< id of the work-group
  id<D> local; ///< local id of the work-item, or of the first lane of the sub-group
  unit_state* state;
  std::uint16_t sub_group_size; ///< of work-item kernels; lane-generic ones have Lanes::size
  bool full : 1;                ///< every lane is a work-item
  bool alone : 1;               ///< known at compile time: the unit is the whole group
  bool int_ids : 1;             ///< known at compile time: all global ids fit in int, see int_ids.hpp
  bool last_is_counted : 1;     ///< known at compile time: that in the last dimension is `last_global`
  int last_global;

  static constexpr bool has_lanes = !std::is_same_v<Lanes, scalar>;

  LANEFOLD_ALWAYS_INLINE constexpr group_place(const nd_range<D>& of, const id<D>& group_id, const id<D>& local_id,
                                               unsigned sub_group, unit_state* unit, lane_context<Lanes>* lanes,
                                               bool is_full, bool is_alone, bool fits_in_int = false,
                                               counted_id last = {})
      : place_in_launch<D, Lanes>(of, lanes), group(copy_coordinates<D>(group_id)),
        local(copy_coordinates<D>(local_id)), state(unit), sub_group_size(static_cast<std::uint16_t>(sub_group)),
        full(is_full), alone(is_alone), int_ids(fits_in_int), last_is_counted(last.is_counted),
        last_global(last.value) {}

  /// Returns a copy that is made of the members, one by one.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr group_place by_members() const {
    return {this->space(),   group, local, sub_group_size, state,
            this->context(), full,  alone, int_ids,        counted_id{last_global, last_is_counted}};
  }

  /// Returns the global id in one dimension of a space that begins at `offset`. Where it fits in int it is computed in
  /// int, which compilers know not to wrap.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr std::size_t global_behind(std::size_t offset, int d) const {
    const std::size_t items = this->space().get_local_range()[d];
    if (int_ids) { // the sum of row_ids: the compiler takes what that counts in its place
      const unsigned first =
          static_cast<unsigned>(offset) + static_cast<unsigned>(group[d]) * static_cast<unsigned>(items);
      return static_cast<std::size_t>(static_cast<int>(first) + static_cast<int>(local[d]));
    }
    return offset + group[d] * items + local[d];
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr std::size_t global_in(int d) const {
    if (last_is_counted && d == D - 1) {
      return static_cast<std::size_t>(last_global);
    }
    return global_behind(this->space().get_offset()[d], d);
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr id<D> global() const {
    id<D> result;
    for_each_dimension<D>([&](int d) LANEFOLD_INLINE_LAMBDA { result[d] = global_in(d); });
    return result;
  }

  /// Returns the size that a work-item kernel's sub-groups have; with lanes, how many of them are work-items.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr unsigned size_of_sub_group() const {
    if constexpr (!has_lanes) {
      return sub_group_size;
    } else {
      return full ? Lanes::size : work_items_of_unit(this->context(), this->space().get_local_range(), local);
    }
  }

  /// An id of this place as kernels see it: id<D> for `scalar`, else with lanes.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto with_lanes(const id<D>& first) const {
    return detail::ids_of_lanes(this->context(), first);
  }

  /// One dimension of an id: `Dimension` is an int, or dim<K> for the exact type.
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto in_dimension(const id<D>& first, Dimension dimension) const {
    return detail::ids_in_dimension(this->context(), first, dimension);
  }

  /// Row-major position of an id in `extents`.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto linear(const id<D>& i, const range<D>& extents) const {
    return detail::linear_ids(this->context(), i, extents);
  }

  [[nodiscard]] static constexpr std::size_t linear_uniform(const id<D>& i, const range<D>& extents) {
    return detail::linear_id(i, extents);
  }

  friend constexpr bool operator==(const group_place& a, const group_place& b) {
    return a.space() == b.space() && a.group == b.group && a.local == b.local;
  }
};
static_assert(sizeof(group_place<3, scalar>) <= 17 * sizeof(void*));

[[noreturn]] LANEFOLD_COLD void throw_divergent_barrier();

/// Asks for what sub-groups to come will read, behind the last large read of this one. At barriers: where groups work
/// with barriers between their reads, hardware prefetchers do not run far enough ahead, least of all over the borders
/// of pages. Loads themselves would be the wrong place: without barriers this only takes time (a triad in L1: 1.7 times
/// the time).
template <class Lanes>
LANEFOLD_ALWAYS_INLINE void prefetch_ahead(lane_context<Lanes>& context) {
  constexpr std::uintptr_t distance = 6144; // a few groups; may lie behind the array
  if (context.read_bytes != 0) {
    for (unsigned done = 0; done < context.read_bytes; done += 512) {
      const std::uintptr_t at = context.read_at + distance + done;
      [=]<std::size_t... Line>(std::index_sequence<Line...>) LANEFOLD_INLINE_LAMBDA {
        (__builtin_prefetch(reinterpret_cast<const void*>(at + Line * 64), 0, 2), ...);
      }(std::make_index_sequence<8>{});
    }
    context.read_bytes = 0;
  }
}

/// A barrier of the work-group or of the sub-group, reached by the unit at `place`.
template <int D, class Lanes>
LANEFOLD_ALWAYS_INLINE void barrier_at(const group_place<D, Lanes>& place) {
  if constexpr (group_place<D, Lanes>::has_lanes) {
    auto& context = *place.context();
    if (context.divergent) [[unlikely]] {
      throw_divergent_barrier();
    }
    if (!place.full) {
      announce_convergence(); // so that the unit that runs next finds no mask announced
    }
    prefetch_ahead(context);
    wait_watched(barrier_reach::group, [&]() LANEFOLD_INLINE_LAMBDA {
      if (place.alone) {
        asm volatile("" : : : "memory");
      } else {
        arrive_at_barrier(*place.state);
      }
    });
    // The switch may have changed all memory as far as the compiler knows. Values that it knows without memory are what
    // folds masks away behind a barrier.
    context.all = place.full;
    context.divergent = false;
    if (!place.full) {
      announce_divergence(context);
    }
  } else {
    wait_watched(barrier_reach::group, [&]() LANEFOLD_INLINE_LAMBDA { arrive_at_barrier(*place.state); });
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
