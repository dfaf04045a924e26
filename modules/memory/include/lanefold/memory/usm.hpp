// SPDX-License-Identifier: Apache-2.0
/// Unified shared memory: memory that the host and kernels reach through the same pointer.
#pragma once

#include <lanefold/exception.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace usm {
/// The kinds of unified shared memory [sycl.4.8.2]. On the CPU all are the same memory; the host must not follow a
/// pointer to memory of an OpenCL device.
enum class alloc { host, device, shared, unknown };
} // namespace usm

/// Says where memory is: a queue, a device, a context. (This module must not know them, so any type with a member type
/// `usm_place` will do.)
template <class P>
concept usm_place = requires { typename std::remove_cvref_t<P>::usm_place; };

/// Is an argument that may stand behind the size in an allocation: places, and a property_list, which has a member type
/// `usm_properties`. (No property of SYCL 2020 concerns USM.)
template <class A>
concept usm_argument = usm_place<A> || requires { typename std::remove_cvref_t<A>::usm_properties; };

namespace detail {

/// The number of the context that a place belongs to (its member usm_context()); 0 where no argument knows one.
template <class... Arguments>
std::uint64_t usm_context_of(const Arguments&... arguments) noexcept {
  std::uint64_t found = 0;
  const auto ask = [&found](const auto& argument) {
    if constexpr (requires { argument.usm_context(); }) {
      found = argument.usm_context();
    }
  };
  (ask(arguments), ...);
  return found;
}

/// Allocations that ask for no alignment have this one, the size of the largest vec (sixteen doubles): programs of
/// others count on it. From 64 KiB on they have that of a page.
inline constexpr std::size_t usm_alignment = 128;

/// Gives the contexts of a device with memory of its own their USM. Thread-safe.
class usm_source {
public:
  usm_source() = default;
  usm_source(const usm_source&) = delete;
  usm_source& operator=(const usm_source&) = delete;
  virtual ~usm_source() = default;

  /// `bytes` are not 0. Null when there is not enough memory, or for an alignment that the device cannot give. Errors:
  /// errc::feature_not_supported for a kind that the device lacks.
  virtual void* allocate(std::size_t bytes, std::size_t alignment, usm::alloc kind) = 0;
  virtual void free(void* memory) noexcept = 0;
};
/// Contexts without a source have memory of the host.
void add_usm_source(std::uint64_t context, usm_source& source);
/// Its allocations that are left keep it for their end.
void remove_usm_source(std::uint64_t context) noexcept;

/// Null for 0 bytes, for an alignment that is not a power of two, and when there is not enough memory.
/// `alignment` 0: the default. `context` 0: of no context in particular.
void* usm_allocate(std::size_t bytes, std::size_t alignment, usm::alloc kind, std::uint64_t context);
/// Nothing for null. Anything but the beginning of a live allocation, of this context where both have one, throws
/// errc::invalid and frees nothing.
void usm_free(void* memory, std::uint64_t context);
/// The kind of the live allocation into which the pointer points, unless it belongs to another context.
usm::alloc usm_kind(const void* memory, std::uint64_t context) noexcept;
/// Live allocations and their bytes, for tests.
struct usm_usage {
  std::size_t allocations;
  std::size_t bytes;
};
usm_usage usm_in_use() noexcept;

/// count * sizeof(T) bytes; null if that overflows.
template <class T>
T* usm_allocate(std::size_t count, std::size_t alignment, usm::alloc kind, std::uint64_t context) {
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(T)) {
    return nullptr;
  }
  const std::size_t least = alignof(T) > usm_alignment ? alignof(T) : 0;
  return static_cast<T*>(usm_allocate(count * sizeof(T), alignment > least ? alignment : least, kind, context));
}

} // namespace detail

// Allocation [sycl.4.8.3]. Each returns null when there is not enough memory, when the size overflows, when the
// alignment is not a power of two (0: the default), or when the size is 0. The memory is uninitialised, aligned to 128
// bytes, from 64 KiB on to a page. To be freed with `free`. Callable from any host thread. A device that lacks the kind
// of memory (an OpenCL device: aspect::usm_shared_allocations …) throws errc::feature_not_supported.
//
// `where`: a queue, or a device and a context; behind them there may be a property_list. The memory belongs to the
// context.

/// `bytes` of memory, or `count` elements, of a given kind: uninitialised, to be freed with `free`. `where` is a queue,
/// or a device and a context. Null where there is not enough memory, where the size overflows, and for no bytes.
/// Errors: errc::feature_not_supported where the device lacks the kind of memory.
template <usm_place Place, usm_argument... Properties>
[[nodiscard]] void* malloc(std::size_t bytes, const Place& where, usm::alloc kind, const Properties&...) {
  return detail::usm_allocate(bytes, 0, kind, detail::usm_context_of(where));
}
template <class T, usm_place Place, usm_argument... Properties>
[[nodiscard]] T* malloc(std::size_t count, const Place& where, usm::alloc kind, const Properties&...) {
  return detail::usm_allocate<T>(count, 0, kind, detail::usm_context_of(where));
}
/// Does the same at a multiple of `alignment`, a power of two; returns null for another alignment.
template <usm_place Place, usm_argument... Properties>
[[nodiscard]] void* aligned_alloc(std::size_t alignment, std::size_t bytes, const Place& where, usm::alloc kind,
                                  const Properties&...) {
  return detail::usm_allocate(bytes, alignment, kind, detail::usm_context_of(where));
}
template <class T, usm_place Place, usm_argument... Properties>
[[nodiscard]] T* aligned_alloc(std::size_t alignment, std::size_t count, const Place& where, usm::alloc kind,
                               const Properties&...) {
  return detail::usm_allocate<T>(count, alignment, kind, detail::usm_context_of(where));
}
template <usm_place Device, usm_place Place, usm_argument... Properties>
[[nodiscard]] void* malloc(std::size_t bytes, const Device&, const Place& where, usm::alloc kind,
                           const Properties&...) {
  return detail::usm_allocate(bytes, 0, kind, detail::usm_context_of(where));
}
template <class T, usm_place Device, usm_place Place, usm_argument... Properties>
[[nodiscard]] T* malloc(std::size_t count, const Device&, const Place& where, usm::alloc kind, const Properties&...) {
  return detail::usm_allocate<T>(count, 0, kind, detail::usm_context_of(where));
}
template <usm_place Device, usm_place Place, usm_argument... Properties>
[[nodiscard]] void* aligned_alloc(std::size_t alignment, std::size_t bytes, const Device&, const Place& where,
                                  usm::alloc kind, const Properties&...) {
  return detail::usm_allocate(bytes, alignment, kind, detail::usm_context_of(where));
}
template <class T, usm_place Device, usm_place Place, usm_argument... Properties>
[[nodiscard]] T* aligned_alloc(std::size_t alignment, std::size_t count, const Device&, const Place& where,
                               usm::alloc kind, const Properties&...) {
  return detail::usm_allocate<T>(count, alignment, kind, detail::usm_context_of(where));
}

/// Memory for kernels; on the CPU the host reaches it too. Arguments, null and errors as for `malloc`.
template <usm_argument... Where>
[[nodiscard]] void* malloc_device(std::size_t bytes, const Where&... where) {
  return detail::usm_allocate(bytes, 0, usm::alloc::device, detail::usm_context_of(where...));
}
template <class T, usm_argument... Where>
[[nodiscard]] T* malloc_device(std::size_t count, const Where&... where) {
  return detail::usm_allocate<T>(count, 0, usm::alloc::device, detail::usm_context_of(where...));
}
/// Does the same at a multiple of `alignment`, a power of two; returns null for another alignment.
template <usm_argument... Where>
[[nodiscard]] void* aligned_alloc_device(std::size_t alignment, std::size_t bytes, const Where&... where) {
  return detail::usm_allocate(bytes, alignment, usm::alloc::device, detail::usm_context_of(where...));
}
template <class T, usm_argument... Where>
[[nodiscard]] T* aligned_alloc_device(std::size_t alignment, std::size_t count, const Where&... where) {
  return detail::usm_allocate<T>(count, alignment, usm::alloc::device, detail::usm_context_of(where...));
}

/// Memory of the host, which kernels reach. Arguments, null and errors as for `malloc`.
template <usm_argument... Where>
[[nodiscard]] void* malloc_host(std::size_t bytes, const Where&... where) {
  return detail::usm_allocate(bytes, 0, usm::alloc::host, detail::usm_context_of(where...));
}
template <class T, usm_argument... Where>
[[nodiscard]] T* malloc_host(std::size_t count, const Where&... where) {
  return detail::usm_allocate<T>(count, 0, usm::alloc::host, detail::usm_context_of(where...));
}
/// Does the same at a multiple of `alignment`, a power of two; returns null for another alignment.
template <usm_argument... Where>
[[nodiscard]] void* aligned_alloc_host(std::size_t alignment, std::size_t bytes, const Where&... where) {
  return detail::usm_allocate(bytes, alignment, usm::alloc::host, detail::usm_context_of(where...));
}
template <class T, usm_argument... Where>
[[nodiscard]] T* aligned_alloc_host(std::size_t alignment, std::size_t count, const Where&... where) {
  return detail::usm_allocate<T>(count, alignment, usm::alloc::host, detail::usm_context_of(where...));
}

/// Memory that host and kernels share. Arguments, null and errors as for `malloc`.
template <usm_argument... Where>
[[nodiscard]] void* malloc_shared(std::size_t bytes, const Where&... where) {
  return detail::usm_allocate(bytes, 0, usm::alloc::shared, detail::usm_context_of(where...));
}
template <class T, usm_argument... Where>
[[nodiscard]] T* malloc_shared(std::size_t count, const Where&... where) {
  return detail::usm_allocate<T>(count, 0, usm::alloc::shared, detail::usm_context_of(where...));
}
/// Does the same at a multiple of `alignment`, a power of two; returns null for another alignment.
template <usm_argument... Where>
[[nodiscard]] void* aligned_alloc_shared(std::size_t alignment, std::size_t bytes, const Where&... where) {
  return detail::usm_allocate(bytes, alignment, usm::alloc::shared, detail::usm_context_of(where...));
}
template <class T, usm_argument... Where>
[[nodiscard]] T* aligned_alloc_shared(std::size_t alignment, std::size_t count, const Where&... where) {
  return detail::usm_allocate<T>(count, alignment, usm::alloc::shared, detail::usm_context_of(where...));
}

/// Frees USM; nothing for null. A pointer that was freed before, that never came from these functions, that points into
/// an allocation, or that was made for another context than that of `where` throws errc::invalid, and nothing is freed.
/// `where`: a queue, for whose commands this waits (but in kernels and host tasks, and where the thread has a
/// host_accessor), or a context: then no command may still use the memory.
template <usm_place Place>
void free(void* memory, const Place& where) {
  if constexpr (requires { where.wait_before_free(); }) {
    if (memory != nullptr) {
      where.wait_before_free();
    }
  }
  detail::usm_free(memory, detail::usm_context_of(where));
}

/// The kind of the allocation into which the pointer points; usm::alloc::unknown for anything else, and for memory of
/// another context. [sycl.4.8.4]
template <usm_place Place>
[[nodiscard]] usm::alloc get_pointer_type(const void* memory, const Place& where) noexcept {
  return detail::usm_kind(memory, detail::usm_context_of(where));
}

namespace ext::oneapi::experimental {

/// Hints that memory of the program, `bytes` from `memory` on, will be copied to and from devices of `where`, a queue
/// or a context, and that it no longer will be. Nothing follows from them. (sycl_ext_oneapi_copy_optimize)
template <usm_place Place>
void prepare_for_device_copy(const void* /*memory*/, std::size_t /*bytes*/, const Place& /*where*/) noexcept {}
/// Takes the hint back.
template <usm_place Place>
void release_from_device_copy(const void* /*memory*/, const Place& /*where*/) noexcept {}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
