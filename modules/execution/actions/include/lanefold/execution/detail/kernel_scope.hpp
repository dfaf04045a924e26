// SPDX-License-Identifier: Apache-2.0
/// Knows whether the calling thread is inside of a kernel.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// While it lives, the calling thread runs a kernel, or destroys one that has run.
class kernel_scope {
public:
  kernel_scope() noexcept { ++running; }
  ~kernel_scope() { --running; }
  kernel_scope(const kernel_scope&) = delete;
  kernel_scope& operator=(const kernel_scope&) = delete;

  [[nodiscard]] static bool is_inside() noexcept { return running != 0; }
  /// Throws errc::invalid inside of a kernel, where a wait would never return.
  static void refuse_inside();

private:
  static inline constinit thread_local unsigned running = 0;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
