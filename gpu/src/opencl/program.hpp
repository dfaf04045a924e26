// SPDX-License-Identifier: Apache-2.0
/// Building programs, and keeping them.
#pragma once

#include "states.hpp"

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// The program for the device: from memory, from disk, or built. Throws errc::build with log and numbered source.
cl::Program program_for(device_state& device, const std::string& text, const std::string& options);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
