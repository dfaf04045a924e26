// SPDX-License-Identifier: Apache-2.0
/// The index space of a launch.
#pragma once

#include <lanefold/execution/nd_range.hpp>
#include <lanefold/id.hpp>

#include <algorithm>
#include <array>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// An index space as OpenCL counts: dimension 0 varies fastest.
struct launch_space {
  std::size_t dimensions;
  std::array<std::size_t, 3> global, local, offset;
};

/// OpenCL has three dimensions: of more, the last one counts the planes of an index space (id.hpp), which have no
/// offset.
template <int D>
launch_space space_of(const nd_range<D>& r) {
  launch_space s{std::min<std::size_t>(D, 3), {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  for (int d = std::max(D - 3, 0); d < D; ++d) {
    const std::size_t to = static_cast<std::size_t>(D - 1 - d);
    s.global[to] = r.get_global_range()[d];
    s.local[to] = r.get_local_range()[d];
    s.offset[to] = r.get_offset()[d];
  }
  if constexpr (D > 3) {
    s.global[2] = lanefold::detail::planes_of(r.get_global_range());
    s.local[2] = lanefold::detail::planes_of(r.get_local_range());
    s.offset[2] = 0;
  }
  return s;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
