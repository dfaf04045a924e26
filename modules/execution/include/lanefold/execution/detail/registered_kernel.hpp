// SPDX-License-Identifier: Apache-2.0
/// The kernels of the program that have names.
#pragma once

#include <lanefold/version.hpp>

#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct kernel_entry;

/// The entry of a named kernel, made at the first call; `name` is typeid(Name*).
const kernel_entry* register_kernel(const std::type_info& name);

/// Enters a named kernel when the program starts: get_kernel_ids() knows it before it runs.
template <class Name>
struct registered_kernel {
  static inline const kernel_entry* const entry = register_kernel(typeid(Name*));
};

} // namespace detail
LANEFOLD_END_NAMESPACE
