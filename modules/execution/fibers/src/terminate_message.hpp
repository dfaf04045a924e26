// SPDX-License-Identifier: Apache-2.0
/// A message for programs that end because a unit could not be unwound.
#pragma once

#include <lanefold/version.hpp>

#include <string>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// From now on std::terminate says on stderr which error of a kernel ended the program, where it is called because an
/// exception of the type by which units are cancelled would leave a noexcept function of the kernel; then it goes on to
/// the handler that was there before. `first_error` says what the error of the calling thread is; empty if it has none.
/// To be called before the first unit is cancelled; more calls do nothing.
void install_terminate_message(const std::type_info& cancelled, std::string (*first_error)());

} // namespace detail
LANEFOLD_END_NAMESPACE
