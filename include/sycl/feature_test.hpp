// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include macros of features.
#pragma once

#include <sycl/sycl.hpp>
