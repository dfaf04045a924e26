// SPDX-License-Identifier: Apache-2.0
/// Work-groups, as kernels see them.
#pragma once

#include <lanefold/execution/detail/group_place.hpp>
#include <lanefold/memory/memory_order.hpp>

LANEFOLD_BEGIN_NAMESPACE

template <int D, class Lanes>
class nd_item;

namespace detail {

/// How the module scoped runs the items of a work-group: a specialisation has `run(group, arguments…)`.
template <class Group>
struct work_item_loop;

/// Whether it can be seen. `Arguments` make the answer that of the call.
template <class Group, class... Arguments>
concept work_item_loop_included = requires { sizeof(work_item_loop<Group>); };

} // namespace detail

/// The work-group that runs a kernel, seen by one of its units [sycl.4.9.1.7]. Members without a comment are uniform.
template <int D = 1, class Lanes = scalar>
class group {
public:
  using id_type = id<D>;
  using range_type = range<D>;
  using linear_id_type = std::size_t;
  using lanes = Lanes;
  static constexpr int dimensions = D;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  [[nodiscard]] constexpr id<D> get_group_id() const { return m_place.group; }
  [[nodiscard]] constexpr std::size_t get_group_id(int dimension) const { return m_place.group[dimension]; }
  [[nodiscard]] constexpr std::size_t operator[](int dimension) const { return m_place.group[dimension]; }
  [[nodiscard]] constexpr range<D> get_group_range() const { return m_place.space.get_group_range(); }
  [[nodiscard]] constexpr std::size_t get_group_range(int dimension) const { return get_group_range()[dimension]; }
  [[nodiscard]] constexpr range<D> get_local_range() const { return m_place.space.get_local_range(); }
  [[nodiscard]] constexpr std::size_t get_local_range(int dimension) const { return get_local_range()[dimension]; }
  [[nodiscard]] constexpr range<D> get_max_local_range() const { return get_local_range(); }
  [[nodiscard]] constexpr std::size_t get_group_linear_id() const {
    return m_place.linear_uniform(m_place.group, get_group_range());
  }
  [[nodiscard]] constexpr std::size_t get_group_linear_range() const { return get_group_range().size(); }
  [[nodiscard]] constexpr std::size_t get_local_linear_range() const { return get_local_range().size(); }

  /// Local id of the calling work-items. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id() const { return m_place.with_lanes(m_place.local); }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(Dimension dimension) const {
    return m_place.in_dimension(m_place.local, dimension);
  }
  /// Row-major position in the group. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_linear_id() const {
    return m_place.linear(m_place.local, get_local_range());
  }
  /// True for the work-item with local id 0. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto leader() const { return get_local_linear_id() == 0; }

  /// In kernels of parallel_for_work_group: `parallel_for_work_item([logical range,] f)` calls `f` with the h_item of
  /// every work-item, or of every logical one of the range; all of them have finished when it returns. In module
  /// scoped, see docs/scoped.md. Errors: errc::invalid in other kernels, errc::kernel inside of another
  /// parallel_for_work_item.
  // [sycl.4.9.1.7]
  template <class... Arguments>
  LANEFOLD_ALWAYS_INLINE void parallel_for_work_item(Arguments&&... arguments) const {
    static_assert(detail::work_item_loop_included<group, Arguments...>,
                  "lanefold: parallel_for_work_item needs #include <lanefold/scoped.hpp> and lanefold::scoped");
    detail::work_item_loop<group>::run(*this, arguments...);
  }

  /// The same group of the same kind of index space.
  friend constexpr bool operator==(const group& a, const group& b) {
    return a.m_place.space == b.m_place.space && a.m_place.group == b.m_place.group;
  }

  /// For the library: where the calling unit stands.
  [[nodiscard]] constexpr const detail::group_place<D, Lanes>& place() const { return m_place; }

  /// For the library: groups are made by items and launches.
  LANEFOLD_ALWAYS_INLINE constexpr explicit group(const detail::group_place<D, Lanes>& place) : m_place(place) {}

private:
  detail::group_place<D, Lanes> m_place;
};

/// Waits until all work-items of the group have come here, and makes their writes to local and global memory visible to
/// each other [sycl.4.17.3]. To be called by all work-items of the group or by none.
/// Cost: one stack switch per sub-group (lane-generic) or work-item; none for a group of one sub-group.
/// Errors, all errc::kernel: reached in divergent code (`if_`, `while_`, `for_`), or not by every work-item.
template <int D, class Lanes>
LANEFOLD_ALWAYS_INLINE void group_barrier(const group<D, Lanes>& g,
                                          memory_scope /*scope*/ = group<D, Lanes>::fence_scope) {
  detail::barrier_at(g.place());
}

LANEFOLD_END_NAMESPACE
