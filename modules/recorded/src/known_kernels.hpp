// SPDX-License-Identifier: Apache-2.0
/// The kernels that have been printed.
#pragma once

#include <lanefold/gpu/kernel.hpp>
#include <lanefold/recorded/detail/recorder.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Two kernels of one generation are the same object if they are the same recording.
std::uint64_t generation_of_known_kernels();

// Any thread may call these. `type` is the kernel's C++ type.

/// The kernel for what was recorded, if the same of that type has been checked before.
std::optional<gpu::kernel> find_known_kernel(const recorder& what, const recorded_header& header,
                                             std::size_t sub_group_size, const std::type_info& type);
/// The kernel for what was recorded and checked: printed at the first time, then known. Messages call it by `title`, or
/// by that of another kernel that was recorded alike.
gpu::kernel known_kernel(const recorder& what, const recorded_header& header, std::size_t sub_group_size,
                         const std::type_info& type, const std::type_info& title);

} // namespace detail
LANEFOLD_END_NAMESPACE
