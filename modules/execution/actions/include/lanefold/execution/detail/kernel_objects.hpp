// SPDX-License-Identifier: Apache-2.0
/// Kernel objects, which say what is known of a kernel and cannot be launched: kernels are functions of the program.
#pragma once

#include <lanefold/version.hpp>

#include <concepts>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

class kernel; // see kernel_bundle.hpp

namespace detail {

template <class T>
concept KernelObject = std::same_as<std::remove_cvref_t<T>, kernel>;

/// Throws errc::feature_not_supported; `call` is what the program called.
[[noreturn]] void refuse_kernel_object(const char* call);

/// The part of handler that sets the arguments of kernel objects: functions capture theirs. [sycl.4.9.4.2.5]
class kernel_arguments {
public:
  // Errors: errc::feature_not_supported, always.
  template <class T>
  void set_arg(int /*index*/, T&& /*argument*/) {
    refuse_kernel_object("handler::set_arg");
  }
  template <class... Ts>
  void set_args(Ts&&... /*arguments*/) {
    refuse_kernel_object("handler::set_args");
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
