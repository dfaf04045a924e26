// SPDX-License-Identifier: Apache-2.0
/// Checked builds: an order of groups and commands that a seed says (LANEFOLD_SCHEDULE). Internal.
#pragma once

#include <lanefold/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Mixes the bits of a number.
constexpr std::uint64_t mixed_bits(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// Returns where `position` in [0, count) goes in the order that `seed` says; every seed gives a permutation, 0 leaves
/// all as it is. (A Feistel network over the next even number of bits, passed again until the result is below `count`.)
constexpr std::size_t shuffled(std::size_t position, std::size_t count, std::size_t seed) noexcept {
  if (seed == 0 || count < 2) {
    return position;
  }
  const int half = (static_cast<int>(std::bit_width(count - 1)) + 1) / 2;
  const std::uint64_t low = (std::uint64_t{1} << half) - 1;
  std::uint64_t at = position;
  do {
    std::uint64_t left = at >> half;
    std::uint64_t right = at & low;
    for (std::uint64_t round = 1; round <= 4; ++round) {
      const std::uint64_t next = left ^ (mixed_bits(right + (round << 32) + mixed_bits(seed)) & low);
      left = right;
      right = next;
    }
    at = left << half | right;
  } while (at >= count);
  return at;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
