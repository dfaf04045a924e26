// SPDX-License-Identifier: Apache-2.0
/// Atomic operations on an element that work-items share. [sycl.4.15.3]
#pragma once

#include <lanefold/detail/access_watch.hpp>
#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/memory/address_space.hpp>
#include <lanefold/memory/detail/atomic_lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] LANEFOLD_COLD void throw_misaligned_atomic(std::size_t bytes);

/// Holds the default orders and the scope of atomic_ref, for elements and for lanes.
template <memory_order Order, memory_scope Scope>
struct atomic_defaults {
  static_assert(Order == memory_order::relaxed || Order == memory_order::acq_rel || Order == memory_order::seq_cst,
                "lanefold: the default order of an atomic_ref is relaxed, acq_rel or seq_cst");
  static constexpr memory_order default_read_order = Order == memory_order::acq_rel ? memory_order::acquire : Order;
  static constexpr memory_order default_write_order = Order == memory_order::acq_rel ? memory_order::release : Order;
  static constexpr memory_order default_read_modify_write_order = Order;
  static constexpr memory_scope default_scope = Scope;
};

/// Refuses `atomic_ref<int, order, scope>(x[i])` of lanes.
template <class X>
void refuse_spelled_out_atomic() {
  static_assert(std::is_arithmetic_v<X>,
                "lanefold: x[i] of a varying i is one element a lane: write lf::atomic_ref(x[i]), or "
                "lf::make_atomic_ref<order, scope>(x[i]), without the type of the element");
}

/// The order of a comparison that fails: it only reads.
constexpr memory_order read_order_of(memory_order order) {
  return order == memory_order::acq_rel   ? memory_order::acquire
         : order == memory_order::release ? memory_order::relaxed
                                          : order;
}

} // namespace detail

/// A reference to a T in memory whose operations are atomic among the work-items of a scope. T is an integer, a float,
/// a double or a pointer, and every other access at the same time goes through an atomic_ref too. A plain value that
/// can be copied; uniform. Order and scope of a call default to those of the type; the scope must comprise all
/// work-items that access the element meanwhile.
///
/// Costs what std::atomic_ref costs: one locked instruction for integers, a loop with one for real numbers and for
/// fetch_min and fetch_max, whose relaxed form stores only what changes something. With the scopes `work_item`,
/// `sub_group` and `work_group` as the default the operations are plain ones, since the work-groups of a program that
/// has such an atomic_ref stay on one thread each and work-items take turns at barriers only: use work_group for local
/// memory. A smaller scope in a call makes it no cheaper.
///
/// In lane-generic kernels `atomic_ref(x[i])` for an index that varies works on one element a lane (see the
/// specialisation below). On a uniform element, `fetch_add` and its relatives take a varying operand: each active lane
/// takes part, in the order of the lanes, and gets the value that it found. Where element and operand are both uniform
/// the operation happens once for the sub-group, as all that is uniform: `counter.fetch_add(it.var(1))` counts
/// work-items, `counter.fetch_add(1)` sub-groups.
///
/// Order and scope have defaults here, which SYCL does not give them, so that `atomic_ref(x[i])` does in any strategy.
/// Errors: in checked builds an element that is not aligned to its size throws errc::invalid.
// [sycl.4.15.3]
template <class T, memory_order DefaultOrder = memory_order::relaxed, memory_scope DefaultScope = memory_scope::device,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref : public detail::atomic_defaults<DefaultOrder, DefaultScope> {
  static_assert(detail::Atomic<T>, "lanefold: atomic_ref refers to an integer, a float, a double or a pointer");
  static_assert(Space != access::address_space::constant_space, "lanefold: constants need no atomic operations");
  using defaults = detail::atomic_defaults<DefaultOrder, DefaultScope>;
  static constexpr bool is_pointer = std::is_pointer_v<T>;
  static constexpr bool is_integer = detail::AtomicInteger<T>;

public:
  using value_type = T;
  using difference_type = std::conditional_t<is_pointer, std::ptrdiff_t, T>;
  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;
  using defaults::default_read_modify_write_order;
  using defaults::default_read_order;
  using defaults::default_scope;
  using defaults::default_write_order;

  LANEFOLD_ALWAYS_INLINE explicit atomic_ref(T& element) : m_element(&element) {
    if constexpr (may_be_plain &&
                  (DefaultScope == memory_scope::work_group || DefaultScope == memory_scope::sub_group)) {
      static_cast<void>(&detail::keeps_on_threads<DefaultScope>);
    }
    if constexpr (detail::checked_build) {
      auto address = reinterpret_cast<std::uintptr_t>(m_element);
      asm("" : "+r"(address)); // clang takes for granted that a reference is aligned
      if (address % required_alignment != 0) {
        detail::throw_misaligned_atomic(sizeof(T));
      }
      tell(detail::element_use::made_atomic);
    }
  }
  /// These do not compile, and say what does.
  template <class X>
    requires detail::LaneReference<X> || detail::recorded_operand<X>
  explicit atomic_ref(const X& /*elements*/) {
    detail::refuse_spelled_out_atomic<X>();
  }
  template <class X, class... Rest>
    requires detail::VaryingOperand<X> || detail::recorded_operand<X>
  bool compare_exchange_strong(X& /*expected*/, const Rest&... /*rest*/) const {
    detail::refuse_spelled_out_atomic<X>();
    return false;
  }
  template <class X, class... Rest>
    requires detail::VaryingOperand<X> || detail::recorded_operand<X>
  bool compare_exchange_weak(X& expected, const Rest&... rest) const {
    return compare_exchange_strong(expected, rest...);
  }
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  [[nodiscard]] bool is_lock_free() const noexcept { return true; }

  LANEFOLD_ALWAYS_INLINE void store(T value, memory_order order = default_write_order,
                                    memory_scope scope = default_scope) const {
    detail::atomic_store(element(), value, order, at_least(scope));
  }
  LANEFOLD_ALWAYS_INLINE T operator=(T value) const {
    store(value);
    return value;
  }

  LANEFOLD_ALWAYS_INLINE T load(memory_order order = default_read_order, memory_scope scope = default_scope) const {
    return detail::atomic_load(element(), order, at_least(scope));
  }
  LANEFOLD_ALWAYS_INLINE operator T() const { return load(); }

  LANEFOLD_ALWAYS_INLINE T exchange(T value, memory_order order = default_read_modify_write_order,
                                    memory_scope scope = default_scope) const {
    return detail::atomic_exchange(element(), value, order, at_least(scope));
  }

  /// Stores `desired` where the bits are those of `expected`, otherwise puts what is there into `expected`. It returns
  /// whether it stored. The weak form may fail without a reason where the hardware does (not on x86-64).
  LANEFOLD_ALWAYS_INLINE bool compare_exchange_weak(T& expected, T desired, memory_order success, memory_order failure,
                                                    memory_scope scope = default_scope) const {
    return detail::atomic_compare_exchange<true>(element(), expected, desired, success, failure, at_least(scope));
  }
  LANEFOLD_ALWAYS_INLINE bool compare_exchange_weak(T& expected, T desired,
                                                    memory_order order = default_read_modify_write_order,
                                                    memory_scope scope = default_scope) const {
    return compare_exchange_weak(expected, desired, order, detail::read_order_of(order), scope);
  }
  LANEFOLD_ALWAYS_INLINE bool compare_exchange_strong(T& expected, T desired, memory_order success,
                                                      memory_order failure, memory_scope scope = default_scope) const {
    return detail::atomic_compare_exchange<false>(element(), expected, desired, success, failure, at_least(scope));
  }
  LANEFOLD_ALWAYS_INLINE bool compare_exchange_strong(T& expected, T desired,
                                                      memory_order order = default_read_modify_write_order,
                                                      memory_scope scope = default_scope) const {
    return compare_exchange_strong(expected, desired, order, detail::read_order_of(order), scope);
  }

  /// Each replaces the element by what the operation makes of it and the operand and returns the old value. Integers
  /// wrap around.
  LANEFOLD_ALWAYS_INLINE T fetch_add(difference_type v, memory_order order = default_read_modify_write_order,
                                     memory_scope scope = default_scope) const {
    if constexpr (is_pointer) {
      return detail::atomic_fetch_advance(element(), v, order, at_least(scope));
    } else {
      return detail::atomic_fetch<detail::atomic_add>(element(), v, order, at_least(scope));
    }
  }
  LANEFOLD_ALWAYS_INLINE T fetch_sub(difference_type v, memory_order order = default_read_modify_write_order,
                                     memory_scope scope = default_scope) const {
    return fetch_add(detail::negated(v), order, scope);
  }
#define LANEFOLD_DETAIL_ATOMIC_FETCH(name, ...)                                                                        \
  LANEFOLD_ALWAYS_INLINE T fetch_##name(T v, memory_order order = default_read_modify_write_order,                     \
                                        memory_scope scope = default_scope) const                                      \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    return detail::atomic_fetch<detail::atomic_##name>(element(), v, order, at_least(scope));                          \
  }
  LANEFOLD_DETAIL_ATOMIC_FETCH(and, is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(or, is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(xor, is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(min, !is_pointer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(max, !is_pointer)
#undef LANEFOLD_DETAIL_ATOMIC_FETCH

  /// These do the same as the functions above for a varying operand: every active lane in the order of the lanes, in
  /// one atomic step. The result varies: it is what each lane found; 0 for lanes that are not active.
#define LANEFOLD_DETAIL_ATOMIC_FETCH(name, operation, operand, ...)                                                    \
  template <detail::VaryingOperand X>                                                                                  \
    requires(__VA_ARGS__)                                                                                              \
  LANEFOLD_ALWAYS_INLINE auto fetch_##name(const X& v, memory_order order = default_read_modify_write_order,           \
                                           memory_scope scope = default_scope) const {                                 \
    return detail::atomic_fetch_all<detail::operation>(element(), operand, order, at_least(scope));                    \
  }
  LANEFOLD_DETAIL_ATOMIC_FETCH(add, atomic_add, detail::varying_as<T>(v), !is_pointer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(sub, atomic_add, detail::negated_lanes<T>(v), !is_pointer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(and, atomic_and, detail::varying_as<T>(v), is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(or, atomic_or, detail::varying_as<T>(v), is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(xor, atomic_xor, detail::varying_as<T>(v), is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(min, atomic_min, detail::varying_as<T>(v), !is_pointer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(max, atomic_max, detail::varying_as<T>(v), !is_pointer)
#undef LANEFOLD_DETAIL_ATOMIC_FETCH

  /// These do so for what recorded kernels compute: each work-item takes part.
#define LANEFOLD_DETAIL_ATOMIC_FETCH(name)                                                                             \
  template <detail::recorded_operand X>                                                                                \
  auto fetch_##name(const X& v, memory_order = default_read_modify_write_order, memory_scope = default_scope) const {  \
    return recorded_atomic_ref(*m_element, v).fetch_##name(v);                                                         \
  }
  LANEFOLD_DETAIL_ATOMIC_FETCH(add)
  LANEFOLD_DETAIL_ATOMIC_FETCH(sub)
  LANEFOLD_DETAIL_ATOMIC_FETCH(and)
  LANEFOLD_DETAIL_ATOMIC_FETCH(or)
  LANEFOLD_DETAIL_ATOMIC_FETCH(xor)
  LANEFOLD_DETAIL_ATOMIC_FETCH(min)
  LANEFOLD_DETAIL_ATOMIC_FETCH(max)
#undef LANEFOLD_DETAIL_ATOMIC_FETCH

  /// The new value.
  LANEFOLD_ALWAYS_INLINE T operator++() const { return *this += difference_type(1); }
  LANEFOLD_ALWAYS_INLINE T operator--() const { return *this -= difference_type(1); }
  /// The old value.
  LANEFOLD_ALWAYS_INLINE T operator++(int) const { return fetch_add(1); }
  LANEFOLD_ALWAYS_INLINE T operator--(int) const { return fetch_sub(1); }
  /// The new value.
  LANEFOLD_ALWAYS_INLINE T operator+=(difference_type v) const {
    if constexpr (is_pointer) {
      return fetch_add(v) + v;
    } else {
      return detail::atomic_add::of(fetch_add(v), v);
    }
  }
  LANEFOLD_ALWAYS_INLINE T operator-=(difference_type v) const { return *this += detail::negated(v); }
  LANEFOLD_ALWAYS_INLINE T operator&=(T v) const
    requires(is_integer)
  {
    return static_cast<T>(fetch_and(v) & v);
  }
  LANEFOLD_ALWAYS_INLINE T operator|=(T v) const
    requires(is_integer)
  {
    return static_cast<T>(fetch_or(v) | v);
  }
  LANEFOLD_ALWAYS_INLINE T operator^=(T v) const
    requires(is_integer)
  {
    return static_cast<T>(fetch_xor(v) ^ v);
  }
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENTS(detail::VaryingOperand)
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENTS(detail::recorded_operand)

private:
  /// Global memory has work-items of other groups, which programs forget, since GPUs do: their atomic operations on it
  /// are whole whatever the scope.
  static constexpr bool may_be_plain =
      detail::runs_on_one_thread(DefaultScope) && Space != access::address_space::global_space;
  /// A scope in a call does not make the operation plain: threads may share a work-group (see runs_on_one_thread).
  static constexpr memory_scope at_least(memory_scope scope) {
    return may_be_plain ? scope : std::max({scope, DefaultScope, memory_scope::device});
  }
  LANEFOLD_ALWAYS_INLINE void tell([[maybe_unused]] detail::element_use kind) const {
    if constexpr (detail::checked_build) {
      if (auto* const watch = detail::access_watch::current()) {
        watch->element(m_element, m_element, sizeof(T), kind);
      }
    }
  }
  /// The element, for an operation.
  LANEFOLD_ALWAYS_INLINE T* element() const {
    tell(detail::element_use::atomic);
    return m_element;
  }

  T* m_element;
};

/// One element for each lane of a sub-group: what `atomic_ref(x[i])` is in a lane-generic kernel for an index that
/// varies. `Reference` is the type of `x[i]`. The active lanes operate one after the other, in their order, each
/// atomically: indices may be equal. Operands are varying or uniform; results vary, 0 for lanes that are not active.
/// For `compare_exchange` `expected` is a variable of the kernel (`it.var(…)`), and the result is a mask. Use it where
/// it is made. (`x[i]` itself reads the elements, too: optimisers drop that, without them a thread sanitizer sees it.)
template <detail::LaneReference Reference, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space>
class atomic_ref<Reference, DefaultOrder, DefaultScope, Space>
    : public detail::atomic_defaults<DefaultOrder, DefaultScope> {
  using defaults = detail::atomic_defaults<DefaultOrder, DefaultScope>;
  using places = detail::atomic_places<Reference>;
  using T = typename places::element_type;
  static_assert(detail::AtomicNumber<T>, "lanefold: atomic_ref of lanes refers to integers, floats or doubles");
  static constexpr bool is_integer = detail::AtomicInteger<T>;

public:
  using value_type = typename places::value_type;
  using mask_type = typename value_type::mask_type;
  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;
  using defaults::default_read_modify_write_order;
  using defaults::default_read_order;
  using defaults::default_scope;
  using defaults::default_write_order;

  LANEFOLD_ALWAYS_INLINE explicit atomic_ref(const Reference& elements) : m_places(elements) {}
  atomic_ref(const atomic_ref&) noexcept = default;
  atomic_ref& operator=(const atomic_ref&) = delete;

  [[nodiscard]] bool is_lock_free() const noexcept { return true; }

  template <detail::Operand X>
  LANEFOLD_ALWAYS_INLINE void store(const X& value, memory_order order = default_write_order,
                                    memory_scope scope = default_scope) const {
    m_places.for_each(
        [=](T* p, T v) LANEFOLD_INLINE_LAMBDA {
          detail::atomic_store(p, v, order, scope);
          return T();
        },
        value);
  }
  template <detail::Operand X>
  LANEFOLD_ALWAYS_INLINE void operator=(const X& value) const {
    store(value);
  }

  LANEFOLD_ALWAYS_INLINE value_type load(memory_order order = default_read_order,
                                         memory_scope scope = default_scope) const {
    return m_places.for_each([=](T* p, T) LANEFOLD_INLINE_LAMBDA { return detail::atomic_load(p, order, scope); }, T());
  }
  LANEFOLD_ALWAYS_INLINE operator value_type() const { return load(); }

  template <detail::Operand X>
  LANEFOLD_ALWAYS_INLINE value_type exchange(const X& value, memory_order order = default_read_modify_write_order,
                                             memory_scope scope = default_scope) const {
    return m_places.for_each(
        [=](T* p, T v) LANEFOLD_INLINE_LAMBDA { return detail::atomic_exchange(p, v, order, scope); }, value);
  }

  template <class Expected, detail::Operand X>
  LANEFOLD_ALWAYS_INLINE mask_type compare_exchange_weak(Expected& expected, const X& desired, memory_order success,
                                                         memory_order failure,
                                                         memory_scope scope = default_scope) const {
    return m_places.template compare_exchange<true>(expected, desired, success, failure, scope);
  }
  template <class Expected, detail::Operand X>
  LANEFOLD_ALWAYS_INLINE mask_type compare_exchange_weak(Expected& expected, const X& desired,
                                                         memory_order order = default_read_modify_write_order,
                                                         memory_scope scope = default_scope) const {
    return compare_exchange_weak(expected, desired, order, detail::read_order_of(order), scope);
  }
  template <class Expected, detail::Operand X>
  LANEFOLD_ALWAYS_INLINE mask_type compare_exchange_strong(Expected& expected, const X& desired, memory_order success,
                                                           memory_order failure,
                                                           memory_scope scope = default_scope) const {
    return m_places.template compare_exchange<false>(expected, desired, success, failure, scope);
  }
  template <class Expected, detail::Operand X>
  LANEFOLD_ALWAYS_INLINE mask_type compare_exchange_strong(Expected& expected, const X& desired,
                                                           memory_order order = default_read_modify_write_order,
                                                           memory_scope scope = default_scope) const {
    return compare_exchange_strong(expected, desired, order, detail::read_order_of(order), scope);
  }

#define LANEFOLD_DETAIL_ATOMIC_FETCH(name, operation, operand, ...)                                                    \
  template <detail::Operand X>                                                                                         \
    requires(__VA_ARGS__)                                                                                              \
  LANEFOLD_ALWAYS_INLINE value_type fetch_##name(const X& x, memory_order order = default_read_modify_write_order,     \
                                                 memory_scope scope = default_scope) const {                           \
    return m_places.for_each(                                                                                          \
        [=](T* p, T v)                                                                                                 \
            LANEFOLD_INLINE_LAMBDA { return detail::atomic_fetch_lane<detail::operation>(p, operand, order, scope); }, \
        x);                                                                                                            \
  }
  LANEFOLD_DETAIL_ATOMIC_FETCH(add, atomic_add, v, true)
  LANEFOLD_DETAIL_ATOMIC_FETCH(sub, atomic_add, detail::negated(v), true)
  LANEFOLD_DETAIL_ATOMIC_FETCH(and, atomic_and, v, is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(or, atomic_or, v, is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(xor, atomic_xor, v, is_integer)
  LANEFOLD_DETAIL_ATOMIC_FETCH(min, atomic_min, v, true)
  LANEFOLD_DETAIL_ATOMIC_FETCH(max, atomic_max, v, true)
#undef LANEFOLD_DETAIL_ATOMIC_FETCH

  /// The old values.
  LANEFOLD_ALWAYS_INLINE value_type operator++(int) const { return fetch_add(T(1)); }
  LANEFOLD_ALWAYS_INLINE value_type operator--(int) const { return fetch_sub(T(1)); }
  LANEFOLD_ALWAYS_INLINE void operator++() const { fetch_add(T(1)); }
  LANEFOLD_ALWAYS_INLINE void operator--() const { fetch_sub(T(1)); }
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENTS(detail::Operand)

private:
  places m_places;
};

#undef LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENTS

template <class T>
atomic_ref(T&) -> atomic_ref<T>;
template <class T, class Index, bool Owned>
atomic_ref(lane_reference<T, Index, Owned>) -> atomic_ref<lane_reference<T, Index, Owned>>;
template <class T, class Index, bool Owned>
atomic_ref(patterned_reference<T, Index, Owned>) -> atomic_ref<patterned_reference<T, Index, Owned>>;
template <class T, class I, std::size_t N, class Isa>
atomic_ref(gather_reference<T, I, N, Isa>) -> atomic_ref<gather_reference<T, I, N, Isa>>;

/// An atomic_ref with other defaults than `relaxed` and `device` to `x[i]`, whatever kind of index i is:
/// `++make_atomic_ref<memory_order::relaxed, memory_scope::work_group>(histogram[i])`.
template <memory_order Order, memory_scope Scope = memory_scope::device, class Element>
LANEFOLD_ALWAYS_INLINE auto make_atomic_ref(Element&& element) {
  return atomic_ref<std::remove_reference_t<Element>, Order, Scope>(element);
}

LANEFOLD_END_NAMESPACE
