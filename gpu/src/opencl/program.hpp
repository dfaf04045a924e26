// SPDX-License-Identifier: Apache-2.0
/// Building programs, and keeping them.
#pragma once

#include "states.hpp"

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// The program for the device, with what LANEFOLD_GPU_BUILD_OPTIONS adds to its options: from memory, from disk, or
/// built. Throws errc::build with log and numbered source.
cl::Program program_for(device_state& device, const std::string& text, const std::string& of_program);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
