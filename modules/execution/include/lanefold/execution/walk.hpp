// SPDX-License-Identifier: Apache-2.0
/// The order in which a thread walks the work-groups of a launch.
#pragma once

#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <algorithm>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE

/// Neighbours in this order run on one thread, shortly after each other.
enum class walk_order {
  automatic, ///< the measured default: `linear` in one dimension, `blocked` in two and three
  linear,    ///< row-major
  blocked    ///< squares of groups in the last two dimensions, row-major within and among them: cached rows and columns
             ///< of the data serve several groups
};

namespace detail {

/// Side of the squares of walk_order::blocked.
inline constexpr std::size_t walk_block = 8;

/// Walks the ids of a range of groups in a walk_order. A position is a number in [0, groups.size()).
template <int D>
class group_cursor {
public:
  group_cursor() = default;
  group_cursor(const range<D>& groups, walk_order order, std::size_t position) : m_groups(groups) {
    m_blocked = D > 1 && order != walk_order::linear;
    if (m_blocked) {
      seek_blocked(position);
    } else {
      seek_linear(position);
    }
  }

  [[nodiscard]] const id<D>& get() const { return m_id; }

  void next() {
    if constexpr (D == 1) {
      ++m_id[0];
    } else if (m_blocked) {
      next_blocked();
    } else {
      next_linear();
    }
  }

private:
  static constexpr int row = D >= 2 ? D - 2 : 0;
  static constexpr int column = D - 1;

  void seek_linear(std::size_t position) {
    for (int d = D - 1; d >= 0; --d) {
      m_id[d] = position % m_groups[d];
      position /= m_groups[d];
    }
  }

  void next_linear() {
    for (int d = D - 1; d > 0; --d) {
      if (++m_id[d] < m_groups[d]) {
        return;
      }
      m_id[d] = 0;
    }
    ++m_id[0];
  }

  void seek_blocked(std::size_t position) {
    const std::size_t rows = m_groups[row];
    const std::size_t columns = m_groups[column];
    if constexpr (D == 3) {
      m_id[0] = position / (rows * columns);
      position %= rows * columns;
    }
    m_block_row = position / (walk_block * columns) * walk_block;
    position -= m_block_row * columns;
    const std::size_t height = std::min(walk_block, rows - m_block_row);
    m_block_column = position / (height * walk_block) * walk_block;
    position -= m_block_column * height;
    const std::size_t width = std::min(walk_block, columns - m_block_column);
    m_id[row] = m_block_row + position / width;
    m_id[column] = m_block_column + position % width;
  }

  void next_blocked() {
    const std::size_t rows = m_groups[row];
    const std::size_t columns = m_groups[column];
    if (++m_id[column] < std::min(m_block_column + walk_block, columns)) {
      return;
    }
    m_id[column] = m_block_column;
    if (++m_id[row] < std::min(m_block_row + walk_block, rows)) {
      return;
    }
    m_block_column += walk_block;
    if (m_block_column >= columns) {
      m_block_column = 0;
      m_block_row += walk_block;
      if (m_block_row >= rows) {
        m_block_row = 0;
        if constexpr (D == 3) {
          ++m_id[0];
        }
      }
    }
    m_id[row] = m_block_row;
    m_id[column] = m_block_column;
  }

  range<D> m_groups;
  id<D> m_id;
  std::size_t m_block_row = 0;
  std::size_t m_block_column = 0;
  bool m_blocked = false;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
