// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/platform.hpp>

#include "platform_entry.hpp"

#include <lanefold/execution/context.hpp>
#include <lanefold/simd/isa.hpp>

#include <algorithm>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

const platform_entry& cpu_platform() {
  static const platform_entry& entry = [&]() -> const platform_entry& {
    auto& made = *new platform_entry{backend::lanefold_cpu, {}};
    made.devices.push_back({&made, info::device_type::cpu});
    return made;
  }();
  return entry;
}

namespace {

std::string answer(info::platform::profile) { return "FULL_PROFILE"; }
std::string answer(info::platform::version) { return "SYCL 2020, Lanefold " LANEFOLD_VERSION_STRING; }
std::string answer(info::platform::name) { return "Lanefold"; }
std::string answer(info::platform::vendor) { return "Lanefold"; }
std::vector<std::string> answer(info::platform::extensions) { return device().get_info<info::device::extensions>(); }

} // namespace
} // namespace detail

platform::platform() noexcept : m_entry(&detail::cpu_platform()) {}

backend platform::get_backend() const noexcept { return m_entry->kind; }

std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> found;
  for (const detail::device_entry& entry : m_entry->devices) {
    // The host device of SYCL 1.2.1 is the CPU.
    const bool wanted = type == info::device_type::all || type == info::device_type::automatic || type == entry.type ||
                        (type == info::device_type::host && entry.type == info::device_type::cpu);
    if (wanted) {
      found.emplace_back(&entry);
    }
  }
  return found;
}

bool platform::has(aspect asked) const noexcept {
  const std::vector<detail::device_entry>& all = m_entry->devices;
  return std::all_of(all.begin(), all.end(),
                     [asked](const detail::device_entry& entry) { return device(&entry).has(asked); });
}

bool platform::has_extension(const std::string& name) const {
  const std::vector<detail::device_entry>& all = m_entry->devices;
  return std::all_of(all.begin(), all.end(),
                     [&](const detail::device_entry& entry) { return device(&entry).has_extension(name); });
}

std::vector<platform> platform::get_platforms() { return {platform()}; }

template <class Query>
typename Query::return_type platform::answer() const {
  return detail::answer(Query());
}
template std::string platform::answer<info::platform::profile>() const;
template std::string platform::answer<info::platform::version>() const;
template std::string platform::answer<info::platform::name>() const;
template std::string platform::answer<info::platform::vendor>() const;
template std::vector<std::string> platform::answer<info::platform::extensions>() const;

LANEFOLD_END_NAMESPACE
