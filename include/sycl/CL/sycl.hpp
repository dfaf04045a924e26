// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include SYCL 1.2.1.
#pragma once

#include <CL/sycl.hpp>
