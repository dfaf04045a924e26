// SPDX-License-Identifier: Apache-2.0
/// kernel_id: which kernels the program has, and which of them a device runs.
#pragma once

#include <lanefold/execution/detail/registered_kernel.hpp>
#include <lanefold/execution/device.hpp>

#include <cstddef>
#include <functional>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

/// Stands for one kernel of the program that has a name, whatever it captures. A cheap handle.
// [sycl.4.11.6]
class kernel_id {
public:
  [[nodiscard]] const char* get_name() const noexcept;

  friend bool operator==(const kernel_id&, const kernel_id&) noexcept = default;

  /// Only the library calls these.
  explicit kernel_id(const detail::kernel_entry* entry) noexcept : m_kernel(entry) {}
  const detail::kernel_entry* entry() const noexcept { return m_kernel; }

private:
  const detail::kernel_entry* m_kernel; // lives as long as the process
};

/// The kernel with this name (the template argument of parallel_for).
template <class Name>
[[nodiscard]] kernel_id get_kernel_id() {
  static_cast<void>(detail::registered_kernel<Name>::entry); // it is known from the start
  return kernel_id(detail::register_named<Name>());          // also where that has not happened yet
}
/// All kernels of the program that have names.
[[nodiscard]] std::vector<kernel_id> get_kernel_ids();

/// Returns whether the device runs these kernels: kernels in C++ run on the CPU, if it has what their kernel_properties
/// ask for. [sycl.4.11.9]
[[nodiscard]] bool is_compatible(const std::vector<kernel_id>& kernels, const device& on);
template <class Name>
[[nodiscard]] bool is_compatible(const device& on) {
  return is_compatible({get_kernel_id<Name>()}, on);
}

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::kernel_id> {
  std::size_t operator()(const lanefold::kernel_id& id) const noexcept {
    return std::hash<const lanefold::detail::kernel_entry*>()(id.entry());
  }
};
