// SPDX-License-Identifier: Apache-2.0
/// Says which processors this process may use, and how many of them at a time.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Returns the processors that the calling thread may run on, in the order in which threads are pinned to them: one of
/// each core, then the others. It is empty where the system does not say.
std::vector<int> processors_to_pin();

/// Returns the processors in that order; `sysfs` is the folder of the system's files about them.
std::vector<int> cores_first(const std::vector<int>& processors, const std::string& sysfs = "/sys/devices/system/cpu");

/// Returns how many processors the first thread of this process may run on; at least 1.
std::size_t processors_of_process();

/// Returns how many processors the control groups of this process let it use at a time, a part of one counted as one;
/// nothing where they set no limit. `groups` names the file that says which they are, `root` where their files are:
/// version 2 with cpu.max, or version 1 with cpu.cfs_quota_us. A limit of a group counts for the groups below it.
std::optional<std::size_t> processors_of_control_group(const std::string& groups = "/proc/self/cgroup",
                                                       const std::string& root = "/sys/fs/cgroup");

/// Runs the calling thread on one processor only. It returns false where the system refuses.
bool pin_this_thread(int processor);

} // namespace detail
LANEFOLD_END_NAMESPACE
