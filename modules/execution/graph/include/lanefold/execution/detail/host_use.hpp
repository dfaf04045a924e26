// SPDX-License-Identifier: Apache-2.0
/// The command behind a host_accessor.
#pragma once

#include <lanefold/execution/detail/buffer_requirement.hpp>

#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class buffer_owner;

/// Returns when the commands that the host's use of the part must wait for are complete; those that come later wait for
/// it. The use ends, and then the buffer may go, when what is returned and its copies are gone. Throws errc::invalid
/// inside a kernel. The error of a command that was to write is left to its queue.
shared_object use_on_host(const shared_part<buffer_owner>& buffer, const accessed_part& part);

} // namespace detail
LANEFOLD_END_NAMESPACE
