// SPDX-License-Identifier: Apache-2.0
/// The registers that hold the lanes of a varying: which xsimd batch serves which element type and instruction set, and
/// the pack of registers with the loops over it. Internal; the layer under `varying` and `mask`.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/xsimd.hpp>
#include <lanefold/simd/isa.hpp>
#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// An element type of a varying: every fundamental arithmetic type but bool (whose varying is `mask`).
template <class T>
concept Element = std::is_arithmetic_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;

namespace detail {

template <std::size_t Size, bool Signed>
struct sized_integer;
template <>
struct sized_integer<1, true> {
  using type = std::int8_t;
};
template <>
struct sized_integer<2, true> {
  using type = std::int16_t;
};
template <>
struct sized_integer<4, true> {
  using type = std::int32_t;
};
template <>
struct sized_integer<8, true> {
  using type = std::int64_t;
};
template <>
struct sized_integer<1, false> {
  using type = std::uint8_t;
};
template <>
struct sized_integer<2, false> {
  using type = std::uint16_t;
};
template <>
struct sized_integer<4, false> {
  using type = std::uint32_t;
};
template <>
struct sized_integer<8, false> {
  using type = std::uint64_t;
};

template <class T, bool Integral = std::is_integral_v<T>>
struct canonical {
  using type = T;
};
template <class T>
struct canonical<T, true> {
  using type = typename sized_integer<sizeof(T), std::is_signed_v<T>>::type;
};

/// One of the ten types that registers know: (u)int8 to (u)int64, float, double; `long double` stays itself.
template <class T>
using canonical_t = typename canonical<T>::type;

template <class T>
inline constexpr bool has_registers = !std::is_same_v<T, long double>;

/// `Lanes` elements of T as a vector of the compiler (GNU vector extension), passed as `typename vector<T, n>::type`.
template <class T, std::size_t Lanes>
struct vector {
  typedef T type __attribute__((vector_size(sizeof(T) * Lanes)));
};
template <class T, std::size_t Lanes>
using vector_t = typename vector<T, Lanes>::type;

/// The register for `Bytes` bytes under `Isa`, or void where the instruction set has none of that size.
template <class Isa, std::size_t Bytes>
struct architecture {
  using type = void;
};
#if defined(LANEFOLD_DETAIL_SSE2)
template <>
struct architecture<isa::sse2, 16> {
  using type = xsimd::sse2;
};
#endif
#if defined(LANEFOLD_DETAIL_AVX2)
template <>
struct architecture<isa::avx2, 16> {
  using type = xsimd::sse4_2;
};
template <>
struct architecture<isa::avx2, 32> {
  using type = xsimd::fma3<xsimd::avx2>;
};
#endif
#if defined(LANEFOLD_DETAIL_AVX512)
template <>
struct architecture<isa::avx512, 16> : architecture<isa::avx2, 16> {};
template <>
struct architecture<isa::avx512, 32> : architecture<isa::avx2, 32> {};
template <>
struct architecture<isa::avx512, 64> {
  using type = xsimd::avx512bw;
};
#endif
#if defined(LANEFOLD_DETAIL_NEON)
template <>
struct architecture<isa::neon, 16> {
  using type = xsimd::neon64;
};
#endif

/// Lanes of one register of a varying<T, N, Isa>: the widest register that N lanes fill, or 1 (a plain T).
template <class T, std::size_t N, class Isa>
constexpr std::size_t register_lanes() {
  if constexpr (has_registers<T>) {
    if constexpr (N * sizeof(T) >= 64 && !std::is_void_v<typename architecture<Isa, 64>::type>)
      return 64 / sizeof(T);
    else if constexpr (N * sizeof(T) >= 32 && !std::is_void_v<typename architecture<Isa, 32>::type>)
      return 32 / sizeof(T);
    else if constexpr (N * sizeof(T) >= 16 && !std::is_void_v<typename architecture<Isa, 16>::type>)
      return 16 / sizeof(T);
    else
      return 1;
  } else {
    return 1;
  }
}

template <class T, std::size_t Lanes, class Isa>
struct register_of {
#if defined(LANEFOLD_DETAIL_XSIMD)
  using type = xsimd::batch<canonical_t<T>, typename architecture<Isa, sizeof(T) * Lanes>::type>;
#endif
};
template <class T, class Isa>
struct register_of<T, 1, Isa> {
  using type = T;
};

template <class R>
struct register_traits {
  using element = R;
  static constexpr std::size_t lanes = 1;
  static constexpr bool is_vector = false;
};
#if defined(LANEFOLD_DETAIL_XSIMD)
template <class T, class A>
struct register_traits<xsimd::batch<T, A>> {
  using element = T;
  static constexpr std::size_t lanes = xsimd::batch<T, A>::size;
  static constexpr bool is_vector = true;
};
#endif

/// The register as a vector of the compiler; a plain scalar is itself.
template <class R>
LANEFOLD_ALWAYS_INLINE auto to_vector(const R& r) {
  if constexpr (register_traits<R>::is_vector)
    return (vector_t<typename R::value_type, R::size>)(r.data);
  else
    return r;
}

/// The register R made of a vector of the compiler with the same bits, or of a plain scalar.
template <class R, class V>
LANEFOLD_ALWAYS_INLINE R to_register(V v) {
  if constexpr (register_traits<R>::is_vector)
    return R((typename R::register_type)v);
  else
    return static_cast<R>(v);
}

/// One bit for each lane of a register, in the smallest integer of at least 8 bits.
template <std::size_t Lanes>
using lane_bits = typename sized_integer<(Lanes <= 8 ? 8 : Lanes) / 8, false>::type;

template <std::size_t Lanes>
inline constexpr lane_bits<Lanes> full_bits =
    static_cast<lane_bits<Lanes>>(Lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (Lanes % 64)) - 1);

template <std::size_t I, class R>
struct leaf {
  R value;
};

template <class R, class Indices>
struct pack_of;

/// K registers as separate members with the loops over them as fold expressions. Not an array: g++ 12 keeps arrays of
/// registers in memory and then cannot see through masks.
/// Functions get indices as run-time values that fold after inlining, so that K registers cost one instantiation.
template <class R, std::size_t... I>
struct pack_of<R, std::index_sequence<I...>> : leaf<I, R>... {
  using value_type = R;
  using indices = std::index_sequence<I...>;
  static constexpr std::size_t size = sizeof...(I);

  template <class Other>
  using rebind = pack_of<Other, indices>;

  template <std::size_t J>
  LANEFOLD_ALWAYS_INLINE const R& get() const {
    return static_cast<const leaf<J, R>&>(*this).value;
  }
  template <std::size_t J>
  LANEFOLD_ALWAYS_INLINE R& get() {
    return static_cast<leaf<J, R>&>(*this).value;
  }

  /// {f(0), f(1), …}
  template <class F>
  LANEFOLD_ALWAYS_INLINE static pack_of generate(F f) {
    return pack_of{leaf<I, R>{f(I)}...};
  }

  /// {f(a0), f(a1), …}
  template <class F, class A>
  LANEFOLD_ALWAYS_INLINE static pack_of map(F f, const pack_of<A, indices>& a) {
    return pack_of{leaf<I, R>{f(static_cast<const leaf<I, A>&>(a).value)}...};
  }
  template <class F, class A, class B>
  LANEFOLD_ALWAYS_INLINE static pack_of map(F f, const pack_of<A, indices>& a, const pack_of<B, indices>& b) {
    return pack_of{leaf<I, R>{f(static_cast<const leaf<I, A>&>(a).value, static_cast<const leaf<I, B>&>(b).value)}...};
  }
  template <class F, class A, class B, class C>
  LANEFOLD_ALWAYS_INLINE static pack_of map(F f, const pack_of<A, indices>& a, const pack_of<B, indices>& b,
                                            const pack_of<C, indices>& c) {
    return pack_of{leaf<I, R>{f(static_cast<const leaf<I, A>&>(a).value, static_cast<const leaf<I, B>&>(b).value,
                                static_cast<const leaf<I, C>&>(c).value)}...};
  }

  /// {f(a0, 0), f(a1, 1), …}
  template <class F, class A>
  LANEFOLD_ALWAYS_INLINE static pack_of map_indexed(F f, const pack_of<A, indices>& a) {
    return pack_of{leaf<I, R>{f(static_cast<const leaf<I, A>&>(a).value, I)}...};
  }

  /// f(r0, 0); f(r1, 1); …
  template <class F>
  LANEFOLD_ALWAYS_INLINE void each(F f) const {
    (f(static_cast<const leaf<I, R>&>(*this).value, I), ...);
  }
  template <class F, class B>
  LANEFOLD_ALWAYS_INLINE void each(F f, const pack_of<B, indices>& b) const {
    (f(static_cast<const leaf<I, R>&>(*this).value, static_cast<const leaf<I, B>&>(b).value, I), ...);
  }
  template <class F, class B, class C>
  LANEFOLD_ALWAYS_INLINE void each(F f, const pack_of<B, indices>& b, const pack_of<C, indices>& c) const {
    (f(static_cast<const leaf<I, R>&>(*this).value, static_cast<const leaf<I, B>&>(b).value,
       static_cast<const leaf<I, C>&>(c).value),
     ...);
  }

  /// The registers combined in order with a binary function: f(f(r0, r1), r2) ….
  template <class F>
  LANEFOLD_ALWAYS_INLINE R fold(F f) const {
    return fold_from(f, get<0>(), std::make_index_sequence<size - 1>{});
  }

private:
  template <class F, std::size_t... J>
  LANEFOLD_ALWAYS_INLINE R fold_from([[maybe_unused]] F f, R first, std::index_sequence<J...>) const {
    ((first = f(first, get<J + 1>())), ...);
    return first;
  }
};

template <class R, std::size_t K>
using pack = pack_of<R, std::make_index_sequence<K>>;

} // namespace detail

LANEFOLD_END_NAMESPACE
