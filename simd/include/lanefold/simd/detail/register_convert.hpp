// SPDX-License-Identifier: Apache-2.0
/// Conversion of the element type of a vector, lane by lane as C++ converts. Internal.
/// clang compiles __builtin_convertvector to the best instructions; g++ 12 does not where the width changes, so that
/// isa/avx2.hpp and isa/avx512.hpp spell widening and narrowing out for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/register_chunks.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The integer between From and To that instructions convert through, or To: bytes and words become floating point and
/// come from it through 32 bits.
template <class To, class From>
constexpr auto conversion_step() {
  if constexpr (std::is_integral_v<From> && std::is_floating_point_v<To> && sizeof(From) < 4)
    return std::int32_t{};
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To> && sizeof(To) < 4)
    return std::int32_t{};
  else
    return To{};
}

/// W lanes of From converted to To.
template <class To, class From, std::size_t W>
LANEFOLD_ALWAYS_INLINE chunk_t<To, W> convert_chunk(const chunk_t<From, W>& v) {
  using result = chunk_t<To, W>;
  using step = decltype(conversion_step<To, From>());
  if constexpr (W == 1) {
    return static_cast<To>(v);
  } else if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (!std::is_same_v<step, To>) {
    return convert_chunk<To, step, W>(convert_chunk<step, From, W>(v));
  } else if constexpr (std::is_integral_v<To> && std::is_integral_v<From> && sizeof(To) == sizeof(From)) {
    return (result)v;
  } else {
    return native_instructions::convert<To, From, W>(v);
  }
}

/// Converts a pack of registers to registers of type To that have as many lanes in all. f(w, chunk) converts a chunk of
/// w lanes; w is a constant.
template <class To, class From, std::size_t... K, class F>
LANEFOLD_ALWAYS_INLINE auto converted_registers(const pack_of<From, std::index_sequence<K...>>& from, F f) {
  using to = register_traits<To>;
  using traits = register_traits<From>;
  constexpr std::size_t w = to::lanes < traits::lanes ? to::lanes : traits::lanes;
  constexpr std::size_t lanes = sizeof...(K) * traits::lanes;
  return from_chunks<To, w>(pack<chunk_t<typename to::element, w>, lanes / w>::map(
      [f](const chunk_t<typename traits::element, w>& v)
          LANEFOLD_INLINE_LAMBDA { return f(std::integral_constant<std::size_t, w>{}, v); },
      to_chunks<w>(from)));
}

/// A pack of registers converted to registers To of as many lanes in all.
template <class To, class From, std::size_t... K>
LANEFOLD_ALWAYS_INLINE auto convert_registers(const pack_of<From, std::index_sequence<K...>>& from) {
  using E = typename register_traits<To>::element;
  using F = typename register_traits<From>::element;
  if constexpr (std::is_same_v<To, From>)
    return from;
  else
    return converted_registers<To>(from, [](auto w, const auto& v)
                                             LANEFOLD_INLINE_LAMBDA { return convert_chunk<E, F, w()>(v); });
}

} // namespace detail

LANEFOLD_END_NAMESPACE
