// SPDX-License-Identifier: Apache-2.0
/// Local memory: one array for each work-group.
#pragma once

#include <lanefold/memory/detail/indexing.hpp>
#include <lanefold/memory/multi_ptr.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The local memory of the work-group that a thread is about to run. Kernels are copied to the frame that runs them,
/// and a local_accessor takes its address from here while it is copied: inside the kernel it is a plain pointer.
inline constinit thread_local std::byte* current_local_memory = nullptr;

} // namespace detail

/// An array in the local memory of each work-group [sycl.4.7.6.11]: shared by the work-items of the group,
/// uninitialised (checked builds fill it with 0xA5) when the group starts, gone when it ends. Made in a command group
/// (`local_accessor<float, 2> tile({16, 16}, handler)`) and captured by value in its kernel; several per kernel are
/// fine. Indexed as a view is. Errors: more local memory in one command than the device has throws
/// errc::memory_allocation (from the constructor).
template <class T, int D>
class local_accessor {
  static_assert(D >= 1 && D <= 3, "a local_accessor has one to three dimensions");

public:
  using value_type = T;
  static constexpr int dimensions = D;

  /// `Handler` is lanefold::handler: execution depends on memory, not the other way round.
  template <class Handler>
  local_accessor(range<D> extents, Handler& handler)
      : m_extents(extents), m_offset(handler.allocate_local(extents.size(), sizeof(T), alignof(T))) {}
  /// SYCL has no properties of local accessors yet: the list says nothing.
  template <class Handler, class Properties>
  local_accessor(range<D> extents, Handler& handler, const Properties&) : local_accessor(extents, handler) {}

  LANEFOLD_ALWAYS_INLINE local_accessor(const local_accessor& other)
      : m_data(detail::current_local_memory == nullptr
                   ? other.m_data
                   : reinterpret_cast<T*>(detail::current_local_memory + other.m_offset)),
        m_extents(other.m_extents), m_offset(other.m_offset) {}
  local_accessor& operator=(const local_accessor&) = default;

  [[nodiscard]] constexpr std::size_t size() const { return m_extents.size(); }
  [[nodiscard]] constexpr std::size_t byte_size() const { return size() * sizeof(T); }
  [[nodiscard]] constexpr range<D> get_range() const { return m_extents; }
  [[nodiscard]] constexpr bool empty() const { return size() == 0; }
  /// The elements, inside a kernel. Uniform.
  [[nodiscard]] constexpr T* get_pointer() const { return m_data; }
  /// Returns the same pointer as one that names its address space.
  template <access::decorated Decorated>
  [[nodiscard]] constexpr auto get_multi_ptr() const {
    return multi_ptr<T, access::address_space::local_space, Decorated>(m_data);
  }
  [[nodiscard]] constexpr T* begin() const { return m_data; }
  [[nodiscard]] constexpr T* end() const { return m_data + size(); }

  /// One index a dimension: `tile[i]`, `tile[y][x]`; see view.
  template <element_index I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    return detail::view_element(m_data, m_extents, i);
  }
  /// All indices at once. Uniform.
  LANEFOLD_ALWAYS_INLINE T& operator[](const id<D>& i) const { return m_data[detail::linear_offset(m_extents, i)]; }

  /// Takes all indices at once as the id that an item gives: `tile[it.get_local_id()]`.
  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const lane_id<D, Lanes>& i) const {
    return detail::view_element(m_data, m_extents, i);
  }

private:
  T* m_data = nullptr;
  range<D> m_extents;
  std::size_t m_offset;
};

LANEFOLD_END_NAMESPACE
