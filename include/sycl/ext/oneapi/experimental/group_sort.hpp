// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include sycl_ext_oneapi_group_sort.
#pragma once

#include <sycl/sycl.hpp>
