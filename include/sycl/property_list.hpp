// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include property lists.
#pragma once

#include <sycl/sycl.hpp>
