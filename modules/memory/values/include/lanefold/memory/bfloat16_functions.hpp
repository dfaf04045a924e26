// SPDX-License-Identifier: Apache-2.0
/// The mathematical functions of bfloat16: computed as float and rounded once
/// (sycl_ext_oneapi_bfloat16_math_functions).
#pragma once

#include <lanefold/memory/bfloat16.hpp>
#include <lanefold/memory/marray.hpp>
#include <lanefold/memory/math_functions.hpp>

#include <concepts>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

// Each function takes bfloat16, or marray of it element by element.
#define LANEFOLD_DETAIL_BFLOAT16_FUNCTION(function)                                                                    \
  template <std::same_as<bfloat16> T, std::same_as<T>... More>                                                         \
  T function(T x, More... more) {                                                                                      \
    return T(lanefold::function(static_cast<float>(x), static_cast<float>(more)...));                                  \
  }                                                                                                                    \
  template <std::same_as<bfloat16> T, std::size_t N, std::same_as<marray<T, N>>... More>                               \
  marray<T, N> function(const marray<T, N>& x, const More&... more) {                                                  \
    marray<T, N> result;                                                                                               \
    for (std::size_t i = 0; i < N; ++i) {                                                                              \
      result[i] = experimental::function(x[i], more[i]...);                                                            \
    }                                                                                                                  \
    return result;                                                                                                     \
  }

LANEFOLD_DETAIL_BFLOAT16_FUNCTION(ceil)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(cos)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(exp)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(exp10)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(exp2)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(fabs)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(floor)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(fma)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(fmax)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(fmin)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(log)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(log10)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(log2)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(rint)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(rsqrt)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(sin)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(sqrt)
LANEFOLD_DETAIL_BFLOAT16_FUNCTION(trunc)
#undef LANEFOLD_DETAIL_BFLOAT16_FUNCTION

template <std::same_as<bfloat16> T>
bool isnan(T x) {
  return static_cast<float>(x) != static_cast<float>(x);
}
template <std::same_as<bfloat16> T, std::size_t N>
marray<bool, N> isnan(const marray<T, N>& x) {
  marray<bool, N> result;
  for (std::size_t i = 0; i < N; ++i) {
    result[i] = experimental::isnan(x[i]);
  }
  return result;
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
