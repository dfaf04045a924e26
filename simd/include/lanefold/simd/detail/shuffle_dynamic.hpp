// SPDX-License-Identifier: Apache-2.0
/// Moves lanes to positions that are known at run time only: one register looked up in one or several. Internal.
#pragma once

#include <lanefold/simd/detail/shuffle.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The lanes `index` of registers First to First + Count - 1 of table(k).
template <class Isa, class U, std::size_t First, std::size_t Count, class V, class Table>
LANEFOLD_ALWAYS_INLINE V lookup([[maybe_unused]] const Table& table, V index) {
  [[maybe_unused]] constexpr std::size_t lanes = sizeof(V) / sizeof(U);
  constexpr auto k = std::integral_constant<std::size_t, First>{};
  using set = instructions<Isa>;
  if constexpr (sizeof(V) == 64 && sizeof(U) == 1 && Count <= 2) {
    // There is no lookup of bytes. Two lookups of words serve: one for the even bytes of the result, one for the odd
    // ones.
    using W = std::uint16_t;
    using words = vector_t<W, 32>;
    const auto in_words = [&](auto j) LANEFOLD_INLINE_LAMBDA { return (words)table(j); };
    const auto byte = [&](words i) LANEFOLD_INLINE_LAMBDA {
      return lookup<Isa, W, First, Count>(in_words, words(i >> 1)) >> ((i & W(1)) << 3);
    };
    const words both = (words)index;
    return (V)((byte(both & W(0xff)) & W(0xff)) | byte(both >> 8) << 8);
  } else if constexpr (sizeof(V) == 64 && Count == 2) {
    return set::template lookup<U>(table(k), table(std::integral_constant<std::size_t, First + 1>{}), index);
  } else if constexpr (Count == 1) {
    return set::template lookup<U>(table(k), index);
  } else {
    const V low = lookup<Isa, U, First, Count / 2>(table, index);
    const V high = lookup<Isa, U, First + Count / 2, Count / 2>(table, index);
    return (index & static_cast<U>(Count / 2 * lanes)) != 0 ? high : low;
  }
}

/// Lane i gets lane index[i] % N of v, through registers.
template <class T, std::size_t N, class Isa, class I>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> lookup_lanes(const varying<T, N, Isa>& v, const varying<I, N, Isa>& index) {
  using V = varying<T, N, Isa>;
  using U = same_width<T>;
  static_assert(sizeof(I) == sizeof(U));
  const auto table = [&](auto k) LANEFOLD_INLINE_LAMBDA { return reinterpreted<U>(register_at<k>(v)); };
  return generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    return to_register<typename V::register_type>(
        lookup<Isa, U, 0, register_count<V>>(table, reinterpreted<U>(register_at<k>(index))));
  });
}

/// Is true if lookup_lanes serves V.
template <class V>
inline constexpr bool has_lookup =
    V::register_lanes > 1 && register_count<V> <= instructions<typename V::isa>::most_lookup_registers;

/// Is true if there is a lookup in one register of V.
template <class V>
inline constexpr bool has_register_lookup =
    V::register_lanes > 1 && instructions<typename V::isa>::most_lookup_registers > 0;

/// 0, 1, 2, … in the lanes of one register of V, as a vector of U.
template <class U, std::size_t... I>
LANEFOLD_ALWAYS_INLINE constexpr auto lane_numbers(std::index_sequence<I...>) {
  return vector_t<U, sizeof...(I)>{static_cast<U>(I)...};
}

/// Within each register lane i gets lane i ^ m, for m below the lanes of a register.
template <class V>
LANEFOLD_ALWAYS_INLINE V looked_up_exchange(const V& v, std::size_t m) {
  using U = same_width<typename V::value_type>;
  const auto index = lane_numbers<U>(std::make_index_sequence<V::register_lanes>{}) ^ static_cast<U>(m);
  return generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    const auto table = [&](auto) LANEFOLD_INLINE_LAMBDA { return reinterpreted<U>(register_at<k>(v)); };
    return to_register<typename V::register_type>(lookup<typename V::isa, U, 0, 1>(table, index));
  });
}

/// Is true if looked_up_rotation serves V: one register, or a lookup in two.
template <class V>
inline constexpr bool has_lookup_rotation =
    has_register_lookup<V> && (register_count<V> == 1 || (instructions<typename V::isa>::has_lookup_in_two &&
                                                          sizeof(typename V::value_type) > 1));

/// Rotates all lanes down by n, which is below the lanes of a register: each register takes its lanes from itself and
/// from the next one, the last from the first.
template <class V>
LANEFOLD_ALWAYS_INLINE V looked_up_rotation(const V& v, std::size_t n) {
  using U = same_width<typename V::value_type>;
  constexpr std::size_t count = register_count<V>;
  const auto index = lane_numbers<U>(std::make_index_sequence<V::register_lanes>{}) + static_cast<U>(n);
  return generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    const auto table = [&](auto j) LANEFOLD_INLINE_LAMBDA { return reinterpreted<U>(register_at<(k + j) % count>(v)); };
    return to_register<typename V::register_type>(lookup<typename V::isa, U, 0, (count > 1 ? 2 : 1)>(table, index));
  });
}

} // namespace detail

LANEFOLD_END_NAMESPACE
