// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include reductions.
#pragma once

#include <sycl/sycl.hpp>
