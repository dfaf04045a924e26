// SPDX-License-Identifier: Apache-2.0
#include "launch_space.hpp"

#include <algorithm>
#include <array>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

std::string text_of(const std::array<std::size_t, 3>& extents, std::size_t dimensions) {
  std::string text;
  for (std::size_t d = dimensions; d-- > 0;)
    text += (text.empty() ? "{" : ", ") + std::to_string(extents[d]);
  return text + "}";
}

} // namespace

bool is_empty(const launch_space& space) noexcept {
  return std::find(space.global.begin(), space.global.begin() + space.dimensions, std::size_t{0}) !=
         space.global.begin() + space.dimensions;
}

void check_space(const device& on, const kernel_state& kernel, const built_kernel& built, const launch_space& space) {
  const auto refuse = [&](const std::string& what) {
    throw exception(make_error_code(errc::nd_range), "kernel '" + kernel.title() + "', global range " +
                                                         text_of(space.global, space.dimensions) + ", local range " +
                                                         text_of(space.local, space.dimensions) + ": " + what);
  };
  constexpr auto most = static_cast<std::size_t>(-1);
  std::size_t items = 1;
  for (std::size_t d = 0; d < space.dimensions; ++d) {
    if (space.local[d] == 0)
      refuse("the local range is 0");
    if (space.global[d] % space.local[d] != 0)
      refuse("the local range does not divide the global range");
    if (space.local[d] > on.max_work_group_size() / items)
      refuse("the device has at most " + std::to_string(on.max_work_group_size()) + " work-items per work-group");
    items *= space.local[d];
  }
  if (lanefold::detail::saturated_size(range<3>(space.global[0], space.global[1], space.global[2])) == most)
    refuse("more work-items than 64 bits can count");
  // NVIDIA says 256 of every kernel; there the launch itself fails.
  if (items > built.largest_work_group && !on.library_target().nv)
    refuse("this kernel has at most " + std::to_string(built.largest_work_group) + " work-items per work-group here");
  // Written as OpenCL counts, the other way round.
  const auto written = [](const std::array<std::size_t, 3>& size) {
    return std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " + std::to_string(size[2]);
  };
  const range<3>& option = kernel.options.work_group;
  const std::array<std::size_t, 3> known = {option[0], option[1], option[2]}, &required = built.required_work_group;
  if (option.size() != 0 && known != space.local)
    refuse("the kernel was built with options.work_group = {" + written(known) + "}, whose dimension 0 varies fastest");
  if (required != std::array<std::size_t, 3>{} && required != space.local)
    refuse("the kernel has the attribute reqd_work_group_size(" + written(required) +
           "), whose dimension 0 varies fastest");
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
