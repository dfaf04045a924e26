// SPDX-License-Identifier: Apache-2.0
/// Dot products of four bytes each, as sycl_ext_oneapi_dot_accumulate spells them.
#pragma once

#include <lanefold/memory/vec.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class T>
concept four_signed_bytes = std::same_as<T, std::int32_t> || std::same_as<T, vec<std::int8_t, 4>>;
template <class T>
concept four_unsigned_bytes = std::same_as<T, std::uint32_t> || std::same_as<T, vec<std::uint8_t, 4>>;
template <class T>
concept four_bytes = four_signed_bytes<T> || four_unsigned_bytes<T>;

template <four_bytes T>
auto bytes_of(const T& x) {
  using byte_type = std::conditional_t<four_signed_bytes<T>, std::int8_t, std::uint8_t>;
  return std::bit_cast<std::array<byte_type, 4>>(x);
}

} // namespace detail

namespace ext::oneapi {

/// Returns c + a0*b0 + a1*b1 + a2*b2 + a3*b3 for the four bytes of `a` and of `b`: those of an integer, or the elements
/// of a vec. The bytes have the sign of their type. What does not fit 32 bits wraps around.
template <lanefold::detail::four_bytes A, lanefold::detail::four_bytes B>
std::int32_t dot_acc(const A& a, const B& b, std::int32_t c) {
  const auto x = lanefold::detail::bytes_of(a);
  const auto y = lanefold::detail::bytes_of(b);
  auto sum = static_cast<std::uint32_t>(c);
  for (std::size_t i = 0; i < 4; ++i) {
    sum += static_cast<std::uint32_t>(x[i] * y[i]);
  }
  return static_cast<std::int32_t>(sum);
}

} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE
