// SPDX-License-Identifier: Apache-2.0
/// The loop over the work-items of a group or of a range, which kernels of every kind share. Internal.
///
/// It has three pieces, and nothing but types joins them, so that compilers see one loop:
///
///   walk_group, walk_range,      go from row to row of an index space
///   walk_strip
///   a policy                     goes through what a row is made of: policy::run(part, visitor)
///   full_unit, partial_unit      hold the context of the lanes while a kernel runs
///
/// A policy is what a strategy is to the loop. It has
///
///   static constexpr std::size_t rows         that it takes at once
///   static constexpr unsigned units_of_row(std::size_t width)
///   static void run(const row_part& part, const Visitor& visitor)
///
/// and calls the members of the visitor that its kind of unit has; the launch writes them. The x of all of them is that
/// of the (first) work-item:
///
///   visitor.full(x, number)              a unit of lanes that all are work-items, the number-th of its row
///   visitor.partial(x, number, count)    one of which the first `count` lanes are
///   visitor.item(x, lane)                one work-item, at position `lane` of a block
///   visitor.ids_from(x)                  may be there, and returns what counts ids along with x (row_ids); then it is
///   visitor.item(x, lane, id)
///   visitor.goes_on()                    is false if the rest of the row is not to be visited
///
/// Another kind of item that the same loop is to run brings a policy and a visitor of its own
/// (tests/execution/lane_loop_test.cpp has one).
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/execution/detail/int_ids.hpp>
#include <lanefold/execution/detail/range_order.hpp>
#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/execution/strategy.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/lanes.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

// clang warns where a kernel leaves a loop no way to be vectorised.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wpass-failed"
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

// ---- rows

/// A part of a row, or of `rows` rows that a policy takes at once: fewer than it asks for at the end of a group.
struct row_part {
  std::size_t begin;
  std::size_t end;
  std::size_t rows = 1;
};

/// Calls `run_row(first, unit, part)` for each row of a group, or for so many rows as the policy takes at once, until
/// it returns false. `first` is the local id of the first work-item, `unit` the number of its unit.
template <class Policy, int D, class RunRow>
LANEFOLD_ALWAYS_INLINE void walk_group(const range<D>& local, const RunRow& run_row) {
  const std::size_t width = local[D - 1];
  if constexpr (D == 1) { // no loop of one round, which would stand around the loop over the row until late in clang
    run_row(id<1>(), 0U, row_part{0, width});
  } else {
    const std::size_t planes = planes_of(local);
    const std::size_t height = local[D - 2];
    unsigned unit = 0;
    [[maybe_unused]] id<D> corner; // of the plane
    for (std::size_t plane = 0; plane < planes; ++plane) {
      for (std::size_t row = 0; row < height; row += Policy::rows) {
        id<D> first;
        if constexpr (D == 3) {
          first[0] = plane;
        } else if constexpr (D > 3) {
          first = corner;
        }
        first[D - 2] = row;
        if (!run_row(first, unit, row_part{0, width, Policy::rows == 1 ? 1 : std::min(Policy::rows, height - row)})) {
          return;
        }
        unit += Policy::units_of_row(width);
      }
      if constexpr (D > 3) {
        next_plane(corner, local);
      }
    }
  }
}

/// Returns the id of the first work-item of a row.
template <int D>
[[nodiscard]] LANEFOLD_ALWAYS_INLINE id<D> row_at([[maybe_unused]] std::size_t number,
                                                  [[maybe_unused]] const range<D>& extents) {
  id<D> first;
  if constexpr (D == 2) {
    first[0] = number;
  } else if constexpr (D >= 3) {
    set_plane(first, number / extents[D - 2], extents);
    first[D - 2] = number % extents[D - 2];
  }
  return first;
}

template <int D>
LANEFOLD_ALWAYS_INLINE void next_row(id<D>& row, [[maybe_unused]] const range<D>& extents) {
  if constexpr (D == 2) {
    ++row[0];
  } else if constexpr (D >= 3) {
    if (++row[D - 2] == extents[D - 2]) {
      row[D - 2] = 0;
      next_plane(row, extents);
    }
  }
}

/// A part of a group: of its rows [row_begin, row_end), counted over all planes, the work-items [begin, end).
struct group_part {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t row_begin = 0;
  std::size_t row_end = 1;
};

/// walk_group for a part of a group. Compilers vectorise less of it: they do not know where a row begins (a triad in L1
/// 0.9 of the speed of OpenMP, 1.6 with walk_group).
template <class Policy, int D, class RunRow>
LANEFOLD_ALWAYS_INLINE void walk_part(const range<D>& local, const group_part& part, const RunRow& run_row) {
  static_assert(Policy::rows == 1, "lanefold: groups are divided between rows");
  if constexpr (D == 1) {
    run_row(id<1>(), 0U, row_part{part.begin, part.end});
    return;
  }
  unsigned unit = Policy::units_of_row(local[D - 1]) * static_cast<unsigned>(part.row_begin);
  id<D> row = row_at(part.row_begin, local);
  for (std::size_t left = part.row_end - part.row_begin; left != 0; --left) {
    if (!run_row(row, unit, row_part{part.begin, part.end})) {
      return;
    }
    unit += Policy::units_of_row(local[D - 1]);
    next_row(row, local);
  }
}

/// Walks a strip of a range, of whose places each is `Step` work-items of a row, the last of a row perhaps fewer: calls
/// `run_row(part)` for what of them lies in a row of a tile. `row` is the id of the first work-item of that row, also
/// where `run_row` throws.
template <std::size_t Step, int D, class RunRow>
LANEFOLD_ALWAYS_INLINE void walk_strip(const range<D>& extents, const range_strip& strip, id<D>& row,
                                       const RunRow& run_row) {
  // Whole rows of work-items have a copy of the kernel for g++, counted from the constant 0: it then knows that the sum
  // of `int x = id[1] + 1`, which it computes in 32 bits, does not wrap, and most short rows are faster (decision 084).
  const auto run_rows = [&](const row_part& part) LANEFOLD_INLINE_LAMBDA {
    row = row_at(strip.row, extents);
    for (std::size_t r = 0; r < strip.rows; ++r) {
      run_row(part);
      next_row(row, extents);
    }
  };
  const std::size_t end = std::min(strip.end * Step, extents[D - 1]);
  if (Step == 1 && row_ids::help && strip.begin == 0 && strip.width >= extents[D - 1] && end == extents[D - 1]) {
    run_rows(row_part{0, extents[D - 1]});
    return;
  }
  for (std::size_t begin = strip.begin * Step; begin < end; begin += strip.width * Step) {
    run_rows(row_part{begin, std::min(begin + strip.width * Step, end)});
  }
}

/// Walks the places [first, last) of a range in row-major order.
template <std::size_t Step, int D, class RunRow>
LANEFOLD_ALWAYS_INLINE void walk_range(const range<D>& extents, std::size_t first, std::size_t last, id<D>& row,
                                       const RunRow& run_row) {
  if constexpr (D == 1) {
    run_row(row_part{first * Step, std::min(last * Step, extents[0])});
  } else {
    while (first != last) {
      const range_strip strip = strip_of_rows((extents[D - 1] + Step - 1) / Step, first, last);
      walk_strip<Step>(extents, strip, row, run_row);
      first += strip.size();
    }
  }
}

// ---- policies

/// Units of lanes: full ones, without a mask, and at the end of a row, or of a group of fewer rows, a partial one.
template <class Lanes>
struct units_of_lanes {
  static constexpr std::size_t rows = Lanes::rows;
  static constexpr std::size_t columns = Lanes::columns;

  static constexpr unsigned units_of_row(std::size_t width) {
    return rows > 1 ? 1 : static_cast<unsigned>((width + columns - 1) / columns);
  }

  /// The loop over the full units has no exit but `goes_on`, so that it can be vectorised.
  template <class Visitor>
  LANEFOLD_ALWAYS_INLINE static void run(const row_part& part, const Visitor& visitor) {
    if constexpr (rows > 1) {
      if (part.rows == rows) {
        visitor.full(part.begin, 0);
      } else {
        visitor.partial(part.begin, 0, part.rows * columns);
      }
    } else {
      const std::size_t full = (part.end - part.begin) / columns;
      const std::size_t rest = (part.end - part.begin) % columns;
      for (std::size_t i = 0; i < full; ++i) {
        visitor.full(part.begin + i * columns, static_cast<unsigned>(i));
        if (!visitor.goes_on()) {
          return;
        }
      }
      if (rest != 0) {
        visitor.partial(part.begin + full * columns, static_cast<unsigned>(full), rest);
      }
    }
  }
};

/// Each work-item is a unit.
struct units_of_items {
  static constexpr std::size_t rows = 1;
  static constexpr unsigned units_of_row(std::size_t width) { return static_cast<unsigned>(width); }
};

/// One work-item after the other, counted in `Index`: int where all ids fit (int_ids.hpp).
template <class Index>
struct items_one_by_one : units_of_items {
  template <class Visitor>
  LANEFOLD_ALWAYS_INLINE static void run(const row_part& part, const Visitor& visitor) {
    if constexpr (std::is_same_v<Index, int>) {
      assume(part.end <= most_int_base);
      assume(part.begin <= most_int_base);
    }
    if constexpr (requires { visitor.ids_from(part.begin); }) {
      auto ids = visitor.ids_from(part.begin);
      for (const int end = ids.end_behind(part.end - part.begin); ids.is_before(end); ids.next()) {
        visitor.item(static_cast<std::size_t>(ids.x()), 0, ids.global());
        if (!visitor.goes_on()) {
          return;
        }
      }
    } else {
      for (auto x = static_cast<Index>(part.begin); x < static_cast<Index>(part.end); ++x) {
        visitor.item(static_cast<std::size_t>(x), 0);
        if (!visitor.goes_on()) {
          return;
        }
      }
    }
  }
};

/// Blocks of `Width` work-items, each at a position of its own, for which the launch keeps something.
template <std::size_t Width, class Index>
struct items_in_blocks : units_of_items {
  template <class Visitor>
  LANEFOLD_ALWAYS_INLINE static void run(const row_part& part, const Visitor& visitor) {
    if constexpr (std::is_same_v<Index, int>) {
      assume(part.begin <= most_int_base);
      assume(part.end - part.begin <= most_int_base - part.begin);
    }
    constexpr auto width = static_cast<Index>(Width);
    const auto first = static_cast<Index>(part.begin);
    const auto count = static_cast<Index>(part.end - part.begin);
    const auto visit = [&](Index x, Index lane) LANEFOLD_INLINE_LAMBDA {
      if (visitor.goes_on()) { // constant in a kernel without barriers
        visitor.item(static_cast<std::size_t>(first + x + lane), static_cast<std::size_t>(lane));
      }
    };
    Index x = 0;
    for (; x + width <= count; x += width) {
      for (Index lane = 0; lane < width; ++lane) { // one or a few vectors
        visit(x, lane);
      }
    }
    for (Index lane = 0; x + lane < count; ++lane) {
      visit(x, lane);
    }
  }
};

/// One work-item after the other, in a loop that the compiler is told to vectorise.
struct items_told_independent : units_of_items {
  template <class Visitor>
  LANEFOLD_ALWAYS_INLINE static void run(const row_part& part, const Visitor& visitor) {
    LANEFOLD_OMP_SIMD()
    for (std::size_t x = part.begin; x < part.end; ++x) {
      if (visitor.goes_on()) { // constant in a kernel without barriers
        visitor.item(x, 0);
      }
    }
  }
};

/// The policy of a strategy: lanes. `Block` is the width of the blocks that work-items run in, or 0.
template <class Strategy, class Index, std::size_t Block = 0>
struct policy_of {
  using type = units_of_lanes<Strategy>;
};
template <class Index, std::size_t Block>
struct policy_of<scalar, Index, Block> {
  using type = items_in_blocks<Block, Index>;
};
template <class Index>
struct policy_of<scalar, Index, 0> {
  using type = items_one_by_one<Index>;
};
template <class Index, std::size_t Block>
struct policy_of<omp_simd, Index, Block> : policy_of<scalar, Index, Block> {};
template <class Index>
struct policy_of<omp_simd, Index, 0> {
  using type = items_told_independent;
};

// ---- units

/// A unit whose lanes are all work-items, or a work-item, while the kernel runs: no masks. The launch has announced it
/// by begin_watched_unit, and calls `end` if nothing was thrown.
template <class Lanes>
class full_unit {
public:
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE lane_context<Lanes>* context() { return &m_context; }
  LANEFOLD_ALWAYS_INLINE void end() const { end_watched_unit(); }

private:
  lane_context<Lanes> m_context{mask<Lanes::size, typename Lanes::isa>::all_true(), true, false};
};
template <>
class full_unit<scalar> {
public:
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE static lane_context<scalar>* context() { return nullptr; }
  LANEFOLD_ALWAYS_INLINE static void end() { end_watched_unit(); }
};

/// A unit of which the first `count` lanes are work-items, in the same way. What an exception leaves announced, the
/// handler of the launch takes back.
template <class Lanes>
class partial_unit {
public:
  LANEFOLD_ALWAYS_INLINE explicit partial_unit(std::size_t count)
      : m_context{mask<Lanes::size, typename Lanes::isa>::first(count), false, false} {
    announce_divergence(m_context);
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE lane_context<Lanes>* context() { return &m_context; }
  LANEFOLD_ALWAYS_INLINE void end() const {
    announce_convergence();
    end_watched_unit();
  }

private:
  lane_context<Lanes> m_context;
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#if defined(__clang__)
#pragma clang diagnostic pop
#endif
