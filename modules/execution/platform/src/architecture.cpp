// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/architecture.hpp>

LANEFOLD_BEGIN_NAMESPACE

ext::oneapi::experimental::architecture
ext::oneapi::experimental::info::device::architecture::of(const lanefold::device& asked) noexcept {
  return asked.is_cpu() ? detail::architecture_of_translation_unit() : experimental::architecture::unknown;
}

bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::architecture asked) const noexcept {
  return ext::oneapi::experimental::info::device::architecture::of(*this) == asked;
}

// The categories are kinds of GPUs, whose architectures nobody knows here.
bool device::ext_oneapi_architecture_is(ext::oneapi::experimental::arch_category /*asked*/) const noexcept {
  return false;
}

LANEFOLD_END_NAMESPACE
