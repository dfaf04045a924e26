// SPDX-License-Identifier: Apache-2.0
/// Conversion of one number with a rounding mode.
#pragma once

#include <lanefold/memory/half.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Says how `vec::convert` rounds what the other type cannot hold. [sycl.4.14.2.2]
enum class rounding_mode {
  automatic, ///< of real numbers as rte; integers become the nearest number
  rte,       ///< to the nearest, halves to the even one
  rtz,       ///< towards zero
  rtp,       ///< upwards
  rtn        ///< downwards
};

namespace detail {

/// The whole number next to x.
template <rounding_mode Mode, class From>
From rounded(From x) {
  if constexpr (Mode == rounding_mode::rte) {
    return std::nearbyint(x); // the default mode of the processor
  } else if constexpr (Mode == rounding_mode::rtp) {
    return std::ceil(x);
  } else if constexpr (Mode == rounding_mode::rtn) {
    return std::floor(x);
  } else {
    return std::trunc(x);
  }
}

/// The number of type To next to x, To a floating point type. `long double` holds what both sides can be.
template <class To, rounding_mode Mode, class From>
To rounded_real(From x) {
  const To nearest = static_cast<To>(x);
  const auto exact = static_cast<long double>(x), got = static_cast<long double>(nearest);
  constexpr To infinity = std::numeric_limits<To>::infinity();
  const bool lower = Mode == rounding_mode::rtn || (Mode == rounding_mode::rtz && exact > 0);
  const bool higher = Mode == rounding_mode::rtp || (Mode == rounding_mode::rtz && exact < 0);
  if (lower && got > exact) {
    return std::nextafter(nearest, -infinity);
  }
  return higher && got < exact ? std::nextafter(nearest, infinity) : nearest;
}

/// The half next to x.
template <rounding_mode Mode, class From>
half rounded_half(From x) {
  const half nearest(x);
  const auto exact = static_cast<long double>(x), got = static_cast<long double>(static_cast<float>(nearest));
  const bool lower = Mode == rounding_mode::rtn || (Mode == rounding_mode::rtz && exact > 0);
  const bool higher = Mode == rounding_mode::rtp || (Mode == rounding_mode::rtz && exact < 0);
  if ((lower && got > exact) || (higher && got < exact)) {
    return next_half(nearest, higher);
  }
  return nearest;
}

/// x as a To.
template <class To, rounding_mode Mode, class From>
constexpr To rounded_to(From x) {
  if constexpr (Mode == rounding_mode::automatic && is_real<From>) {
    return rounded_to<To, rounding_mode::rte>(x);
  } else if constexpr (Mode != rounding_mode::automatic && std::is_same_v<From, half>) {
    return rounded_to<To, Mode>(static_cast<float>(x));
  } else if constexpr (std::is_same_v<To, half> && std::is_arithmetic_v<From> && Mode != rounding_mode::automatic &&
                       Mode != rounding_mode::rte) {
    return rounded_half<Mode>(x);
  } else if constexpr (Mode == rounding_mode::automatic || !std::is_arithmetic_v<To> || !std::is_arithmetic_v<From> ||
                       (std::is_integral_v<To> && std::is_integral_v<From>)) {
    return static_cast<To>(x);
  } else if constexpr (std::is_integral_v<To>) {
    return static_cast<To>(rounded<Mode>(x));
  } else if constexpr (Mode == rounding_mode::rte) {
    return static_cast<To>(x);
  } else {
    return rounded_real<To, Mode>(x);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
