// SPDX-License-Identifier: Apache-2.0
#include "shares.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>
#include <utility>

namespace finite_volumes {

template <int D>
std::uint64_t position_on_curve(std::array<std::uint32_t, D> at, int bits) {
  const std::uint32_t top = bits == 0 ? 0 : 1U << (bits - 1);
  // From the coarsest cube to the finest: undo the turns and mirrors that the curve takes in each.
  for (std::uint32_t bit = top; bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& x : at) {
      if ((x & bit) != 0) {
        at[0] ^= below;
      } else {
        const std::uint32_t differing = (at[0] ^ x) & below;
        at[0] ^= differing;
        x ^= differing;
      }
    }
  }
  for (std::size_t d = 1; d < D; ++d) { // Gray's code
    at[d] ^= at[d - 1];
  }
  std::uint32_t mirrored = 0;
  for (std::uint32_t bit = top; bit > 1; bit >>= 1) {
    mirrored ^= (at[D - 1] & bit) != 0 ? bit - 1 : 0;
  }
  std::uint64_t position = 0;
  for (std::uint32_t bit = top; bit > 0; bit >>= 1) {
    for (const std::uint32_t x : at) {
      position = position << 1 | (((x ^ mirrored) & bit) != 0 ? 1U : 0U);
    }
  }
  return position;
}

template <int D>
shares<D>::shares(const box<D>& where, std::size_t ranks)
    : m_box(where), m_ranks(ranks), m_along_curve(where.count()), m_rank_of(where.count()) {
  const std::size_t patches = where.count();
  if (ranks > patches) {
    throw too_many_ranks(std::to_string(ranks) + " ranks for " + std::to_string(patches) +
                         " patches: there may be as many ranks as patches");
  }
  const std::size_t edge = *std::max_element(where.patches.begin(), where.patches.end());
  const auto bits = static_cast<int>(std::bit_width(edge - 1));
  std::vector<std::pair<std::uint64_t, std::size_t>> positions(patches);
  for (std::size_t t = 0; t < patches; ++t) {
    std::array<std::uint32_t, D> at{};
    std::ranges::copy(where.place(t), at.begin());
    positions[t] = {position_on_curve<D>(at, bits), t};
  }
  std::ranges::sort(positions);
  for (std::size_t r = 0; r < ranks; ++r) {
    for (std::size_t i = r * patches / ranks; i < (r + 1) * patches / ranks; ++i) {
      m_along_curve[i] = positions[i].second;
      m_rank_of[positions[i].second] = static_cast<std::uint32_t>(r);
    }
  }
}

template <int D>
bool shares<D>::has_neighbour_elsewhere(std::size_t patch) const {
  for (std::size_t d = 0; d < D; ++d) {
    for (const bool above : {false, true}) {
      const std::size_t other = m_box.neighbour(patch, d, above);
      if (other != none && m_rank_of[other] != m_rank_of[patch]) {
        return true;
      }
    }
  }
  return false;
}

template <int D>
std::vector<std::size_t> shares<D>::patches_of(std::size_t rank) const {
  const auto at = [&](std::size_t r) {
    return m_along_curve.begin() + static_cast<std::ptrdiff_t>(r * m_along_curve.size() / m_ranks);
  };
  std::vector<std::size_t> result;
  for (const bool border : {true, false}) {
    std::copy_if(at(rank), at(rank + 1), std::back_inserter(result),
                 [&](std::size_t patch) { return has_neighbour_elsewhere(patch) == border; });
  }
  return result;
}

template <int D>
std::vector<patch_row> rows_of(const box<D>& where, const std::vector<std::size_t>& patches) {
  const std::size_t rows = D == 2 ? where.p : where.p * where.p;
  std::vector<patch_row> result;
  result.reserve(patches.size() * rows);
  for (std::size_t slot = 0; slot < patches.size(); ++slot) {
    const std::array<std::size_t, D> at = where.place(patches[slot]);
    for (std::size_t row = 0; row < rows; ++row) {
      std::size_t begin = 0;
      for (std::size_t d = 0; d < D; ++d) {
        const std::size_t within = d == D - 1 ? 0 : d == D - 2 ? row % where.p : row / where.p;
        begin = begin * where.cells(d) + at[d] * where.p + within;
      }
      result.push_back({begin, slot, row});
    }
  }
  std::ranges::sort(result, {}, &patch_row::begin);
  return result;
}

template std::uint64_t position_on_curve<2>(std::array<std::uint32_t, 2>, int);
template std::uint64_t position_on_curve<3>(std::array<std::uint32_t, 3>, int);
template class shares<2>;
template class shares<3>;
template std::vector<patch_row> rows_of(const box<2>&, const std::vector<std::size_t>&);
template std::vector<patch_row> rows_of(const box<3>&, const std::vector<std::size_t>&);

} // namespace finite_volumes
