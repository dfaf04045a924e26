// SPDX-License-Identifier: Apache-2.0
/// Gather and scatter of one chunk of lanes by instructions: elements of 4 and 8 bytes, indices of 32 and 64 bits.
/// Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanefold/simd/detail/register_bits.hpp>
#include <lanefold/simd/detail/register_chunks.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Is true if registers of `Isa` have gather (scatter) instructions for elements of T.
template <class T, class Isa>
inline constexpr bool has_gather = instructions<Isa>::has_gather && has_registers<T> && sizeof(T) >= 4;
template <class T, class Isa>
inline constexpr bool has_scatter = instructions<Isa>::has_scatter && has_registers<T> && sizeof(T) >= 4;

/// The integer that an index is widened to: instructions take 32 and 64 bits.
template <class I>
using gather_index = std::conditional_t<sizeof(I) < 4, std::int32_t, canonical_t<I>>;

/// Instructions read 32-bit indices as signed; unsigned ones are shifted down by 2^31 and the address up.
template <class J>
inline constexpr bool shifted_index = std::is_same_v<J, std::uint32_t>;

template <class J, class T>
LANEFOLD_ALWAYS_INLINE T* gather_address(T* p) {
  if constexpr (shifted_index<J>)
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(p) + (std::uintptr_t{1} << 31) * sizeof(T));
  else
    return p;
}

template <class J, std::size_t G>
LANEFOLD_ALWAYS_INLINE chunk_t<J, G> gather_indices(const chunk_t<J, G>& i) {
  if constexpr (shifted_index<J>)
    return i ^ 0x80000000u;
  else
    return i;
}

} // namespace detail

LANEFOLD_END_NAMESPACE
