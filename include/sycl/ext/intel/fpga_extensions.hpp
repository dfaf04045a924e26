// SPDX-License-Identifier: Apache-2.0
/// All that programs for FPGAs find here: selectors, pipes, interfaces, loads and stores.
#pragma once

#include <sycl/ext/intel/fpga_device_selector.hpp>
#include <sycl/ext/intel/fpga_interfaces.hpp>
#include <sycl/ext/intel/fpga_lsu.hpp>
#include <sycl/ext/intel/pipes.hpp>

// Programs compare the code of an exception with these of OpenCL, which come with other implementations' headers.
#ifndef CL_SUCCESS
#define CL_SUCCESS 0
#endif
#ifndef CL_DEVICE_NOT_FOUND
#define CL_DEVICE_NOT_FOUND -1
#endif
