// SPDX-License-Identifier: Apache-2.0
#include "devices.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace finite_volumes {
namespace lf = lanefold;

std::string device_of_rank::text() const {
  return "device " + std::to_string(number) + " of " + std::to_string(count) + ", " +
         device.get_info<lf::info::device::name>();
}

device_of_rank device_for(const ranks& among) {
  std::vector<lf::device> alike = lf::device::get_devices();
  std::erase_if(alike, [](const lf::device& d) { return d.get_backend() != lf::backend::opencl; });
  if (alike.empty()) {
    throw std::runtime_error("--device opencl: this host has no OpenCL device: a driver is missing, or "
                             "LANEFOLD_GPU_DEVICE in the environment names none that is there");
  }
  const auto gpu = std::ranges::find_if(alike, [](const lf::device& d) { return d.is_gpu(); });
  const lf::device first = gpu != alike.end() ? *gpu : alike.front();
  const auto name = [](const lf::device& d) { return d.get_info<lf::info::device::name>(); };
  std::erase_if(
      alike, [&](const lf::device& d) { return d.get_platform() != first.get_platform() || name(d) != name(first); });
  const std::size_t number = among.rank_on_host() % alike.size();
  return {alike[number], number, alike.size()};
}

} // namespace finite_volumes
