// SPDX-License-Identifier: Apache-2.0
/// Moves lanes between positions that are known at compile time. The compilers choose the instructions. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <lanefold/simd/detail/math_register.hpp>
#include <lanefold/simd/varying.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The lanes of a and b as the pattern says.
template <class Pattern, class R>
LANEFOLD_ALWAYS_INLINE R shuffled(const R& a, const R& b) {
  return to_register<R>(
      shuffled_vector<Pattern>(to_vector(a), to_vector(b), std::make_index_sequence<register_traits<R>::lanes>{}));
}
template <class Pattern, class R>
LANEFOLD_ALWAYS_INLINE R shuffled(const R& a) {
  return shuffled<Pattern>(a, a);
}

/// The register with lanes of another type of the same total size, and back.
template <class T, class R>
LANEFOLD_ALWAYS_INLINE auto reinterpreted(const R& r) {
  return (vector_t<T, sizeof(to_vector(r)) / sizeof(T)>)to_vector(r);
}

/// Lanes S to S + W - 1 of the 2 W lanes of lo and hi.
template <class Isa, int S, class R>
LANEFOLD_ALWAYS_INLINE R concatenated(const R& lo, const R& hi) {
  using set = instructions<Isa>;
  if constexpr (S == 0)
    return lo;
  else if constexpr (set::has_slow_shuffles)
    return to_register<R>(set::template concatenated_bytes<S * sizeof(element_t<R>)>(to_vector(lo), to_vector(hi)));
  else
    return shuffled<pattern::from_lane<S>>(lo, hi);
}

/// Lane i gets lane i + S; the highest S lanes get anything.
template <class Isa, int S, class R>
LANEFOLD_ALWAYS_INLINE R moved_down(const R& r) {
  using set = instructions<Isa>;
  if constexpr (set::has_slow_shuffles)
    return to_register<R>(set::template bytes_down<S * sizeof(element_t<R>)>(to_vector(r)));
  else
    return shuffled<pattern::from_lane<S>>(r);
}

/// Lane i gets lane i ^ S, for S a power of two: neighbours S lanes wide are exchanged.
template <int S, class R>
LANEFOLD_ALWAYS_INLINE R exchanged(const R& r) {
  constexpr std::size_t bytes = S * sizeof(element_t<R>);
  if constexpr (bytes == 1 && sizeof(R) == 16) {
    const auto x = reinterpreted<std::uint16_t>(r);
    return to_register<R>(x << 8 | x >> 8);
  } else if constexpr (bytes < 8) {
    const auto x = reinterpreted<typename sized_integer<bytes, false>::type>(r);
    return to_register<R>(shuffled_vector<pattern::exchanged<1>>(x, x, std::make_index_sequence<sizeof(x) / bytes>{}));
  } else {
    const auto x = reinterpreted<double>(r);
    return to_register<R>(
        shuffled_vector<pattern::exchanged<bytes / 8>>(x, x, std::make_index_sequence<sizeof(x) / 8>{}));
  }
}

// ---- whole varyings

template <class V>
inline constexpr std::size_t register_count = V::registers_type::size;

/// The varying of T with half the lanes.
template <class V>
struct half_varying;
template <class T, std::size_t N, class Isa>
struct half_varying<varying<T, N, Isa>> {
  using type = varying<T, N / 2, Isa>;
};
template <class V>
using half_varying_t = typename half_varying<V>::type;

/// Returns a pack made of f(k); k comes as a constant.
template <class R, class F, std::size_t... K>
LANEFOLD_ALWAYS_INLINE pack<R, sizeof...(K)> generated_pack(F f, std::index_sequence<K...>) {
  return {leaf<K, R>{f(std::integral_constant<std::size_t, K>{})}...};
}
/// Returns a varying made of registers f(k); k comes as a constant.
template <class V, class F>
LANEFOLD_ALWAYS_INLINE V generate(F f) {
  return varying_access::make<V>(
      generated_pack<typename V::register_type>(f, std::make_index_sequence<register_count<V>>{}));
}

/// Register k of a varying.
template <std::size_t K, class V>
LANEFOLD_ALWAYS_INLINE const auto& register_at(const V& v) {
  return varying_access::registers(v).template get<K>();
}

/// A varying of one register.
template <class T, class Isa, class R>
LANEFOLD_ALWAYS_INLINE auto one_register(const R& r) {
  return varying_access::make<varying<T, register_traits<R>::lanes, Isa>>({leaf<0, R>{r}});
}

/// The lower (Upper = 0) or upper (Upper = 1) half of the lanes: of several registers a renaming.
template <std::size_t Upper, class V>
LANEFOLD_ALWAYS_INLINE half_varying_t<V> half_of(const V& v) {
  using H = half_varying_t<V>;
  if constexpr (register_count<V> > 1) {
    return generate<H>([&](auto k) LANEFOLD_INLINE_LAMBDA { return register_at<k + Upper * register_count<H>>(v); });
  } else {
    const auto x = to_vector(register_at<0>(v));
    constexpr std::size_t lanes = H::register_lanes;
    return generate<H>([&](auto k) LANEFOLD_INLINE_LAMBDA {
      constexpr int first = static_cast<int>(Upper * H::size() + k * lanes);
      if constexpr (lanes == 1)
        return static_cast<typename H::register_type>(x[first]);
      else
        return to_register<typename H::register_type>(
            shuffled_vector<pattern::from_lane<first>>(x, x, std::make_index_sequence<lanes>{}));
    });
  }
}

/// The even (Odd = 0) or odd (Odd = 1) lanes, for several registers.
template <std::size_t Odd, class V>
LANEFOLD_ALWAYS_INLINE half_varying_t<V> alternate(const V& v) {
  using H = half_varying_t<V>;
  static_assert(register_count<V> > 1);
  return generate<H>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    if constexpr (V::register_lanes == 1)
      return register_at<2 * k + Odd>(v);
    else
      return shuffled<pattern::every_second<Odd>>(register_at<2 * k>(v), register_at<2 * k + 1>(v));
  });
}

/// The first lane. Uniform.
template <class V>
LANEFOLD_ALWAYS_INLINE typename V::value_type first_lane(const V& v) {
  if constexpr (V::register_lanes == 1)
    return register_at<0>(v);
  else
    return static_cast<typename V::value_type>(to_vector(register_at<0>(v))[0]);
}

} // namespace detail

LANEFOLD_END_NAMESPACE
