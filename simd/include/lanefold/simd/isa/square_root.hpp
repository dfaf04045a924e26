// SPDX-License-Identifier: Apache-2.0
/// Square roots of the elements of small vectors, several by each instruction: where errno may be wanted, compilers
/// call the C library for each element. Reads no header of registers: plain SYCL programs do not need them. Internal.
#pragma once

#include <lanefold/simd/detail/vectors.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The square root of each element, rounded as std::sqrt rounds it.
#if defined(__clang__)
template <class V>
LANEFOLD_ALWAYS_INLINE V square_roots(V v) {
  return __builtin_elementwise_sqrt(v);
}
#define LANEFOLD_DETAIL_SQUARE_ROOTS 16
#elif defined(__x86_64__)
LANEFOLD_ALWAYS_INLINE auto square_roots(vector_t<float, 4> v) { return __builtin_ia32_sqrtps(v); }
LANEFOLD_ALWAYS_INLINE auto square_roots(vector_t<double, 2> v) { return __builtin_ia32_sqrtpd(v); }
#if defined(__AVX__)
LANEFOLD_ALWAYS_INLINE auto square_roots(vector_t<float, 8> v) { return __builtin_ia32_sqrtps256(v); }
LANEFOLD_ALWAYS_INLINE auto square_roots(vector_t<double, 4> v) { return __builtin_ia32_sqrtpd256(v); }
#define LANEFOLD_DETAIL_SQUARE_ROOTS 32
#else
#define LANEFOLD_DETAIL_SQUARE_ROOTS 16
#endif
#elif defined(__aarch64__)
LANEFOLD_ALWAYS_INLINE auto square_roots(vector_t<float, 4> v) { return __builtin_aarch64_sqrtv4sf(v); }
LANEFOLD_ALWAYS_INLINE auto square_roots(vector_t<double, 2> v) { return __builtin_aarch64_sqrtv2df(v); }
#define LANEFOLD_DETAIL_SQUARE_ROOTS 16
#endif

/// The most bytes of which one call of square_roots takes the roots; 0 where the compiler is not known to have any.
#if defined(LANEFOLD_DETAIL_SQUARE_ROOTS)
static constexpr std::size_t square_root_bytes = LANEFOLD_DETAIL_SQUARE_ROOTS;
#undef LANEFOLD_DETAIL_SQUARE_ROOTS
#else
static constexpr std::size_t square_root_bytes = 0;
#endif

/// Stores the square roots of N elements.
template <std::size_t N, class T>
LANEFOLD_ALWAYS_INLINE void square_roots(const T* from, T* to) {
  constexpr std::size_t step = std::min(N, square_root_bytes / sizeof(T));
  for (std::size_t i = 0; i < N; i += step) {
    vector_t<T, step> v;
    std::memcpy(&v, from + i, sizeof v);
    v = square_roots(v);
    std::memcpy(to + i, &v, sizeof v);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
