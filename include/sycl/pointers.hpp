// SPDX-License-Identifier: Apache-2.0
/// A name by which programs for oneAPI include a part of <sycl/sycl.hpp>: it is all of it.
#pragma once

#include <sycl/sycl.hpp>
