// SPDX-License-Identifier: Apache-2.0
/// Reductions and scans over the lanes, in logarithmic steps. Internal.
#pragma once

#include <lanefold/simd/detail/shuffle.hpp>
#include <lanefold/simd/functional.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

// ---- operators

/// Gives what an operator is for varyings of T: the transparent function objects and those of <functional> become ours
/// of T, which do not promote.
template <class T, class Op>
struct operator_on {
  using type = Op;
};
#define LANEFOLD_DETAIL_OPERATOR_ON(op, name)                                                                          \
  template <class T>                                                                                                   \
  struct operator_on<T, op<void>> {                                                                                    \
    using type = name<T>;                                                                                              \
  };
LANEFOLD_DETAIL_OPERATOR_ON(plus, plus)
LANEFOLD_DETAIL_OPERATOR_ON(multiplies, multiplies)
LANEFOLD_DETAIL_OPERATOR_ON(bit_and, bit_and)
LANEFOLD_DETAIL_OPERATOR_ON(bit_or, bit_or)
LANEFOLD_DETAIL_OPERATOR_ON(bit_xor, bit_xor)
LANEFOLD_DETAIL_OPERATOR_ON(minimum, minimum)
LANEFOLD_DETAIL_OPERATOR_ON(maximum, maximum)
#undef LANEFOLD_DETAIL_OPERATOR_ON
#define LANEFOLD_DETAIL_OPERATOR_ON(op, name)                                                                          \
  template <class T>                                                                                                   \
  struct operator_on<T, op<void>> {                                                                                    \
    using type = name<T>;                                                                                              \
  };                                                                                                                   \
  template <class T>                                                                                                   \
  struct operator_on<T, op<T>> {                                                                                       \
    using type = name<T>;                                                                                              \
  };
LANEFOLD_DETAIL_OPERATOR_ON(std::plus, plus)
LANEFOLD_DETAIL_OPERATOR_ON(std::multiplies, multiplies)
LANEFOLD_DETAIL_OPERATOR_ON(std::bit_and, bit_and)
LANEFOLD_DETAIL_OPERATOR_ON(std::bit_or, bit_or)
LANEFOLD_DETAIL_OPERATOR_ON(std::bit_xor, bit_xor)
LANEFOLD_DETAIL_OPERATOR_ON(std::logical_and, logical_and)
LANEFOLD_DETAIL_OPERATOR_ON(std::logical_or, logical_or)
#undef LANEFOLD_DETAIL_OPERATOR_ON

/// The operator for varyings of T.
template <class T, class Op>
LANEFOLD_ALWAYS_INLINE decltype(auto) typed_operator(const Op& op) {
  using type = typename operator_on<T, Op>::type;
  if constexpr (std::is_same_v<type, Op>)
    return (op);
  else
    return type{};
}

/// Says what may be put in the place of a lane that a scan has nothing to combine with.
enum class filler {
  none,
  zero, ///< the operator keeps the other operand
  one,  ///< the operator keeps the other operand, too
  same  ///< op(x, x) is x
};
template <class Op>
inline constexpr filler filler_of = filler::none;
template <class T>
inline constexpr filler filler_of<plus<T>> = filler::zero;
template <class T>
inline constexpr filler filler_of<bit_xor<T>> = filler::zero;
template <class T>
inline constexpr filler filler_of<multiplies<T>> = filler::one;
template <class T>
inline constexpr filler filler_of<bit_and<T>> = filler::same;
template <class T>
inline constexpr filler filler_of<bit_or<T>> = filler::same;
template <class T>
inline constexpr filler filler_of<minimum<T>> = filler::same;
template <class T>
inline constexpr filler filler_of<maximum<T>> = filler::same;

/// Is true if an operator takes varyings; otherwise it gets plain values, one pair after the other.
template <class Op, class V>
inline constexpr bool takes_varyings = std::is_invocable_v<const Op&, const V&, const V&>;

/// op(a, b) as a V.
template <class V, class Op>
LANEFOLD_ALWAYS_INLINE V combined(const Op& op, const V& a, const V& b) {
  using T = typename V::value_type;
  if constexpr (!takes_varyings<Op, V>) {
    static_assert(V::size() == 1 && std::is_invocable_v<const Op&, T, T>,
                  "lanefold: the operator takes neither two varyings nor two values");
    return V(static_cast<T>(op(first_lane(a), first_lane(b))));
  } else {
    using result = std::remove_cvref_t<decltype(op(a, b))>;
    if constexpr (std::is_same_v<result, V>)
      return op(a, b);
    else if constexpr (is_mask_v<result>)
      return V(op(a, b));
    else
      return operand_as<V>(op(a, b));
  }
}

// ---- reduction

/// Lane 0 of the result is all lanes of one register combined in order; the others are anything.
template <std::size_t S = 1, class V, class Op>
LANEFOLD_ALWAYS_INLINE V folded_down(const V& v, const Op& op) {
  if constexpr (S == V::size()) {
    return v;
  } else {
    using isa = typename V::isa;
    const V next = combined<V>(op, v, one_register<typename V::value_type, isa>(moved_down<isa, S>(register_at<0>(v))));
    return folded_down<2 * S>(next, op);
  }
}

/// All lanes combined, for operators on varyings. Commutative ones combine halves, which moves no lanes as long as
/// there are several registers; the others neighbours.
template <class V, class Op>
LANEFOLD_ALWAYS_INLINE typename V::value_type reduced(const V& v, const Op& op) {
  constexpr bool single = register_count<V> == 1;
  if constexpr (V::size() == 1) {
    return first_lane(v);
  } else if constexpr (single && (sizeof(typename V::register_type) == 16 || !is_commutative_v<Op>)) {
    return first_lane(folded_down(v, op));
  } else if constexpr (is_commutative_v<Op>) {
    return reduced(combined<half_varying_t<V>>(op, half_of<0>(v), half_of<1>(v)), op);
  } else {
    return reduced(combined<half_varying_t<V>>(op, alternate<0>(v), alternate<1>(v)), op);
  }
}

// ---- scan

/// Which lanes a pattern takes from the first of two registers, as bits.
template <class Pattern, std::size_t W>
constexpr std::uint64_t lanes_moved() {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < W; ++i)
    bits |= std::uint64_t{Pattern::at(static_cast<int>(i), static_cast<int>(W)) < static_cast<int>(W)} << i;
  return bits;
}

/// Inclusive scan of one register: within blocks of 16 bytes by shifts, then from block to block.
template <std::size_t S = 1, class V, class Op>
LANEFOLD_ALWAYS_INLINE V scanned_register(const V& v, const Op& op) {
  constexpr std::size_t lanes = V::size();
  if constexpr (S == lanes) {
    return v;
  } else {
    using T = typename V::value_type;
    using Isa = typename V::isa;
    using R = typename V::register_type;
    constexpr std::size_t block = 16 / sizeof(T);
    using moves = std::conditional_t<(S < block), pattern::up_in_block<S, block>, pattern::last_to_brother<S>>;
    constexpr bool bad_shuffles = instructions<Isa>::has_slow_shuffles && sizeof(T) < 4;
    constexpr filler fill = bad_shuffles && filler_of<Op> != filler::zero ? filler::none : filler_of<Op>;
    const R& r = register_at<0>(v);
    const R moved = [&]() LANEFOLD_INLINE_LAMBDA {
      if constexpr (fill == filler::one)
        return shuffled<moves>(r, R(T(1)));
      else if constexpr (fill == filler::same)
        return shuffled<moves>(r, r);
      else if constexpr (S < block)
        return to_register<R>(instructions<Isa>::template up_in_blocks<T, static_cast<int>(S)>(to_vector(r)));
      else
        return shuffled<moves>(r, R(T(0)));
    }();
    const V next = combined<V>(op, one_register<T, Isa>(moved), v);
    if constexpr (fill == filler::none) {
      constexpr auto bits = static_cast<lane_bits<lanes>>(lanes_moved<moves, lanes>());
      return scanned_register<2 * S>(one_register<T, Isa>(blend<Isa>(bits, register_at<0>(next), r)), op);
    } else {
      return scanned_register<2 * S>(next, op);
    }
  }
}

/// Inclusive scan for operators on varyings: each register by itself, then the total of those below into each.
template <class V, class Op>
LANEFOLD_ALWAYS_INLINE V scanned(const V& v, const Op& op) {
  using T = typename V::value_type;
  using Isa = typename V::isa;
  using R = typename V::register_type;
  using one = varying<T, V::register_lanes, Isa>;
  const auto last = [](const R& r) LANEFOLD_INLINE_LAMBDA {
    if constexpr (V::register_lanes > 1)
      return shuffled<pattern::last_lane>(r);
    else
      return r;
  };
  const auto by_register = generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    if constexpr (V::register_lanes > 1)
      return register_at<0>(scanned_register(one_register<T, Isa>(register_at<k>(v)), op));
    else
      return register_at<k>(v);
  });
  R below = last(register_at<0>(by_register)); // the total of the registers below, in all lanes
  return generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    const R& r = register_at<k>(by_register);
    if constexpr (k == 0) {
      return r;
    } else {
      const R result = register_at<0>(combined<one>(op, one_register<T, Isa>(below), one_register<T, Isa>(r)));
      if constexpr (V::register_lanes == 1)
        below = result;
      else if constexpr (k + 1 < register_count<V>)
        below = register_at<0>(combined<one>(op, one_register<T, Isa>(below), one_register<T, Isa>(last(r))));
      return result;
    }
  });
}

/// All lanes moved up by one, `first` in lane 0.
template <class V>
LANEFOLD_ALWAYS_INLINE V moved_up(const V& v, typename V::value_type first) {
  using R = typename V::register_type;
  return generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    constexpr std::size_t before = k == 0 ? 0 : k - 1;
    const R& below = register_at<before>(v);
    const R start = k == 0 ? register_at<0>(V(first)) : below;
    if constexpr (V::register_lanes == 1)
      return start;
    else
      return concatenated<typename V::isa, static_cast<int>(V::register_lanes) - 1>(start, register_at<k>(v));
  });
}

} // namespace detail

LANEFOLD_END_NAMESPACE
