// SPDX-License-Identifier: Apache-2.0
/// USM for containers, and what is known about a pointer to USM.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/context.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/memory/usm.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] void refuse_usm_allocation(std::size_t count, std::size_t element);
/// Frees memory of an allocator when the commands of its queue, if it has one, are complete.
void free_when_complete(void* memory, const context& where, const std::weak_ptr<queue_state>& commands);
device usm_device(const void* memory, const context& where);

} // namespace detail

/// An allocator of host or shared USM: `std::vector<float, usm_allocator<float, usm::alloc::shared>> v(n, {}, alloc)`.
/// Its kernels get `v.data()`. `Alignment` 0: that of malloc. Allocators are equal if they are of the same context,
/// kind and alignment. One that was made of a queue frees as `free` with that queue does: it waits for its commands, so
/// that a container may end while a kernel uses its elements. Errors of allocate: errc::memory_allocation.
// [sycl.4.8.3.2]
template <class T, usm::alloc Kind, std::size_t Alignment = 0>
class usm_allocator {
  static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared,
                "usm_allocator: containers make their elements on the host, so the memory is host or shared");

public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  using is_always_equal = std::false_type;
  template <class U>
  struct rebind {
    using other = usm_allocator<U, Kind, Alignment>;
  };

  usm_allocator() = delete;
  usm_allocator(const context& where, const device&, const property_list& properties = {})
      : m_context(where), m_properties(properties) {}
  usm_allocator(const queue& q, const property_list& properties = {})
      : m_context(q.get_context()), m_commands(q.commands()), m_properties(properties) {}
  template <class U>
  usm_allocator(const usm_allocator<U, Kind, Alignment>& other) noexcept
      : m_context(other.m_context), m_commands(other.m_commands), m_properties(other.m_properties) {}

  [[nodiscard]] T* allocate(std::size_t count) {
    T* const memory = detail::usm_allocate<T>(count, Alignment, Kind, m_context.usm_context());
    if (memory == nullptr && count != 0) {
      detail::refuse_usm_allocation(count, sizeof(T));
    }
    return memory;
  }
  void deallocate(T* memory, std::size_t /*count*/) { detail::free_when_complete(memory, m_context, m_commands); }

  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return m_properties.has_property<P>();
  }
  template <class P>
  [[nodiscard]] P get_property() const {
    return m_properties.get_property<P>();
  }

  /// Only the library calls this.
  [[nodiscard]] const context& place() const noexcept { return m_context; }

private:
  template <class U, usm::alloc OtherKind, std::size_t OtherAlignment>
  friend class usm_allocator;

  context m_context;
  std::weak_ptr<detail::queue_state> m_commands;
  property_list m_properties;
};

template <class T, usm::alloc K, std::size_t A, class U, usm::alloc L, std::size_t B>
bool operator==(const usm_allocator<T, K, A>& a, const usm_allocator<U, L, B>& b) noexcept {
  return K == L && A == B && a.place() == b.place();
}

/// The device of the allocation into which the pointer points. Errors: errc::invalid for anything but USM of that
/// context.
// [sycl.4.8.4]
[[nodiscard]] inline device get_pointer_device(const void* memory, const context& where) {
  return detail::usm_device(memory, where);
}

LANEFOLD_END_NAMESPACE
