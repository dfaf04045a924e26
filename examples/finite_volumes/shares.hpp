// SPDX-License-Identifier: Apache-2.0
/// Which rank has which patches: equal pieces of a space-filling curve.
#pragma once

#include "box.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace finite_volumes {

/// Thrown where there are more ranks than patches.
struct too_many_ranks : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Returns the position of a cell on Hilbert's curve through a cube of 2^bits cells along an edge: cells that follow
/// one another on the curve share a face. J. Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707
/// (2004).
template <int D>
std::uint64_t position_on_curve(std::array<std::uint32_t, D> at, int bits);

/// The shares of all ranks in the patches of a box. Every rank computes all of it: 12 bytes for each patch of the box.
template <int D>
class shares {
public:
  /// Throws too_many_ranks where a rank would have no patch.
  shares(const box<D>& where, std::size_t ranks);

  /// Returns the patches of a rank: first those with a neighbour that another rank has, then the other ones; both along
  /// the curve. So what waits for messages is one piece.
  [[nodiscard]] std::vector<std::size_t> patches_of(std::size_t rank) const;
  [[nodiscard]] std::size_t rank_of(std::size_t patch) const { return m_rank_of[patch]; }
  [[nodiscard]] bool has_neighbour_elsewhere(std::size_t patch) const;

private:
  box<D> m_box;
  std::size_t m_ranks;
  std::vector<std::size_t> m_along_curve;
  std::vector<std::uint32_t> m_rank_of;
};

/// Cells that lie side by side in the box, those of one row of a patch: where they begin among the cells of the box in
/// row-major order, and which row of which patch they are.
struct patch_row {
  std::size_t begin;
  std::size_t slot; ///< which one of the patches that were given
  std::size_t row;
};

/// Returns the rows of some patches in the order of the box.
template <int D>
std::vector<patch_row> rows_of(const box<D>& where, const std::vector<std::size_t>& patches);

} // namespace finite_volumes
