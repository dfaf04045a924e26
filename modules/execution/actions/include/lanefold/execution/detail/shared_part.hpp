// SPDX-License-Identifier: Apache-2.0
/// Declares shared_part: what the handles of one object share. Internal.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds an object whose type it does not know. The library has what counts references, so that programs compile none
/// of it.
class shared_object {
public:
  shared_object() noexcept : m_held() {}
  explicit shared_object(std::shared_ptr<const void> held) noexcept;
  shared_object(const shared_object& other) noexcept : m_held() {
    if (other) {
      assign(other);
    }
  }
  shared_object(shared_object&& other) noexcept : m_held(std::move(other.m_held)) {}
  shared_object& operator=(const shared_object& other) noexcept {
    assign(other);
    return *this;
  }
  shared_object& operator=(shared_object&& other) noexcept;
  ~shared_object() {
    if (*this) {
      reset();
    }
  }

  [[nodiscard]] explicit operator bool() const noexcept { return m_held.get() != nullptr; }
  void reset() noexcept;
  [[nodiscard]] long use_count() const noexcept;

  /// Equal if both hold the same object, or none.
  friend bool operator==(const shared_object& a, const shared_object& b) noexcept {
    return a.m_held.get() == b.m_held.get();
  }
  friend bool operator==(const shared_object& a, std::nullptr_t) noexcept { return !a; }

  [[nodiscard]] void* address() const noexcept { return const_cast<void*>(m_held.get()); }
  /// Returns a pointer that shares the object, too.
  [[nodiscard]] const std::shared_ptr<const void>& share_any() const noexcept { return m_held; }

private:
  void assign(const shared_object& other) noexcept;

  // The destructor above destroys it: that of std::shared_ptr would be compiled with each program.
  union {
    std::shared_ptr<const void> m_held;
  };
};

/// A std::shared_ptr for members in headers. Of that one, each type takes a compiler 8e6 instructions, which each
/// program pays for each handle that headers declare; of this one, 1e6.
template <class T>
class shared_part : public shared_object {
public:
  using element_type = T;

  shared_part() noexcept = default;
  shared_part(std::nullptr_t) noexcept {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  shared_part(std::shared_ptr<U> held) noexcept : shared_object(std::shared_ptr<T>(std::move(held))) {}

  [[nodiscard]] T* get() const noexcept { return static_cast<T*>(address()); }
  [[nodiscard]] T* operator->() const noexcept { return get(); }
  [[nodiscard]] T& operator*() const noexcept { return *get(); }
  /// Returns a pointer that shares the object, too.
  [[nodiscard]] std::shared_ptr<T> share() const noexcept { return std::shared_ptr<T>(share_any(), get()); }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
