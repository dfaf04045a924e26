// SPDX-License-Identifier: Apache-2.0
/// What the handles of platforms and devices point to. Never destroyed.
#pragma once

#include <lanefold/execution/device.hpp>

#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct platform_entry;

struct device_entry {
  const platform_entry* home;
  info::device_type type;
};

struct platform_entry {
  lanefold::backend kind;
  std::vector<device_entry> devices;
};

/// The platform of the CPU; its first device is the CPU.
const platform_entry& cpu_platform();

} // namespace detail
LANEFOLD_END_NAMESPACE
