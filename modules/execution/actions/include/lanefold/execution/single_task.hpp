// SPDX-License-Identifier: Apache-2.0
/// Kernels that are called once, for handlers and queues: programs that include it can call single_task.
#pragma once

#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/detail/registered_kernel.hpp>
#include <lanefold/execution/detail/single_task_launch.hpp>
#include <lanefold/execution/specialization.hpp>

#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Makes launches of kernels that take nothing, or a kernel_handler: `values()` are the values of specialization
/// constants, asked for if the kernel does.
template <>
struct launch_maker<single_task_kernels> {
  template <class Values, class Kernel>
  static std::unique_ptr<launch> make(const launch_settings& settings, const Values& values, Kernel&& kernel) {
    using plain = std::remove_cvref_t<Kernel>;
    if constexpr (KernelObject<Kernel>) {
      refuse_kernel_object("single_task");
    } else if constexpr (std::is_invocable_v<plain&, kernel_handler>) {
      using handled = handled_kernel<plain>;
      return new_launch<single_task_launch<handled>>(settings, handled{std::forward<Kernel>(kernel), values()});
    } else {
      static_assert(std::is_invocable_v<plain&>, "lanefold: the kernel of single_task takes nothing or a "
                                                 "kernel_handler");
      return new_launch<single_task_launch<plain>>(settings, std::forward<Kernel>(kernel));
    }
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
