// SPDX-License-Identifier: Apache-2.0
/// Local memory: one array for each work-group.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/memory/detail/captured_memory.hpp>
#include <lanefold/memory/detail/indexing.hpp>
#include <lanefold/memory/detail/kernel_binding.hpp>
#include <lanefold/memory/multi_ptr.hpp>

#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// A local accessor's offset lies in the lower bits of its place, the number of its command in the upper ones.
inline constexpr unsigned local_offset_bits = 32;
inline constexpr std::size_t local_offset_mask = (std::size_t{1} << local_offset_bits) - 1;

/// Returns where the local accessor of that place begins on the frame for which it is copied, null elsewhere: inside
/// the kernel a local_accessor is a plain pointer.
LANEFOLD_ALWAYS_INLINE std::byte* bound_local_memory(std::size_t place) {
  kernel_binding* const binding = kernel_binding::current();
  if (binding == nullptr) {
    return nullptr;
  }
  binding->has_bound_local_memory = true;
  const std::size_t command = place >> local_offset_bits;
  if (command != 0 && command != binding->command) { // 0 is that of an empty one
    binding->has_bound_foreign_memory = true;
  }
  return binding->local_memory == nullptr ? nullptr : binding->local_memory + (place & local_offset_mask);
}

[[noreturn]] LANEFOLD_COLD inline void throw_unbound_local_memory() {
  throw exception(make_error_code(errc::kernel_argument),
                  "a local accessor has no memory here: it is used within its kernel, which captures it by value");
}

/// Is lanefold::handler: execution depends on memory, not the other way round.
template <class Handler>
concept gives_local_memory = requires(Handler& h) { h.allocate_local(std::size_t(), std::size_t(), std::size_t()); };

} // namespace detail

/// An array in the local memory of each work-group [sycl.4.7.6.11]: shared by the work-items of the group,
/// uninitialised (checked builds fill it with 0xA5) when the group starts, gone when it ends. Made in a command group
/// (`local_accessor<float, 2> tile({16, 16}, handler)`) and captured by value in its kernel; several per kernel are
/// fine. Indexed as a view is. Errors: more local memory in one command than the device has throws
/// errc::memory_allocation (from the constructor).
template <class T, int D>
class local_accessor {
  static_assert(D >= 1 && D <= detail::most_dimensions, "a local_accessor has no dimensions, or one to six");

public:
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<T, access::address_space::local_space, Decorated>;
  static constexpr int dimensions = D;

  /// Empty: no elements.
  local_accessor() = default;
  /// `Handler` is lanefold::handler: execution depends on memory, not the other way round.
  template <class Handler>
  local_accessor(range<D> extents, Handler& handler)
      : m_extents(extents), m_place(handler.allocate_local(detail::saturated_size(extents), sizeof(T), alignof(T)) |
                                    handler.local_owner() << detail::local_offset_bits) {}
  /// SYCL has no properties of local accessors yet: the list says nothing.
  template <class Handler, class Properties>
  local_accessor(range<D> extents, Handler& handler, const Properties&) : local_accessor(extents, handler) {}

  LANEFOLD_ALWAYS_INLINE local_accessor(const local_accessor& other)
      : m_data(other.m_data), m_extents(other.m_extents), m_place(other.m_place) {
    if (!detail::kernel_move::make_only_pointer_of_copy(m_data)) {
      bind();
    }
  }
  /// Where a kernel is moved, it is in place of the other one, see captured_memory.hpp.
  LANEFOLD_ALWAYS_INLINE local_accessor(const local_accessor&& other)
      : m_data(other.m_data), m_extents(other.m_extents), m_place(other.m_place) {
    if (!detail::kernel_move::make_only_pointer(m_data)) {
      bind();
    }
  }
  local_accessor& operator=(const local_accessor&) = default;
  /// To const elements.
  template <class U>
    requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
  local_accessor(const local_accessor<U, D>& other)
      : m_data(other.m_data), m_extents(other.m_extents), m_place(other.m_place) {}

  void swap(local_accessor& other) { std::swap(*this, other); }
  friend bool operator==(const local_accessor& a, const local_accessor& b) {
    return a.m_data == b.m_data && a.m_extents == b.m_extents && a.m_place == b.m_place;
  }

  [[nodiscard]] constexpr std::size_t max_size() const { return std::numeric_limits<std::size_t>::max() / sizeof(T); }
  [[nodiscard]] constexpr std::size_t size() const { return m_extents.size(); }
  [[nodiscard]] constexpr std::size_t byte_size() const { return size() * sizeof(T); }
  /// SYCL 1.2.1's names of size and byte_size.
  [[nodiscard]] constexpr std::size_t get_count() const { return size(); }
  [[nodiscard]] constexpr std::size_t get_size() const { return byte_size(); }
  [[nodiscard]] constexpr range<D> get_range() const { return m_extents; }
  [[nodiscard]] constexpr bool empty() const { return size() == 0; }
  /// Only the library calls this: it returns where the elements begin in the local memory of a group, in bytes.
  [[nodiscard]] constexpr std::size_t place() const { return m_place & detail::local_offset_mask; }
  /// The elements, inside a kernel. Uniform.
  [[nodiscard]] constexpr accessor_ptr<access::decorated::legacy> get_pointer() const {
    return accessor_ptr<access::decorated::legacy>(m_data);
  }
  /// Returns the same pointer as one that names its address space.
  template <access::decorated Decorated>
  [[nodiscard]] constexpr accessor_ptr<Decorated> get_multi_ptr() const {
    return accessor_ptr<Decorated>(m_data);
  }
  [[nodiscard]] constexpr T* begin() const { return m_data; }
  [[nodiscard]] constexpr T* end() const { return m_data + size(); }
  [[nodiscard]] constexpr const T* cbegin() const { return begin(); }
  [[nodiscard]] constexpr const T* cend() const { return end(); }
  [[nodiscard]] constexpr reverse_iterator rbegin() const { return reverse_iterator(end()); }
  [[nodiscard]] constexpr reverse_iterator rend() const { return reverse_iterator(begin()); }
  [[nodiscard]] constexpr const_reverse_iterator crbegin() const { return const_reverse_iterator(cend()); }
  [[nodiscard]] constexpr const_reverse_iterator crend() const { return const_reverse_iterator(cbegin()); }

  /// One index a dimension: `tile[i]`, `tile[y][x]`; see view.
  template <detail::one_index<D> I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    return detail::view_element<true>(elements(), m_extents, detail::as_index(i));
  }
  /// All indices at once. Uniform.
  LANEFOLD_ALWAYS_INLINE T& operator[](const id<D>& i) const {
    return detail::watched(m_data, elements()[detail::offset_of_element(m_extents, i)]);
  }

  /// Takes all indices at once as the id that an item gives: `tile[it.get_local_id()]`.
  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const lane_id<D, Lanes>& i) const {
    return detail::view_element<true>(elements(), m_extents, i);
  }

private:
  template <class, int>
  friend class local_accessor;

  /// Takes the address in the local memory of the frame for which the accessor is copied.
  LANEFOLD_ALWAYS_INLINE void bind() {
    if (std::byte* const memory = detail::bound_local_memory(m_place); memory != nullptr) {
      m_data = reinterpret_cast<T*>(memory);
    } else if (size() != 0) {
      detail::note_captured_local_memory(m_place);
    }
  }
  /// Checked builds: throws errc::kernel_argument where there are none.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE T* elements() const {
    if constexpr (detail::checked_build) {
      if (m_data == nullptr && size() != 0) {
        detail::throw_unbound_local_memory();
      }
    }
    return m_data;
  }

  T* m_data = nullptr;
  range<D> m_extents{};
  std::size_t m_place = 0;
};

/// Of no dimensions: one element a work-group, to a reference to which it converts.
template <class T>
class local_accessor<T, 0> : public local_accessor<T, 1> {
  using base = local_accessor<T, 1>;
  using base::operator[];

public:
  static constexpr int dimensions = 0;

  local_accessor() = default;
  template <detail::gives_local_memory Handler>
  explicit local_accessor(Handler& handler) : base(range<1>(1), handler) {}
  template <detail::gives_local_memory Handler, class Properties>
  local_accessor(Handler& handler, const Properties&) : local_accessor(handler) {}
  LANEFOLD_ALWAYS_INLINE local_accessor(const local_accessor&) = default;
  LANEFOLD_ALWAYS_INLINE local_accessor(const local_accessor&& other) : base(std::move(other)) {}
  local_accessor& operator=(const local_accessor&) = default;
  /// To a const element.
  template <class U>
    requires(std::is_same_v<const U, T> && !std::is_same_v<U, T>)
  local_accessor(const local_accessor<U, 0>& other) : base(static_cast<const local_accessor<U, 1>&>(other)) {}

  void swap(local_accessor& other) { std::swap(*this, other); }

  /// Inside a kernel.
  LANEFOLD_ALWAYS_INLINE operator T&() const { return detail::watched(this->begin(), *this->begin()); }
  /// Sets the element.
  LANEFOLD_ALWAYS_INLINE const local_accessor& operator=(const T& value) const
    requires(!std::is_const_v<T>)
  {
    detail::watched(this->begin(), *this->begin()) = value;
    return *this;
  }
};

LANEFOLD_END_NAMESPACE

template <class T, int D>
struct std::hash<lanefold::local_accessor<T, D>> {
  std::size_t operator()(const lanefold::local_accessor<T, D>& a) const { return std::hash<std::size_t>()(a.place()); }
};
