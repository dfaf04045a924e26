// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/platform.hpp>

#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

const platform_entry& cpu_platform() {
  static const platform_entry* const entry = [] {
    auto* const made = new platform_entry{
        backend::lanefold_cpu, {}, "Lanefold", "Lanefold", "SYCL 2020, Lanefold " LANEFOLD_VERSION_STRING,
        "FULL_PROFILE",        {}};
    made->devices.push_back({made, info::device_type::cpu});
    made->extensions = device(&made->devices.front()).get_info<info::device::extensions>();
    return made;
  }();
  return *entry;
}

namespace {

/// The backends beside the CPU. Never destroyed: modules add theirs before main, and programs may ask after it.
struct backend_registry {
  std::mutex guard;
  std::vector<platform_finder> finders;
};
backend_registry& registry() {
  static backend_registry& only = *new backend_registry;
  return only;
}

std::vector<platform_finder> registered_finders() {
  const std::lock_guard lock(registry().guard);
  return registry().finders;
}

bool is_visible(const device_entry& entry) { return entry.native == nullptr || entry.native->is_visible(); }

std::string answer(const platform_entry& of, info::platform::profile) { return of.profile; }
std::string answer(const platform_entry& of, info::platform::version) { return of.version; }
std::string answer(const platform_entry& of, info::platform::name) { return of.name; }
std::string answer(const platform_entry& of, info::platform::vendor) { return of.vendor; }
std::vector<std::string> answer(const platform_entry& of, info::platform::extensions) { return of.extensions; }

} // namespace

void add_platforms(platform_finder find) {
  const std::lock_guard lock(registry().guard);
  std::vector<platform_finder>& all = registry().finders;
  if (std::find(all.begin(), all.end(), find) == all.end()) {
    all.push_back(find);
  }
}

void remove_platforms(platform_finder find) noexcept {
  const std::lock_guard lock(registry().guard);
  std::erase(registry().finders, find);
}

} // namespace detail

// These members of device need platforms.
platform device::get_platform() const { return platform(m_device->home); }

std::vector<device> device::get_devices(info::device_type type) {
  std::vector<device> all;
  for (const platform& p : platform::get_platforms()) {
    const std::vector<device> its = p.get_devices(type);
    all.insert(all.end(), its.begin(), its.end());
  }
  return all;
}

// ---- platform

platform::platform() noexcept : m_platform(&detail::cpu_platform()) {}

backend platform::get_backend() const noexcept { return m_platform->kind; }

std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> found;
  for (const detail::device_entry& entry : m_platform->devices) {
    // The host device of SYCL 1.2.1 is the CPU.
    const bool wanted = type == info::device_type::all || type == info::device_type::automatic || type == entry.type ||
                        (type == info::device_type::host && entry.type == info::device_type::cpu);
    if (wanted && detail::is_visible(entry)) {
      found.emplace_back(&entry);
    }
  }
  return found;
}

bool platform::has(aspect asked) const noexcept {
  const std::vector<detail::device_entry>& all = m_platform->devices;
  return std::all_of(all.begin(), all.end(),
                     [asked](const detail::device_entry& entry) { return device(&entry).has(asked); });
}

bool platform::has_extension(const std::string& name) const {
  const std::vector<detail::device_entry>& all = m_platform->devices;
  return std::all_of(all.begin(), all.end(),
                     [&](const detail::device_entry& entry) { return device(&entry).has_extension(name); });
}

std::vector<platform> platform::get_platforms() {
  std::vector<platform> all{platform()};
  for (const detail::platform_finder find : detail::registered_finders()) {
    for (const detail::platform_entry* other : find()) {
      if (std::any_of(other->devices.begin(), other->devices.end(), detail::is_visible)) {
        all.emplace_back(other);
      }
    }
  }
  return all;
}

template <class Query>
typename Query::return_type platform::answer() const {
  return detail::answer(*m_platform, Query());
}
template std::string platform::answer<info::platform::profile>() const;
template std::string platform::answer<info::platform::version>() const;
template std::string platform::answer<info::platform::name>() const;
template std::string platform::answer<info::platform::vendor>() const;
template std::vector<std::string> platform::answer<info::platform::extensions>() const;

LANEFOLD_END_NAMESPACE
