// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include group algorithms.
#pragma once

#include <sycl/sycl.hpp>
