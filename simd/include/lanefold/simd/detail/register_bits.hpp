// SPDX-License-Identifier: Apache-2.0
/// Between registers and the bits of their lanes: comparison, blend, masked load and store of one register.
/// AVX-512 has instructions for each; elsewhere bits become a vector of all-ones and zeros and back. Internal.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>

#include <lanefold/simd/isa/native.hpp>
#include <lanefold/simd/registers.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The bits of `a C b`, lane by lane, for two registers (or plain scalars) of element type T.
template <class Isa, comparison C, class R>
LANEFOLD_ALWAYS_INLINE auto compare(const R& ra, const R& rb) {
  using traits = register_traits<R>;
  using T = typename traits::element;
  using set = instructions<Isa>;
  if constexpr (!traits::is_vector) {
    return static_cast<lane_bits<traits::lanes>>(compare_values<C>(ra, rb));
  } else {
    const auto a = to_vector(ra), b = to_vector(rb);
    if constexpr (set::has_mask_registers)
      return set::template compare<C, T>(a, b);
    else
      return set::template bits_of<T, traits::lanes>((bool_vector<T, traits::lanes>)compare_values<C>(a, b));
  }
}

/// Lane by lane `yes` where the bit is set, else `no`.
template <class Isa, class R, class Bits>
LANEFOLD_ALWAYS_INLINE R blend(Bits b, const R& yes, const R& no) {
  using traits = register_traits<R>;
  using T = typename traits::element;
  using set = instructions<Isa>;
  if constexpr (!traits::is_vector) {
    return b != 0 ? yes : no;
  } else {
    const auto y = to_vector(yes), n = to_vector(no);
    if constexpr (set::has_mask_registers)
      return to_register<R>(set::template blend<T>(b, y, n));
    else
      return to_register<R>(vector_of<T, traits::lanes>(b) ? y : n);
  }
}

/// A vector at any address that is aligned for T. Standard element types keep T's aliasing (g++ then knows that a store
/// of floats does not change pointers); the others may alias anything.
template <class T, std::size_t W>
struct memory_vector {
  typedef T type __attribute__((vector_size(sizeof(T) * W), aligned(alignof(T))));
};

template <class T>
inline constexpr bool vector_element = std::is_same_v<T, canonical_t<T>>;

template <class R, class T>
LANEFOLD_ALWAYS_INLINE R load_register(const T* p) {
  if constexpr (!register_traits<R>::is_vector) {
    return *p;
  } else {
    using vector = typename memory_vector<canonical_t<T>, register_traits<R>::lanes>::type;
    if constexpr (vector_element<T>) {
      return to_register<R>(*reinterpret_cast<const vector*>(p));
    } else {
      R r;
      __builtin_memcpy(&r.data, p, sizeof(r.data));
      return r;
    }
  }
}

template <class R, class T>
LANEFOLD_ALWAYS_INLINE void store_register(const R& r, T* p) {
  if constexpr (!register_traits<R>::is_vector) {
    *p = r;
  } else {
    using vector = typename memory_vector<canonical_t<T>, register_traits<R>::lanes>::type;
    if constexpr (vector_element<T>)
      *reinterpret_cast<vector*>(p) = (vector)r.data;
    else
      __builtin_memcpy(p, &r.data, sizeof(r.data));
  }
}

/// f(i) for every set bit, from the lowest.
template <class Bits, class F>
LANEFOLD_ALWAYS_INLINE void for_bits(Bits b, F f) {
  for (; b != 0; b = static_cast<Bits>(b & (b - 1)))
    f(static_cast<std::size_t>(std::countr_zero(b)));
}

/// The lanes whose bit is set; the others are not accessed and are 0.
template <class Isa, class R, class T, class Bits>
LANEFOLD_ALWAYS_INLINE R load_register(const T* p, Bits b) {
  using traits = register_traits<R>;
  using set = instructions<Isa>;
  if constexpr (!traits::is_vector) {
    return b != 0 ? *p : T{};
  } else if constexpr (set::template has_masked_access<T>) {
    return to_register<R>(set::template masked_load<T, traits::lanes>(p, b));
  } else {
    if (b == full_bits<traits::lanes>)
      return load_register<R>(p);
    T lanes[traits::lanes] = {};
    for_bits(b, [&](std::size_t i) { lanes[i] = p[i]; });
    return load_register<R>(lanes);
  }
}

/// Stores the lanes whose bit is set. `Owned` says that no other thread accesses the memory, nor a register's bytes
/// around it, as in local memory: then the other lanes may be stored as they were. A masked store of AVX2 takes 3.9 ns
/// on Zen 3, load, blend and store 1.4; loads of what it has written wait for the cache, and without masked stores
/// lanes are stored one by one.
template <class Isa, bool Owned = false, class R, class T, class Bits>
LANEFOLD_ALWAYS_INLINE void store_register(const R& r, T* p, Bits b) {
  using traits = register_traits<R>;
  using set = instructions<Isa>;
  if constexpr (!traits::is_vector) {
    if (b != 0)
      *p = r;
  } else if constexpr (Owned && !set::has_mask_registers) {
    if (b != 0)
      store_register(blend<Isa>(b, r, load_register<R>(p)), p);
  } else if constexpr (set::template has_masked_access<T>) {
    set::template masked_store<T, traits::lanes>(p, r.data, b);
  } else if (b == full_bits<traits::lanes>) {
    store_register(r, p);
  } else {
    T lanes[traits::lanes];
    store_register(r, lanes);
    for_bits(b, [&](std::size_t i) { p[i] = lanes[i]; });
  }
}

} // namespace detail

LANEFOLD_END_NAMESPACE
