// SPDX-License-Identifier: Apache-2.0
/// All that programs for FPGAs find here: selectors, pipes, loads and stores.
#pragma once

#include <sycl/ext/intel/fpga_device_selector.hpp>
#include <sycl/ext/intel/fpga_lsu.hpp>
#include <sycl/ext/intel/pipes.hpp>
