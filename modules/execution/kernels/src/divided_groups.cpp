// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/divided_groups.hpp>

#include <lanefold/execution/launch.hpp>
#include <lanefold/memory/memory_order.hpp>

#include <algorithm>
#include <chrono>
#include <thread>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using std::chrono::steady_clock;

/// A part that takes less than this of what its work-items take alone is vectorised (as in executor_distribution.cpp).
constexpr float vectorised_part = 0.4F;
/// Nanoseconds that the first work-item of a group takes at least where it matters.
constexpr float worth_comparing = 2000;
/// A part that tells has so many work-items, and has not lost its first one: half of the rest may fill no register.
constexpr std::size_t least_compared = 4;
/// So many launches must look vectorised: the time of one is easily that of a thread that was kept from running.
constexpr unsigned launches_to_believe = 2;

std::size_t quotient_up(std::size_t a, std::size_t b) { return (a + b - 1) / b; }

float nanoseconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<float, std::nano>(steady_clock::now() - begin).count();
}

} // namespace

std::shared_ptr<divided_groups> divided_groups::divide(std::size_t groups, const group_grid& grid, std::size_t pieces,
                                                       bool few, kernel_findings& found) {
  part_grain grain = found.grain.load(std::memory_order_relaxed);
  if (sub_groups_stay_on_threads.load(std::memory_order_relaxed)) {
    grain = grain == part_grain::vectorised ? grain : part_grain::sub_groups;
  }
  const bool finds_out = grain == part_grain::unknown && groups > 1 && grid.size() >= least_compared;
  if (!few && !finds_out && grain != part_grain::work_items) {
    return nullptr;
  }
  const std::size_t wanted = few || grain == part_grain::work_items ? quotient_up(pieces, groups) : 1;
  std::shared_ptr<divided_groups> divided(new divided_groups(groups, grid, wanted, grain, found));
  return divided->parts() > 1 || finds_out ? std::move(divided) : nullptr;
}

divided_groups::divided_groups(std::size_t groups, const group_grid& grid, std::size_t wanted, part_grain grain,
                               kernel_findings& found)
    : m_found(found), m_grid(grid), m_grain(grain) {
  const bool whole_rows = wanted <= grid.rows && grid.width % grid.sub_group == 0;
  const std::size_t step = std::min(whole_rows ? grid.width : grid.sub_group, grid.size());
  const std::size_t steps = quotient_up(grid.size(), step);
  const std::size_t of_step =
      grain == part_grain::work_items ? std::min(quotient_up(wanted * step, grid.size()), step) : 1;
  if (of_step > 1) {
    const std::size_t last = grid.size() - (steps - 1) * step; // work-items of the last cell
    m_cell = step;
    m_cells = steps;
    m_cut = 1;
    m_of_cell = of_step;
    m_parts = (steps - 1) * of_step + quotient_up(last * of_step, step);
  } else {
    m_cell = grid.size();
    m_cells = 1;
    m_cut = step;
    m_of_cell = m_parts = std::min(wanted, steps);
  }
  m_stages = std::vector<std::atomic<stage>>(groups * m_cells);
}

/// Returns the work-items of a cell.
unit_span divided_groups::cell(std::size_t number) const noexcept {
  return {number * m_cell, std::min((number + 1) * m_cell, m_grid.size())};
}

/// Returns the work-items of a part.
unit_span divided_groups::part(std::size_t number) const noexcept {
  const std::size_t of = number / m_of_cell;
  const unit_span all = cell(of);
  const std::size_t parts = of + 1 == m_cells ? m_parts - of * m_of_cell : m_of_cell;
  const std::size_t cuts = quotient_up(all.end - all.begin, m_cut);
  const std::size_t k = number % m_of_cell;
  return {all.begin + cuts * k / parts * m_cut, std::min(all.begin + cuts * (k + 1) / parts * m_cut, all.end)};
}

/// Returns the end of those that the first work-item of a cell may meet: that of a group may meet all of it.
std::size_t divided_groups::reach(std::size_t cell_number) const noexcept {
  return cell_number == 0 ? m_grid.size() : cell(cell_number).end;
}

/// Returns what runs before a cell is open.
unit_span divided_groups::first_of(std::size_t cell_number) const noexcept {
  if (m_grain == part_grain::vectorised) {
    return part(0);
  }
  const std::size_t begin = cell(cell_number).begin;
  return {begin, begin + 1};
}

void divided_groups::run(launch& of, std::size_t first, std::size_t last, run_function run_one) {
  for (std::size_t position = first; position != last; ++position) {
    const std::size_t group = position / m_parts;
    const std::size_t number = position % m_parts;
    const unit_span what = part(number);
    if (m_parts == 1 && group != 0) {
      run_part(of, group, what, run_one); // whole groups, beside the first one, which runs a work-item alone
      continue;
    }
    const std::size_t of_cell = number / m_of_cell;
    if (!is_open(of, group, 0, run_one) || (of_cell != 0 && !is_open(of, group, of_cell, run_one))) {
      continue;
    }
    const unit_span begun = first_of(of_cell);
    run_part(of, group, {what.begin == begun.begin ? begun.end : what.begin, what.end}, run_one);
  }
}

/// Says whether any thread may run work-items of a cell; has its first one run before. If it stays on the calling
/// thread, all of it has run.
bool divided_groups::is_open(launch& of, std::size_t group, std::size_t cell_number, run_function run_one) {
  std::atomic<stage>& at = m_stages[group * m_cells + cell_number];
  const stage found = enter(at, of);
  if (found != stage::untouched) {
    return found == stage::open;
  }
  bool met = false;
  try {
    met = run_first(of, group, cell_number, run_one);
  } catch (...) {
    at.store(stage::closed, std::memory_order_relaxed);
    throw;
  }
  if (met) {
    at.store(stage::closed, std::memory_order_relaxed);
    return false;
  }
  stage before = stage::first_runs;
  if (at.compare_exchange_strong(before, stage::open, std::memory_order_release, std::memory_order_relaxed)) {
    return true;
  }
  // A thread has not waited.
  run_span(of, group, {first_of(cell_number).end, reach(cell_number)}, reach(cell_number), run_one);
  return false;
}

/// Begins with a part of a cell: returns `untouched` to the one that is to run the first work-item, `open` to those
/// that run their parts, another stage where the cell stays on its thread. Waits while another thread runs the first
/// work-item, unless units of the launch meet: then nobody waits, and that thread has all of the cell.
divided_groups::stage divided_groups::enter(std::atomic<stage>& at, const launch& of) noexcept {
  stage found = at.load(std::memory_order_acquire);
  if (found == stage::untouched && at.compare_exchange_strong(found, stage::first_runs, std::memory_order_acquire)) {
    return stage::untouched;
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

/// Runs what tells whether work-items of a cell meet, and all within its reach if they do. Returns whether they do.
bool divided_groups::run_first(launch& of, std::size_t group, std::size_t cell_number, run_function run_one) {
  const auto begin = steady_clock::now();
  if (run_span(of, group, first_of(cell_number), reach(cell_number), run_one)) {
    if (cell_number == 0) {
      m_found.units_meet.store(true, std::memory_order_relaxed);
    } else {
      m_found.grain.store(part_grain::sub_groups, std::memory_order_relaxed);
    }
    return true;
  }
  const float taken = nanoseconds_since(begin);
  if (taken < m_first_nanoseconds.load(std::memory_order_relaxed)) {
    m_first_nanoseconds.store(taken, std::memory_order_relaxed);
  }
  return false;
}

/// Runs a part, or what is left of one, and learns from it what parts may be.
void divided_groups::run_part(launch& of, std::size_t group, unit_span what, run_function run_one) {
  const auto begin = steady_clock::now();
  if (run_span(of, group, what, what.end, run_one)) {
    m_found.grain.store(part_grain::sub_groups, std::memory_order_relaxed);
    return;
  }
  const std::size_t items = what.end - what.begin;
  if (m_grain == part_grain::unknown && what.begin % m_cut == 0 && items >= least_compared) {
    learn(items, nanoseconds_since(begin));
  }
}

/// Compares what work-items of a part took with what one took alone. A part that is slow for another reason proves
/// nothing, one that is fast does, unless the one alone was slow.
void divided_groups::learn(std::size_t items, float nanoseconds) noexcept {
  const float alone = m_first_nanoseconds.load(std::memory_order_relaxed);
  if (alone == unmeasured || (alone < worth_comparing && m_parts > 1)) {
    return; // until a launch has heavier ones
  }
  part_grain unknown = part_grain::unknown;
  if (alone < worth_comparing) {
    m_found.grain.compare_exchange_strong(unknown, part_grain::sub_groups, std::memory_order_relaxed);
  } else if (nanoseconds < vectorised_part * static_cast<float>(items) * alone) {
    if (m_looks_vectorised.exchange(true, std::memory_order_relaxed)) {
      return;
    }
    const bool believed =
        m_found.vectorised_launches.fetch_add(1, std::memory_order_relaxed) + 1 >= launches_to_believe;
    m_found.grain.store(believed ? part_grain::vectorised : part_grain::unknown, std::memory_order_relaxed);
  } else if (!m_looks_vectorised.load(std::memory_order_relaxed)) {
    m_found.grain.compare_exchange_strong(unknown, part_grain::work_items, std::memory_order_relaxed);
  }
}

/// Runs work-items that lie in rows, of which those at both ends may be cut, and all up to `end` if some meet. Returns
/// whether they do.
bool divided_groups::run_span(launch& of, std::size_t group, unit_span what, std::size_t end,
                              run_function run_one) const {
  while (what.begin < what.end) {
    const std::size_t row = what.begin / m_grid.width;
    const std::size_t x = what.begin % m_grid.width;
    const std::size_t left = what.end - what.begin;
    const bool whole = x == 0 && left >= m_grid.width;
    const std::size_t rows = whole ? left / m_grid.width : 1;
    const std::size_t row_end = whole ? m_grid.width : std::min(x + left, m_grid.width);
    if (run_one(of, group, {x, row_end, row, row + rows}, static_cast<unsigned>(end))) {
      return true;
    }
    what.begin += rows * (row_end - x);
  }
  return false;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
