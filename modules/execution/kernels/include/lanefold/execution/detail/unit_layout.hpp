// SPDX-License-Identifier: Apache-2.0
/// Says how the work-items of a group are divided into units.
#pragma once

#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <algorithm>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// One unit: the local id of its first work-item, and how many of its lanes are work-items (the first ones).
template <int D>
struct unit_origin {
  id<D> local;
  std::size_t lanes;
};

/// Divides a group into units, in SYCL's linear order of their work-items. With one row of lanes a unit is as many
/// consecutive work-items of a row of the group as there are columns; with several it is as many whole rows.
template <int D>
class unit_layout {
public:
  unit_layout(const range<D>& local, std::size_t rows, std::size_t columns)
      : m_local(local), m_rows(rows), m_columns(columns) {
    m_across = rows > 1 ? 1 : (local[D - 1] + columns - 1) / columns;
    m_down = 1;
    if constexpr (D >= 2) {
      m_down = (local[D - 2] + rows - 1) / rows;
    }
  }

  [[nodiscard]] unsigned size() const { return static_cast<unsigned>(m_across * m_down * planes_of(m_local)); }

  [[nodiscard]] unit_origin<D> origin(std::size_t unit) const {
    unit_origin<D> result;
    const std::size_t across = unit % m_across;
    unit /= m_across;
    if constexpr (D >= 3) {
      set_plane(result.local, unit / m_down, m_local);
      unit %= m_down;
    }
    if constexpr (D >= 2) {
      result.local[D - 2] = unit * m_rows;
    }
    result.local[D - 1] = across * m_columns;
    result.lanes = lanes_at(result.local);
    return result;
  }

private:
  [[nodiscard]] std::size_t lanes_at(const id<D>& first) const {
    if constexpr (D >= 2) {
      if (m_rows > 1) {
        return std::min(m_rows, m_local[D - 2] - first[D - 2]) * m_columns;
      }
    }
    return std::min(m_columns, m_local[D - 1] - first[D - 1]);
  }

  range<D> m_local;
  std::size_t m_rows; ///< of a unit
  std::size_t m_columns;
  std::size_t m_across; ///< units side by side in a row of the group
  std::size_t m_down;   ///< units below each other in a plane of the group
};

} // namespace detail
LANEFOLD_END_NAMESPACE
