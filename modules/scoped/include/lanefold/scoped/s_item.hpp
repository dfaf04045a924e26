// SPDX-License-Identifier: Apache-2.0
/// The logical work-items of scoped kernels.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/detail/group_place.hpp>
#include <lanefold/execution/sub_group.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// One logical work-item of a scoped kernel (`s_item<D>`), or as many as there are lanes (`s_item<D, simd<N>>`): what
/// the callable of distribute_items gets, by value. Ids are varying, ranges uniform; `dim<K>` instead of an int gives an
/// id its exact type. It has the variables and the control flow of every item (`var`, `if_`, `while_`, `for_`).
/// Source: AdaptiveCpp, scoped parallelism.
template <int D = 1, class Lanes = scalar>
class s_item : public control_flow<Lanes> {
public:
  using lanes = Lanes;
  static constexpr int dimensions = D;

  /// For the library. The index space of the place is the innermost group, whose first item has the offset as global id
  /// and the extents as local range; `base` is where the group around it sees that item.
  LANEFOLD_ALWAYS_INLINE constexpr s_item(const detail::group_place<D, Lanes>& place, const id<D>& base)
      : control_flow<Lanes>(place.context), m_place(place), m_base(base) {}

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id() const {
    return m_place.with_lanes(m_place.global());
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id(Dimension dimension) const {
    return m_place.in_dimension(m_place.global(), dimension);
  }
  /// Row-major position in the global range.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_linear_id() const {
    return m_place.linear(m_place.global(), get_global_range());
  }
  [[nodiscard]] constexpr range<D> get_global_range() const { return m_place.space.get_global_range(); }
  [[nodiscard]] constexpr std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  [[nodiscard]] constexpr std::size_t get_global_linear_range() const { return get_global_range().size(); }

  /// Id in the group that distribute_items was called on.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_innermost_local_id() const {
    return m_place.with_lanes(m_place.local);
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_innermost_local_id(Dimension dimension) const {
    return m_place.in_dimension(m_place.local, dimension);
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_innermost_local_linear_id() const {
    return m_place.linear(m_place.local, get_innermost_local_range());
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr range<D> get_innermost_local_range() const {
    return m_place.space.get_local_range();
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr std::size_t get_innermost_local_range(int dimension) const {
    return get_innermost_local_range()[dimension];
  }
  [[nodiscard]] constexpr std::size_t get_innermost_local_linear_range() const {
    return get_innermost_local_range().size();
  }

  /// Id in `group`, which is the group that distribute_items was called on or one around it.
  template <class Group>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(const Group& group) const {
    return m_place.with_lanes(first_in(group));
  }
  template <class Group, class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(const Group& group, Dimension dimension) const {
    return m_place.in_dimension(first_in(group), dimension);
  }
  template <class Group>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_linear_id(const Group& group) const {
    return m_place.linear(first_in(group), group.get_logical_local_range());
  }
  template <class Group>
  [[nodiscard]] constexpr range<D> get_local_range(const Group& group) const {
    return group.get_logical_local_range();
  }
  template <class Group>
  [[nodiscard]] constexpr std::size_t get_local_range(const Group& group, int dimension) const {
    return group.get_logical_local_range(dimension);
  }
  template <class Group>
  [[nodiscard]] constexpr std::size_t get_local_linear_range(const Group& group) const {
    return group.get_logical_local_linear_range();
  }

  /// The items that run together: the lanes, or one item. Group algorithms take it inside of distribute_items.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr sub_group<Lanes> get_sub_group() const {
    return sub_group<Lanes>(m_place);
  }

  /// The same items of the same group.
  friend constexpr bool operator==(const s_item& a, const s_item& b) {
    return a.m_place == b.m_place && a.m_base == b.m_base;
  }

private:
  template <class Group>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr id<D> first_in(const Group& group) const {
    static_assert(Group::dimensions == D, "lanefold: the group has other dimensions than the item");
    return m_base + m_place.local - group.first_item();
  }

  detail::group_place<D, Lanes> m_place;
  id<D> m_base;
};

LANEFOLD_END_NAMESPACE
