// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/device.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>
#include <lanefold/execution/nd_range.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE

device::device() noexcept : m_device(&detail::cpu_platform().devices.front()) {}

bool device::has(aspect asked) const noexcept {
  return m_device->native != nullptr ? m_device->native->has(asked) : detail::cpu_has(asked);
}

bool device::has_extension(const std::string& name) const {
  const std::vector<std::string> all = get_info<info::device::extensions>();
  return std::find(all.begin(), all.end(), name) != all.end();
}

backend device::get_backend() const noexcept { return m_device->home->kind; }

void device::refuse_partition() const {
  throw exception(
      make_error_code(errc::feature_not_supported),
      "create_sub_devices: devices cannot be divided; property::threads limits the threads of a queue on the CPU");
}

void device::refuse_query() const {
  throw exception(make_error_code(errc::feature_not_supported),
                  "get_info: " + get_name() + " has no such value; device::has tells whether a device has the aspect");
}

void device::check_peer(const device& peer) const {
  if (!ext_oneapi_can_access_peer(peer)) {
    throw exception(make_error_code(errc::invalid),
                    "access to a peer: " + get_name() + " does not reach the memory of " + peer.get_name());
  }
}

std::string device::get_name() const { return get_info<info::device::name>(); }

std::size_t device::max_compute_units() const { return get_info<info::device::max_compute_units>(); }
std::size_t device::max_work_group_size() {
  static_assert(detail::environment_variables::max_work_group_size.most == detail::most_work_items);
  return detail::value_of(detail::environment_variables::max_work_group_size).value_or(1024);
}

LANEFOLD_END_NAMESPACE
