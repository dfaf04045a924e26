// SPDX-License-Identifier: Apache-2.0
/// OpenCL devices and how to choose one.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/gpu/device_library.hpp>

#include <concepts>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace opencl {
struct device_state;

/// Including this file makes lanefold::platform and lanefold::device know OpenCL's, where lanefold::gpu is linked:
/// weak, because a program may include all of the library and link less.
extern "C" [[gnu::weak]] bool lanefold_gpu_register_platforms() noexcept;
inline const bool platforms_are_registered =
    lanefold_gpu_register_platforms != nullptr && lanefold_gpu_register_platforms();
} // namespace opencl

/// Says how a device does USM. The environment variable LANEFOLD_GPU_USM (`intel`, `svm`, `handles`) asks for one, for
/// comparisons and tests; else it is the best that the device offers.
enum class usm_support {
  none,    ///< LANEFOLD_GPU_USM asks for what the device lacks
  handles, ///< pointers stand for buffers, which launch, memcpy and memset put in their place (see malloc_device)
  svm,     ///< coarse-grained SVM, or better
  intel,   ///< cl_intel_unified_shared_memory
};

/// An OpenCL device: a cheap handle, copies stand for the same device. Host only; callable from any thread.
class device {
public:
  [[nodiscard]] std::string get_name() const;
  [[nodiscard]] std::string get_vendor() const;
  [[nodiscard]] std::string get_platform_name() const;
  [[nodiscard]] std::string get_driver_version() const;
  [[nodiscard]] bool is_cpu() const noexcept;
  [[nodiscard]] bool is_gpu() const noexcept;
  [[nodiscard]] bool is_accelerator() const noexcept;

  [[nodiscard]] std::size_t max_compute_units() const;
  /// Work-items per work-group.
  [[nodiscard]] std::size_t max_work_group_size() const;
  /// Bytes of local memory per work-group.
  [[nodiscard]] std::size_t local_memory_bytes() const;
  [[nodiscard]] std::size_t global_memory_bytes() const;
  /// An OpenCL extension by its name.
  [[nodiscard]] bool has_extension(std::string_view name) const;
  [[nodiscard]] bool has_fp16() const;
  [[nodiscard]] bool has_fp64() const;

  [[nodiscard]] gpu::usm_support get_usm_support() const noexcept;
  /// Returns whether there is USM: memory that kernels reach by pointers which the host allocates and copies to …
  [[nodiscard]] bool has_usm_device() const;
  /// … and which the host may also follow.
  [[nodiscard]] bool has_usm_shared() const;

  /// Returns what the device library must know of this device to be printed for it.
  [[nodiscard]] const gpu::library_target& library_target() const;

  /// Returns the same device for lanefold::queue and all else that takes devices of the module execution.
  operator lanefold::device() const;

  /// Equal if they stand for the same device.
  friend bool operator==(const device&, const device&) = default;

  /// Only the library calls these.
  explicit device(std::shared_ptr<opencl::device_state> state) noexcept : m_state(std::move(state)) {}
  [[nodiscard]] opencl::device_state& state() const noexcept { return *m_state; }
  [[nodiscard]] const std::shared_ptr<opencl::device_state>& shared_state() const noexcept { return m_state; }

private:
  std::shared_ptr<opencl::device_state> m_state;
};

/// All OpenCL devices that the environment variable LANEFOLD_GPU_DEVICE names, found once; none if there is no OpenCL
/// platform. The variable is words separated by commas, all of which must hold for a device: `gpu`, `cpu`,
/// `accelerator`, or a part of the device's or platform's name (any case). Not set: every device.
std::vector<device> devices();

/// Returns whether a device fits the words described at `devices`.
bool matches(const device& candidate, std::string_view words);

/// The devices that fit the words.
std::vector<device> devices(std::string_view words);

/// Chooses a device: the one with the highest value is taken, negative values are never taken. [sycl.4.6.1.1]
template <class S>
concept DeviceSelector =
    std::invocable<const S&, const device&> && std::convertible_to<std::invoke_result_t<const S&, const device&>, int>;

/// GPUs only. [sycl.4.6.1.1]
struct gpu_selector {
  int operator()(const device& d) const noexcept { return d.is_gpu() ? 1 : -1; }
};
/// CPUs only, as OpenCL devices.
struct cpu_selector {
  int operator()(const device& d) const noexcept { return d.is_cpu() ? 1 : -1; }
};
/// GPUs before accelerators before CPUs.
struct default_selector {
  int operator()(const device& d) const noexcept { return d.is_gpu() ? 3 : d.is_accelerator() ? 2 : 1; }
};
inline constexpr gpu_selector gpu_selector_v{};
inline constexpr cpu_selector cpu_selector_v{};
inline constexpr default_selector default_selector_v{};

namespace opencl {
/// Throws errc::runtime: nothing was chosen of what there is, and how to get more.
[[noreturn]] void refuse_no_device(std::string_view wanted);
} // namespace opencl

/// The device that the selector likes best, the first of several. Throws errc::runtime with what is missing and how to
/// get it if there is none.
template <DeviceSelector S>
device select_device(const S& selector) {
  const device* best = nullptr;
  int best_score = -1;
  const std::vector<device> all = devices();
  for (const device& candidate : all) {
    if (const int score = selector(candidate); score > best_score) {
      best = &candidate;
      best_score = score;
    }
  }
  if (best == nullptr)
    opencl::refuse_no_device("a device that the selector takes");
  return *best;
}
/// The first device that fits the words (see `devices`).
device select_device(std::string_view words);

} // namespace gpu
LANEFOLD_END_NAMESPACE
