// SPDX-License-Identifier: Apache-2.0
#include <lanefold/lanefold.hpp>

#include "kernels.hpp"
#include "launches.hpp"

std::vector<int> surfaces::lanes_by_lanefold() {
  std::vector<int> lanes(11, -1);
  LAUNCH_ALL_KERNELS(lanes);
  return lanes;
}
