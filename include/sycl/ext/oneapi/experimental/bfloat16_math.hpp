// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include sycl_ext_oneapi_bfloat16_math_functions.
#pragma once

#include <sycl/sycl.hpp>
