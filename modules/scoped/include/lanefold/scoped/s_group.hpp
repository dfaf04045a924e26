// SPDX-License-Identifier: Apache-2.0
/// The groups of scoped kernels.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/detail/lane_ids.hpp>
#include <lanefold/execution/group.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>
#include <lanefold/scoped/detail/item_loop.hpp>
#include <lanefold/scoped/detail/scope_frame.hpp>
#include <lanefold/scoped/static_range.hpp>

#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Says what a scoped group is in the hierarchy.
enum class scope_kind {
  work_group,
  tile, ///< of a size that the kernel chose
  unit, ///< holds as many items as run together by lanes
  item  ///< a single one
};
constexpr memory_scope fence_scope_of(scope_kind kind) noexcept {
  return kind == scope_kind::work_group ? memory_scope::work_group
         : kind == scope_kind::item     ? memory_scope::work_item
                                        : memory_scope::sub_group;
}

/// Describes a scoped group: `Size` is range<D> or a static_range, `Depth` counts the groups around it.
template <class Size, class Strategy, int Depth, scope_kind Kind>
struct scope {
  using size_type = Size;
  using strategy = Strategy;
  static constexpr int dimensions = Size::dimensions;
  static constexpr int depth = Depth;
  static constexpr scope_kind kind = Kind;
};

} // namespace detail

/// A group of a scoped kernel: the work-group that the kernel gets, or a tile of a larger group that the callable of
/// distribute_groups gets. Take it as `auto` or as a template parameter: its type says what is known at compile time.
/// Copying it is cheap, the copies are the same group. Members are uniform.
///
/// Logical ids and ranges are those of the items that the kernel distributes. Physical ones are those of what executes
/// the group: on a CPU one thread, from start to end, so that the physical range is 1 and the physical id 0.
/// Source: AdaptiveCpp, scoped parallelism; HiPar 2021, section IV.
template <class Scope>
class s_group {
  using size_type = typename Scope::size_type;
  static constexpr int D = Scope::dimensions;

public:
  static constexpr int dimensions = D;
  using id_type = id<D>;
  using range_type = range<D>;
  using linear_id_type = std::uint64_t;
  /// The lanes that run a generic callable on this group; `scalar` where the strategy is scalar or omp_simd.
  using lanes = typename detail::lanes_for<typename Scope::strategy, size_type>::type;
  /// Tells apart work-groups, tiles of them (sub_group) and groups of one item (work_item).
  static constexpr memory_scope fence_scope = detail::fence_scope_of(Scope::kind);

  /// Which group it is in the group around it; of work-groups in the launch.
  [[nodiscard]] constexpr id<D> get_group_id() const { return m_id; }
  [[nodiscard]] constexpr std::size_t get_group_id(int dimension) const { return m_id[dimension]; }
  [[nodiscard]] constexpr std::size_t operator[](int dimension) const { return m_id[dimension]; }
  [[nodiscard]] constexpr std::size_t get_group_linear_id() const { return detail::linear_id(m_id, m_groups); }
  [[nodiscard]] constexpr range<D> get_group_range() const { return m_groups; }
  [[nodiscard]] constexpr std::size_t get_group_range(int dimension) const { return m_groups[dimension]; }
  [[nodiscard]] constexpr std::size_t get_group_linear_range() const { return m_groups.size(); }

  /// Control flow of the group, as items have it: `if` and `for` on the CPU, and where a kernel is recorded that of the
  /// device. Conditions and bounds are uniform.
  template <class... Arguments>
  LANEFOLD_ALWAYS_INLINE constexpr void if_(Arguments&&... arguments) const {
    control_flow<scalar>(nullptr).if_(static_cast<Arguments&&>(arguments)...);
  }
  template <class... Arguments>
  LANEFOLD_ALWAYS_INLINE constexpr void for_(Arguments&&... arguments) const {
    control_flow<scalar>(nullptr).for_(static_cast<Arguments&&>(arguments)...);
  }

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr range<D> get_logical_local_range() const { return m_size; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr std::size_t get_logical_local_range(int dimension) const {
    return m_size[dimension];
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr std::size_t get_logical_local_linear_range() const {
    return get_logical_local_range().size();
  }
  /// The names of SYCL's groups for the logical range.
  [[nodiscard]] constexpr range<D> get_local_range() const { return m_size; }
  [[nodiscard]] constexpr std::size_t get_local_range(int dimension) const { return m_size[dimension]; }
  [[nodiscard]] constexpr range<D> get_max_local_range() const { return m_size; }
  [[nodiscard]] constexpr std::size_t get_local_linear_range() const { return get_logical_local_linear_range(); }

  /// Id of an item in this group. Varying.
  template <class Item>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_logical_local_id(const Item& item) const {
    return item.get_local_id(*this);
  }
  template <class Item>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_logical_local_id(const Item& item, int dimension) const {
    return item.get_local_id(*this, dimension);
  }
  template <class Item>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_logical_local_linear_id(const Item& item) const {
    return item.get_local_linear_id(*this);
  }
  template <class Item>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(const Item& item) const {
    return item.get_local_id(*this);
  }
  template <class Item>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id(const Item& item, int dimension) const {
    return item.get_local_id(*this, dimension);
  }
  template <class Item>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_linear_id(const Item& item) const {
    return item.get_local_linear_id(*this);
  }

  [[nodiscard]] constexpr id<D> get_physical_local_id() const { return {}; }
  [[nodiscard]] constexpr std::size_t get_physical_local_id(int /*dimension*/) const { return 0; }
  [[nodiscard]] constexpr std::size_t get_physical_local_linear_id() const { return 0; }
  [[nodiscard]] constexpr range<D> get_physical_local_range() const {
    range<D> one;
    for (int d = 0; d < D; ++d) {
      one[d] = 1;
    }
    return one;
  }
  [[nodiscard]] constexpr std::size_t get_physical_local_range(int /*dimension*/) const { return 1; }
  [[nodiscard]] constexpr std::size_t get_physical_local_linear_range() const { return 1; }
  /// Returns whether what executes the code is the first of what executes the group: always, on a CPU.
  [[nodiscard]] constexpr bool leader() const { return true; }

  /// Global id of its first item.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr id<D> first_item() const { return m_first; }
  [[nodiscard]] constexpr range<D> get_global_range() const { return m_global; }

  /// Returns whether both are the same group of the same launch.
  friend constexpr bool operator==(const s_group& a, const s_group& b) {
    return a.m_first == b.m_first && a.m_global == b.m_global && a.get_local_range() == b.get_local_range();
  }

  /// Only the library calls this: launches and distribute_groups make groups.
  LANEFOLD_ALWAYS_INLINE s_group(const id<D>& position, const range<D>& groups, const id<D>& first,
                                 const size_type& size, const range<D>& global, detail::scope_frame& frame)
      : m_id(position), m_groups(groups), m_first(first), m_size(size), m_global(global), m_frame(&frame) {}
  /// Only the library calls these.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE detail::scope_frame& frame() const { return *m_frame; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE const size_type& size() const { return m_size; }

private:
  id<D> m_id;
  range<D> m_groups;
  id<D> m_first;
  [[no_unique_address]] size_type m_size;
  range<D> m_global;
  detail::scope_frame* m_frame;
};

template <class T>
inline constexpr bool is_scoped_group_v = false;
template <class Scope>
inline constexpr bool is_scoped_group_v<s_group<Scope>> = true;

/// Waits until all items of the group have come here. The items of a scoped group run one after the other in program
/// order, so it costs nothing on a CPU; with memory_scope::device or wider it is a fence between threads.
/// To be called on the innermost group, outside of the code of its items: errc::kernel otherwise.
template <class Scope>
LANEFOLD_ALWAYS_INLINE void group_barrier(const s_group<Scope>& g,
                                          memory_scope fence_scope = s_group<Scope>::fence_scope) {
  detail::check_scope(g.frame(), Scope::depth, "group_barrier");
  detail::meet_watched_group();
  if (fence_scope == memory_scope::device || fence_scope == memory_scope::system) {
    __atomic_thread_fence(__ATOMIC_ACQ_REL);
  }
}

LANEFOLD_END_NAMESPACE
