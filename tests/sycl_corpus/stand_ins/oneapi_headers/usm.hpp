// SPDX-License-Identifier: Apache-2.0
/// DPC++ finds its own headers without `sycl/`, which editors write into programs.
#include <sycl/sycl.hpp>
