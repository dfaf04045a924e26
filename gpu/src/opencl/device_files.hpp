// SPDX-License-Identifier: Apache-2.0
/// The files of gpu/device, embedded when the library is built (gpu/embed.cmake).
#pragma once

#include <lanefold/version.hpp>

#include <string_view>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

struct device_file {
  std::string_view name;
  std::string_view text;
};

const std::vector<device_file>& device_files();

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
