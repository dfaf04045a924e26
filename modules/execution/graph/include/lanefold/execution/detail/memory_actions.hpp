// SPDX-License-Identifier: Apache-2.0
/// The actions on memory that handler has, the commands on rectangles of memory that queue has, and older names of
/// both.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/event.hpp>
#include <lanefold/memory/is_device_copyable.hpp>
#include <lanefold/version.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class handler;
class kernel;

namespace detail {

class buffer_state;
struct copy_side;
struct region;
template <class T>
region host_region(T* first, std::size_t width, std::size_t count) noexcept;

/// count * width; throws errc::invalid if that overflows. `what` is for the message.
std::size_t checked_bytes(std::size_t count, std::size_t width, const char* what);

/// The part of handler that copies and fills memory [sycl.4.9.4.3].
class memory_actions {
public:
  /// Copies bytes; the two must not overlap. Null with a size other than 0 throws errc::invalid.
  // [sycl.4.9.4.3]
  void memcpy(void* to, const void* from, std::size_t bytes);
  /// To and from a device_global, from byte `offset` of it on.
  template <class T, class P>
  void memcpy(ext::oneapi::experimental::device_global<T, P>& to, const void* from, std::size_t bytes = sizeof(T),
              std::size_t offset = 0) {
    memcpy(memory_of(to) + offset, from, bytes);
  }
  template <class T, class P>
  void memcpy(void* to, const ext::oneapi::experimental::device_global<T, P>& from, std::size_t bytes = sizeof(T),
              std::size_t offset = 0) {
    memcpy(to, memory_of(from) + offset, bytes);
  }
  /// Sets each byte to the low byte of `value`.
  void memset(void* to, int value, std::size_t bytes);

  /// Copies `count` elements.
  template <class T>
    requires copied_by_bytes_v<T>
  void copy(const T* from, T* to, std::size_t count) {
    memcpy(to, from, checked_bytes(count, sizeof(T), "copy"));
  }
  /// Sets `count` elements to `pattern`.
  template <class T>
    requires copied_by_bytes_v<T>
  void fill(void* to, const T& pattern, std::size_t count) {
    fill_bytes(to, std::addressof(pattern), sizeof(T), count);
  }

  /// Says that the memory will be needed soon, and gives advice about it: hints. On the CPU the operating system is
  /// told to bring back pages that it has swapped out, on OpenCL devices shared USM moves to the device; no advice
  /// means anything. Null with a size other than 0 throws errc::invalid.
  // [sycl.4.9.4.3]
  void prefetch(const void* memory, std::size_t bytes);
  void mem_advise(const void* memory, std::size_t bytes, int advice);

  // Copies between accessors and host memory [sycl.4.9.4.3]: the elements in row-major order. The other side must have
  // room for (or hold) as many; a shared_ptr is kept until the copy is done. Errors: errc::invalid for null, and where
  // the accessor that is copied to has fewer elements.

  template <class T, int D, access_mode Mode, target Target, access::placeholder P, class U>
  void copy(const accessor<T, D, Mode, Target, P>& from, U* to) {
    copy_region(from.region(), host_region(to, sizeof(T), from.size()), nullptr);
  }
  template <class T, int D, access_mode Mode, target Target, access::placeholder P, class U>
  void copy(const U* from, const accessor<T, D, Mode, Target, P>& to) {
    copy_region(host_region(from, sizeof(T), to.size()), to.region(), nullptr);
  }
  template <class T, int D, access_mode Mode, target Target, access::placeholder P, class U>
  void copy(const accessor<T, D, Mode, Target, P>& from, std::shared_ptr<U> to) {
    copy_region(from.region(), host_region(to.get(), sizeof(T), from.size()), to);
  }
  template <class T, int D, access_mode Mode, target Target, access::placeholder P, class U>
  void copy(std::shared_ptr<U> from, const accessor<T, D, Mode, Target, P>& to) {
    copy_region(host_region(from.get(), sizeof(T), to.size()), to.region(), from);
  }
  template <class T, int D, access_mode FromMode, target FromTarget, access::placeholder FromP, class U, int E,
            access_mode ToMode, target ToTarget, access::placeholder ToP>
  void copy(const accessor<T, D, FromMode, FromTarget, FromP>& from, const accessor<U, E, ToMode, ToTarget, ToP>& to) {
    static_assert(sizeof(T) == sizeof(U), "lanefold: copy needs accessors of elements of one size");
    copy_region(from.region(), to.region(), nullptr);
  }
  /// Sets the accessor's elements to `value`.
  template <class T, int D, access_mode Mode, target Target, access::placeholder P>
  void fill(const accessor<T, D, Mode, Target, P>& to, const std::type_identity_t<T>& value) {
    fill_region(to.region(), std::addressof(value));
  }
  /// Host memory that the buffer was made over gets the buffer's elements. Mostly the buffer works in that memory: a
  /// command that only takes its turn.
  template <class T, int D, access_mode Mode, target Target, access::placeholder P>
  void update_host(const accessor<T, D, Mode, Target, P>& what) {
    update_host(what.requirement().buffer);
  }

  // Rectangles (the extension SYCL_EXT_ONEAPI_MEMCPY2D): `height` rows of `width` bytes or elements each, of which
  // `pitch` lie between the beginnings of two rows. Errors: errc::invalid for null and for rows that are wider than
  // their pitch; errc::feature_not_supported on OpenCL devices, for rows with gaps.

  void ext_oneapi_memcpy2d(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                           std::size_t height);
  void ext_oneapi_memset2d(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height);
  template <class T>
    requires copied_by_bytes_v<T>
  void ext_oneapi_copy2d(const T* from, std::size_t from_pitch, T* to, std::size_t to_pitch, std::size_t width,
                         std::size_t height) {
    copy_rows(to, to_pitch, from, from_pitch, sizeof(T), width, height);
  }
  template <class T>
    requires copied_by_bytes_v<T>
  void ext_oneapi_fill2d(void* to, std::size_t pitch, const T& pattern, std::size_t width, std::size_t height) {
    fill_rows("fill", to, pitch, std::addressof(pattern), sizeof(T), width, height);
  }

private:
  void fill_bytes(void* to, const void* pattern, std::size_t width, std::size_t count);
  void copy_region(const region& from, const region& to, std::shared_ptr<const void> kept);
  void fill_region(const region& to, const void* pattern);
  void update_host(shared_part<buffer_state> buffer);
  void copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t element,
                 std::size_t width, std::size_t height);
  /// `name` is what messages call the action.
  void fill_rows(const char* name, void* to, std::size_t pitch, const void* pattern, std::size_t element,
                 std::size_t width, std::size_t height);
  copy_side side_of(const region& r);
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

  /// There is nothing here to compare: queues compare their own members.
  friend bool operator==(const pitched_commands&, const pitched_commands&) noexcept { return true; }

protected:
  /// Submits a command that does `action` after the commands of the events.
  template <class Dependencies, class Action>
  event after(const Dependencies& dependencies, const Action& action) {
    return static_cast<Queue*>(this)->submit([&](auto& h) {
      h.depends_on(dependencies);
      action(h);
    });
  }
};

/// The part of handler that has names of oneAPI and SYCL 1.2.1 from before SYCL 2020.
template <class Handler>
class older_actions {
public:
  /// Is an older name of host_task.
  template <class Task>
  void codeplay_host_task(Task&& task) {
    self().host_task(std::forward<Task>(task));
  }
  /// Is an older name of host_task for a function that takes nothing.
  template <class Task>
  void run_on_host_intel(Task&& task) {
    self().host_task(std::forward<Task>(task));
  }
  /// Is an older name of ext_oneapi_barrier.
  void barrier() { self().ext_oneapi_barrier(); }
  void barrier(const std::vector<event>& events) { self().ext_oneapi_barrier(events); }

  // SYCL 1.2.1 passes a kernel object first; the function behind it is what runs.
  template <class Name = unnamed, class Kernel, unsigned PlainSize = plain_sub_group_size>
  void single_task(const lanefold::kernel& /*known*/, Kernel&& kernel) {
    self().template single_task<Name>(std::forward<Kernel>(kernel));
  }
  template <class Name = unnamed, class Space, class Kernel, unsigned PlainSize = plain_sub_group_size>
  void parallel_for(const lanefold::kernel& /*known*/, const Space& space, Kernel&& kernel) {
    self().template parallel_for<Name>(space, std::forward<Kernel>(kernel));
  }

private:
  Handler& self() { return static_cast<Handler&>(*this); }
};

/// The part of queue that has names of oneAPI from before SYCL 2020.
template <class Queue>
class older_commands {
public:
  /// Is an older name of ext_oneapi_submit_barrier.
  event submit_barrier() { return static_cast<Queue&>(*this).ext_oneapi_submit_barrier(); }
  event submit_barrier(const std::vector<event>& events) {
    return static_cast<Queue&>(*this).ext_oneapi_submit_barrier(events);
  }

  /// There is nothing here to compare: queues compare their own members.
  friend bool operator==(const older_commands&, const older_commands&) noexcept { return true; }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
