// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/context.hpp>

#include <lanefold/execution/detail/context_state.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>
#include <lanefold/execution/platform.hpp>

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

std::atomic<std::uint64_t> contexts_made{0};

std::shared_ptr<const context_state> make_context(std::vector<device> devices, async_handler handler,
                                                  const property_list& properties) {
  if (devices.empty()) {
    throw exception(make_error_code(errc::invalid), "a context needs at least one device");
  }
  for (const device& d : devices) {
    if (d.get_platform() != devices.front().get_platform()) {
      throw exception(make_error_code(errc::invalid), "the devices of a context belong to one platform");
    }
    if (d.entry()->native != nullptr && devices.size() > 1) {
      throw exception(make_error_code(errc::feature_not_supported),
                      "a context of OpenCL devices has one device: each has memory of its own here");
    }
  }
  return std::make_shared<const context_state>(std::move(devices), std::move(handler), properties);
}

} // namespace

context_state::context_state(std::vector<device> of, async_handler errors, const property_list& given)
    : devices(std::move(of)), handler(std::move(errors)), properties(given), number(contexts_made.fetch_add(1) + 1) {
  if (device_backend* const native = devices.front().entry()->native) {
    add_usm_source(number, native->usm());
  }
}

context_state::~context_state() {
  if (devices.front().entry()->native != nullptr) {
    remove_usm_source(number);
  }
}

context default_context(const device& of) {
  static std::mutex guard;
  static auto& contexts = *new std::map<const device_entry*, context>(); // live as long as the process
  const std::lock_guard lock(guard);
  return contexts.try_emplace(of.entry(), of).first->second;
}

} // namespace detail

context::context(const property_list& properties) : context(device(), {}, properties) {}
context::context(async_handler handler, const property_list& properties)
    : context(device(), std::move(handler), properties) {}
context::context(const device& of, const property_list& properties) : context(of, {}, properties) {}
context::context(const device& of, async_handler handler, const property_list& properties)
    : context(std::vector{of}, std::move(handler), properties) {}
context::context(const platform& of, const property_list& properties) : context(of, {}, properties) {}
context::context(const platform& of, async_handler handler, const property_list& properties)
    : context(of.get_devices(), std::move(handler), properties) {}
context::context(const std::vector<device>& of, const property_list& properties) : context(of, {}, properties) {}
context::context(const std::vector<device>& of, async_handler handler, const property_list& properties)
    : m_state(detail::make_context(of, std::move(handler), properties)) {}

platform context::get_platform() const { return state()->devices.front().get_platform(); }
std::vector<device> context::get_devices() const { return state()->devices; }
backend context::get_backend() const noexcept { return state()->devices.front().get_backend(); }
std::uint64_t context::usm_context() const { return state()->number; }
const property_list& context::properties() const noexcept { return state()->properties; }

context platform::khr_get_default_context() const { return detail::default_context(get_devices().front()); }

context::context(detail::shared_part<const detail::context_state> state) noexcept : m_state(std::move(state)) {}

std::shared_ptr<const void> context::shared_state() const { return state().share(); }

context exception::get_context() const {
  if (!has_context()) {
    throw exception(make_error_code(errc::invalid), "exception::get_context: this exception has no context");
  }
  return context(std::static_pointer_cast<const detail::context_state>(m_context));
}

namespace detail {
namespace {

platform answer(const context& c, info::context::platform) { return c.get_platform(); }
std::vector<device> answer(const context& c, info::context::devices) { return c.get_devices(); }
// All devices of a context are of one kind.
std::vector<memory_order> answer(const context& c, info::context::atomic_memory_order_capabilities) {
  return c.get_devices().front().get_info<info::device::atomic_memory_order_capabilities>();
}
std::vector<memory_order> answer(const context& c, info::context::atomic_fence_order_capabilities) {
  return c.get_devices().front().get_info<info::device::atomic_fence_order_capabilities>();
}
std::vector<memory_scope> answer(const context& c, info::context::atomic_memory_scope_capabilities) {
  return c.get_devices().front().get_info<info::device::atomic_memory_scope_capabilities>();
}
std::vector<memory_scope> answer(const context& c, info::context::atomic_fence_scope_capabilities) {
  return c.get_devices().front().get_info<info::device::atomic_fence_scope_capabilities>();
}
std::uint32_t answer(const context& c, info::context::reference_count) {
  return static_cast<std::uint32_t>(c.state().use_count());
}

} // namespace
} // namespace detail

template <class Query>
typename Query::return_type context::answer() const {
  return detail::answer(*this, Query());
}
template platform context::answer<info::context::platform>() const;
template std::vector<device> context::answer<info::context::devices>() const;
template std::uint32_t context::answer<info::context::reference_count>() const;

template std::vector<memory_order> context::answer<info::context::atomic_memory_order_capabilities>() const;
template std::vector<memory_order> context::answer<info::context::atomic_fence_order_capabilities>() const;
template std::vector<memory_scope> context::answer<info::context::atomic_memory_scope_capabilities>() const;
template std::vector<memory_scope> context::answer<info::context::atomic_fence_scope_capabilities>() const;

LANEFOLD_END_NAMESPACE
