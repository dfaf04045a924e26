// SPDX-License-Identifier: Apache-2.0
/// The name of <sycl/ext/intel/fpga_extensions.hpp> before SYCL 2020.
#pragma once

#include <CL/sycl.hpp>

#include <sycl/ext/intel/fpga_extensions.hpp>
