// SPDX-License-Identifier: Apache-2.0
/// platform: where devices come from.
#pragma once

#include <lanefold/execution/device.hpp>

#include <functional>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class context;

namespace detail {

struct platform_entry;

} // namespace detail

/// A platform [sycl.4.6.2]: a cheap handle, copies stand for the same platform. Host only, callable from any thread.
/// There is the CPU of this process, and with <lanefold/gpu.hpp> each OpenCL platform.
class platform {
public:
  /// Makes a handle of the default device's platform.
  platform() noexcept;
  /// Makes a handle of the platform of the device that a selector chooses; errc::runtime if it chooses none.
  template <detail::device_selector Selector>
  explicit platform(const Selector& selector) : platform(device(selector).get_platform()) {}

  backend get_backend() const noexcept;
  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;
  /// There is no host platform since SYCL 2020.
  static constexpr bool is_host() noexcept { return false; }
  /// Returns whether all its devices have the aspect.
  bool has(aspect asked) const noexcept;
  bool has_extension(const std::string& name) const;
  template <detail::query_in<detail::platform_query> Query>
  typename Query::return_type get_info() const {
    return answer<Query>();
  }
  /// The context of queues that are given none, and of USM that is given a device alone. (Each OpenCL device has one of
  /// its own; this is that of the first.)
  context khr_get_default_context() const;

  static std::vector<platform> get_platforms();

  friend bool operator==(const platform&, const platform&) noexcept = default;

  /// Only the library calls these.
  const detail::platform_entry* entry() const noexcept { return m_platform; }
  explicit platform(const detail::platform_entry* entry) noexcept : m_platform(entry) {}

private:
  // Without a constraint: compilers do not agree on the names of functions that have one.
  template <class Query>
  typename Query::return_type answer() const;

  const detail::platform_entry* m_platform; // lives as long as the process
};

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::platform> {
  std::size_t operator()(const lanefold::platform& p) const noexcept {
    return std::hash<const lanefold::detail::platform_entry*>()(p.entry());
  }
};
