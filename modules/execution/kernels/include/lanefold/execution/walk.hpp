// SPDX-License-Identifier: Apache-2.0
/// The order in which a thread walks the work-groups of a launch.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/execution/detail/shuffled_order.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <algorithm>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE

/// Neighbours in this order run on one thread, shortly after each other.
enum class walk_order {
  automatic, ///< the measured default: `linear` in one dimension, `blocked` in more
  linear,    ///< row-major
  columns,   ///< column after column of the last two dimensions: what a column of groups reads stays in the cache
  blocked    ///< squares of groups in the last two dimensions, row-major within and among them: cached rows and columns
             ///< of the data serve several groups
};

namespace detail {

/// Side of the squares of walk_order::blocked.
inline constexpr std::size_t walk_block = 8;

/// Walks the ids of a range of groups in a walk_order: blocks of groups in the last two dimensions, row-major within
/// and among them. Linear order is blocks of one row, columns are blocks one group wide. A position is a number in [0,
/// groups.size()). Checked builds may shuffle the positions.
template <int D>
class group_cursor {
public:
  group_cursor() = default;
  group_cursor(const range<D>& groups, walk_order order, std::size_t position,
               [[maybe_unused]] const checked_settings& checks = {})
      : m_groups(groups) {
    if constexpr (D > 1) {
      const bool linear = order == walk_order::linear;
      const bool columns = order == walk_order::columns;
      m_height = linear ? 1 : columns ? groups[row] : walk_block;
      m_width = linear ? groups[column] : columns ? 1 : walk_block;
    }
#if defined(LANEFOLD_CHECKED)
    m_seed = checks.schedule;
    m_position = position;
    position = shuffled(position, groups.size(), m_seed);
#endif
    seek(position);
  }

  [[nodiscard]] const id<D>& get() const { return m_id; }

  void next() {
#if defined(LANEFOLD_CHECKED)
    if (m_seed != 0) {
      seek(shuffled(++m_position, m_groups.size(), m_seed));
      return;
    }
#endif
    if constexpr (D == 1) {
      ++m_id[0];
    } else if (++m_id[column] >= std::min(m_block_column + m_width, m_groups[column])) {
      next_row();
    }
  }

private:
  static constexpr int row = D >= 2 ? D - 2 : 0;
  static constexpr int column = D - 1;

  void seek(std::size_t position) {
    if constexpr (D == 1) {
      m_id[0] = position;
    } else {
      seek_block(position);
    }
  }

  void seek_block(std::size_t position) {
    if (position == 0) { // the divisions below are 18 of the 200 ns of a node of a graph that is one small group
      m_id = {};
      m_block_row = m_block_column = 0;
      return;
    }
    const std::size_t rows = m_groups[row];
    const std::size_t columns = m_groups[column];
    if constexpr (D >= 3) {
      set_plane(m_id, position / (rows * columns), m_groups);
      position %= rows * columns;
    }
    m_block_row = position / (m_height * columns) * m_height;
    position -= m_block_row * columns;
    const std::size_t height = std::min(m_height, rows - m_block_row);
    m_block_column = position / (height * m_width) * m_width;
    position -= m_block_column * height;
    const std::size_t width = std::min(m_width, columns - m_block_column);
    m_id[row] = m_block_row + position / width;
    m_id[column] = m_block_column + position % width;
  }

  void next_row() {
    m_id[column] = m_block_column;
    if (++m_id[row] < std::min(m_block_row + m_height, m_groups[row])) {
      return;
    }
    m_block_column += m_width;
    if (m_block_column >= m_groups[column]) {
      m_block_column = 0;
      m_block_row += m_height;
      if (m_block_row >= m_groups[row]) {
        m_block_row = 0;
        next_plane(m_id, m_groups);
      }
    }
    m_id[row] = m_block_row;
    m_id[column] = m_block_column;
  }

  range<D> m_groups;
  id<D> m_id;
  std::size_t m_height = 1; ///< of a block, in groups
  std::size_t m_width = 1;
  std::size_t m_block_row = 0; ///< first row of the block that is walked
  std::size_t m_block_column = 0;
#if defined(LANEFOLD_CHECKED)
  std::size_t m_seed = 0;
  std::size_t m_position = 0; ///< not shuffled
#endif
};

} // namespace detail
LANEFOLD_END_NAMESPACE
