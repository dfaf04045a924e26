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
  if (type != nullptr && *type == *type_of_cancelled) {
    const std::string message =
        "lanefold: " + error_of_thread() +
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
