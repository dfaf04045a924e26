// SPDX-License-Identifier: Apache-2.0
/// Which OpenCL device a rank has.
#pragma once

#include "ranks.hpp"

#include <lanefold/lanefold.hpp>

#include <cstddef>
#include <string>

namespace finite_volumes {

/// One of the devices of a host that are alike.
struct device_of_rank {
  lanefold::device device;
  std::size_t number; ///< among them, from 0
  std::size_t count;

  /// Returns which one it is, for people.
  [[nodiscard]] std::string text() const;
};

/// Deals the OpenCL devices of a host over its ranks, in turns: those that are like the first GPU, or like the first
/// device where there is no GPU, of the same platform and name. LANEFOLD_GPU_DEVICE says which ones there are. Throws
/// std::runtime_error where there is none.
device_of_rank device_for(const ranks& among);

} // namespace finite_volumes
