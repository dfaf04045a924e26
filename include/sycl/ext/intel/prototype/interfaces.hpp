// SPDX-License-Identifier: Apache-2.0
/// A name by which programs for FPGAs include pipes and interfaces.
#pragma once

#include <sycl/ext/intel/fpga_extensions.hpp>
