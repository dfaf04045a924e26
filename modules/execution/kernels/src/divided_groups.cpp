// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/divided_groups.hpp>

#include <lanefold/execution/launch.hpp>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using std::chrono::steady_clock;

/// A part that takes less than this of what its work-items take alone is vectorised (as in executor_distribution.cpp).
constexpr float vectorised_part = 0.4F;
/// Nanoseconds that the first work-item of a group takes at least where it matters.
constexpr float worth_comparing = 2000;

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

float nanoseconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<float, std::nano>(steady_clock::now() - begin).count();
}

} // namespace

std::shared_ptr<divided_groups> divided_groups::divide(std::size_t groups, const group_grid& grid, std::size_t pieces,
                                                       kernel_findings& found) {
  std::shared_ptr<divided_groups> divided(new divided_groups(groups, grid, quotient_up(pieces, groups), found));
  return divided->parts() > 1 ? std::move(divided) : nullptr;
}

divided_groups::divided_groups(std::size_t groups, const group_grid& grid, std::size_t wanted, kernel_findings& found)
    : m_found(found), m_whole_part_first(found.vectorised.load(std::memory_order_relaxed)), m_grid(grid) {
  const std::size_t steps = quotient_up(grid.width, grid.sub_group);
  if (grid.rows != 1 && grid.width % grid.sub_group != 0) {
    m_row_step = grid.sub_group / std::gcd(grid.width, grid.sub_group);
    // The second row begins a stretch of its own behind the first work-item (run_part), and may not cut a sub-group.
    m_parts = grid.width > grid.sub_group ? 1 : std::min(wanted, quotient_up(grid.rows, m_row_step));
  } else if (wanted <= grid.rows || steps == 1) {
    m_parts = std::min(wanted, grid.rows);
  } else {
    m_per_row = std::min(steps, quotient_up(wanted, grid.rows));
    m_parts = grid.rows * m_per_row;
  }
  m_stages = std::vector<std::atomic<stage>>(groups);
}

group_part divided_groups::part(std::size_t number) const noexcept {
  if (m_per_row == 0) {
    const std::size_t steps = quotient_up(m_grid.rows, m_row_step);
    return {0, m_grid.width, steps * number / m_parts * m_row_step,
            std::min(steps * (number + 1) / m_parts * m_row_step, m_grid.rows)};
  }
  const std::size_t steps = quotient_up(m_grid.width, m_grid.sub_group);
  const std::size_t row = number / m_per_row;
  const std::size_t of_row = number % m_per_row;
  return {steps * of_row / m_per_row * m_grid.sub_group,
          std::min(steps * (of_row + 1) / m_per_row * m_grid.sub_group, m_grid.width), row, row + 1};
}

/// Returns the number of the unit behind the last one of a part.
unsigned divided_groups::end_of_units(const group_part& part) const noexcept {
  return static_cast<unsigned>((part.row_end - 1) * m_grid.width + part.end);
}

void divided_groups::run(launch& of, std::size_t first, std::size_t last, run_function run_one) {
  for (std::size_t position = first; position != last; ++position) {
    const std::size_t group = position / m_parts;
    const stage found = enter(group, of);
    if (found == stage::open) {
      run_part(of, group, position % m_parts, run_one);
    } else if (found == stage::untouched) {
      if (run_first(of, group, run_one)) {
        m_found.units_meet.store(true, std::memory_order_relaxed);
      } else if (open(group)) {
        run_part(of, group, position % m_parts, run_one);
      } else if (m_whole_part_first) {
        run_all_but_first_part(of, group, run_one);
      } else {
        run_rest(of, group, {0, m_grid.width, 0, m_grid.rows}, run_one);
      }
    }
  }
}

/// Begins with a part of a group: returns `untouched` to the one that is to run the first work-item, `open` to those
/// that run their parts, another stage where the group stays on its thread. Waits while another thread runs the first
/// work-item, unless units of the launch meet: then nobody waits, and that thread has all of the group.
divided_groups::stage divided_groups::enter(std::size_t group, const launch& of) noexcept {
  std::atomic<stage>& at = m_stages[group];
  stage found = stage::untouched;
  if (at.compare_exchange_strong(found, stage::first_runs, std::memory_order_acquire)) {
    return found;
  }
  while (found == stage::first_runs) {
    if (of.start_nanoseconds() > 0) {
      at.compare_exchange_strong(found, stage::left_to_first, std::memory_order_relaxed);
    } else {
      std::this_thread::yield();
    }
    found = at.load(std::memory_order_acquire);
  }
  return found;
}

/// The first work-item has met nobody. Returns false if a thread has not waited for that, so that all is left to the
/// caller.
bool divided_groups::open(std::size_t group) noexcept {
  stage found = stage::first_runs;
  return m_stages[group].compare_exchange_strong(found, stage::open, std::memory_order_release,
                                                 std::memory_order_relaxed);
}

/// Runs the first work-item of a group, or the first part, and all other ones if they meet. Returns whether they do.
bool divided_groups::run_first(launch& of, std::size_t group, run_function run_one) {
  const auto begin = steady_clock::now();
  try {
    const group_part what = m_whole_part_first ? part(0) : group_part{0, 1};
    if (!run_one(of, group, what, end_of_units({0, m_grid.width, 0, m_grid.rows}))) {
      m_first_nanoseconds.store(nanoseconds_since(begin), std::memory_order_relaxed);
      return false;
    }
  } catch (...) {
    m_stages[group].store(stage::closed, std::memory_order_relaxed);
    throw;
  }
  m_stages[group].store(stage::closed, std::memory_order_relaxed);
  return true;
}

/// Runs a part but for what run_first has run of it, and compares what it takes.
void divided_groups::run_part(launch& of, std::size_t group, std::size_t number, run_function run_one) {
  const group_part what = part(number);
  if (number == 0) {
    if (!m_whole_part_first) {
      run_rest(of, group, what, run_one);
    }
    return;
  }
  const auto begin = steady_clock::now();
  run_one(of, group, what, end_of_units(what));
  const auto items = static_cast<float>((what.end - what.begin) * (what.row_end - what.row_begin));
  const float alone = m_first_nanoseconds.load(std::memory_order_relaxed);
  if (!m_whole_part_first && alone > worth_comparing && nanoseconds_since(begin) < vectorised_part * items * alone) {
    m_found.vectorised.store(true, std::memory_order_relaxed);
  }
}

/// Runs rows of a group from the first one on, but for the first work-item.
void divided_groups::run_rest(launch& of, std::size_t group, const group_part& part, run_function run_one) const {
  const group_part row{1, part.end};
  if (row.begin != row.end) {
    run_one(of, group, row, end_of_units(row));
  }
  if (part.row_end > 1) {
    const group_part rows{part.begin, part.end, 1, part.row_end};
    run_one(of, group, rows, end_of_units(rows));
  }
}

void divided_groups::run_all_but_first_part(launch& of, std::size_t group, run_function run_one) const {
  const group_part first = part(0);
  if (first.end != m_grid.width) {
    const group_part row{first.end, m_grid.width};
    run_one(of, group, row, end_of_units(row));
  }
  if (first.row_end != m_grid.rows) {
    const group_part rows{0, m_grid.width, first.row_end, m_grid.rows};
    run_one(of, group, rows, end_of_units(rows));
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
