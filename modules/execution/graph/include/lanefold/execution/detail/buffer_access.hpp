// SPDX-License-Identifier: Apache-2.0
/// Holds what accessor and host_accessor have in common.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/detail/accessor_iterator.hpp>
#include <lanefold/execution/detail/buffer_requirement.hpp>
#include <lanefold/execution/detail/region.hpp>
#include <lanefold/memory/detail/captured_memory.hpp>
#include <lanefold/memory/detail/forward.hpp>
#include <lanefold/memory/detail/indexing.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Mode and target that the arguments of an accessor's constructor ask for.
template <class T, class... Arguments>
struct deduced_access : access_tag<mode_tag_t<std::is_const_v<T> ? access_mode::read : access_mode::read_write>> {};
template <class T, class First, class... Rest>
struct deduced_access<T, First, Rest...> : deduced_access<T, Rest...> {};
template <class T, AccessTag First, class... Rest>
struct deduced_access<T, First, Rest...> : access_tag<First> {};

/// Is an element of the buffers to which an accessor to elements T gives access.
template <class U, class T>
concept SameElement = std::is_same_v<std::remove_const_t<U>, std::remove_const_t<T>>;

/// Is true if an accessor to T that only reads may be made from one to U of another mode.
template <class T, access_mode Mode, class U, access_mode Other>
inline constexpr bool can_read_as = SameElement<U, T> && Mode == access_mode::read && Other != access_mode::write &&
                                    Other != access_mode::discard_write;

// What accessors need of a buffer's state is compiled once, in the library.

/// Says where the memory of a buffer is, for an accessor, which keeps the address, and which buffer it is.
struct used_buffer {
  std::byte* memory;
  std::uint64_t id;
};
used_buffer use_buffer(const buffer_owner& owner);

/// Returns what a command requires that uses the part.
buffer_requirement requirement_by(const buffer_owner& owner, const accessed_part& part);
/// Returns the same for a placeholder accessor, of which the id of the buffer is known, and no sub-buffer. Errors:
/// errc::accessor if the buffer is gone.
buffer_requirement requirement_by_placeholder(std::uint64_t id, const accessed_part& part);

/// Holds what the properties of an accessor say.
struct accessor_properties {
  bool without_init; ///< property::no_init
  bool is_by_part;   ///< property::own_part
};
accessor_properties accessor_properties_in(const property_list& properties) noexcept;

/// Errors: errc::invalid if `part` from `from` on is not within a buffer of these extents, and for an accessor that
/// only reads and has the property no_init.
template <int D>
void check_part(const range<D>& buffer, const range<D>& part, const id<D>& from, bool reads_without_init);

/// Returns how many elements lie from the first one of a part to behind the last one.
template <int D>
std::size_t reach_of(range<D> pitch, range<D> part) noexcept;

/// Throws errc::accessor unless the command being made requires the elements of the part, of so many bytes each, of
/// that buffer.
template <int D>
void check_captured(std::uint64_t buffer, const void* first, std::size_t element, range<D> pitch, range<D> part,
                    bool writes);

/// The elements of a part of a buffer, as the mode allows: const where it only reads.
template <class T, int D, access_mode Mode>
class buffer_access {
  static_assert(D >= 1 && D <= 3, "lanefold: an accessor has one to three dimensions");
  static_assert(!std::is_const_v<T> || Mode == access_mode::read, "lanefold: const elements can only be read");

public:
  using value_type = std::conditional_t<Mode == access_mode::read, const T, T>;
  using reference = value_type&;
  using const_reference = const T&;
  using pointer = value_type*;
  using iterator = std::conditional_t<D == 1, value_type*, accessor_iterator<value_type, D>>;
  using const_iterator = std::conditional_t<D == 1, const T*, accessor_iterator<const T, D>>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  static constexpr int dimensions = D;

  [[nodiscard]] std::size_t size() const noexcept { return m_part.size(); }
  [[nodiscard]] std::size_t max_size() const noexcept { return std::numeric_limits<std::size_t>::max() / sizeof(T); }
  [[nodiscard]] std::size_t byte_size() const noexcept { return size() * sizeof(T); }
  /// The names of SYCL 1.2.1.
  [[nodiscard]] std::size_t get_count() const noexcept { return size(); }
  [[nodiscard]] std::size_t get_size() const noexcept { return byte_size(); }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  [[nodiscard]] range<D> get_range() const noexcept { return m_part; }
  /// Returns where the part begins in the buffer.
  [[nodiscard]] id<D> get_offset() const noexcept { return m_offset; }
  /// Returns where the elements of the buffer begin (those of a part may begin behind).
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE pointer get_pointer() const noexcept {
    return m_data - linear_offset(m_pitch, m_offset);
  }

  /// Returns the same pointer as one that names its address space.
  template <access::decorated Decorated>
  [[nodiscard]] auto get_multi_ptr() const noexcept {
    return multi_ptr<value_type, access::address_space::global_space, Decorated>(buffer_access::get_pointer());
  }

  /// One index a dimension: `a[i]`, `a[y][x]`; see view.
  template <one_index<D> I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    return view_element(m_data, m_pitch, as_index(i));
  }
  /// All indices at once. Uniform.
  LANEFOLD_ALWAYS_INLINE reference operator[](const id<D>& i) const {
    if constexpr (checked_build) {
      for (int d = 0; d < D; ++d) {
        check_index(i[d], m_part[d]);
      }
    }
    return watched(m_data, m_data[linear_offset(m_pitch, i)]);
  }
  /// Takes all indices at once as the id that an item gives: `a[it.get_global_id()]`.
  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const lane_id<D, Lanes>& i) const {
    return view_element(m_data, m_pitch, i);
  }
  /// Takes the item of a kernel over a range for its id: `a[i]` in `parallel_for(range, [=](auto i) {…})`.
  template <lane_item<D> Item>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const Item& it) const {
    return (*this)[it.get_id()];
  }

  // The elements of the part in row-major order.
  [[nodiscard]] iterator begin() const noexcept { return make<iterator>(0); }
  [[nodiscard]] iterator end() const noexcept { return make<iterator>(size()); }
  [[nodiscard]] const_iterator cbegin() const noexcept { return make<const_iterator>(0); }
  [[nodiscard]] const_iterator cend() const noexcept { return make<const_iterator>(size()); }
  [[nodiscard]] reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  [[nodiscard]] reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  [[nodiscard]] const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  [[nodiscard]] const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  /// The properties of accessors are no_init and own_part.
  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return (std::is_same_v<P, property::no_init> && m_without_init) ||
           (std::is_same_v<P, property::own_part> && m_is_by_part);
  }
  template <class P>
  [[nodiscard]] P get_property() const {
    if constexpr (std::is_same_v<P, property::no_init> || std::is_same_v<P, property::own_part>) {
      if (has_property<P>()) {
        return P();
      }
    }
    throw exception(errc::invalid, "get_property: the accessor does not have this property");
  }

  /// Only the library calls this.
  [[nodiscard]] std::size_t hash() const noexcept {
    return std::hash<const void*>()(const_cast<const std::remove_cv_t<T>*>(m_data)) ^ m_buffer;
  }

  /// Only the library calls this: it returns what a command that uses the accessor requires. Errors: errc::accessor if
  /// the buffer is gone.
  [[nodiscard]] buffer_requirement requirement() const { return requirement_by_placeholder(m_buffer, part_of(0, 0)); }
  /// Only the library calls this.
  [[nodiscard]] detail::region region() const noexcept {
    detail::region all{
        reinterpret_cast<std::byte*>(const_cast<std::remove_cv_t<T>*>(m_data)), sizeof(T), {1, 1, 1}, {0, 0}};
    std::size_t stride = sizeof(T);
    for (int d = D - 1, to = 2; d >= 0; --d, --to) {
      all.extents[static_cast<std::size_t>(to)] = m_part[d];
      if (to < 2) {
        stride *= m_pitch[d + 1];
        all.strides[static_cast<std::size_t>(to)] = stride;
      }
    }
    return all;
  }

protected:
  buffer_access() = default;

  template <SameElement<T> U, class A>
  buffer_access(const buffer<U, D, A>& b, const range<D>& part, const id<D>& from, const property_list& properties)
      : m_pitch(b.get_range()), m_part(part), m_offset(from) {
    const property_list* const given = properties.if_any();
    const accessor_properties asked = given == nullptr ? accessor_properties{} : accessor_properties_in(*given);
    check_part(m_pitch, part, from, asked.without_init && Mode == access_mode::read);
    const used_buffer used = use_buffer(*b.owner());
    m_data = reinterpret_cast<value_type*>(used.memory + b.byte_offset()) + linear_offset(m_pitch, from);
    m_buffer = used.id;
    m_without_init = asked.without_init;
    m_is_by_part = asked.is_by_part;
    m_pitch[0] = part[0]; // nothing depends on it but checks of indices
  }
  template <class U, access_mode Other>
  explicit buffer_access(const buffer_access<U, D, Other>& other)
      : m_data(other.m_data), m_pitch(other.m_pitch), m_part(other.m_part), m_offset(other.m_offset),
        m_buffer(other.m_buffer), m_without_init(other.m_without_init), m_is_by_part(other.m_is_by_part),
        m_is_placeholder(other.m_is_placeholder) {}

  template <class U, class A>
  [[nodiscard]] accessed_part part_of(const buffer<U, D, A>& b) const noexcept {
    return part_of(b.byte_offset(), b.byte_offset() + b.byte_size());
  }

  /// See capturing. Not a reference to this is given away: that would keep the accessor in memory.
  LANEFOLD_ALWAYS_INLINE void check_captured() const {
    if (capturing != nullptr) [[unlikely]] {
      detail::check_captured(m_buffer, const_cast<const std::remove_cv_t<T>*>(m_data), sizeof(T), m_pitch, m_part,
                             Mode != access_mode::read);
    }
  }

  /// An accessor calls it to which another one was copied.
  LANEFOLD_ALWAYS_INLINE void arrive_as_copy() {
    if (!kernel_move::make_only_pointer_of_copy(m_data)) {
      check_captured();
    }
  }
  /// An accessor calls it that another one was moved to.
  LANEFOLD_ALWAYS_INLINE void arrive() {
    if (!kernel_move::make_only_pointer(m_data)) {
      check_captured();
    }
  }

  [[nodiscard]] bool is_same(const buffer_access& other) const noexcept {
    return m_data == other.m_data && m_part == other.m_part && m_buffer == other.m_buffer;
  }

private:
  template <class, int, access_mode>
  friend class buffer_access;

  /// From the first element to behind the last one.
  [[nodiscard]] std::size_t reach() const noexcept { return reach_of(m_pitch, m_part); }

  [[nodiscard]] accessed_part part_of(std::size_t object_begin, std::size_t object_end) const noexcept {
    return {reinterpret_cast<const std::byte*>(const_cast<const std::remove_cv_t<T>*>(m_data)),
            reach() * sizeof(T),
            object_begin,
            object_end,
            kind_of(Mode, m_without_init),
            m_is_by_part};
  }

  template <class Iterator>
  [[nodiscard]] Iterator make(std::size_t position) const noexcept {
    if constexpr (D == 1) {
      return m_data + position;
    } else {
      return Iterator(m_data, m_pitch, m_part, position);
    }
  }

  value_type* m_data = nullptr;
  range<D> m_pitch{};
  range<D> m_part{};
  id<D> m_offset{};
  std::uint64_t m_buffer = 0;
  bool m_without_init = false;
  bool m_is_by_part = false; ///< see property::own_part

protected:
  bool m_is_placeholder = false; ///< is set if the accessor was made without a handler
};

} // namespace detail
LANEFOLD_END_NAMESPACE
