// SPDX-License-Identifier: Apache-2.0
/// The work-items of hierarchical kernels.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/detail/group_place.hpp>
#include <lanefold/execution/item.hpp>
#include <lanefold/execution/sub_group.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what the items of one parallel_for_work_item have in common.
template <int D>
struct work_items {
  range<D> global;   ///< physical items of the launch
  range<D> physical; ///< of the group
  range<D> logical;  ///< the logical items that the call asks for
  id<D> first;       ///< global id of the group's first physical item
  unit_state* state;
  bool int_ids = false; ///< all ids fit in int, see int_ids.hpp; loops that count in int are compiled for that alone

  /// Returns the global id of a physical item. Where it fits in int it is computed in int, which compilers know not to
  /// wrap, unless a loop counts it in the last dimension.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr id<D> global_id(const id<D>& at, counted_id last) const {
    id<D> result;
    for_each_dimension<D>([&](int d) LANEFOLD_INLINE_LAMBDA {
      result[d] = last.is_counted && d == D - 1
                      ? static_cast<std::size_t>(last.value)
                      : (int_ids ? static_cast<std::size_t>(static_cast<int>(first[d]) + static_cast<int>(at[d]))
                                 : first[d] + at[d]);
    });
    return result;
  }

  friend constexpr bool operator==(const work_items&, const work_items&) = default;
};

} // namespace detail

/// One logical work-item of a hierarchical kernel [sycl.4.9.1.6] (`h_item<D>`), or as many as there are lanes: what the
/// callable of parallel_for_work_item gets, by value. Ids are varying, ranges uniform. The logical range is the one
/// given to parallel_for_work_item, otherwise the physical one; the physical range is the work-group size of the
/// launch, where it has none the logical range. The physical id is the logical one modulo the physical range, the
/// global id that of the physical item. It has the variables and the control flow of every item (`var`, `if_`,
/// `while_`, `for_`).
template <int D = 1, class Lanes = scalar>
class h_item : public control_flow<Lanes> {
public:
  using lanes = Lanes;
  static constexpr int dimensions = D;

  /// Only the library calls this: parallel_for_work_item makes items.
  LANEFOLD_ALWAYS_INLINE constexpr h_item(const detail::work_items<D>& all, const id<D>& logical, const id<D>& physical,
                                          detail::lane_context<Lanes>* context, detail::counted_id last = {})
      : control_flow<Lanes>(context), m_all(&all), m_logical(logical), m_physical(physical), m_context(context),
        m_last(last) {}

  [[nodiscard]] constexpr item_of<D, Lanes> get_global() const {
    return made_item(m_all->global, m_all->global_id(m_physical, m_last));
  }
  [[nodiscard]] constexpr item_of<D, Lanes> get_local() const { return get_logical_local(); }
  [[nodiscard]] constexpr item_of<D, Lanes> get_logical_local() const { return made_item(m_all->logical, m_logical); }
  [[nodiscard]] constexpr item_of<D, Lanes> get_physical_local() const {
    return made_item(m_all->physical, m_physical);
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id() const {
    return detail::ids_of_lanes(m_context, m_all->global_id(m_physical, m_last));
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_global_id(Dimension dimension) const {
    return detail::ids_in_dimension(m_context, m_all->global_id(m_physical, m_last), dimension);
  }
  [[nodiscard]] constexpr range<D> get_global_range() const { return m_all->global; }
  [[nodiscard]] constexpr std::size_t get_global_range(int dimension) const { return m_all->global[dimension]; }

  /// The logical id and range.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id() const { return get_logical_local_id(); }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(Dimension dimension) const {
    return get_logical_local_id(dimension);
  }
  [[nodiscard]] constexpr range<D> get_local_range() const { return m_all->logical; }
  [[nodiscard]] constexpr std::size_t get_local_range(int dimension) const { return m_all->logical[dimension]; }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_logical_local_id() const {
    return detail::ids_of_lanes(m_context, m_logical);
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_logical_local_id(Dimension dimension) const {
    return detail::ids_in_dimension(m_context, m_logical, dimension);
  }
  [[nodiscard]] constexpr range<D> get_logical_local_range() const { return m_all->logical; }
  [[nodiscard]] constexpr std::size_t get_logical_local_range(int dimension) const { return m_all->logical[dimension]; }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_physical_local_id() const {
    return detail::ids_of_lanes(m_context, m_physical);
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_physical_local_id(Dimension dimension) const {
    return detail::ids_in_dimension(m_context, m_physical, dimension);
  }
  [[nodiscard]] constexpr range<D> get_physical_local_range() const { return m_all->physical; }
  [[nodiscard]] constexpr std::size_t get_physical_local_range(int dimension) const {
    return m_all->physical[dimension];
  }

  /// The items that run together: the lanes, or one item. Group algorithms take it inside of parallel_for_work_item.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr sub_group_of<Lanes> get_sub_group() const {
    return sub_group_of<Lanes>(m_all->state, m_context,
                               detail::work_items_of_unit(m_context, m_all->physical, m_physical));
  }
  /// Only the library calls this: it returns the row-major position of the physical item. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto physical_position() const {
    return detail::linear_ids(m_context, m_physical, m_all->physical);
  }

  /// Returns whether both are the same items of the same group.
  friend constexpr bool operator==(const h_item& a, const h_item& b) {
    return a.m_logical == b.m_logical && *a.m_all == *b.m_all;
  }

private:
  [[nodiscard]] constexpr item_of<D, Lanes> made_item(const range<D>& extents, const id<D>& first) const {
    static_assert(Lanes::rows == 1, "lanefold: item has no lane shapes with rows; ask the h_item itself for its ids");
    return item_of<D, Lanes>(extents, first, m_context);
  }

  const detail::work_items<D>* m_all;
  id<D> m_logical; ///< of the first lane
  id<D> m_physical;
  detail::lane_context<Lanes>* m_context;
  detail::counted_id m_last; ///< the global id in the last dimension
};

class stream;

template <std::same_as<stream> Out, int D>
const Out& operator<<(const Out& out, const h_item<D, scalar>& value) {
  return out << "h_item(global_id: " << value.get_global_id() << ", local_id: " << value.get_local_id() << ")";
}

LANEFOLD_END_NAMESPACE
