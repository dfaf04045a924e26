// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include sycl_ext_oneapi_work_group_scratch_memory.
#pragma once

#include <sycl/sycl.hpp>
