// SPDX-License-Identifier: Apache-2.0
/// The box of a simulation: patches in rows, and what lies behind its sides.
#pragma once

#include <array>
#include <cstddef>

namespace finite_volumes {

/// Says what lies behind a side of the box.
enum class boundary { outflow, wall, periodic };

/// Stands for a patch that there is not.
inline constexpr std::size_t none = ~std::size_t{0};

/// The box: patches along each dimension, cells of equal edges; it begins at 0 in each dimension.
template <int D>
struct box {
  std::array<std::size_t, D> patches;
  std::size_t p;
  double cell_size;
  std::array<boundary, D> sides;

  [[nodiscard]] std::size_t count() const noexcept {
    std::size_t result = 1;
    for (const std::size_t n : patches) {
      result *= n;
    }
    return result;
  }
  [[nodiscard]] std::array<std::size_t, D> place(std::size_t patch) const noexcept {
    std::array<std::size_t, D> at{};
    for (std::size_t d = D; d-- > 0; patch /= patches[d]) {
      at[d] = patch % patches[d];
    }
    return at;
  }
  /// Returns the number of the patch at a place: row-major.
  [[nodiscard]] std::size_t number(const std::array<std::size_t, D>& at) const noexcept {
    std::size_t result = 0;
    for (std::size_t d = 0; d < D; ++d) {
      result = result * patches[d] + at[d];
    }
    return result;
  }
  /// Returns the patch next to another one, or `none` where the box ends.
  [[nodiscard]] std::size_t neighbour(std::size_t patch, std::size_t d, bool above) const noexcept {
    std::array<std::size_t, D> at = place(patch);
    const bool ends = above ? at[d] + 1 == patches[d] : at[d] == 0;
    if (ends && sides[d] != boundary::periodic) {
      return none;
    }
    at[d] = (at[d] + (above ? 1 : patches[d] - 1)) % patches[d];
    return number(at);
  }
  /// The number of cells along a dimension, and of all.
  [[nodiscard]] std::size_t cells(std::size_t d) const noexcept { return patches[d] * p; }
  [[nodiscard]] std::size_t cells() const noexcept {
    std::size_t result = 1;
    for (std::size_t d = 0; d < D; ++d) {
      result *= cells(d);
    }
    return result;
  }
};

} // namespace finite_volumes
