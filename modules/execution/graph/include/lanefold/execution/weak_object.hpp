// SPDX-License-Identifier: Apache-2.0
/// References to objects of the library that do not keep what these stand for: caches of buffers and queues, callbacks.
/// [sycl_ext_oneapi_weak_object]
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/context.hpp>
#include <lanefold/execution/kernel_bundle.hpp>
#include <lanefold/execution/queue.hpp>

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Reaches into objects: what all copies of an object share is one std::shared_ptr.
struct weak_access {
  template <class T, int D, class A>
  static auto& shared(buffer<T, D, A>& of) noexcept {
    return of.m_owner;
  }
  static auto& shared(queue& of) noexcept { return of.m_owner; }
  static auto& shared(context& of) noexcept { return of.m_state; }
  template <bundle_state State>
  static auto& shared(kernel_bundle<State>& of) noexcept {
    return of.m_contents;
  }
  template <bundle_state State>
  static auto& shared(device_image<State>& of) noexcept {
    return of.m_of;
  }
};

template <class Object>
concept has_weak_objects = requires(Object& of) { weak_access::shared(of); };

} // namespace detail

namespace ext::oneapi {

/// Refers to an object, of which it is no copy: when the last copy is gone, nothing is left to refer to. Objects are
/// buffers, queues, contexts, kernel bundles and device images. (Events count their commands without weak references, a
/// stream and an accessor end with their command group; devices and platforms never end.)
template <class Object>
class weak_object {
  static_assert(lanefold::detail::has_weak_objects<Object>,
                "weak_object refers to buffers, queues, contexts, kernel bundles and device images");

public:
  using object_type = Object;

  /// Refers to nothing.
  weak_object() noexcept = default;
  weak_object(const Object& of) : m_rest(of), m_shared(lanefold::detail::weak_access::shared(*m_rest).share()) {
    lanefold::detail::weak_access::shared(*m_rest).reset();
  }

  void reset() noexcept {
    m_rest.reset();
    m_shared.reset();
  }
  void swap(weak_object& other) noexcept {
    m_rest.swap(other.m_rest);
    m_shared.swap(other.m_shared);
  }
  /// Returns whether the object is gone. Another thread may let it go at any time: ask by try_lock instead.
  [[nodiscard]] bool expired() const noexcept { return m_shared.expired(); }
  /// Returns a copy of the object if it is still there.
  [[nodiscard]] std::optional<Object> try_lock() const {
    auto alive = m_shared.lock();
    if (alive == nullptr || !m_rest) {
      return std::nullopt;
    }
    Object object(*m_rest);
    lanefold::detail::weak_access::shared(object) = std::move(alive);
    return object;
  }
  /// Returns a copy of the object. Errors: errc::invalid if it is gone.
  [[nodiscard]] Object lock() const {
    if (std::optional<Object> object = try_lock()) {
      return *std::move(object);
    }
    throw exception(make_error_code(errc::invalid), "the object of a weak_object is gone");
  }
  /// Orders objects, gone or not: copies of one object are equivalent.
  [[nodiscard]] bool owner_before(const weak_object& other) const noexcept {
    return m_shared.owner_before(other.m_shared);
  }
  [[nodiscard]] bool owner_before(const Object& other) const { return owner_before(weak_object(other)); }

private:
  using shared = std::remove_reference_t<decltype(lanefold::detail::weak_access::shared(std::declval<Object&>()))>;

  std::optional<Object> m_rest; ///< a copy without what copies share
  std::weak_ptr<typename shared::element_type> m_shared;
};

/// Orders objects and weak objects for sets and maps, by owner_before.
template <class Object>
struct owner_less {
  bool operator()(const weak_object<Object>& a, const weak_object<Object>& b) const noexcept {
    return a.owner_before(b);
  }
  bool operator()(const Object& a, const weak_object<Object>& b) const {
    return weak_object<Object>(a).owner_before(b);
  }
  bool operator()(const weak_object<Object>& a, const Object& b) const { return a.owner_before(b); }
  bool operator()(const Object& a, const Object& b) const { return weak_object<Object>(a).owner_before(b); }
};

} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE
