// SPDX-License-Identifier: Apache-2.0
/// Parts of memory objects.
#pragma once

#include "states.hpp"

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// Returns where sub-buffers may begin: at multiples of this many bytes.
std::size_t sub_buffer_alignment(const device_state& on);

/// `doing` and `otherwise` are for the exception if OpenCL refuses.
cl::Buffer make_sub_buffer(const memory_state& of, std::size_t offset, std::size_t bytes, const char* doing,
                           errc otherwise);

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
