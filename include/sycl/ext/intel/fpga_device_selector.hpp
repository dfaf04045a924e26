// SPDX-License-Identifier: Apache-2.0
/// Selectors of programs for FPGAs. There is no FPGA here: all of them choose the CPU, as that of the emulator does, on
/// which such programs are developed. (sycl_ext_intel_fpga_device_selector)
#pragma once

#include <sycl/sycl.hpp>

#include <lanefold/detail/macros_of_programs_begin.hpp>

#if __has_include(<lanefold/execution.hpp>)
LANEFOLD_BEGIN_NAMESPACE
namespace ext::intel {

inline constexpr auto fpga_selector_v = cpu_selector_v;
inline constexpr auto fpga_emulator_selector_v = cpu_selector_v;
inline constexpr auto fpga_simulator_selector_v = cpu_selector_v;
using fpga_selector = cpu_selector;
using fpga_emulator_selector = cpu_selector;
using fpga_simulator_selector = cpu_selector;

} // namespace ext::intel
LANEFOLD_END_NAMESPACE

/// The name that the namespace had before SYCL 2020.
namespace sycl::INTEL {
using lanefold::host_selector;
using lanefold::ext::intel::fpga_emulator_selector;
using lanefold::ext::intel::fpga_selector;
using lanefold::ext::intel::fpga_simulator_selector;
} // namespace sycl::INTEL

#endif

#include <lanefold/detail/macros_of_programs_end.hpp>
