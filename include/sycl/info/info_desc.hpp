// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include what can be asked for.
#pragma once

#include <sycl/sycl.hpp>
