// SPDX-License-Identifier: Apache-2.0
/// The action of a function that is called once: single tasks and host tasks.
#pragma once

#include <lanefold/execution/launch.hpp>

#include <cstddef>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A kernel that is called once, or a host task, whose exceptions stay as they are.
template <class Kernel, bool IsHostCode = false>
class single_task_launch final : public launch {
public:
  template <class K>
  single_task_launch(const launch_settings& settings, K&& kernel)
      : launch(1, 1, settings, detail::kernel_type<Kernel>()), m_kernel(std::forward<K>(kernel)) {}

  void run(std::size_t, std::size_t) override {
    try {
      m_kernel();
    } catch (...) {
      if constexpr (IsHostCode) {
        throw;
      } else {
        kernel_error(kernel_name(), {});
      }
    }
  }
  std::string place(std::size_t) const override { return "single task"; }
  launch_description describe() const override {
    using action = launch_description::action;
    launch_description told;
    told.what = IsHostCode ? action::host_task : action::kernel;
    told.one_unit = true;
    return told;
  }

private:
  Kernel m_kernel;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
