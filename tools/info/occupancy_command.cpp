// SPDX-License-Identifier: Apache-2.0
#include "occupancy_command.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/occupancy.hpp>
#if defined(LANEFOLD_INFO_OPENCL)
#include <lanefold/gpu/occupancy.hpp>
#endif

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

namespace lanefold_info {
namespace {

namespace lf = lanefold;

std::size_t number(const std::string& option, const std::string& text) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw usage_error{option + " takes a number, not \"" + text + "\""};
  }
  return value;
}

/// A device of the table by its name, else the first OpenCL device that fits the words: the report names it.
lf::occupancy_limits limits_of(const std::string& name) {
  try {
    return lf::occupancy_limits_of(name);
  } catch (const lf::exception& unknown) {
#if defined(LANEFOLD_INFO_OPENCL)
    const std::vector<lf::gpu::device> found = lf::gpu::devices(name);
    if (!found.empty()) {
      return lf::gpu::occupancy_limits_of(found.front());
    }
    throw usage_error{std::string(unknown.what()) + ", and no OpenCL device fits it"};
#else
    throw usage_error{unknown.what()};
#endif
  }
}

/// The choices with as many threads as the one before plus one, taken together.
json ranges(std::vector<lf::occupancy_choice> choices) {
  std::sort(choices.begin(), choices.end(), [](const lf::occupancy_choice& a, const lf::occupancy_choice& b) {
    return std::pair(a.sub_group_size, a.work_group_size) < std::pair(b.sub_group_size, b.work_group_size);
  });
  json told = json::array();
  const auto text = [](std::size_t least, std::size_t most) {
    return std::to_string(least) + (least == most ? "" : " to " + std::to_string(most));
  };
  for (std::size_t first = 0, last = 0; first < choices.size(); first = ++last) {
    while (last + 1 < choices.size() && choices[last + 1].sub_group_size == choices[first].sub_group_size &&
           choices[last + 1].threads_per_group == choices[last].threads_per_group + 1) {
      ++last;
    }
    told.push_back({{"sub_group", choices[first].sub_group_size},
                    {"threads", text(choices[first].threads_per_group, choices[last].threads_per_group)},
                    {"work_group", text(choices[first].work_group_size, choices[last].work_group_size)}});
  }
  return told;
}

/// One digit behind the point, as the guide prints its tables.
double percent(double part) { return std::round(1000 * part) / 10; }

} // namespace

json occupancy_report(std::span<const std::string> arguments) {
  std::string name = "tgl";
  lf::occupancy_launch launch{};
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--barrier") {
      launch.barrier = true;
      continue;
    }
    if (option != "--device" && option != "--work-group" && option != "--sub-group" && option != "--groups" &&
        option != "--local") {
      throw usage_error{"unknown argument " + option};
    }
    if (++i == arguments.size()) {
      throw usage_error{option + " takes a value"};
    }
    if (option == "--device") {
      name = arguments[i];
    } else if (option == "--work-group") {
      launch.work_group_size = number(option, arguments[i]);
    } else if (option == "--sub-group") {
      launch.sub_group_size = number(option, arguments[i]);
    } else if (option == "--groups") {
      launch.work_groups = number(option, arguments[i]);
    } else {
      launch.local_memory_bytes = number(option, arguments[i]);
    }
  }
  const lf::occupancy_limits device = limits_of(name);
  json told{{"device",
             {{"name", device.name},
              {"sub_slices", device.sub_slices},
              {"threads_per_sub_slice", device.threads_per_sub_slice},
              {"max_work_group_size", device.max_work_group_size},
              {"work_groups_per_sub_slice", device.groups_per_sub_slice},
              {"local_memory_bytes", device.local_memory_bytes},
              {"sub_group_sizes", device.sub_group_sizes}}}};
  if (launch.work_group_size != 0 || launch.sub_group_size != 0) {
    const lf::occupancy_result found = lf::occupancy(device, launch);
    told["launch"] = {{"threads_per_work_group", found.threads_per_group},
                      {"work_groups_on_a_sub_slice", found.groups_per_sub_slice},
                      {"sub_slice_utilisation_percent", percent(found.utilisation)},
                      {"sub_slice_occupancy_percent", percent(found.sub_slice_occupancy)},
                      {"full_rounds", found.full_rounds},
                      {"occupancy_of_a_full_round_percent", percent(found.round_occupancy)},
                      {"occupancy_of_the_rest_percent", percent(found.last_occupancy)}};
  }
  told["full_occupancy"] = ranges(lf::full_occupancy_choices(device, launch));
  return told;
}

} // namespace lanefold_info
