// SPDX-License-Identifier: Apache-2.0
/// The work-items of an ND-range kernel.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/group.hpp>
#include <lanefold/execution/sub_group.hpp>
#include <lanefold/memory/is_device_copyable.hpp>
#include <lanefold/memory/memory_order.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// One work-item of an ND-range kernel (`nd_item<D>`: SYCL's class [sycl.4.9.1.5]), or the work-items of one sub-group
/// (`nd_item<D, simd<N>>`). Given to the kernel by value. Ids are varying, ranges uniform; `dim<K>` instead of an int
/// gives an id its exact type (see lane_id). Device copyable; equal if they are the same work-items of the same
/// index space.
template <int D = 1, class Lanes = scalar>
class nd_item : public control_flow<Lanes> {
public:
  using lanes = Lanes;
  static constexpr int dimensions = D;

  /// Only the library calls this: launches make items.
  LANEFOLD_ALWAYS_INLINE constexpr explicit nd_item(const detail::group_place<D, Lanes>& place)
      : control_flow<Lanes>(place.context()), m_place(place) {}

  constexpr nd_item(const nd_item&)
    requires(!std::is_same_v<Lanes, scalar>)
  = default;
  /// A work-item is handed to a function of another source file by its members, which are in registers: a copy as a
  /// whole reads wide what was stored in parts, and waits for that (9.7 ns a call in place of 2.6).
  LANEFOLD_ALWAYS_INLINE constexpr nd_item(const nd_item& from) noexcept
    requires(std::is_same_v<Lanes, scalar>)
      : control_flow<Lanes>(from.m_place.context()), m_place(from.m_place.by_members()) {}
  constexpr nd_item& operator=(const nd_item&) = default;

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id() const {
    return m_place.with_lanes(m_place.global());
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id(Dimension dimension) const {
    if constexpr (std::is_same_v<Lanes, scalar>) {
      return m_place.global_in(dimension);
    } else {
      return m_place.in_dimension(m_place.global(), dimension);
    }
  }
  /// Row-major position in the global range, without the offset.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_linear_id() const {
    if constexpr (D == 1 && std::is_same_v<Lanes, scalar>) {
      return m_place.global_behind(0, 0);
    } else {
      return m_place.linear(m_place.global() - m_place.space().get_offset(), get_global_range());
    }
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id() const { return m_place.with_lanes(m_place.local); }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(Dimension dimension) const {
    return m_place.in_dimension(m_place.local, dimension);
  }
  /// Row-major position in the work-group.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_linear_id() const {
    return m_place.linear(m_place.local, get_local_range());
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr group<D, Lanes> get_group() const { return group<D, Lanes>(m_place); }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr std::size_t get_group(int dimension) const {
    return m_place.group[dimension];
  }
  [[nodiscard]] constexpr std::size_t get_group_linear_id() const { return get_group().get_group_linear_id(); }
  [[nodiscard]] constexpr range<D> get_group_range() const { return m_place.space().get_group_range(); }
  [[nodiscard]] constexpr std::size_t get_group_range(int dimension) const { return get_group_range()[dimension]; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr sub_group_of<Lanes> get_sub_group() const {
    return sub_group_of<Lanes>(m_place.state, m_place.context(), m_place.size_of_sub_group());
  }

  [[nodiscard]] constexpr range<D> get_global_range() const { return m_place.space().get_global_range(); }
  [[nodiscard]] constexpr std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  [[nodiscard]] constexpr range<D> get_local_range() const { return m_place.space().get_local_range(); }
  [[nodiscard]] constexpr std::size_t get_local_range(int dimension) const { return get_local_range()[dimension]; }
  [[nodiscard]] constexpr id<D> get_offset() const { return m_place.space().get_offset(); }
  [[nodiscard]] constexpr nd_range<D> get_nd_range() const { return m_place.space(); }

  /// SYCL 1.2.1's spelling of `group_barrier(it.get_group())`.
  LANEFOLD_ALWAYS_INLINE void barrier(access::fence_space = access::fence_space::global_and_local) const {
    detail::barrier_at(m_place);
  }
  /// SYCL 1.2.1's spelling of `atomic_fence(memory_order::acq_rel, memory_scope::work_group)`.
  LANEFOLD_ALWAYS_INLINE void mem_fence(access::fence_space = access::fence_space::global_and_local) const {
    atomic_fence(memory_order::acq_rel, memory_scope::work_group);
  }

  /// See group.
  template <class To, class From>
  LANEFOLD_ALWAYS_INLINE device_event async_work_group_copy(To to, From from, std::size_t count) const {
    return get_group().async_work_group_copy(to, from, count);
  }
  template <class To, class From>
  LANEFOLD_ALWAYS_INLINE device_event async_work_group_copy(To to, From from, std::size_t count,
                                                            std::size_t stride) const {
    return get_group().async_work_group_copy(to, from, count, stride);
  }
  template <class... Events>
  LANEFOLD_ALWAYS_INLINE void wait_for(Events... copies) const {
    get_group().wait_for(copies...);
  }

  friend constexpr bool operator==(const nd_item& a, const nd_item& b) { return a.m_place == b.m_place; }

private:
  detail::group_place<D, Lanes> m_place;
};

template <int D, class Lanes>
struct is_device_copyable<nd_item<D, Lanes>> : std::true_type {};

LANEFOLD_END_NAMESPACE
