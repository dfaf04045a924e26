// SPDX-License-Identifier: Apache-2.0
/// Patches of p^D cells with a halo of one cell, and where their values lie in memory.
#pragma once

#include <array>
#include <cstddef>

namespace finite_volumes {

/// The enumerator: how the values of a patch lie.
enum class layout {
  soa, ///< all densities of the patch, then all momenta, …
  aos  ///< the values of one cell side by side
};

/// Holds the cells along an edge of a patch, without the halo: P, or a number that is known when the program runs.
template <std::size_t P>
struct patch_edge {
  static constexpr std::size_t p = P;
};
template <>
struct patch_edge<0> {
  std::size_t p;
};

/// The shape of a patch. Cells are numbered with the halo, the last dimension the fastest.
template <int D, std::size_t P = 0>
struct patch_shape : patch_edge<P> {
  using patch_edge<P>::p;

  [[nodiscard]] constexpr std::size_t edge() const noexcept { return p + 2; }
  [[nodiscard]] constexpr std::size_t cells() const noexcept {
    return D == 2 ? edge() * edge() : edge() * edge() * edge();
  }
  /// The distance of arrays with a value for each cell: whole lines of the cache, but at multiples of 4 KiB they would
  /// share sets of it.
  [[nodiscard]] constexpr std::size_t pitch() const noexcept {
    const std::size_t lines = (cells() + 7) / 8;
    return (lines % 64 == 0 ? lines + 1 : lines) * 8;
  }
  [[nodiscard]] constexpr std::size_t inner_cells() const noexcept { return D == 2 ? p * p : p * p * p; }
  /// From a cell to its neighbour along a dimension.
  [[nodiscard]] constexpr std::size_t stride(std::size_t dimension) const noexcept {
    std::size_t result = 1;
    for (std::size_t d = dimension + 1; d < D; ++d) {
      result *= edge();
    }
    return result;
  }
  /// The first and the last cell that is not halo.
  [[nodiscard]] constexpr std::size_t first() const noexcept {
    std::size_t result = 0;
    for (std::size_t d = 0; d < D; ++d) {
      result += stride(d);
    }
    return result;
  }
  [[nodiscard]] constexpr std::size_t last() const noexcept { return cells() - 1 - first(); }
  /// The first cell of the n-th row that is not halo.
  [[nodiscard]] constexpr std::size_t row(std::size_t n) const noexcept {
    return D == 2 ? (n + 1) * edge() + 1 : ((n / p + 1) * edge() + n % p + 1) * edge() + 1;
  }
  [[nodiscard]] constexpr bool is_inner(std::size_t cell) const noexcept {
    for (std::size_t d = 0; d < D; ++d, cell /= edge()) {
      if (cell % edge() == 0 || cell % edge() > p) {
        return false;
      }
    }
    return true;
  }
};

/// The position of a value. `cell` may be the cells of several lanes; on a device, `patch` and `cell` are recorded.
template <layout L, int D, std::size_t P, class Patch, class Cell>
constexpr auto value_at(const patch_shape<D, P>& shape, const Patch& patch, const Cell& cell, std::size_t variable) {
  constexpr std::size_t variables = D + 2;
  const auto begin = patch * shape.cells() * variables;
  if constexpr (L == layout::soa) {
    return cell + (begin + variable * shape.cells());
  } else {
    return cell * variables + (begin + variable);
  }
}

} // namespace finite_volumes
