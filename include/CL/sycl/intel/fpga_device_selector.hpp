// SPDX-License-Identifier: Apache-2.0
/// The name of <sycl/ext/intel/fpga_device_selector.hpp> before SYCL 2020.
#pragma once

#include <CL/sycl.hpp>

#include <sycl/ext/intel/fpga_device_selector.hpp>
