// SPDX-License-Identifier: Apache-2.0
/// The kernels that have been printed.
#pragma once

#include <lanefold/gpu/kernel.hpp>
#include <lanefold/recorded/detail/recorder.hpp>

#include <cstddef>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The kernel for what was recorded of a kernel of the C++ type `type`: printed at the first time, then known. Any
/// thread may ask.
gpu::kernel known_kernel(const recorder& what, const recorded_header& header, std::size_t sub_group_size,
                         const std::type_info& type);

} // namespace detail
LANEFOLD_END_NAMESPACE
