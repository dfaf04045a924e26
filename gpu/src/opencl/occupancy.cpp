// SPDX-License-Identifier: Apache-2.0
#include "states.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/gpu/occupancy.hpp>

#include <cstddef>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace {

// cl_intel_device_attribute_query
constexpr cl_device_info intel_slices = 0x4252;
constexpr cl_device_info intel_sub_slices_per_slice = 0x4253;
constexpr cl_device_info intel_units_per_sub_slice = 0x4254;
constexpr cl_device_info intel_threads_per_unit = 0x4255;
// cl_nv_device_attribute_query
constexpr cl_device_info nv_capability_major = 0x4000;
constexpr cl_device_info nv_capability_minor = 0x4001;
constexpr cl_device_info nv_warp_size = 0x4003;

std::size_t number(const device& of, cl_device_info what) {
  cl_uint value = 0;
  if (clGetDeviceInfo(of.state().handle(), what, sizeof(value), &value, nullptr) != CL_SUCCESS || value == 0)
    throw exception(make_error_code(errc::feature_not_supported),
                    "occupancy: " + of.get_name() + " does not tell its attribute " + std::to_string(what));
  return value;
}

occupancy_limits limits_of_intel(const device& of) {
  const std::size_t threads = number(of, intel_units_per_sub_slice) * number(of, intel_threads_per_unit);
  std::vector<std::size_t> sizes = of.library_target().sub_group_sizes;
  if (sizes.empty())
    sizes = {8, 16, 32};
  return {of.get_name(),
          number(of, intel_slices) * number(of, intel_sub_slices_per_slice),
          threads,
          of.max_work_group_size(),
          16,
          of.local_memory_bytes(),
          sizes};
}

/// Holds the limits of a multiprocessor of a compute capability.
struct capability {
  unsigned version; ///< ten times the major number, plus the minor one
  std::size_t warps, groups, kibibytes;
};
constexpr capability capabilities[] = {{70, 64, 32, 96},  {75, 32, 16, 64},   {80, 64, 32, 164},
                                       {86, 48, 16, 100}, {87, 48, 16, 164},  {89, 48, 24, 100},
                                       {90, 64, 32, 228}, {100, 64, 32, 228}, {120, 48, 24, 100}};

occupancy_limits limits_of_nvidia(const device& of) {
  const auto version = static_cast<unsigned>(10 * number(of, nv_capability_major));
  cl_uint minor = 0; // may be 0
  clGetDeviceInfo(of.state().handle(), nv_capability_minor, sizeof(minor), &minor, nullptr);
  for (const capability& known : capabilities) {
    if (known.version == version + minor)
      return {of.get_name(),         of.max_compute_units(),    known.warps, of.max_work_group_size(), known.groups,
              known.kibibytes << 10, {number(of, nv_warp_size)}};
  }
  throw exception(make_error_code(errc::feature_not_supported),
                  "occupancy: " + of.get_name() + " has the compute capability " + std::to_string(version / 10) + "." +
                      std::to_string(minor) + ", whose limits are not known here");
}

} // namespace

occupancy_limits occupancy_limits_of(const device& of) {
  if (of.has_extension("cl_nv_device_attribute_query"))
    return limits_of_nvidia(of);
  if (of.is_gpu() && of.has_extension("cl_intel_device_attribute_query"))
    return limits_of_intel(of);
  throw exception(make_error_code(errc::feature_not_supported),
                  "occupancy: " + of.get_name() +
                      " does not tell how many threads it holds (no cl_intel_device_attribute_query of a GPU, no "
                      "cl_nv_device_attribute_query)");
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
