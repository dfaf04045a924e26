// SPDX-License-Identifier: Apache-2.0
/// Atomic operations on an element in memory. Internal.
#pragma once

#include <lanefold/memory/memory_order.hpp>
#include <lanefold/simd/functional.hpp>

#include <cstddef>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class T>
concept AtomicInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
concept Atomic = AtomicNumber<T> || std::is_pointer_v<T>;

// Where one thread runs all that take part, elements are accessed as volatile: a loop over work-items that the compiler
// is told to vectorise (the strategy omp_simd) would otherwise read several of them before it writes the first.

template <class T>
LANEFOLD_ALWAYS_INLINE T atomic_load(T* p, memory_order order, memory_scope scope) {
  if (runs_on_one_thread(scope)) {
    return *static_cast<volatile T*>(p);
  }
  T value;
  __atomic_load(p, &value, static_cast<int>(order));
  return value;
}

template <class T>
LANEFOLD_ALWAYS_INLINE void atomic_store(T* p, T value, memory_order order, memory_scope scope) {
  if (runs_on_one_thread(scope)) {
    *static_cast<volatile T*>(p) = value;
  } else {
    __atomic_store(p, &value, static_cast<int>(order));
  }
}

template <class T>
LANEFOLD_ALWAYS_INLINE T atomic_exchange(T* p, T value, memory_order order, memory_scope scope) {
  T old;
  if (runs_on_one_thread(scope)) {
    old = *static_cast<volatile T*>(p);
    *static_cast<volatile T*>(p) = value;
  } else {
    __atomic_exchange(p, &value, &old, static_cast<int>(order));
  }
  return old;
}

/// Compares bits, as hardware does: -0.0 is not 0.0, and a NaN equals itself.
template <bool Weak, class T>
LANEFOLD_ALWAYS_INLINE bool atomic_compare_exchange(T* p, T& expected, T desired, memory_order success,
                                                    memory_order failure, memory_scope scope) {
  if (runs_on_one_thread(scope)) {
    const T old = *static_cast<volatile T*>(p);
    if (__builtin_memcmp(&old, &expected, sizeof(T)) == 0) {
      *static_cast<volatile T*>(p) = desired;
      return true;
    }
    expected = old;
    return false;
  }
  return __atomic_compare_exchange(p, &expected, &desired, Weak, static_cast<int>(success), static_cast<int>(failure));
}

/// *p = f(*p); returns the old value. `unchanged(old, new)` says that nothing needs to be stored.
template <class T, class F>
LANEFOLD_ALWAYS_INLINE T atomic_update(T* p, memory_order order, memory_scope scope, F f) {
  if (runs_on_one_thread(scope)) {
    const T old = *static_cast<volatile T*>(p);
    *static_cast<volatile T*>(p) = f(old);
    return old;
  }
  T old;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  T next = f(old);
  while (!__atomic_compare_exchange(p, &old, &next, true, static_cast<int>(order), __ATOMIC_RELAXED)) {
    next = f(old);
  }
  return old;
}

/// T without sign, so that sums wrap around; real numbers as they are.
template <class T>
struct wrapping {
  using type = T;
};
template <AtomicInteger T>
struct wrapping<T> {
  using type = std::make_unsigned_t<std::conditional_t<(sizeof(T) < sizeof(int)), int, T>>;
};
template <class T>
using wrapping_t = typename wrapping<T>::type;

// The operations behind fetch_add and its relatives: `of` computes, `fetch` is the instruction where there is one,
// `combine` and `identity` are for the lanes of a varying integer.
#define LANEFOLD_DETAIL_ATOMIC_OPERATION(name, builtin, combined, start, ...)                                          \
  struct atomic_##name {                                                                                               \
    template <class T>                                                                                                 \
    using combine = combined<T>;                                                                                       \
    template <class T>                                                                                                 \
    static constexpr T identity = start;                                                                               \
    template <class T>                                                                                                 \
    LANEFOLD_ALWAYS_INLINE static constexpr T of(T a, T b) {                                                           \
      using W [[maybe_unused]] = wrapping_t<T>;                                                                        \
      return static_cast<T>(__VA_ARGS__);                                                                              \
    }                                                                                                                  \
    builtin                                                                                                            \
  };
#define LANEFOLD_DETAIL_ATOMIC_BUILTIN(name)                                                                           \
  template <AtomicInteger T>                                                                                           \
  LANEFOLD_ALWAYS_INLINE static T fetch(T* p, T v, memory_order order) {                                               \
    return name(p, v, static_cast<int>(order));                                                                        \
  }
LANEFOLD_DETAIL_ATOMIC_OPERATION(add, LANEFOLD_DETAIL_ATOMIC_BUILTIN(__atomic_fetch_add), plus, T(0),
                                 static_cast<W>(a) + static_cast<W>(b))
LANEFOLD_DETAIL_ATOMIC_OPERATION(and, LANEFOLD_DETAIL_ATOMIC_BUILTIN(__atomic_fetch_and), bit_and, static_cast<T>(-1),
                                 a& b)
LANEFOLD_DETAIL_ATOMIC_OPERATION(or, LANEFOLD_DETAIL_ATOMIC_BUILTIN(__atomic_fetch_or), bit_or, T(0), a | b)
LANEFOLD_DETAIL_ATOMIC_OPERATION(xor, LANEFOLD_DETAIL_ATOMIC_BUILTIN(__atomic_fetch_xor), bit_xor, T(0), a ^ b)
LANEFOLD_DETAIL_ATOMIC_OPERATION(min, , minimum, std::numeric_limits<T>::max(), b < a ? b : a)
LANEFOLD_DETAIL_ATOMIC_OPERATION(max, , maximum, std::numeric_limits<T>::lowest(), a < b ? b : a)
#undef LANEFOLD_DETAIL_ATOMIC_BUILTIN
#undef LANEFOLD_DETAIL_ATOMIC_OPERATION

template <class Op>
inline constexpr bool is_extreme = std::is_same_v<Op, atomic_min> || std::is_same_v<Op, atomic_max>;

/// *p = Op of *p and v; returns the old value.
template <class Op, class T>
LANEFOLD_ALWAYS_INLINE T atomic_fetch(T* p, T v, memory_order order, memory_scope scope) {
  if constexpr (requires { Op::fetch(p, v, order); }) {
    if (!runs_on_one_thread(scope)) {
      return Op::fetch(p, v, order);
    }
  } else if constexpr (is_extreme<Op>) {
    // Most values change nothing, and a relaxed operation that changes nothing is a load.
    if (order == memory_order::relaxed) {
      const T old = atomic_load(p, order, scope);
      if (Op::of(old, v) == old) {
        return old;
      }
    }
  }
  return atomic_update(p, order, scope, [v](T old) LANEFOLD_INLINE_LAMBDA { return Op::of(old, v); });
}

/// Does the same for one of the lanes that operate one after the other. Where they run on one thread nothing is
/// volatile: the compiler sees their order, and makes one instruction of a sum whose old value nobody wants.
template <class Op, class T>
LANEFOLD_ALWAYS_INLINE T atomic_fetch_lane(T* p, T v, memory_order order, memory_scope scope) {
  if (runs_on_one_thread(scope)) {
    const T old = *p;
    *p = Op::of(old, v);
    return old;
  }
  return atomic_fetch<Op>(p, v, order, scope);
}

/// v with the other sign; integers wrap around.
template <class T>
constexpr T negated(T v) {
  return static_cast<T>(wrapping_t<T>(0) - static_cast<wrapping_t<T>>(v));
}

/// *p moved by n elements; returns the old pointer.
template <class T>
LANEFOLD_ALWAYS_INLINE T* atomic_fetch_advance(T** p, std::ptrdiff_t n, memory_order order, memory_scope scope) {
  if (runs_on_one_thread(scope)) {
    return atomic_update(p, order, scope, [n](T* old) LANEFOLD_INLINE_LAMBDA { return old + n; });
  }
  return __atomic_fetch_add(p, n * static_cast<std::ptrdiff_t>(sizeof(T)), static_cast<int>(order));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
