// SPDX-License-Identifier: Apache-2.0
/// Shows recorded kernels as OpenCL C.
#pragma once

#include <lanefold/recorded/kernels.hpp>

#include <string>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

/// The OpenCL C that a kernel `[=](auto it) {…}` over an ND-range becomes, without the functions of the device library
/// that it calls. The same kernel with the same numbers captured gives the same text. No device is needed; every
/// pointer that the kernel has captured counts as memory that a device reaches. Errors: errc::kernel as for a launch,
/// errc::kernel_argument for a kernel that captures local accessors.
template <class Kernel, int D>
std::string source(const Kernel& kernel, const nd_range<D>& space) {
  const lanefold::detail::launch_settings settings;
  lanefold::detail::kernel_recording recording(nullptr, settings, lanefold::detail::local_filling);
  lanefold::detail::name_kernel_in_errors(settings, typeid(Kernel),
                                          [&] { lanefold::detail::record_nd_kernel(recording, space, kernel); });
  return recording.source(opencl::space_of(space));
}
/// That of the command group of a handler: with its buffers and its local memory.
template <class Kernel, int D>
std::string source(handler& command, const Kernel& kernel, const nd_range<D>& space) {
  const lanefold::detail::launch_settings settings = command.common_settings();
  lanefold::detail::kernel_recording recording(&command, settings, lanefold::detail::local_filling);
  const auto record = [&](lanefold::detail::kernel_recording& to) {
    lanefold::detail::record_nd_kernel(to, space, kernel);
  };
  lanefold::detail::name_kernel_in_errors(settings, typeid(Kernel), [&] {
    record(recording);
    if (settings.local_bytes != 0) {
      lanefold::detail::check_other_fillings(recording, command, settings, record);
    }
  });
  return recording.source(opencl::space_of(space));
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
