// SPDX-License-Identifier: Apache-2.0
/// Asks the operating system and the processor about this machine. Every function may be called from any thread.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The line `key` of /proc/cpuinfo; empty if there is none.
std::string cpuinfo(const std::string& key);

/// A cache of data, as the first core sees it.
struct data_cache {
  unsigned level = 0;
  std::uint64_t bytes = 0;
  std::uint32_t line = 0;
};
/// All that the system tells, the first level first.
std::vector<data_cache> data_caches();
/// The data cache of the last level.
data_cache largest_cache();

/// Cores that this process may use: those that it may run on, or fewer if its control groups have a limit of time.
std::size_t available_cores();
/// Memory that the process may use: that of the machine, or less if its control group has a limit.
std::uint64_t memory_bytes();
/// The highest that the system tells; 0 if it tells none.
std::uint32_t clock_megahertz();
/// The PCI-SIG's number of the processor's vendor; 0 if it is another one.
std::uint32_t vendor_number();
/// Registers of the instruction set that the CPU can run, in bytes.
std::size_t register_bytes();

} // namespace detail
LANEFOLD_END_NAMESPACE
