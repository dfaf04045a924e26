// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/occupancy.hpp>

#include <lanefold/exception.hpp>

#include <algorithm>
#include <cctype>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace {

std::string lower(std::string text) {
  for (char& c : text) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return text;
}

/// Returns whether a work-group must be on one sub-slice.
bool stays_whole(const occupancy_launch& launch) { return launch.barrier || launch.local_memory_bytes != 0; }

/// Groups of so many threads that a sub-slice can hold at a time.
std::size_t groups_that_fit(const occupancy_limits& device, const occupancy_launch& launch, std::size_t threads) {
  std::size_t groups = std::min(device.groups_per_sub_slice, device.threads_per_sub_slice / threads);
  if (launch.local_memory_bytes != 0) {
    groups = std::min(groups, device.local_memory_bytes / launch.local_memory_bytes);
  }
  return groups;
}

double part(std::size_t some, std::size_t all) { return static_cast<double>(some) / static_cast<double>(all); }

/// Threads of the device that so many groups take at most; not more than `groups` have.
std::size_t threads_taken(const occupancy_limits& device, const occupancy_launch& launch, std::size_t threads) {
  if (stays_whole(launch)) {
    return device.sub_slices * groups_that_fit(device, launch, threads) * threads;
  }
  return std::min(device.threads(), device.sub_slices * device.groups_per_sub_slice * threads);
}

void check(const occupancy_limits& device, const occupancy_launch& launch) {
  if (launch.work_group_size == 0 || launch.work_group_size > device.max_work_group_size) {
    throw exception(make_error_code(errc::nd_range),
                    "occupancy: a work-group of " + std::to_string(launch.work_group_size) + " work-items; " +
                        device.name + " takes 1 to " + std::to_string(device.max_work_group_size));
  }
  if (std::find(device.sub_group_sizes.begin(), device.sub_group_sizes.end(), launch.sub_group_size) ==
      device.sub_group_sizes.end()) {
    std::string sizes;
    for (const std::size_t size : device.sub_group_sizes) {
      sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
    }
    throw exception(make_error_code(errc::invalid), "occupancy: sub-groups of " +
                                                        std::to_string(launch.sub_group_size) + "; " + device.name +
                                                        " has sub-groups of " + sizes);
  }
  if (launch.local_memory_bytes > device.local_memory_bytes) {
    throw exception(make_error_code(errc::memory_allocation),
                    "occupancy: " + std::to_string(launch.local_memory_bytes) +
                        " bytes of local memory a work-group; a sub-slice of " + device.name + " has " +
                        std::to_string(device.local_memory_bytes));
  }
  const std::size_t threads = (launch.work_group_size + launch.sub_group_size - 1) / launch.sub_group_size;
  if (threads > device.threads_per_sub_slice) {
    throw exception(make_error_code(errc::nd_range), "occupancy: a work-group of " + std::to_string(threads) +
                                                         " threads; a sub-slice of " + device.name + " has " +
                                                         std::to_string(device.threads_per_sub_slice));
  }
}

} // namespace

const std::vector<occupancy_limits>& known_occupancy_limits() {
  static const std::vector<occupancy_limits> all{
      {"tgl", 6, std::size_t{16} * 7, 512, 16, std::size_t{64} << 10, {8, 16, 32}},
  };
  return all;
}

const occupancy_limits& occupancy_limits_of(const std::string& name) {
  std::string names;
  for (const occupancy_limits& device : known_occupancy_limits()) {
    if (lower(device.name) == lower(name)) {
      return device;
    }
    names += (names.empty() ? "" : ", ") + device.name;
  }
  throw exception(make_error_code(errc::invalid), "occupancy: no device \"" + name + "\"; there are: " + names);
}

occupancy_result occupancy(const occupancy_limits& device, const occupancy_launch& launch) {
  check(device, launch);
  occupancy_result result{};
  const std::size_t threads = (launch.work_group_size + launch.sub_group_size - 1) / launch.sub_group_size;
  result.threads_per_group = threads;
  result.groups_per_sub_slice = groups_that_fit(device, launch, threads);
  result.utilisation = part(threads, device.threads_per_sub_slice);
  result.sub_slice_occupancy = part(result.groups_per_sub_slice * threads, device.threads_per_sub_slice);
  const std::size_t most = threads_taken(device, launch, threads);
  result.round_occupancy = part(most, device.threads());
  if (launch.work_groups == 0) {
    result.full_rounds = 1;
    return result;
  }
  if (launch.work_groups > static_cast<std::size_t>(-1) / threads) {
    throw exception(make_error_code(errc::nd_range),
                    "occupancy: " + std::to_string(launch.work_groups) + " work-groups are more than can be counted");
  }
  const std::size_t all = launch.work_groups * threads;
  result.full_rounds = all / most;
  result.last_occupancy = part(all % most, device.threads());
  return result;
}

std::vector<occupancy_choice> full_occupancy_choices(const occupancy_limits& device, const occupancy_launch& launch) {
  std::vector<occupancy_choice> choices;
  for (const std::size_t size : device.sub_group_sizes) {
    const std::size_t most = std::min(device.max_work_group_size / size, device.threads_per_sub_slice);
    for (std::size_t threads = 1; threads <= most; ++threads) {
      const std::size_t groups = groups_that_fit(device, launch, threads);
      const bool full = stays_whole(launch) ? groups * threads == device.threads_per_sub_slice
                                            : device.groups_per_sub_slice * threads >= device.threads_per_sub_slice;
      if (full) {
        choices.push_back({threads * size, size, threads, groups});
      }
    }
  }
  std::sort(choices.begin(), choices.end(), [](const occupancy_choice& a, const occupancy_choice& b) {
    return std::pair(a.work_group_size, a.sub_group_size) < std::pair(b.work_group_size, b.sub_group_size);
  });
  return choices;
}

LANEFOLD_END_NAMESPACE
