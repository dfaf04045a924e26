// SPDX-License-Identifier: Apache-2.0
/// Sub-groups, as kernels see them.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/group.hpp>
#include <lanefold/fwd.hpp>

#include <algorithm>
#include <bit>
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// The sub-group of the calling work-items [sycl.4.9.1.8]. In a lane-generic kernel it is the pack of lanes itself; in
/// a work-item kernel it is a run of consecutive work-items (in linear order) of the launch's sub-group size. Members
/// without a comment are uniform.
template <class Lanes>
class sub_group_of {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  using lanes = Lanes;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  /// Position within the sub-group: the lane. Varying; an id<1> in a work-item kernel.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_id() const {
    if constexpr (std::is_same_v<Lanes, scalar>) {
      return id<1>(get_local_linear_id());
    } else {
      return get_local_linear_id();
    }
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_linear_id() const {
    if constexpr (std::is_same_v<Lanes, scalar>) {
      return linear_id_type(m_state->unit - m_first);
    } else {
      constexpr stride row = Lanes::rows > 1 ? stride::dynamic : stride::zero;
      return lane_index<Lanes, row, stride::one>(m_context, 0, static_cast<std::ptrdiff_t>(Lanes::columns), 1);
    }
  }
  /// Number of work-items in this sub-group: the last one of a row may be partial.
  [[nodiscard]] constexpr range<1> get_local_range() const { return range<1>(m_count); }
  [[nodiscard]] constexpr linear_id_type get_local_linear_range() const { return m_count; }
  [[nodiscard]] constexpr range<1> get_max_local_range() const { return range<1>(m_size); }
  /// Which sub-group of its work-group it is.
  [[nodiscard]] constexpr id<1> get_group_id() const { return id<1>(get_group_linear_id()); }
  [[nodiscard]] constexpr linear_id_type get_group_linear_id() const {
    return std::is_same_v<Lanes, scalar> ? m_first / m_size : m_state->unit;
  }
  [[nodiscard]] constexpr range<1> get_group_range() const { return range<1>(get_group_linear_range()); }
  [[nodiscard]] constexpr linear_id_type get_group_linear_range() const {
    return std::is_same_v<Lanes, scalar> ? (m_state->units + m_size - 1) / m_size : m_state->units;
  }
  /// True for the first work-item of the sub-group. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto leader() const { return get_local_linear_id() == 0; }

  /// Reads elements as the older extension `sub_group` of Intel does (group_load replaces it): the work-item with local
  /// id i gets `source[i]`, or a vec<T, N> of `source[i + k * get_max_local_range()[0]]` for k below N. `source`: a
  /// pointer or multi_ptr, uniform. Work-item kernels only.
  template <int N = 1, class Pointer>
    requires std::same_as<Lanes, scalar>
  [[nodiscard]] auto load(const Pointer& source) const {
    using element = std::remove_cvref_t<decltype(*source)>;
    const auto* const first = const_cast<const element*>(std::addressof(*source)) + get_local_linear_id();
    if constexpr (N == 1) {
      return element(*first);
    } else {
      vec<element, N> loaded{};
      for (int k = 0; k < N; ++k) {
        loaded[k] = first[static_cast<std::size_t>(k) * m_size];
      }
      return loaded;
    }
  }
  // With the type of the elements, which the pointer says as well: `load<float>(p)`, `load<4, float>(p)`, which is a
  // vec for any number.
  template <class Element, class Pointer>
    requires(std::same_as<Lanes, scalar> && !std::same_as<Element, Pointer>)
  [[nodiscard]] auto load(const Pointer& source) const {
    return load<1>(source);
  }
  template <int N, class Element, class Pointer>
    requires(std::same_as<Lanes, scalar> && !std::same_as<Element, Pointer>)
  [[nodiscard]] auto load(const Pointer& source) const {
    return vec<std::remove_cv_t<Element>, N>(load<N>(source));
  }
  /// Writes the elements that load() reads.
  template <class Pointer>
    requires std::same_as<Lanes, scalar>
  void store(const Pointer& target, const std::remove_cvref_t<decltype(*std::declval<Pointer>())>& value) const {
    std::addressof(*target)[get_local_linear_id()] = value;
  }
  template <int N, class Pointer>
    requires(std::same_as<Lanes, scalar> &&
             !requires { typename std::remove_cvref_t<decltype(*std::declval<Pointer>())>::element_type; }) // no vec
  void store(const Pointer& target,
             const vec<std::remove_cvref_t<decltype(*std::declval<Pointer>())>, N>& values) const {
    auto* const first = std::addressof(*target) + get_local_linear_id();
    for (int k = 0; k < N; ++k) {
      first[static_cast<std::size_t>(k) * m_size] = values[k];
    }
  }
  template <class Element, class Pointer>
    requires(std::same_as<Lanes, scalar> && !std::same_as<Element, Pointer>)
  void store(const Pointer& target, const std::type_identity_t<Element>& value) const {
    store(target, value);
  }
  template <int N, class Element, class Pointer>
    requires(std::same_as<Lanes, scalar> && !std::same_as<Element, Pointer>)
  void store(const Pointer& target, const vec<std::type_identity_t<Element>, N>& values) const {
    if constexpr (N == 1) {
      store(target, values[0]);
    } else {
      store<N>(target, values);
    }
  }

  // The older extension's spellings of the functions of sub-groups (group_algorithms/shuffle.hpp). Work-item kernels
  // only.
  /// Does what group_barrier does.
  void barrier(access::fence_space = access::fence_space::global_and_local) const
    requires std::same_as<Lanes, scalar>
  {
    group_barrier(*this);
  }
  /// select_from_group: the x of the work-item with this local id.
  template <class T>
    requires std::same_as<Lanes, scalar>
  [[nodiscard]] T shuffle(const T& x, id<1> local_id) const {
    return select_from_group(*this, x, local_id);
  }
  /// shift_group_left: the x of the work-item `delta` positions behind.
  template <class T>
    requires std::same_as<Lanes, scalar>
  [[nodiscard]] T shuffle_down(const T& x, std::uint32_t delta) const {
    return shift_group_left(*this, x, delta);
  }
  /// shift_group_right: the x of the work-item `delta` positions before.
  template <class T>
    requires std::same_as<Lanes, scalar>
  [[nodiscard]] T shuffle_up(const T& x, std::uint32_t delta) const {
    return shift_group_right(*this, x, delta);
  }
  /// permute_group_by_xor: the x of the work-item at this one's local id ^ `mask`.
  template <class T>
    requires std::same_as<Lanes, scalar>
  [[nodiscard]] T shuffle_xor(const T& x, id<1> mask) const {
    return permute_group_by_xor(*this, x, static_cast<linear_id_type>(mask[0]));
  }

  friend constexpr bool operator==(const sub_group_of& a, const sub_group_of& b) {
    return a.m_state->owner == b.m_state->owner && a.m_first == b.m_first && a.m_size == b.m_size;
  }

  /// Only the library calls these.
  [[nodiscard]] constexpr detail::unit_state& state() const { return *m_state; }
  [[nodiscard]] constexpr detail::lane_context<Lanes>* context() const { return m_context; }
  [[nodiscard]] constexpr unsigned first_unit() const { return m_first; }

  /// Only the library calls this: items make sub-groups. `size` is that which work-item kernels ask for; with lanes,
  /// how many of them are work-items.
  LANEFOLD_ALWAYS_INLINE constexpr sub_group_of(detail::unit_state* state, detail::lane_context<Lanes>* context,
                                                unsigned size)
      : m_state(state), m_context(context) {
    if constexpr (std::is_same_v<Lanes, scalar>) {
      m_size = size;
      // Programs ask anew in each step of a loop; a division takes three times as long as all the rest.
      m_first = std::has_single_bit(m_size) ? state->unit & ~(m_size - 1) : state->unit / m_size * m_size;
      m_count = std::min(m_size, state->units - m_first);
    } else {
      m_size = Lanes::size;
      m_first = state->unit;
      m_count = size;
    }
  }

private:
  detail::unit_state* m_state;
  detail::lane_context<Lanes>* m_context;
  unsigned m_first = 0; ///< unit of its first work-item
  unsigned m_count = 0;
  unsigned m_size = 0;
};

/// The sub-group of a work-item kernel: SYCL's class.
using sub_group = sub_group_of<scalar>;

/// Waits for the work-items of the sub-group. Lanes run in lock step: for a lane-generic kernel it costs nothing. In a
/// work-item kernel it is one stack switch per work-item.
/// Errors (errc::kernel): not reached by every work-item of the sub-group.
template <class Lanes>
LANEFOLD_ALWAYS_INLINE void group_barrier(const sub_group_of<Lanes>& g,
                                          memory_scope /*scope*/ = sub_group_of<Lanes>::fence_scope) {
  if constexpr (std::is_same_v<Lanes, scalar>) {
    detail::wait_watched(detail::barrier_reach::sub_group, [&]() LANEFOLD_INLINE_LAMBDA {
      detail::arrive_at_part_barrier(g.state(), g.first_unit(), static_cast<unsigned>(g.get_local_linear_range()));
    });
  } else {
    detail::begin_watched_function();
    asm volatile("" : : : "memory");
  }
}

LANEFOLD_END_NAMESPACE
