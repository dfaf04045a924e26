// SPDX-License-Identifier: Apache-2.0
/// Work-groups of which several threads run parts. Internal.
///
/// Few work-groups leave processors without work: four groups of 256 heavy work-items take as long on sixteen
/// processors as on four. Work-items that do not meet are independent, though, and whether they meet is known as soon
/// as the first one of a group has run: it comes to each barrier and group function of its group, or none does ([SYCL
/// 2020, 4.17.1]: all work-items of a group reach them). So the first thread that comes to a group runs its first
/// work-item. If that has met nobody, the threads share the other ones; else the group stays on its thread. A sub-group
/// is in one part as a whole, because sub-groups may meet without each other.
///
/// Where the compiler has vectorised the loop over work-items, the first one costs as much as a register of them, and
/// leaves a part behind that no longer fills its registers. Then the first part runs in its place (decision 085).
#pragma once

#include <lanefold/execution/detail/lane_loop.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class launch;

/// Says what the parts of groups are made of.
struct group_grid {
  std::size_t width;     ///< work-items of a row
  std::size_t rows;      ///< of a group, over all planes
  std::size_t sub_group; ///< consecutive work-items that stay in one part
};

/// Holds what launches of a kernel whose groups are divided have found out about it.
struct kernel_findings {
  std::atomic<bool> units_meet{false}; ///< so that it is idle to divide the groups of others
  std::atomic<bool> vectorised{false}; ///< parts cost much less than their work-items alone
};

/// The groups of a launch, divided, and how far each of them is. Any thread may run parts at any time.
class divided_groups {
public:
  /// Runs a part of a group, whose last work-item is the one before `units`. Returns whether work-items met: then all
  /// up to `units` have run.
  using run_function = bool (*)(launch& of, std::size_t group, const group_part& part, unsigned units);

  /// Divides `groups` groups into about `pieces` parts in all; null if a group cannot be divided. Throws
  /// std::bad_alloc.
  static std::shared_ptr<divided_groups> divide(std::size_t groups, const group_grid& grid, std::size_t pieces,
                                                kernel_findings& found);

  /// Returns the number of parts of a group.
  [[nodiscard]] std::size_t parts() const noexcept { return m_parts; }

  /// Runs parts [first, last), counted over all groups of a launch; those of groups that stay on other threads are left
  /// to them. Throws what `run_one` throws.
  void run(launch& of, std::size_t first, std::size_t last, run_function run_one);

private:
  enum class stage : std::uint8_t { untouched, first_runs, left_to_first, open, closed };

  divided_groups(std::size_t groups, const group_grid& grid, std::size_t wanted, kernel_findings& found);
  bool run_first(launch& of, std::size_t group, run_function run_one);
  void run_part(launch& of, std::size_t group, std::size_t number, run_function run_one);
  void run_rest(launch& of, std::size_t group, const group_part& part, run_function run_one) const;
  void run_all_but_first_part(launch& of, std::size_t group, run_function run_one) const;
  stage enter(std::size_t group, const launch& of) noexcept;
  bool open(std::size_t group) noexcept;
  [[nodiscard]] group_part part(std::size_t number) const noexcept;
  [[nodiscard]] unsigned end_of_units(const group_part& part) const noexcept;

  kernel_findings& m_found;
  const bool m_whole_part_first;             ///< in place of the first work-item
  std::atomic<float> m_first_nanoseconds{0}; ///< what a first work-item took
  group_grid m_grid;
  std::size_t m_row_step = 1; ///< rows that stay together
  std::size_t m_per_row = 0;  ///< parts of a row; 0: parts are whole rows
  std::size_t m_parts;        ///< of a group
  std::vector<std::atomic<stage>> m_stages;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
