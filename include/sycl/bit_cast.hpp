// SPDX-License-Identifier: Apache-2.0
/// The name by which libraries as Ginkgo include bit_cast from DPC++.
#pragma once

#include <sycl/sycl.hpp>
