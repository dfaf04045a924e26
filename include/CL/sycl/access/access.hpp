// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include access modes.
#pragma once

#include <CL/sycl.hpp>
