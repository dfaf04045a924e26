// SPDX-License-Identifier: Apache-2.0
/// Says how the work-items of a group are divided into units.
#pragma once

#include <lanefold/execution/detail/int_ids.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// One unit: the local id of its first work-item, and how many of its lanes are work-items (the first ones).
template <int D>
struct unit_origin {
  id<D> local;
  std::size_t lanes;
};

/// The units of a group, in SYCL's linear order of their work-items. With one row of lanes a unit is N consecutive
/// work-items of one row of the group; with R rows it is R whole rows.
template <int D, class Lanes>
class unit_layout {
public:
  static constexpr std::size_t rows = Lanes::rows;
  static constexpr std::size_t columns = Lanes::columns;

  explicit unit_layout(const range<D>& local) : m_local(local) {
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
      result.local[D - 2] = unit * rows;
    }
    result.local[D - 1] = across * columns;
    result.lanes = lanes_at(result.local);
    return result;
  }

  /// Calls `full(unit, first)` for each unit whose lanes are all work-items and `partial(unit, first, lanes)` for the
  /// others, in order, until one returns false; `first` is the local id of the first lane. The loop over the full units
  /// of a row has no other exit, so that it can be vectorised.
  template <class Full, class Partial>
  LANEFOLD_ALWAYS_INLINE void for_each(Full&& full, Partial&& partial) const {
    const std::size_t planes = planes_of(m_local);
    const std::size_t width = m_local[D - 1];
    constexpr bool of_work_items = std::is_same_v<Lanes, scalar>; // of an ND-range; scoped groups may be larger
    if constexpr (of_work_items) {
      assume(width <= most_work_items);
    }
    using position = std::conditional_t<of_work_items, int, std::size_t>; // see int_ids.hpp
    const std::size_t full_across = rows > 1 ? 1 : width / columns;
    const std::size_t rest = rows > 1 ? 0 : width % columns;
    unsigned unit = 0;
    [[maybe_unused]] id<D> corner; // of the plane
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (std::size_t down = 0; down < m_down; ++down) {
        id<D> first;
        if constexpr (D == 3) {
          first[0] = plane;
        } else if constexpr (D > 3) {
          first = corner;
        }
        if constexpr (D >= 2) {
          first[D - 2] = down * rows;
          if (rows > 1 && first[D - 2] + rows > m_local[D - 2]) {
            if (!partial(unit, first, (m_local[D - 2] - first[D - 2]) * columns)) {
              return;
            }
            ++unit;
            continue;
          }
        }
        for (position across = 0; across < static_cast<position>(full_across); ++across) {
          id<D> at = first;
          at[D - 1] = static_cast<std::size_t>(across) * columns;
          if (!full(unit + static_cast<unsigned>(across), at)) {
            return;
          }
        }
        unit += static_cast<unsigned>(full_across);
        if (rest != 0) {
          first[D - 1] = full_across * columns;
          if (!partial(unit, first, rest)) {
            return;
          }
          ++unit;
        }
      }
      if constexpr (D > 3) {
        next_plane(corner, m_local);
      }
    }
  }

private:
  [[nodiscard]] std::size_t lanes_at(const id<D>& first) const {
    if constexpr (rows > 1) {
      return std::min(rows, m_local[D - 2] - first[D - 2]) * columns;
    } else {
      return std::min(columns, m_local[D - 1] - first[D - 1]);
    }
  }

  range<D> m_local;
  std::size_t m_across; ///< units side by side in a row of the group
  std::size_t m_down;   ///< units below each other in a plane of the group
};

} // namespace detail
LANEFOLD_END_NAMESPACE
