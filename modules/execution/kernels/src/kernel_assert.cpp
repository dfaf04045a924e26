// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/kernel_assert.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void assertion_failed(const char* expression, const char* file, unsigned line, const char* function) {
  const std::string text =
      std::string(file) + ":" + std::to_string(line) + ": " + function + ": Assertion `" + expression + "' failed.";
  if (kernel_scope::is_inside()) {
    throw exception(make_error_code(errc::kernel), text);
  }
  std::fprintf(stderr, "%s\n", text.c_str());
  std::abort();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
