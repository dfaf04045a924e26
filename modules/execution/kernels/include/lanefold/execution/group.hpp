// SPDX-License-Identifier: Apache-2.0
/// Work-groups, as kernels see them.
#pragma once

#include <lanefold/execution/detail/group_place.hpp>
#include <lanefold/memory/address_space.hpp>
#include <lanefold/memory/memory_order.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

template <int D, class Lanes>
class nd_item;

namespace detail {

/// Runs the items of a work-group, in module scoped: a specialisation has `run<PlainSize>(group, arguments…)`.
template <class Group>
struct work_item_loop;

/// Is true if a specialisation of work_item_loop can be seen. `Arguments` make the answer that of the call.
template <class Group, class... Arguments>
concept work_item_loop_included = requires { sizeof(work_item_loop<Group>); };

/// A multi_ptr to local memory.
template <class P>
inline constexpr bool is_local_pointer = false;
template <class P>
  requires(P::address_space == access::address_space::local_space)
inline constexpr bool is_local_pointer<P> = true;

} // namespace detail

/// A copy that async_work_group_copy has begun [sycl.4.7.8]: on the CPU it is done where it began.
class device_event {
public:
  /// Nothing to wait for in this work-item; for what others copy, see group::wait_for.
  void wait() const noexcept {}
};

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
  [[nodiscard]] constexpr range<D> get_group_range() const { return m_place.space().get_group_range(); }
  [[nodiscard]] constexpr std::size_t get_group_range(int dimension) const { return get_group_range()[dimension]; }
  [[nodiscard]] constexpr range<D> get_local_range() const { return m_place.space().get_local_range(); }
  [[nodiscard]] constexpr std::size_t get_local_range(int dimension) const { return get_local_range()[dimension]; }
  [[nodiscard]] constexpr range<D> get_max_local_range() const { return get_local_range(); }
  [[nodiscard]] constexpr std::size_t get_group_linear_id() const {
    return m_place.linear_uniform(m_place.group, get_group_range());
  }
  [[nodiscard]] constexpr std::size_t get_group_linear_range() const { return get_group_range().size(); }
  [[nodiscard]] constexpr std::size_t get_local_linear_range() const { return get_local_range().size(); }

  // The names of SYCL 1.2.1.
  [[nodiscard]] constexpr id<D> get_id() const { return get_group_id(); }
  [[nodiscard]] constexpr std::size_t get_id(int dimension) const { return get_group_id(dimension); }
  [[nodiscard]] constexpr std::size_t get_linear_id() const { return get_group_linear_id(); }
  [[nodiscard]] constexpr std::size_t get_linear() const { return get_group_linear_id(); }
  [[nodiscard]] constexpr range<D> get_global_range() const { return m_place.space().get_global_range(); }
  [[nodiscard]] constexpr std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }

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
  template <class... Arguments, unsigned PlainSize = detail::plain_sub_group_size>
  LANEFOLD_ALWAYS_INLINE void parallel_for_work_item(Arguments&&... arguments) const {
    static_assert(detail::work_item_loop_included<group, Arguments...>,
                  "lanefold: parallel_for_work_item needs #include <lanefold/scoped.hpp> and lanefold::scoped");
    detail::work_item_loop<group>::template run<PlainSize>(*this, arguments...);
  }

  // Copies between global and local memory that all work-items of the group ask for together, with the same arguments
  // [sycl.4.9.1.7]: `count` elements; with a stride, every stride-th element on the global side. On the CPU the unit
  // with local id 0 copies at once. All see the elements after wait_for, which is a barrier. Pointers or multi_ptrs;
  // with a stride the local side is a multi_ptr to local memory.

  template <class To, class From>
  LANEFOLD_ALWAYS_INLINE device_event async_work_group_copy(To to, From from, std::size_t count) const {
    return copy_strided(to, from, count, 1, 1);
  }
  template <class To, class From>
  LANEFOLD_ALWAYS_INLINE device_event async_work_group_copy(To to, From from, std::size_t count,
                                                            std::size_t stride) const {
    if constexpr (detail::is_local_pointer<From>) {
      return copy_strided(to, from, count, stride, 1);
    } else {
      return copy_strided(to, from, count, 1, stride);
    }
  }
  template <class... Events>
  LANEFOLD_ALWAYS_INLINE void wait_for(Events...) const {
    static_assert((std::is_same_v<Events, device_event> && ...), "lanefold: wait_for takes device_events");
    detail::barrier_at(m_place);
  }

  /// Returns whether both are the same group of the same kind of index space.
  friend constexpr bool operator==(const group& a, const group& b) {
    return a.m_place.space() == b.m_place.space() && a.m_place.group == b.m_place.group;
  }

  /// Only the library calls this: it returns where the calling unit stands.
  [[nodiscard]] constexpr const detail::group_place<D, Lanes>& place() const { return m_place; }

  /// Only the library calls this: items and launches make groups.
  LANEFOLD_ALWAYS_INLINE constexpr explicit group(const detail::group_place<D, Lanes>& place) : m_place(place) {}

private:
  template <class To, class From>
  LANEFOLD_ALWAYS_INLINE device_event copy_strided(To to, From from, std::size_t count, std::size_t to_stride,
                                                   std::size_t from_stride) const {
    if (m_place.local == id<D>()) {
      for (std::size_t i = 0; i < count; ++i) {
        to[static_cast<std::ptrdiff_t>(i * to_stride)] = from[static_cast<std::ptrdiff_t>(i * from_stride)];
      }
    }
    return device_event();
  }

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
