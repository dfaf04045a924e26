// SPDX-License-Identifier: Apache-2.0
/// Declares what the handles of platforms and devices point to. It is never destroyed.
#pragma once

#include <lanefold/execution/backend.hpp>
#include <lanefold/execution/info.hpp>

#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class device_backend;
struct platform_entry;

struct device_entry {
  const platform_entry* home;
  info::device_type type;
  device_backend* native = nullptr; ///< null: the CPU of this process
};

struct platform_entry {
  lanefold::backend kind;
  std::vector<device_entry> devices;
  std::string name;
  std::string vendor;
  std::string version;
  std::string profile;
  std::vector<std::string> extensions;
};

/// Finds the platforms of one backend: once, and returns the same ones each time.
using platform_finder = const std::vector<const platform_entry*>& (*)();

// The registry of backends beside the CPU. platform::get_platforms asks them in the order in which they came. Callable
// from any thread.

/// Adds a backend; adding it again changes nothing.
void add_platforms(platform_finder find);
/// Takes a backend out again: programs do not see its platforms from then on. What they have of them stays valid.
void remove_platforms(platform_finder find) noexcept;

/// The platform of the CPU; its first device is the CPU.
const platform_entry& cpu_platform();

} // namespace detail
LANEFOLD_END_NAMESPACE
