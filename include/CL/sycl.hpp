// SPDX-License-Identifier: Apache-2.0
/// The name that SYCL 1.2.1 programs include: `cl::sycl` beside `sycl`. [sycl.4.3]
#pragma once

#include <sycl/sycl.hpp>

namespace cl {
namespace sycl = ::sycl;
} // namespace cl
