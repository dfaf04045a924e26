// SPDX-License-Identifier: Apache-2.0
/// Variables of namespace scope that kernels read and write (sycl_ext_oneapi_device_global).
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

/// A T of static storage that kernels name without capturing it. There is one for the whole process, as all kernels
/// reach the memory of the host: what the host writes, kernels see, and the other way round. Uniform. `Properties` are
/// those of the extension and change nothing. The host copies it with queue::memcpy and handler::memcpy.
template <class T, class Properties = void>
class device_global {
  static constexpr bool has_arrow = std::is_pointer_v<T> || requires(T& value) { value.operator->(); };

public:
  using element_type = std::remove_extent_t<T>;

  /// Zero.
  constexpr device_global() = default;
  /// As T is initialised by the arguments: `device_global<const float[2]> x{1, 2}`. The elements of an array are
  /// converted, doubles to float, too.
  template <class... Arguments>
    requires(sizeof...(Arguments) > 0 && std::is_array_v<T> && (std::is_convertible_v<Arguments, element_type> && ...))
  constexpr explicit device_global(Arguments&&... arguments) : m_value{static_cast<element_type>(arguments)...} {}
  template <class... Arguments>
    requires(sizeof...(Arguments) > 0 && !std::is_array_v<T> && std::is_constructible_v<T, Arguments...>)
  constexpr explicit device_global(Arguments&&... arguments) : m_value(std::forward<Arguments>(arguments)...) {}
  device_global(const device_global&) = delete;
  device_global& operator=(const device_global&) = delete;

  constexpr T& get() noexcept { return m_value; }
  constexpr const T& get() const noexcept { return m_value; }
  constexpr operator T&() noexcept { return m_value; }
  constexpr operator const T&() const noexcept { return m_value; }
  device_global& operator=(const T& x)
    requires(!std::is_array_v<T> && !std::is_const_v<T>)
  {
    m_value = x;
    return *this;
  }
  template <class Index>
  constexpr decltype(auto) operator[](Index i) {
    return m_value[i];
  }
  template <class Index>
  constexpr decltype(auto) operator[](Index i) const {
    return m_value[i];
  }
  /// The value, if that has an arrow itself, else a pointer to it.
  constexpr decltype(auto) operator->() noexcept { return arrow_of(m_value); }
  constexpr decltype(auto) operator->() const noexcept { return arrow_of(m_value); }

private:
  template <class Value>
  static constexpr auto arrow_of(Value& value) noexcept -> std::conditional_t<has_arrow, Value&, Value*> {
    if constexpr (has_arrow) {
      return value;
    } else {
      return &value;
    }
  }

  T m_value{};
};

} // namespace ext::oneapi::experimental

namespace detail {

/// The memory of a device_global for copies: of a constant one, too, which only the host can give values.
template <class T, class P>
std::byte* memory_of(const ext::oneapi::experimental::device_global<T, P>& x) noexcept {
  return reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<T>*>(&x.get()));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
