// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <lanefold/exception.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void kernel_scope::refuse_inside() {
  if (is_inside()) {
    throw exception(
        make_error_code(errc::invalid),
        "wait was called inside a kernel or host task (by an event, a queue or a host_accessor): it could wait "
        "for the command that it is a part of and never return");
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
