// SPDX-License-Identifier: Apache-2.0
/// The actions and commands on rectangles of memory that handler and queue have (sycl_ext_oneapi_memcpy2d).
#pragma once

#include <lanefold/execution/event.hpp>
#include <lanefold/memory/is_device_copyable.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class handler;

namespace detail {

/// The part of handler that copies and fills `height` rows of `width` bytes or elements each, of which `pitch` lie
/// between the beginnings of two rows. Errors: errc::invalid for null and for rows that are wider than their pitch;
/// errc::feature_not_supported on OpenCL devices, for rows with gaps.
class pitched_actions {
public:
  void ext_oneapi_memcpy2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                           std::size_t height);
  void ext_oneapi_memset2d(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
  template <class T>
    requires is_device_copyable_v<T>
  void ext_oneapi_copy2d(const T* from, std::size_t from_pitch, T* to, std::size_t to_pitch, std::size_t width,
                         std::size_t height) {
    copy_rows(to, to_pitch, from, from_pitch, sizeof(T), width, height);
  }
  template <class T>
    requires is_device_copyable_v<T>
  void ext_oneapi_fill2d(void* to, std::size_t pitch, const T& pattern, std::size_t width, std::size_t height) {
    fill_rows(to, pitch, std::addressof(pattern), sizeof(T), width, height);
  }

private:
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t element,
                 std::size_t width, std::size_t height);
  void fill_rows(void* to, std::size_t pitch, const void* pattern, std::size_t element, std::size_t width,
                 std::size_t height);
  handler& self();
};

/// The part of queue that submits one of these actions.
template <class Queue>
class pitched_commands {
public:
  event ext_oneapi_memcpy2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                            std::size_t height, const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](auto& h) { h.ext_oneapi_memcpy2d(to, to_pitch, from, from_pitch, width, height); });
  }
  event ext_oneapi_memcpy2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                            std::size_t height, const event& dependency) {
    return after(dependency, [&](auto& h) { h.ext_oneapi_memcpy2d(to, to_pitch, from, from_pitch, width, height); });
  }
  event ext_oneapi_memset2d(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                            const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](auto& h) { h.ext_oneapi_memset2d(to, pitch, value, width, height); });
  }
  event ext_oneapi_memset2d(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                            const event& dependency) {
    return after(dependency, [&](auto& h) { h.ext_oneapi_memset2d(to, pitch, value, width, height); });
  }
  template <class T>
  event ext_oneapi_copy2d(const T* from, std::size_t from_pitch, T* to, std::size_t to_pitch, std::size_t width,
                          std::size_t height, const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](auto& h) { h.ext_oneapi_copy2d(from, from_pitch, to, to_pitch, width, height); });
  }
  template <class T>
  event ext_oneapi_copy2d(const T* from, std::size_t from_pitch, T* to, std::size_t to_pitch, std::size_t width,
                          std::size_t height, const event& dependency) {
    return after(dependency, [&](auto& h) { h.ext_oneapi_copy2d(from, from_pitch, to, to_pitch, width, height); });
  }
  template <class T>
  event ext_oneapi_fill2d(void* to, std::size_t pitch, const T& pattern, std::size_t width, std::size_t height,
                          const std::vector<event>& dependencies = {}) {
    return after(dependencies, [&](auto& h) { h.ext_oneapi_fill2d(to, pitch, pattern, width, height); });
  }
  template <class T>
  event ext_oneapi_fill2d(void* to, std::size_t pitch, const T& pattern, std::size_t width, std::size_t height,
                          const event& dependency) {
    return after(dependency, [&](auto& h) { h.ext_oneapi_fill2d(to, pitch, pattern, width, height); });
  }

  /// Queues compare what they have beside this.
  friend bool operator==(const pitched_commands&, const pitched_commands&) noexcept { return true; }

private:
  template <class Dependencies, class Action>
  event after(const Dependencies& dependencies, const Action& action) {
    return static_cast<Queue*>(this)->submit([&](auto& h) {
      h.depends_on(dependencies);
      action(h);
    });
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
