// SPDX-License-Identifier: Apache-2.0
/// The logical work-items of scoped kernels.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/detail/group_place.hpp>
#include <lanefold/execution/sub_group.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what the items of one distribute_items have in common. Items point to it, so that they are cheap to pass: g++
/// loses track of larger ones in unrolled code.
template <int D>
struct distributed_items {
  range<D> global; ///< all items of the launch
  range<D> size;   ///< the items of the innermost group
  id<D> first;     ///< global id of the first of them
  id<D> base;      ///< the global id of the first of them where the groups around it count
  unit_state* state;

  friend constexpr bool operator==(const distributed_items&, const distributed_items&) = default;
};

} // namespace detail

/// One logical work-item of a scoped kernel (`s_item<D>`), or as many as there are lanes (`s_item<D, simd<N>>`): what
/// the callable of distribute_items gets, by value. Ids are varying, ranges uniform; `dim<K>` instead of an int gives
/// an id its exact type. It has the variables and the control flow of every item (`var`, `if_`, `while_`, `for_`).
/// Source: AdaptiveCpp, scoped parallelism.
template <int D = 1, class Lanes = scalar>
class s_item : public control_flow<Lanes> {
public:
  using lanes = Lanes;
  static constexpr int dimensions = D;

  /// Only the library calls this: distribute_items makes items.
  LANEFOLD_ALWAYS_INLINE constexpr s_item(const detail::distributed_items<D>& all, const id<D>& local,
                                          detail::lane_context<Lanes>* context)
      : control_flow<Lanes>(context), m_all(&all), m_local(local), m_context(context) {}

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id() const {
    return detail::ids_of_lanes(m_context, m_all->first + m_local);
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id(Dimension dimension) const {
    return detail::ids_in_dimension(m_context, m_all->first + m_local, dimension);
  }
  /// Row-major position in the global range.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_linear_id() const {
    return detail::linear_ids(m_context, m_all->first + m_local, get_global_range());
  }
  [[nodiscard]] constexpr range<D> get_global_range() const { return m_all->global; }
  [[nodiscard]] constexpr std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  [[nodiscard]] constexpr std::size_t get_global_linear_range() const { return get_global_range().size(); }

  /// Id in the group that distribute_items was called on.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_innermost_local_id() const {
    return detail::ids_of_lanes(m_context, m_local);
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_innermost_local_id(Dimension dimension) const {
    return detail::ids_in_dimension(m_context, m_local, dimension);
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_innermost_local_linear_id() const {
    return detail::linear_ids(m_context, m_local, get_innermost_local_range());
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr range<D> get_innermost_local_range() const { return m_all->size; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr std::size_t get_innermost_local_range(int dimension) const {
    return get_innermost_local_range()[dimension];
  }
  [[nodiscard]] constexpr std::size_t get_innermost_local_linear_range() const {
    return get_innermost_local_range().size();
  }

  /// Id in `group`, which is the group that distribute_items was called on or one around it.
  template <class Group>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(const Group& group) const {
    return detail::ids_of_lanes(m_context, first_in(group));
  }
  template <class Group, class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(const Group& group, Dimension dimension) const {
    return detail::ids_in_dimension(m_context, first_in(group), dimension);
  }
  template <class Group>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_linear_id(const Group& group) const {
    return detail::linear_ids(m_context, first_in(group), group.get_logical_local_range());
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
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr sub_group_of<Lanes> get_sub_group() const {
    return sub_group_of<Lanes>(m_all->state, m_context, detail::work_items_of_unit(m_context, m_all->size, m_local));
  }

  /// Returns whether both are the same items of the same group.
  friend constexpr bool operator==(const s_item& a, const s_item& b) {
    return a.m_local == b.m_local && *a.m_all == *b.m_all;
  }

private:
  template <class Group>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr id<D> first_in(const Group& group) const {
    static_assert(Group::dimensions == D, "lanefold: the group has other dimensions than the item");
    return m_all->base + m_local - group.first_item();
  }

  const detail::distributed_items<D>* m_all;
  id<D> m_local; ///< of the first lane
  detail::lane_context<Lanes>* m_context;
};

LANEFOLD_END_NAMESPACE
