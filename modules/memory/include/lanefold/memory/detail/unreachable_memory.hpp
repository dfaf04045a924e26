// SPDX-License-Identifier: Apache-2.0
/// Tells memory that the host cannot access, such as that of a GPU, from other memory: a command that runs on the CPU
/// refuses it.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The host must not access these bytes, until they are removed. Thread-safe, as the others are.
void add_unreachable_memory(const void* begin, std::size_t bytes);
void remove_unreachable_memory(const void* begin) noexcept;
/// Returns whether the pointer points into such memory. Takes no lock where there is none.
bool is_unreachable_memory(const void* pointer) noexcept;

/// Throws errc::invalid if it does: `what` names the command.
void check_reached_by_host(const void* pointer, const char* what);

} // namespace detail
LANEFOLD_END_NAMESPACE
