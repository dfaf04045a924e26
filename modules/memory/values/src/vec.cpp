// SPDX-License-Identifier: Apache-2.0
#include <lanefold/exception.hpp>
#include <lanefold/memory/vec.hpp>

#include <cstdio>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void throw_misaligned_vec(const char* call, const void* p, std::size_t alignment) {
  char text[160];
  std::snprintf(text, sizeof(text),
                "%s: the pointer %p is not aligned to the %zu bytes of an element: it does not point to elements", call,
                p, alignment);
  throw exception(make_error_code(errc::invalid), text);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
