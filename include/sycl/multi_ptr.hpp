// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include multi_ptr.
#pragma once

#include <sycl/sycl.hpp>
