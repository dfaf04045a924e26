// SPDX-License-Identifier: Apache-2.0
/// Says where a double makes lanes of float double: `x * 0.5`. Internal.
///
/// C++ promotes, and so do lanes: a kernel that runs as work-items and in lanes computes the same. But twice as many
/// registers and conversions both ways are rarely what the author of 0.5 wants, so such an operator is [[deprecated]]:
/// the warning shows the line of the kernel. LANEFOLD_NO_PROMOTION_WARNINGS turns it off.
#pragma once

#include <cstddef>
#include <type_traits>

#include <lanefold/simd/detail/forward.hpp>
#include <lanefold/simd/registers.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <class U>
concept PlainNumber = std::is_arithmetic_v<U>;
/// Is true if a plain U makes lanes of T wider than they are, where a literal of another type would not.
template <class T, class U>
concept PromotesFloat = PlainNumber<U> && std::is_same_v<T, float> && std::is_same_v<U, double>;

} // namespace detail

#if defined(LANEFOLD_NO_PROMOTION_WARNINGS)
#define LANEFOLD_DETAIL_PROMOTES
#else
#define LANEFOLD_DETAIL_PROMOTES                                                                                       \
  [[deprecated("lanefold: a double, as 0.5 is, makes all lanes of float double: write 0.5f, or convert<double>(x) "    \
               "where double is meant")]]
#endif
#define LANEFOLD_DETAIL_PROMOTION(op)                                                                                  \
  template <Element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
    requires detail::PromotesFloat<T, U>                                                                               \
  LANEFOLD_DETAIL_PROMOTES LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, U b) {                 \
    return varying<U, N, Isa>(a) op b;                                                                                 \
  }                                                                                                                    \
  template <Element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
    requires detail::PromotesFloat<T, U>                                                                               \
  LANEFOLD_DETAIL_PROMOTES LANEFOLD_ALWAYS_INLINE auto operator op(U a, const varying<T, N, Isa>& b) {                 \
    return a op varying<U, N, Isa>(b);                                                                                 \
  }
LANEFOLD_DETAIL_PROMOTION(+)
LANEFOLD_DETAIL_PROMOTION(-)
LANEFOLD_DETAIL_PROMOTION(*)
LANEFOLD_DETAIL_PROMOTION(/)
LANEFOLD_DETAIL_PROMOTION(==)
LANEFOLD_DETAIL_PROMOTION(!=)
LANEFOLD_DETAIL_PROMOTION(<)
LANEFOLD_DETAIL_PROMOTION(<=)
LANEFOLD_DETAIL_PROMOTION(>)
LANEFOLD_DETAIL_PROMOTION(>=)
#undef LANEFOLD_DETAIL_PROMOTION
#undef LANEFOLD_DETAIL_PROMOTES

LANEFOLD_END_NAMESPACE
