// SPDX-License-Identifier: Apache-2.0
/// The kernels of the program that have names.
#pragma once

#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/kernel_properties.hpp>
#include <lanefold/version.hpp>

#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A kernel that has a name. It lives as long as the process.
struct kernel_entry {
  const std::type_info* type;
  std::string name;
  group_sizes asked_for; ///< what its kernel_properties say
};

/// The entry of a named kernel, made at the first call; `name` is typeid(Name*).
const kernel_entry* register_kernel(const std::type_info& name, const group_sizes& asked_for);
template <class Name>
const kernel_entry* register_named() {
  return register_kernel(typeid(Name*), sizes_asked_for(kernel_properties<Name>));
}
/// Is true if a kernel of this name was registered.
bool is_registered(const std::type_info& name) noexcept;
/// All kernels that were registered, in the order in which they were.
std::vector<const kernel_entry*> registered_kernels();

/// Enters a named kernel when the program starts: get_kernel_ids() knows it before it runs.
template <class Name>
struct registered_kernel {
  static inline const kernel_entry* const entry = register_named<Name>();
};

template <class Name>
const std::type_info* name_of() noexcept {
  if constexpr (std::is_same_v<Name, unnamed>) {
    return nullptr;
  } else {
    static_cast<void>(registered_kernel<Name>::entry);
    return &typeid(Name*); // a pointer, because names are usually incomplete types
  }
}

/// Returns whether the CPU runs a kernel that asks for these sizes.
bool can_run(const group_sizes& asked_for) noexcept;
void check_sizes(const group_sizes& asked_for, const std::type_info& name);

template <class Name>
void check_kernel_properties() {
  check_sizes(sizes_asked_for(kernel_properties<Name>), typeid(Name*));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
