// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI, whose compiler looks for headers in the folder sycl too, include SYCL.
#pragma once

#include <sycl/sycl.hpp>
