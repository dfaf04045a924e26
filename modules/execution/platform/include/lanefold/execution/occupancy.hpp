// SPDX-License-Identifier: Apache-2.0
/// The calculator of occupancy: how many of a GPU's thread contexts the work-groups of a launch can fill.
/// Source: Intel's developer guide, chapter "Thread Hierarchy and Mapping". Its words: a sub-slice has execution units,
/// each with contexts for a few hardware threads; a thread runs one sub-group; all threads of a work-group that has a
/// barrier or local memory are on one sub-slice.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

/// Holds what limits the occupancy of a device. All numbers are at least 1.
struct occupancy_limits {
  std::string name;
  std::size_t sub_slices;            ///< NVIDIA: streaming multiprocessors
  std::size_t threads_per_sub_slice; ///< contexts of hardware threads (execution units times threads of each)
  std::size_t max_work_group_size;   ///< work-items
  std::size_t groups_per_sub_slice;  ///< work-groups that a sub-slice holds at a time
  std::size_t local_memory_bytes;    ///< of a sub-slice
  std::vector<std::size_t> sub_group_sizes;

  [[nodiscard]] std::size_t threads() const noexcept { return sub_slices * threads_per_sub_slice; }
};

/// The devices whose numbers the guide gives: "tgl" (Intel Iris Xe Graphics of Tiger Lake: 6 sub-slices of 16 execution
/// units with 7 threads each). Callable from any thread.
const std::vector<occupancy_limits>& known_occupancy_limits();

/// The known device of that name, in any case of letters. Errors: errc::invalid names those that are known.
const occupancy_limits& occupancy_limits_of(const std::string& name);

/// Holds what decides the occupancy of a launch.
struct occupancy_launch {
  std::size_t work_group_size; ///< work-items
  std::size_t sub_group_size;
  std::size_t work_groups = 0;        ///< 0: as many as the device can hold
  std::size_t local_memory_bytes = 0; ///< of a work-group
  bool barrier = false;               ///< the kernel has a barrier of the work-group
};

/// Holds the occupancy of a launch. Parts are numbers from 0 to 1.
struct occupancy_result {
  std::size_t threads_per_group;    ///< sub-groups of a work-group
  std::size_t groups_per_sub_slice; ///< that fit on a sub-slice at a time
  double utilisation;               ///< part of a sub-slice's threads that one work-group takes
  double sub_slice_occupancy;       ///< part that the groups which fit take
  std::size_t full_rounds;          ///< times that the launch fills all that it can of the device
  double round_occupancy;           ///< part of the device's threads that a full round takes
  double last_occupancy;            ///< part that the rest takes; 0 if there is none
};

/// Computes the occupancy of a launch. Work-groups without barrier and local memory are spread over sub-slices thread
/// by thread; others stay whole, so that threads which are too few for another group stay empty. Errors: errc::nd_range
/// if the work-group is empty or larger than the device allows, or for more groups than can be counted, errc::invalid
/// for a sub-group size that the device lacks, errc::memory_allocation for more local memory than a sub-slice has.
occupancy_result occupancy(const occupancy_limits& device, const occupancy_launch& launch);

/// A size of work-group and sub-group by which sub-slices are full.
struct occupancy_choice {
  std::size_t work_group_size;
  std::size_t sub_group_size;
  std::size_t threads_per_group;
  std::size_t groups_per_sub_slice;
};

/// All sizes by which work-groups of the launch's local memory and barrier fill every thread of a sub-slice, smallest
/// work-group first; none if local memory leaves too few groups. The launch's own sizes and number of groups do not
/// matter.
std::vector<occupancy_choice> full_occupancy_choices(const occupancy_limits& device, const occupancy_launch& launch);

LANEFOLD_END_NAMESPACE
