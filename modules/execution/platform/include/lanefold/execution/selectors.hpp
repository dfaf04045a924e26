// SPDX-License-Identifier: Apache-2.0
/// Device selectors: functions that give devices a score.
#pragma once

#include <lanefold/execution/aspect.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/device.hpp>

#include <concepts>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

int default_score(const device& candidate);
// The scores for a kind of device. They throw errc::runtime if the machine has none, and say what to use instead.
int cpu_score(const device& candidate);
int gpu_score(const device& candidate);
int accelerator_score(const device& candidate);

/// Is one type for all of them, so that programs may write `gpu ? gpu_selector_v : cpu_selector_v`.
struct standard_selector {
  int (*score)(const device& candidate);
  int operator()(const device& candidate) const { return score(candidate); }
};

} // namespace detail

// The standard selectors [sycl.4.6.1.1]. Asking for a kind of device that this library cannot give throws
// errc::runtime.
inline constexpr detail::standard_selector default_selector_v{detail::default_score};
inline constexpr detail::standard_selector cpu_selector_v{detail::cpu_score};
inline constexpr detail::standard_selector gpu_selector_v{detail::gpu_score};
inline constexpr detail::standard_selector accelerator_selector_v{detail::accelerator_score};

/// Is what aspect_selector returns: it scores devices that have all aspects of the one list and none of the other.
class aspects_selector {
public:
  aspects_selector(std::vector<aspect> required, std::vector<aspect> denied);
  int operator()(const device& candidate) const;

private:
  struct aspects;
  detail::shared_part<const aspects> m_aspects;
};

/// A selector for devices with all of these aspects, and with none of the denied ones. Where the environment says
/// LANEFOLD_SELECTOR=cpu, the CPU of this process passes for a GPU and an accelerator where these are required.
// [sycl.4.6.1.1]
aspects_selector aspect_selector(const std::vector<aspect>& required, const std::vector<aspect>& denied = {});
template <std::same_as<aspect>... Aspects>
aspects_selector aspect_selector(Aspects... required) {
  return {{required...}, {}};
}
template <aspect... Required>
aspects_selector aspect_selector() {
  return {{Required...}, {}};
}

/// SYCL 1.2.1's base of selectors, for programs that derive from it. [sycl.E]
class device_selector {
public:
  virtual ~device_selector() = default;
  virtual int operator()(const device& candidate) const = 0;
  device select_device() const;
  /// Only the library calls this.
  static int score_by(const device_selector& selector, const device& candidate) { return selector(candidate); }

protected:
  device_selector() = default;
  device_selector(const device_selector&) = default;
  device_selector& operator=(const device_selector&) = default;
};

// SYCL 1.2.1's selectors, deprecated there: `queue q{gpu_selector{}}`.
class default_selector : public device_selector {
public:
  int operator()(const device& d) const override;
};
class cpu_selector : public device_selector {
public:
  int operator()(const device& d) const override;
};
class gpu_selector : public device_selector {
public:
  int operator()(const device& d) const override;
};
class accelerator_selector : public device_selector {
public:
  int operator()(const device& d) const override;
};
/// The host is the CPU device.
class host_selector : public device_selector {
public:
  int operator()(const device& d) const override;
};

namespace ext::oneapi {

/// Chooses by a text: `gpu`, `opencl:cpu`, `opencl:gpu:1`, `gpu,cpu` — filters of a backend, a type of device and a
/// number among the devices that match so far, each of which may be missing. Of the devices that match a filter the
/// default selector's choice is taken; where none matches, errc::runtime. Backends are `lanefold_cpu`, `opencl` and
/// those of DPC++, of which there are no devices; the type `host` is the CPU of this process. Where the environment
/// says LANEFOLD_SELECTOR=cpu, every filter matches the CPU of this process and no other device, whatever backend, type
/// and number it names. (sycl_ext_oneapi_filter_selector)
///
/// The constructor throws errc::runtime for a text that is no filter.
class filter_selector : public device_selector {
public:
  filter_selector(const std::string& filters);
  int operator()(const device& candidate) const override;

private:
  std::string m_filters;
};

} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE
