// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for DPC++ include the smaller part of SYCL.
#pragma once

#include <sycl/sycl.hpp>
