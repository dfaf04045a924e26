// SPDX-License-Identifier: Apache-2.0
/// assert in kernels: a failing one throws, so that the launch names the work-item and the host gets the error.
///
/// <sycl/sycl.hpp> includes it. `assert` stays that of <cassert>, and NDEBUG means what it means there, wherever the
/// program includes <cassert>; what changes is the function that a failing one calls.
#pragma once

#include <lanefold/version.hpp>

// The C library's declarations, which depend on NDEBUG, must come before the macro below.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <cassert>
#pragma pop_macro("NDEBUG")
#include <cassert>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// In a kernel: throws errc::kernel with file, line, function and expression, to which the launch adds kernel,
/// work-group and work-item. Elsewhere: what assert does, it prints them and aborts.
[[noreturn]] LANEFOLD_COLD void assertion_failed(const char* expression, const char* file, unsigned line,
                                                 const char* function);

} // namespace detail
LANEFOLD_END_NAMESPACE

#if defined(__GLIBC__)
#define __assert_fail(expression, file, line, function)                                                                \
  ::lanefold::detail::assertion_failed(expression, file, line, function)
#elif !defined(NDEBUG)
// Other C libraries: holds until <cassert> is included again.
#undef assert
#define assert(condition)                                                                                              \
  (static_cast<bool>(condition) ? static_cast<void>(0)                                                                 \
                                : ::lanefold::detail::assertion_failed(#condition, __FILE__, __LINE__, __func__))
#endif
