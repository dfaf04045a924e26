// SPDX-License-Identifier: Apache-2.0
/// Work-groups of which several threads run parts. Internal.
///
/// Few work-groups leave processors without work: four groups of 256 heavy work-items take as long on sixteen
/// processors as on four. Work-items that do not meet are independent, though, and whether they meet is known as soon
/// as the first one of a group has run: it comes to each barrier and group function of its group, or none does ([SYCL
/// 2020, 4.17.1]: all work-items of a group reach them). So the first thread that comes to a group runs its first
/// work-item. If that has met nobody, the threads share the other ones; else the group stays on its thread.
///
/// Sub-groups may meet without each other. So they are in one part as a whole until a launch has shown that a kernel's
/// work-items are worth more parts than that; from then on the same holds for the first work-item of each sub-group.
///
/// Where the compiler has vectorised the loop over work-items, the first one costs as much as a register of them, and
/// leaves a part behind that no longer fills its registers. Then the first part runs in its place (decision 085).
#pragma once

#include <lanefold/execution/detail/lane_loop.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class launch;

/// Says what the parts of groups are made of.
struct group_grid {
  std::size_t width;     ///< work-items of a row
  std::size_t rows;      ///< of a group, over all planes
  std::size_t sub_group; ///< consecutive work-items that may meet without the others of their group

  [[nodiscard]] std::size_t size() const noexcept { return width * rows; }
};

/// Says what parts of a kernel's groups may be.
enum class part_grain : std::uint8_t {
  unknown,    ///< whole sub-groups
  sub_groups, ///< whole sub-groups: work-items have met within them, or are too light for more
  vectorised, ///< whole sub-groups, which cost much less than their work-items alone
  work_items  ///< less than sub-groups: work-items are heavy, and cost the same alone
};

/// Holds what launches of a kernel whose groups are divided have found out about it.
struct kernel_findings {
  std::atomic<bool> units_meet{false}; ///< in groups, which are whole from then on
  std::atomic<part_grain> grain{part_grain::unknown};
  std::atomic<unsigned> vectorised_launches{0}; ///< that have looked so
};

/// Consecutive work-items of a group, by their linear local ids.
struct unit_span {
  std::size_t begin;
  std::size_t end;
};

/// The groups of a launch, divided, and how far each of them is. Any thread may run parts at any time.
class divided_groups {
public:
  /// Runs work-items of a group, a piece of a row or whole rows. Returns whether they met: then all up to `units` have
  /// run.
  using run_function = bool (*)(launch& of, std::size_t group, const group_part& part, unsigned units);

  /// Divides `groups` groups into about `pieces` parts in all; null if that is idle. Groups that are not few are
  /// divided only where work-items are known to be heavy, and are one part where that is not known yet. Throws
  /// std::bad_alloc.
  static std::shared_ptr<divided_groups> divide(std::size_t groups, const group_grid& grid, std::size_t pieces,
                                                bool few, kernel_findings& found);

  /// Returns the number of parts of a group: one where a launch only finds out whether it is worth more.
  [[nodiscard]] std::size_t parts() const noexcept { return m_parts; }

  /// Runs parts [first, last), counted over all groups of a launch; those of groups that stay on other threads are left
  /// to them. Throws what `run_one` throws.
  void run(launch& of, std::size_t first, std::size_t last, run_function run_one);

private:
  enum class stage : std::uint8_t { untouched, first_runs, left_to_first, open, closed };

  divided_groups(std::size_t groups, const group_grid& grid, std::size_t wanted, part_grain grain,
                 kernel_findings& found);
  [[nodiscard]] unit_span cell(std::size_t number) const noexcept;
  [[nodiscard]] unit_span part(std::size_t number) const noexcept;
  [[nodiscard]] std::size_t reach(std::size_t cell) const noexcept;
  [[nodiscard]] unit_span first_of(std::size_t cell) const noexcept;
  bool is_open(launch& of, std::size_t group, std::size_t cell, run_function run_one);
  stage enter(std::atomic<stage>& at, const launch& of) noexcept;
  bool run_first(launch& of, std::size_t group, std::size_t cell, run_function run_one);
  void run_part(launch& of, std::size_t group, unit_span what, run_function run_one);
  bool run_span(launch& of, std::size_t group, unit_span what, std::size_t end, run_function run_one) const;
  void learn(std::size_t items, float nanoseconds) noexcept;

  static constexpr float unmeasured = std::numeric_limits<float>::max();

  kernel_findings& m_found;
  const group_grid m_grid;
  const part_grain m_grain;
  std::size_t m_cell;    ///< work-items of a cell: of a group, or of a sub-group where parts are smaller
  std::size_t m_cells;   ///< of a group
  std::size_t m_cut;     ///< parts begin at multiples of so many work-items of their cell
  std::size_t m_of_cell; ///< parts of a cell; the last one may have fewer
  std::size_t m_parts;   ///< of a group
  std::atomic<float> m_first_nanoseconds{unmeasured}; ///< what a first work-item took at least
  std::atomic<bool> m_looks_vectorised{false};        ///< some part does
  std::vector<std::atomic<stage>> m_stages; ///< of cells; that of the first cell of a group counts for all of it
};

} // namespace detail
LANEFOLD_END_NAMESPACE
