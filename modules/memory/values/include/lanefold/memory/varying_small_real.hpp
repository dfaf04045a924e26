// SPDX-License-Identifier: Apache-2.0
/// A half or a bfloat16 for each work-item of a sub-group, and arithmetic with them.
#pragma once

#include <lanefold/memory/detail/small_real_lanes.hpp>
#include <lanefold/memory/varying_record.hpp>
#include <lanefold/simd/detail/math_operand.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class T>
concept SmallReal = CompositeElement<T> && is_small_real<T>;

} // namespace detail

/// A half or bfloat16 for each lane. Immutable, as every varying. The bits are kept in registers; arithmetic converts
/// the lanes of a register at once (F16C and AVX-512 have instructions for half), computes in float and rounds back,
/// with the results of the plain types.
template <class T, std::size_t N, class Isa>
  requires detail::SmallReal<T>
class varying<T, N, Isa> {
  using bits_type = varying<std::uint16_t, N, Isa>;

public:
  using value_type = T;
  using isa = Isa;
  using mask_type = mask<N, Isa>;

  static constexpr std::size_t size() { return N; }

  /// Holds the same in every lane.
  LANEFOLD_ALWAYS_INLINE varying(const T& x) : m_bits(std::bit_cast<std::uint16_t>(x)) {}
  /// Each lane rounded.
  template <Element U>
  LANEFOLD_ALWAYS_INLINE explicit varying(const varying<U, N, Isa>& x) : m_bits(rounded(x)) {}
  /// Each lane as float. (The other way is explicit for varyings, too.)
  LANEFOLD_ALWAYS_INLINE varying<float, N, Isa> floats() const { return detail::widened_lanes<T>(m_bits); }

  varying(const varying&) = default;
  varying& operator=(const varying&) = delete; // values are immutable: it.var(x) makes a variable

  /// The value of lane i, which must be below N. Uniform; slow for an i that is not a constant.
  LANEFOLD_ALWAYS_INLINE T operator[](std::size_t i) const { return std::bit_cast<T>(m_bits[i]); }
  LANEFOLD_ALWAYS_INLINE T lane(std::size_t i) const { return (*this)[i]; }
  LANEFOLD_ALWAYS_INLINE std::array<T, N> to_array() const {
    return std::bit_cast<std::array<T, N>>(m_bits.to_array());
  }

  /// f(i) for each lane i.
  template <class F>
  LANEFOLD_ALWAYS_INLINE static varying from_lanes(F f) {
    std::uint16_t lanes[N];
    for (std::size_t i = 0; i < N; ++i) {
      lanes[i] = std::bit_cast<std::uint16_t>(T(f(i)));
    }
    return varying(bits_type::load(lanes), of_bits);
  }

  // These access memory as those of a varying of numbers; `m` is nothing or a mask.

  template <class... M>
  LANEFOLD_ALWAYS_INLINE static varying load(const T* p, const M&... m) {
    return varying(bits_type::load(bits_at(p), m...), of_bits);
  }
  template <class... M>
  LANEFOLD_ALWAYS_INLINE void store(T* p, const M&... m) const {
    m_bits.store(bits_at(p), m...);
  }
  template <class... M>
  LANEFOLD_ALWAYS_INLINE static varying load_strided(const T* p, std::ptrdiff_t stride, const M&... m) {
    return varying(bits_type::load_strided(bits_at(p), stride, m...), of_bits);
  }
  template <class... M>
  LANEFOLD_ALWAYS_INLINE void store_strided(T* p, std::ptrdiff_t stride, const M&... m) const {
    m_bits.store_strided(bits_at(p), stride, m...);
  }
  template <std::integral I, class... M>
  LANEFOLD_ALWAYS_INLINE static varying gather(const T* p, const varying<I, N, Isa>& indices, const M&... m) {
    return varying(bits_type::gather(bits_at(p), indices, m...), of_bits);
  }
  template <std::integral I, class... M>
  LANEFOLD_ALWAYS_INLINE void scatter(T* p, const varying<I, N, Isa>& indices, const M&... m) const {
    m_bits.scatter(bits_at(p), indices, m...);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying load_rows(const T* p, std::ptrdiff_t row_stride, const M&... m) {
    return varying(bits_type::template load_rows<C>(bits_at(p), row_stride, m...), of_bits);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE void store_rows(T* p, std::ptrdiff_t row_stride, const M&... m) const {
    m_bits.template store_rows<C>(bits_at(p), row_stride, m...);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying load_row(const T* p, const M&... m) {
    return varying(bits_type::template load_row<C>(bits_at(p), m...), of_bits);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying broadcast_rows(const T* p, std::ptrdiff_t row_stride, const M&... m) {
    return varying(bits_type::template broadcast_rows<C>(bits_at(p), row_stride, m...), of_bits);
  }

  /// Variables call these, see variable.hpp.
  LANEFOLD_ALWAYS_INLINE friend void assign(varying& to, const varying& from) {
    detail::assign(to.m_bits, from.m_bits);
  }
  LANEFOLD_ALWAYS_INLINE friend void assign(varying& to, const varying& from, const mask_type& m) {
    detail::assign(to.m_bits, from.m_bits, m);
  }

  /// Only the library calls these. They return the lanes moved by `move`, which does that to any varying, and those of
  /// b where m is not set.
  template <class Move>
  LANEFOLD_ALWAYS_INLINE varying moved(Move move) const {
    return varying(bits_type(move(m_bits)), of_bits);
  }
  LANEFOLD_ALWAYS_INLINE varying blended(const mask_type& m, const varying& b) const {
    return varying(bits_type(select(m, m_bits, b.m_bits)), of_bits);
  }

private:
  static_assert(sizeof(T) == sizeof(std::uint16_t));
  struct of_bits_t {};
  static constexpr of_bits_t of_bits{};

  LANEFOLD_ALWAYS_INLINE varying(const bits_type& bits, of_bits_t) : m_bits(bits) {}

  template <class U>
  LANEFOLD_ALWAYS_INLINE static bits_type rounded(const varying<U, N, Isa>& x) {
    if constexpr (std::is_same_v<U, float> || sizeof(U) < 4) { // which float holds
      return detail::rounded_lanes<T>(varying<float, N, Isa>(x));
    } else {
      return lane_wise([](U y) LANEFOLD_INLINE_LAMBDA { return std::bit_cast<std::uint16_t>(T(y)); }, x);
    }
  }

  /// The bits are the first and only member of T.
  LANEFOLD_ALWAYS_INLINE static const std::uint16_t* bits_at(const T* p) {
    return reinterpret_cast<const std::uint16_t*>(p);
  }
  LANEFOLD_ALWAYS_INLINE static std::uint16_t* bits_at(T* p) { return reinterpret_cast<std::uint16_t*>(p); }

  bits_type m_bits;
};

namespace detail {

/// The varying that x is, if its lanes are small reals (x may be a variable or an element of a view).
template <SmallReal T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const varying<T, N, Isa>& small_real_lanes(const varying<T, N, Isa>& x) {
  return x;
}
template <class X>
concept SmallRealLanes = requires(const X& x) { detail::small_real_lanes(x); };
template <class X>
using small_real_varying = std::remove_cvref_t<decltype(small_real_lanes(std::declval<const X&>()))>;

/// Says which lanes of small reals A and B make, of which one has such lanes: the other one has the same, is a uniform
/// one, or a fundamental number, varying or not.
template <class A, class B>
struct small_real_pair {};
template <SmallRealLanes A, class B>
  requires(Operand<B> || std::is_same_v<B, typename small_real_varying<A>::value_type>)
struct small_real_pair<A, B> {
  using type = small_real_varying<A>;
};
template <class A, SmallRealLanes B>
  requires(Operand<A> || std::is_same_v<A, typename small_real_varying<B>::value_type>)
struct small_real_pair<A, B> {
  using type = small_real_varying<B>;
};
template <SmallRealLanes A, SmallRealLanes B>
  requires std::is_same_v<small_real_varying<A>, small_real_varying<B>>
struct small_real_pair<A, B> {
  using type = small_real_varying<A>;
};
template <class A, class B>
concept SmallRealOperands = requires { typename small_real_pair<A, B>::type; };

template <class X>
inline constexpr bool is_real_operand = false;
template <Operand X>
inline constexpr bool is_real_operand<X> = std::is_floating_point_v<typename value_traits<operand_type<X>>::element>;

/// x as it is computed with beside the lanes V: a small real as float, another real as it is, an integer as float,
/// rounded to V's small real first where `Rounded`.
template <class V, bool Rounded, class X>
LANEFOLD_ALWAYS_INLINE auto beside_small_reals(const X& x) {
  if constexpr (SmallRealLanes<X>) {
    return small_real_lanes(x).floats();
  } else if constexpr (std::is_same_v<X, typename V::value_type>) {
    return static_cast<float>(x);
  } else if constexpr (is_real_operand<X>) {
    return operand_type<X>(operand(x));
  } else if constexpr (is_varying_v<operand_type<X>>) {
    using floats = varying<float, V::size(), typename V::isa>;
    if constexpr (Rounded) {
      return V(operand(x)).floats();
    } else {
      return floats(operand(x));
    }
  } else if constexpr (Rounded) {
    return static_cast<float>(typename V::value_type(x));
  } else {
    return static_cast<float>(x);
  }
}

/// f(a, b) as small reals are computed with: in float and rounded back, unless there is another real beside them.
template <class F, class A, class B>
LANEFOLD_ALWAYS_INLINE auto small_real_arithmetic(F f, const A& a, const B& b) {
  using V = typename small_real_pair<A, B>::type;
  const auto result = f(beside_small_reals<V, true>(a), beside_small_reals<V, true>(b));
  if constexpr (is_real_operand<A> || is_real_operand<B>) {
    return result;
  } else {
    return V(result);
  }
}

/// f(a, b), a mask: as small reals are compared, all as float.
template <class F, class A, class B>
LANEFOLD_ALWAYS_INLINE auto small_real_comparison(F f, const A& a, const B& b) {
  using V = typename small_real_pair<A, B>::type;
  return f(beside_small_reals<V, false>(a), beside_small_reals<V, false>(b));
}

} // namespace detail

#define LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(op, kind)                                                                  \
  template <class A, class B>                                                                                          \
    requires detail::SmallRealOperands<A, B>                                                                           \
  LANEFOLD_ALWAYS_INLINE auto operator op(const A& a, const B& b) {                                                    \
    return detail::small_real_##kind([](const auto& x, const auto& y) LANEFOLD_INLINE_LAMBDA { return x op y; }, a,    \
                                     b);                                                                               \
  }
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(+, arithmetic)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(-, arithmetic)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(*, arithmetic)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(/, arithmetic)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(==, comparison)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(!=, comparison)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(<, comparison)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(<=, comparison)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(>, comparison)
LANEFOLD_DETAIL_SMALL_REAL_OPERATOR(>=, comparison)
#undef LANEFOLD_DETAIL_SMALL_REAL_OPERATOR

template <detail::SmallReal T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> operator+(const varying<T, N, Isa>& x) {
  return x;
}
template <detail::SmallReal T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> operator-(const varying<T, N, Isa>& x) {
  return varying<T, N, Isa>(-x.floats());
}

/// Converted to U, as a small real converts, and numbers to small reals.
template <class U, class T>
  requires detail::is_small_real<T>
LANEFOLD_ALWAYS_INLINE constexpr U convert(T x) {
  return static_cast<U>(static_cast<float>(x));
}
template <class U, detail::SmallReal T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<U, N, Isa> convert(const varying<T, N, Isa>& x) {
  return varying<U, N, Isa>(x.floats());
}

LANEFOLD_END_NAMESPACE
