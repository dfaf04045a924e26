// SPDX-License-Identifier: Apache-2.0
/// context: devices that share memory.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/async_handler.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/property.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class platform;
namespace usm {
enum class alloc;
} // namespace usm
namespace ext::oneapi::experimental {
class memory_pool;
} // namespace ext::oneapi::experimental

namespace detail {

class context_state;
struct weak_access; // weak_object.hpp

} // namespace detail

/// A context [sycl.4.6.3]: a cheap handle, copies stand for the same context, and each construction makes another one.
/// Host only, callable from any thread.
///
/// On the CPU all contexts share one memory: kernels of one reach the USM of another. Yet an allocation belongs to the
/// context that it was made for, and `free` refuses it for another one.
class context {
public:
  /// A context is a place for USM.
  using usm_place = void;

  /// Makes a context of the default device.
  explicit context(const property_list& properties = {});
  /// The handler gets the errors of queues of this context that have none of their own.
  explicit context(async_handler handler, const property_list& properties = {});
  explicit context(const device& of, const property_list& properties = {});
  context(const device& of, async_handler handler, const property_list& properties = {});
  /// Makes a context of all devices of the platform.
  explicit context(const platform& of, const property_list& properties = {});
  context(const platform& of, async_handler handler, const property_list& properties = {});
  /// errc::invalid if there is no device.
  explicit context(const std::vector<device>& of, const property_list& properties = {});
  context(const std::vector<device>& of, async_handler handler, const property_list& properties = {});

  /// The platform of its devices.
  platform get_platform() const;
  /// The devices that it was made of.
  std::vector<device> get_devices() const;
  /// The backend of its devices.
  backend get_backend() const noexcept;
  /// There is no host context since SYCL 2020.
  static constexpr bool is_host() noexcept { return false; }
  /// Answers a query of info::context, such as info::context::devices.
  template <detail::query_in<detail::context_query> Query>
  typename Query::return_type get_info() const {
    return answer<Query>();
  }
  /// Returns whether the context was made with a property of type P.
  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return properties().has_property<P>();
  }
  /// Returns the property of type P that it was made with. Errors: errc::invalid if it was made without.
  template <class P>
  [[nodiscard]] P get_property() const {
    return properties().get_property<P>();
  }

  /// The memory_pool of a device of this context, or of the host, for those who name none. Errors: errc::invalid for a
  /// kind of memory that the pool cannot have, see memory_pool. (SYCL_EXT_ONEAPI_ASYNC_MEMORY_ALLOC)
  template <class Pool = ext::oneapi::experimental::memory_pool>
  [[nodiscard]] Pool ext_oneapi_get_default_memory_pool(const device& of, usm::alloc kind) const {
    return Pool::default_of(*this, of, kind);
  }
  template <class Pool = ext::oneapi::experimental::memory_pool>
  [[nodiscard]] Pool ext_oneapi_get_default_memory_pool(usm::alloc kind) const {
    return Pool::default_of(*this, kind);
  }

  /// Equal if they are handles of the same context.
  friend bool operator==(const context&, const context&) noexcept = default;

  /// Only the library calls this: it returns the number by which the USM registry knows the context; never 0, never
  /// used again.
  std::uint64_t usm_context() const;
  /// Only the library calls these.
  const detail::shared_part<const detail::context_state>& state() const {
    if (!m_state) [[unlikely]] {
      detail::throw_moved_from("context");
    }
    return m_state;
  }
  std::shared_ptr<const void> shared_state() const;
  explicit context(detail::shared_part<const detail::context_state> state) noexcept;

private:
  friend struct std::hash<context>;
  friend struct detail::weak_access;

  // Without a constraint: compilers do not agree on the names of functions that have one.
  template <class Query>
  typename Query::return_type answer() const;

  const property_list& properties() const noexcept;

  detail::shared_part<const detail::context_state> m_state;
};

namespace property::buffer {
/// The buffer is used in queues of this context only. (On a CPU nothing follows from it.)
class context_bound : public detail::runtime_property {
public:
  explicit context_bound(const context& where) : m_where(where) {}
  [[nodiscard]] context get_context() const { return m_where; }

private:
  context m_where;
};
} // namespace property::buffer

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::context> {
  std::size_t operator()(const lanefold::context& c) const noexcept {
    return std::hash<const void*>()(c.m_state.get());
  }
};
