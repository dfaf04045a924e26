// SPDX-License-Identifier: Apache-2.0
#include "terminate_message.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

std::terminate_handler previous = nullptr;
const std::type_info* type_of_cancelled = nullptr;
std::string (*error_of_thread)() = nullptr;

[[noreturn]] void explain_and_terminate() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  // Code that is not optimised, and functions that were inlined, end the program before the exception counts as caught,
  // so that it has no type here.
  const bool is_unknown = type == nullptr && std::uncaught_exceptions() > 0;
  const std::string error = is_unknown || (type != nullptr && *type == *type_of_cancelled) ? error_of_thread() : "";
  if (!error.empty()) {
    const std::string message =
        "lanefold: " + error +
        "\nlanefold: others of its work-group wait at a barrier in a noexcept function or destructor, which cannot be "
        "left by an exception: the program ends\n";
    std::fputs(message.c_str(), stderr);
  }
  if (previous != nullptr) {
    previous();
  }
  std::abort();
}

} // namespace

void install_terminate_message(const std::type_info& cancelled, std::string (*first_error)()) {
  static std::once_flag once;
  std::call_once(once, [&] {
    type_of_cancelled = &cancelled;
    error_of_thread = first_error;
    previous = std::set_terminate(&explain_and_terminate);
  });
}

} // namespace detail
LANEFOLD_END_NAMESPACE
