// SPDX-License-Identifier: Apache-2.0
/// Declares what a host task may be given.
#pragma once

#include <lanefold/execution/backend.hpp>
#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// Access to the native objects of a backend in a host task [sycl.4.10.2]. On the CPU accessors and USM are
/// memory that the task uses directly.
class interop_handle {
public:
  /// Host tasks run on the CPU.
  [[nodiscard]] static constexpr backend get_backend() noexcept { return backend::lanefold_cpu; }

  /// Returns the pointer to the memory of an accessor, for backend::lanefold_cpu.
  /// Errors: errc::backend_mismatch for every other backend.
  template <backend Backend, class Accessor>
  [[nodiscard]] auto get_native_mem(const Accessor& used) const {
    if constexpr (Backend == backend::lanefold_cpu) {
      return used.get_pointer();
    } else {
      refuse_other_backend();
      return static_cast<void*>(nullptr);
    }
  }

private:
  [[noreturn]] static void refuse_other_backend();
};

LANEFOLD_END_NAMESPACE
