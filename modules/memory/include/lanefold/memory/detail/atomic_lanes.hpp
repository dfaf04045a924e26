// SPDX-License-Identifier: Apache-2.0
/// Atomic operations of the lanes of a sub-group. Internal.
#pragma once

#include <lanefold/memory/detail/atomic_operations.hpp>
#include <lanefold/simd/horizontal.hpp>
#include <lanefold/simd/reference.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// An operand with a value for each lane.
template <class X>
concept VaryingOperand = Operand<X> && !std::is_arithmetic_v<X>;

/// A varying operand with elements T.
template <class T, VaryingOperand X>
LANEFOLD_ALWAYS_INLINE auto varying_as(const X& x) {
  return operand_as<with_lanes_t<T, X>>(x);
}
template <class T, VaryingOperand X>
LANEFOLD_ALWAYS_INLINE auto negated_lanes(const X& x) {
  using V = with_lanes_t<T, X>;
  return V(T(0) - varying_as<T>(x));
}

/// A uniform operand as the array that `lane_operands` makes of a varying one.
template <class T>
struct uniform_operand {
  T value;
  LANEFOLD_ALWAYS_INLINE T operator[](std::size_t) const { return value; }
};
template <class V, class X>
LANEFOLD_ALWAYS_INLINE auto lane_operands(const X& x) {
  using T = typename V::value_type;
  if constexpr (std::is_arithmetic_v<X>) {
    return uniform_operand<T>{static_cast<T>(x)};
  } else {
    return V(operand_as<V>(x)).to_array();
  }
}

/// f(lane) for each active lane, in order; all if `active` is null.
template <std::size_t N, class Isa, class F>
LANEFOLD_ALWAYS_INLINE void for_active_lanes(const mask<N, Isa>* active, F f) {
  if (active == nullptr) {
#pragma GCC unroll 16 // a local histogram in 16 lanes: twice as fast, by 8 it is not
    for (std::size_t lane = 0; lane < N; ++lane) {
      f(lane);
    }
    return;
  }
  for (std::size_t k = 0; k < mask<N, Isa>::words; ++k) {
    for (std::uint64_t bits = active->word(k); bits != 0; bits &= bits - 1) {
      f(k * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)));
    }
  }
}

/// f(lane, numbers[lane]) for each active lane, in order; all if `active` is null. Numbers of one and two bytes come
/// from words in general registers: an update in memory is a load and a store already, and one more load for each lane
/// is more than processors do in a cycle (docs/decisions/089).
template <class I, std::size_t N, class Isa, class F>
LANEFOLD_ALWAYS_INLINE void for_active_lanes(const mask<N, Isa>* active, const std::array<I, N>& numbers, F f) {
  constexpr std::size_t of_word = sizeof(std::uint64_t) / sizeof(I);
  if constexpr (sizeof(I) <= 2 && N % of_word == 0 && std::endian::native == std::endian::little) {
    if (active == nullptr) {
      for (std::size_t first = 0; first < N; first += of_word) {
        std::uint64_t word;
        __builtin_memcpy(&word, numbers.data() + first, sizeof(word));
#pragma GCC unroll 8
        for (std::size_t k = 0; k < of_word; ++k) {
          f(first + k, static_cast<I>(word));
          word >>= 8 * sizeof(I);
        }
      }
      return;
    }
  }
  for_active_lanes(active, [&](std::size_t lane) LANEFOLD_INLINE_LAMBDA { f(lane, numbers[lane]); });
}

/// *p = Op of *p and each active lane of v, in one atomic step. Returns what each lane found.
template <class Op, class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> atomic_fetch_all(T* p, const varying<T, N, Isa>& v, memory_order order,
                                                           memory_scope scope) {
  using V = varying<T, N, Isa>;
  const mask<N, Isa>* active = announced_mask<N, Isa>();
  if constexpr (std::is_integral_v<T>) {
    using combine = typename Op::template combine<T>;
    constexpr T identity = Op::template identity<T>;
    const V taking_part(active == nullptr ? v : V(select(*active, v, identity)));
    const T old = atomic_fetch<Op>(p, reduce(taking_part, combine{}), order, scope);
    const V found = exclusive_scan(taking_part, combine{}, old);
    return active == nullptr ? found : V(select(*active, found, T(0)));
  } else {
    const auto values = v.to_array(); // lane after lane: sums of real numbers depend on the order
    std::array<T, N> found{};
    atomic_update(p, order, scope, [&](T result) LANEFOLD_INLINE_LAMBDA {
      for_active_lanes(active, [&](std::size_t lane) LANEFOLD_INLINE_LAMBDA {
        found[lane] = result;
        result = Op::of(result, values[lane]);
      });
      return result;
    });
    return V::load(found.data());
  }
}

/// The elements that the lanes of `x[i]` stand for.
template <class Reference>
struct atomic_places;

template <class T, class I, std::size_t N, class Isa>
struct atomic_places<gather_reference<T, I, N, Isa>> {
  using element_type = T;
  using value_type = varying<T, N, Isa>;
  using mask_type = mask<N, Isa>;

  LANEFOLD_ALWAYS_INLINE atomic_places(const gather_reference<T, I, N, Isa>& x)
      : m_elements(reference_access::pointer(x)), m_indices(reference_access::index(x)),
        m_active(announced_mask<N, Isa>()) {
    tell(element_use::made_atomic);
  }
  LANEFOLD_ALWAYS_INLINE atomic_places(T* elements, const varying<I, N, Isa>& indices, const mask_type* active)
      : m_elements(elements), m_indices(indices), m_active(active) {
    tell(element_use::made_atomic);
  }

  /// f(element, operand), which returns a T, for each active lane. Their results.
  template <class F, class X>
  LANEFOLD_ALWAYS_INLINE value_type for_each(F f, const X& x) const {
    tell(element_use::atomic);
    const auto operands = lane_operands<value_type>(x);
    const auto indices = m_indices.to_array();
    std::array<T, N> results{};
    for_active_lanes(m_active, indices, [&](std::size_t lane, I index) LANEFOLD_INLINE_LAMBDA {
      results[lane] = f(m_elements + index, operands[lane]);
    });
    return value_type::load(results.data());
  }

  template <bool Weak, class Expected, class X>
  LANEFOLD_ALWAYS_INLINE mask_type compare_exchange(Expected& expected, const X& desired, memory_order success,
                                                    memory_order failure, memory_scope scope) const {
    tell(element_use::atomic);
    const auto desired_values = lane_operands<value_type>(desired);
    const auto indices = m_indices.to_array();
    auto values = value_type(expected).to_array();
    std::array<std::uint64_t, mask_type::words> stored{};
    for_active_lanes(m_active, [&](std::size_t lane) LANEFOLD_INLINE_LAMBDA {
      const bool done = atomic_compare_exchange<Weak>(m_elements + indices[lane], values[lane], desired_values[lane],
                                                      success, failure, scope);
      stored[lane / 64] |= static_cast<std::uint64_t>(done) << (lane % 64);
    });
    expected = value_type::load(values.data());
    return mask_type::from_words(stored.data());
  }

private:
  LANEFOLD_ALWAYS_INLINE void tell([[maybe_unused]] element_use kind) const {
    if constexpr (checked_build) {
      if (access_watch* const watch = access_watch::current()) {
        const auto indices = m_indices.to_array();
        lane_access all[N];
        std::size_t count = 0;
        for_active_lanes(m_active,
                         [&](std::size_t lane) { all[count++] = {m_elements + indices[lane], unsigned(lane)}; });
        watch->lanes(m_elements, all, count, sizeof(T), kind, nullptr);
      }
    }
  }

  T* m_elements;
  varying<I, N, Isa> m_indices;
  const mask_type* m_active;
};

/// Lane indices as values.
template <class T, class Index, bool Owned>
struct atomic_places<lane_reference<T, Index, Owned>>
    : atomic_places<gather_reference<T, std::size_t, Index::lanes::size, typename Index::lanes::isa>> {
  using base = atomic_places<gather_reference<T, std::size_t, Index::lanes::size, typename Index::lanes::isa>>;

  LANEFOLD_ALWAYS_INLINE atomic_places(const lane_reference<T, Index, Owned>& x)
      : base(reference_access::pointer(x), reference_access::index(x).value(), active(reference_access::index(x))) {}

private:
  LANEFOLD_ALWAYS_INLINE static const typename base::mask_type* active(const Index& i) {
    return i.context()->all ? nullptr : &i.context()->active;
  }
};

/// `i ^ m` and `i % m` as values.
template <class T, class Index, bool Owned>
struct atomic_places<patterned_reference<T, Index, Owned>>
    : atomic_places<gather_reference<T, std::size_t, Index::lanes::size, typename Index::lanes::isa>> {
  using base = atomic_places<gather_reference<T, std::size_t, Index::lanes::size, typename Index::lanes::isa>>;

  LANEFOLD_ALWAYS_INLINE atomic_places(const patterned_reference<T, Index, Owned>& x)
      : base(reference_access::pointer(x), reference_access::index(x).value(),
             reference_access::index(x).context()->all ? nullptr : &reference_access::index(x).context()->active) {}
};

template <class X>
concept LaneReference = requires { sizeof(atomic_places<X>); };

} // namespace detail

/// `a += v` and its relatives, for operands of a concept: they return nothing.
#define LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENT(Concept, op, function)                                                  \
  template <Concept X>                                                                                                 \
    requires requires(const atomic_ref& a, const X& x) { a.function(x); }                                              \
  LANEFOLD_ALWAYS_INLINE void operator op(const X& x) const {                                                          \
    function(x);                                                                                                       \
  }
#define LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENTS(Concept)                                                               \
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENT(Concept, +=, fetch_add)                                                       \
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENT(Concept, -=, fetch_sub)                                                       \
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENT(Concept, &=, fetch_and)                                                       \
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENT(Concept, |=, fetch_or)                                                        \
  LANEFOLD_DETAIL_ATOMIC_LANE_ASSIGNMENT(Concept, ^=, fetch_xor)

LANEFOLD_END_NAMESPACE
