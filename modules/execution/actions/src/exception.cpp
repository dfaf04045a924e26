// SPDX-License-Identifier: Apache-2.0
#include <lanefold/exception.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void throw_moved_from(const char* what) {
  throw exception(make_error_code(errc::invalid),
                  std::string("a ") + what + " is used that was moved from: its content is in another one");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
