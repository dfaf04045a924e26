// SPDX-License-Identifier: Apache-2.0
#include <sycl/sycl.hpp>

#include "kernels.hpp"
#include "launches.hpp"

std::vector<int> surfaces::lanes_by_sycl() {
  std::vector<int> lanes(11, -1);
  LAUNCH_ALL_KERNELS(lanes);
  return lanes;
}
