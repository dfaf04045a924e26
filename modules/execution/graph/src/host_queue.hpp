// SPDX-License-Identifier: Apache-2.0
/// The queue of commands that belong to no queue of the program.
#pragma once

#include "queue_state.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Host accessors and the ends of buffers are commands of this queue.
const std::shared_ptr<queue_state>& host_queue();

} // namespace detail
LANEFOLD_END_NAMESPACE
