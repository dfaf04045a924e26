// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include names of backends.
#pragma once

#include <CL/sycl.hpp>
