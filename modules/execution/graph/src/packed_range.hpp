// SPDX-License-Identifier: Apache-2.0
/// A range of numbers in one word, of which several threads take parts.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds the range [begin, end). Owners take from the front, thieves from the back, both by compare-and-exchange of the
/// whole word. A word says exactly what is left, so it does not matter if it changed and changed back in the meantime.
struct packed_range {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;

  [[nodiscard]] std::uint32_t size() const noexcept { return begin < end ? end - begin : 0; }
  [[nodiscard]] std::uint64_t word() const noexcept { return std::uint64_t{end} << 32 | begin; }
  [[nodiscard]] static packed_range of(std::uint64_t word) noexcept {
    return {static_cast<std::uint32_t>(word), static_cast<std::uint32_t>(word >> 32)};
  }
};

/// Taking a part costs about a tenth of a microsecond: parts of less than this, in nanoseconds, would not even out the
/// threads' work any better.
inline constexpr double least_part = 2000;

/// Returns how many of `left` a thread takes that wants so many: all, if the rest would be less than a quarter of that.
/// Another thread would take the rest, and its data.
inline std::uint32_t part_of(std::uint32_t left, std::uint32_t wanted) noexcept {
  return left < wanted + wanted / 4 ? left : wanted;
}

/// Returns how many groups of a launch a register may hold, if they are work-items of a loop that the compiler has
/// vectorised: 16 float of AVX-512, or a short row. `grain` is that of the launch.
inline std::uint32_t tasks_of_register(std::size_t grain) noexcept {
  constexpr std::size_t floats = 16;
  return static_cast<std::uint32_t>(grain % floats == 0 || grain > 4 * floats ? floats : grain);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
