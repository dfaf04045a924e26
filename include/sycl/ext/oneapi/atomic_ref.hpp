// SPDX-License-Identifier: Apache-2.0
/// The name by which programs for oneAPI include atomic_ref.
#pragma once

#include <sycl/sycl.hpp>
