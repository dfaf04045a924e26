// SPDX-License-Identifier: Apache-2.0
/// Declares what a host task may be given.
#pragma once

#include <lanefold/execution/backend.hpp>
#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Access to the native objects of a backend in a host task [sycl.4.10.2]. The CPU has none: accessors and USM are
/// memory that the task uses directly, so there is nothing to ask for.
class interop_handle {
public:
  /// Host tasks run on the CPU.
  [[nodiscard]] static constexpr backend get_backend() noexcept { return backend::lanefold_cpu; }
};

LANEFOLD_END_NAMESPACE
