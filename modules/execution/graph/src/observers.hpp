// SPDX-License-Identifier: Apache-2.0
/// Those who observe commands: LANEFOLD_TRACE and LANEFOLD_EXPLAIN.
#pragma once

#include "observation.hpp"

#include <exception>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class failure;

/// Asks the environment who observes a new queue. Errors: errc::invalid if LANEFOLD_EXPLAIN has no such value, or if
/// the file of LANEFOLD_TRACE cannot be written.
observed_queue observers_of_new_queue();

/// Tells them of a command that is observed, before anybody learns that it is complete, while it has its action.
/// `error` is its own, `cause` that of a command that it has waited for; null if there is none.
void tell_observers(const command& of, const std::exception_ptr& error, const failure* cause) noexcept;

} // namespace detail
LANEFOLD_END_NAMESPACE
