// SPDX-License-Identifier: Apache-2.0
/// The registers that hold the lanes of a varying: how many lanes one has, and the pack of registers with the loops
/// over it. Internal; the layer under `varying` and `mask`.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/vectors.hpp>
#include <lanefold/simd/isa/xsimd.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// An element type of a varying: every fundamental arithmetic type but bool (whose varying is `mask`).
template <class T>
concept Element = std::is_arithmetic_v<T> && !std::is_same_v<std::remove_cv_t<T>, bool>;

namespace detail {

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
