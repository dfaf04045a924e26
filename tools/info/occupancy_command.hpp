// SPDX-License-Identifier: Apache-2.0
/// `lanefold-info occupancy`: the calculator of lanefold/execution/occupancy.hpp on the command line.
#pragma once

#include "report.hpp"

#include <span>
#include <string>

namespace lanefold_info {

/// What the command line asks for is wrong: the text is for the user.
struct usage_error {
  std::string text;
};

inline constexpr const char* occupancy_usage =
    "usage: lanefold-info occupancy [--device NAME] [--work-group N --sub-group N [--groups N]]\n"
    "                               [--local BYTES] [--barrier] [--json]\n"
    "  --device NAME   a device of the table (tgl, the default), or words: the first OpenCL device that fits\n"
    "  --work-group N  work-items of a work-group; --sub-group N of a sub-group; --groups N work-groups of the launch\n"
    "  --local BYTES   local memory of a work-group; --barrier: the kernel has a barrier of the work-group\n"
    "Without sizes it lists those that fill the device.\n";

/// Returns the occupancy of what the arguments describe. Throws usage_error for arguments that it does not know, and
/// lanefold::exception for sizes that the device lacks.
json occupancy_report(std::span<const std::string> arguments);

} // namespace lanefold_info
