// SPDX-License-Identifier: Apache-2.0
/// buffer: memory whose users the library puts in order.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/access.hpp>
#include <lanefold/execution/buffer_allocator.hpp>
#include <lanefold/execution/detail/buffer_owner.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/id.hpp>
#include <lanefold/memory/is_device_copyable.hpp>
#include <lanefold/range.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <functional>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

namespace property::buffer {
/// The buffer uses the host memory that it is given and no other. (It does so without this property, too, see buffer.)
struct use_host_ptr : detail::runtime_property {};
/// The buffer works on memory of its own; the mutex is locked while host memory is read, when the first accessor is
/// made, and while it is written back.
class use_mutex : public detail::runtime_property {
public:
  explicit use_mutex(std::mutex& guard) noexcept : m_guard(&guard) {}
  [[nodiscard]] std::mutex* get_mutex_ptr() const noexcept { return m_guard; }

private:
  std::mutex* m_guard;
};
class context_bound; // in context.hpp
} // namespace property::buffer

namespace detail {

/// Elements one after the other in host memory: std::vector, std::array, std::span, std::string.
template <class C, class T>
concept ContiguousContainer = !std::is_pointer_v<C> && requires(C& c) {
  { std::data(c) } -> std::convertible_to<const T*>;
  { std::size(c) } -> std::convertible_to<std::size_t>;
};

template <class I>
concept HostIterator = requires { typename std::iterator_traits<I>::iterator_category; };

template <class D>
inline constexpr bool is_weak_ptr = false;
template <class T>
inline constexpr bool is_weak_ptr<std::weak_ptr<T>> = true;
template <class D>
inline constexpr bool is_shared_ptr = false;
template <class T>
inline constexpr bool is_shared_ptr<std::shared_ptr<T>> = true;

struct weak_access; // weak_object.hpp

} // namespace detail

/// A row-major array of one to three dimensions that commands use through accessors [sycl.4.7.2]: the library runs
/// commands whose accessors overlap, one of them writing, in the order of their submission, and others in parallel.
/// A cheap handle: copies, sub-buffers and reinterpreted buffers stand for the same memory. Host only; members may be
/// called from any thread.
///
/// Memory: of the buffer's own (uninitialised), or the host's. A buffer that is made over mutable host memory works in
/// that memory, without a copy; it belongs to the buffer until the last handle goes. Over const memory and iterators
/// the buffer makes a copy.
///
/// The last handle to go waits for the commands that use the buffer, then the contents are written back: to the host
/// memory that the buffer was made over (where they are already), if that was mutable, or as set_final_data says.
///
/// T is a type that is copied_by_bytes_v. Errors: errc::invalid, errc::memory_allocation, before anything is changed.
template <class T, int D, class Allocator>
class buffer {
  static_assert(D >= 1 && D <= 3, "lanefold: a buffer has one to three dimensions");
  static_assert(copied_by_bytes_v<T>, "lanefold: the elements of a buffer are copied byte by byte, and this type has a "
                                      "destructor: if that does nothing, specialise sycl::is_device_copyable for it");

public:
  using value_type = T;
  using reference = value_type&;
  using const_reference = const value_type&;
  using allocator_type = Allocator;
  static constexpr int dimensions = D;

  /// Memory of its own.
  buffer(const range<D>& extents, const property_list& properties = {}) : buffer(extents, Allocator(), properties) {}
  buffer(const range<D>& extents, Allocator allocator, const property_list& properties = {})
      : buffer(with_own_memory(extents, allocator), extents, 0, properties, allocator) {}

  /// Over host memory of extents.size() elements.
  buffer(T* host, const range<D>& extents, const property_list& properties = {})
    requires(!std::is_const_v<T>)
      : buffer(host, extents, Allocator(), properties) {}
  buffer(T* host, const range<D>& extents, Allocator allocator, const property_list& properties = {})
    requires(!std::is_const_v<T>)
      : buffer(over(host, extents, allocator, properties), extents, 0, properties, allocator) {}
  /// Over a copy of host memory; nothing is written back.
  buffer(const T* host, const range<D>& extents, const property_list& properties = {})
      : buffer(host, extents, Allocator(), properties) {}
  buffer(const T* host, const range<D>& extents, Allocator allocator, const property_list& how = {})
      : buffer(with_copy_of(host, extents, allocator, how), extents, 0, how, allocator) {}

  /// `nullptr` stands for no host memory. Errors: errc::invalid unless the buffer has no elements.
  buffer(std::nullptr_t, const range<D>& extents, const property_list& properties = {})
      : buffer(nullptr, extents, Allocator(), properties) {}
  buffer(std::nullptr_t, const range<D>& extents, Allocator allocator, const property_list& properties = {})
      : buffer(static_cast<T*>(nullptr), extents, allocator, properties) {}

  /// Over a container with its elements one after the other; if that or its elements are const, over a copy of it.
  template <class Container>
    requires(D == 1 && detail::ContiguousContainer<Container, T>)
  buffer(Container& host, const property_list& properties = {}) : buffer(host, Allocator(), properties) {}
  template <class Container>
    requires(D == 1 && detail::ContiguousContainer<Container, T>)
  buffer(Container& host, Allocator allocator, const property_list& properties = {})
      : buffer(std::data(host), range<1>(std::size(host)), allocator, properties) {}

  /// Over memory that buffer and host share; over memory of its own if there is none.
  buffer(const std::shared_ptr<T>& host, const range<D>& extents, const property_list& properties = {})
      : buffer(host, extents, Allocator(), properties) {}
  buffer(const std::shared_ptr<T>& host, const range<D>& extents, Allocator allocator,
         const property_list& properties = {})
      : buffer(over(host, extents, allocator, properties), extents, 0, properties, allocator) {}
  buffer(const std::shared_ptr<T[]>& host, const range<D>& extents, const property_list& properties = {})
      : buffer(std::shared_ptr<T>(host, host.get()), extents, Allocator(), properties) {}
  buffer(const std::shared_ptr<T[]>& host, const range<D>& extents, Allocator allocator,
         const property_list& properties = {})
      : buffer(std::shared_ptr<T>(host, host.get()), extents, allocator, properties) {}

  /// Over a copy of the elements [first, last).
  template <detail::HostIterator Iterator>
    requires(D == 1)
  buffer(Iterator first, Iterator last, const property_list& properties = {})
      : buffer(first, last, Allocator(), properties) {}
  template <detail::HostIterator Iterator>
    requires(D == 1)
  buffer(Iterator first, Iterator last, Allocator allocator, const property_list& properties = {})
      : buffer(range<1>(static_cast<std::size_t>(std::distance(first, last))), allocator, properties) {
    auto* to = reinterpret_cast<element*>(m_owner->fresh_memory());
    for (; first != last; ++first, ++to) {
      *to = static_cast<element>(*first);
    }
  }

  /// A part of a buffer: `part` elements from `base` on, one after the other in memory. Errors: errc::invalid if it is
  /// not within the buffer, is not contiguous, or if the buffer is a sub-buffer itself.
  // [sycl.4.7.2.2]
  buffer(buffer& whole, const id<D>& base, const range<D>& part)
      : buffer(whole.owner(), part,
               detail::offset_of_part(whole.m_extents, whole.is_sub_buffer(), base, part, sizeof(T)),
               whole.m_properties, whole.m_allocator) {}

  [[nodiscard]] range<D> get_range() const noexcept { return m_extents; }
  [[nodiscard]] std::size_t size() const noexcept { return m_extents.size(); }
  [[nodiscard]] std::size_t byte_size() const noexcept { return size() * sizeof(T); }
  /// The names of SYCL 1.2.1.
  [[nodiscard]] std::size_t get_count() const noexcept { return size(); }
  [[nodiscard]] std::size_t get_size() const noexcept { return byte_size(); }
  [[nodiscard]] Allocator get_allocator() const { return m_allocator; }
  [[nodiscard]] bool is_sub_buffer() const { return m_offset != 0 || byte_size() != owner()->bytes(); }

  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return m_properties.template has_property<P>();
  }
  template <class P>
  [[nodiscard]] P get_property() const {
    return m_properties.template get_property<P>();
  }

  /// An accessor, as its constructors make it, with the mode as template argument; a part may be said in braces.
  template <access_mode Mode = access_mode::read_write, target Target = target::device, class... Part>
    requires(sizeof...(Part) <= 2 && !(detail::AccessTag<Part> || ...))
  accessor<T, D, Mode, Target> get_access(handler& command, const Part&... part) {
    return {*this, command, part...};
  }
  template <access_mode Mode = access_mode::read_write, target Target = target::device>
  accessor<T, D, Mode, Target> get_access(handler& command, const range<D>& part, const id<D>& offset = {}) {
    return {*this, command, part, offset};
  }
  /// An accessor of the mode that a tag says.
  template <class... Rest>
    requires(sizeof...(Rest) > 0 && (detail::AccessTag<Rest> || ...))
  auto get_access(handler& command, const Rest&... rest) {
    return accessor(*this, command, rest...);
  }
  /// Is get_access of SYCL 1.2.1 outside of command groups.
  template <access_mode Mode, target Target = target::host_buffer>
    requires(Target == target::host_buffer)
  detail::older_host_accessor<T, D, Mode> get_access() {
    return {*this};
  }
  template <access_mode Mode, target Target = target::host_buffer>
    requires(Target == target::host_buffer)
  detail::older_host_accessor<T, D, Mode> get_access(const range<D>& part, const id<D>& offset = {}) {
    return {*this, part, offset};
  }
  template <class... Rest>
  auto get_host_access(const Rest&... rest) {
    return host_accessor(*this, rest...);
  }

  /// Says where the contents go when the last handle does: a pointer or an output iterator to size() elements, a
  /// weak_ptr or shared_ptr to such, which does not keep them, a pointer to a container (which gets as many elements as
  /// it has), or a null pointer: nowhere. Errors: errc::invalid for a sub-buffer.
  template <class Destination = std::nullptr_t>
  void set_final_data(Destination destination = nullptr) {
    if (is_sub_buffer()) {
      throw exception(errc::invalid, "set_final_data: this is a sub-buffer; say it of the whole buffer");
    }
    if constexpr (std::is_same_v<Destination, void*>) {
      set_final_data(static_cast<std::remove_const_t<T>*>(destination));
    } else if constexpr (detail::is_shared_ptr<Destination>) {
      set_final_data(std::weak_ptr(destination));
    } else if (is_null(destination)) {
      m_owner->set_write_back({});
      m_owner->enable_write_back(false);
    } else if constexpr (!std::is_null_pointer_v<Destination>) {
      m_owner->set_write_back([destination, count = size()](const std::byte* memory) mutable {
        write_to(destination, reinterpret_cast<const T*>(memory), count);
      });
    }
  }
  /// Says whether contents are written back at the end. For a buffer over host memory: `false` keeps what is in that
  /// memory, if it is said before the first accessor is made; after that, commands have worked in it.
  void set_write_back(bool flag = true) { owner()->enable_write_back(flag); }

  /// Returns the same memory as an array of other elements. Errors: errc::invalid if the size in bytes is not the same.
  template <class U, int E, class A = buffer_allocator<std::remove_const_t<U>>>
  [[nodiscard]] buffer<U, E, A> reinterpret(const range<E>& extents) const {
    detail::check_reinterpretation(extents, sizeof(U), byte_size());
    return buffer<U, E, A>(owner(), extents, m_offset, m_properties);
  }
  template <class U, int E = sizeof(U) == sizeof(T) ? D : 1, class A = buffer_allocator<std::remove_const_t<U>>>
    requires(E == 1 || (E == D && sizeof(U) == sizeof(T)))
  [[nodiscard]] buffer<U, E, A> reinterpret() const {
    if constexpr (E == D && sizeof(U) == sizeof(T)) {
      return reinterpret<U, E, A>(m_extents);
    } else {
      return reinterpret<U, E, A>(range<1>(byte_size() / sizeof(U)));
    }
  }

  /// Equal if they stand for the same elements of the same memory.
  friend bool operator==(const buffer& a, const buffer& b) noexcept {
    return a.m_owner == b.m_owner && a.m_offset == b.m_offset && a.m_extents == b.m_extents;
  }

  /// Only the library calls this. Errors: errc::invalid if the buffer was moved from.
  [[nodiscard]] const detail::shared_part<detail::buffer_owner>& owner() const {
    if (!m_owner) [[unlikely]] {
      detail::throw_moved_from("buffer");
    }
    return m_owner;
  }
  /// Only the library calls this: it returns where the elements begin, in bytes from the beginning of the memory.
  [[nodiscard]] std::size_t byte_offset() const noexcept { return m_offset; }

private:
  friend struct std::hash<buffer>;
  friend struct detail::weak_access;
  template <class, int, class>
  friend class buffer;
  using element = std::remove_const_t<T>;
  buffer(detail::shared_part<detail::buffer_owner> owner, const range<D>& extents, std::size_t offset,
         const property_list& properties, const Allocator& allocator = Allocator())
      : m_owner(std::move(owner)), m_extents(extents), m_offset(offset), m_properties(properties),
        m_allocator(allocator) {}

  static std::size_t bytes_of(const range<D>& extents) { return detail::buffer_bytes(extents, sizeof(T)); }

  static detail::shared_object own_memory(const range<D>& extents, [[maybe_unused]] const Allocator& allocator) {
    if constexpr (std::is_same_v<Allocator, buffer_allocator<element>>) {
      return detail::allocate_buffer(extents, sizeof(T));
    } else {
      using traits = typename std::allocator_traits<Allocator>::template rebind_traits<element>;
      typename traits::allocator_type from(allocator);
      const std::size_t count = bytes_of(extents) / sizeof(T);
      try {
        return detail::shared_object(
            std::shared_ptr<void>(traits::allocate(from, count), [from, count](void* memory) mutable {
              traits::deallocate(from, static_cast<element*>(memory), count);
            }));
      } catch (const std::bad_alloc&) {
        detail::throw_no_buffer_memory(extents, sizeof(T));
      }
    }
  }
  static detail::shared_part<detail::buffer_owner> with_own_memory(const range<D>& extents,
                                                                   const Allocator& allocator) {
    return detail::make_buffer_owner(own_memory(extents, allocator), bytes_of(extents), false);
  }
  static detail::shared_part<detail::buffer_owner> with_copy_of(const T* host, const range<D>& extents,
                                                                const Allocator& allocator, const property_list& how) {
    const std::size_t bytes = bytes_of(extents);
    detail::check_host_memory(host, bytes);
    return detail::make_owner_of_copy(own_memory(extents, allocator), host, bytes, how.if_any());
  }
  template <class Host>
  static detail::shared_part<detail::buffer_owner> over(const Host& host, const range<D>& extents,
                                                        [[maybe_unused]] const Allocator& allocator,
                                                        const property_list& how) {
    if constexpr (!std::is_same_v<Allocator, buffer_allocator<element>>) {
      if (host == nullptr) {
        if constexpr (std::is_pointer_v<Host>) {
          detail::check_host_memory(host, bytes_of(extents));
        }
        return with_own_memory(extents, allocator);
      }
    }
    return detail::make_owner_over(host, extents, sizeof(T), how.if_any(), !std::is_const_v<T>);
  }

  template <class Destination>
  static bool is_null(const Destination& destination) {
    if constexpr (std::is_null_pointer_v<Destination> || std::is_pointer_v<Destination>) {
      return destination == nullptr;
    } else {
      return false;
    }
  }

  template <class Destination>
  static void write_to(Destination& destination, const T* memory, std::size_t count) {
    if constexpr (detail::is_weak_ptr<Destination>) {
      if (const auto held = destination.lock()) {
        auto* to = held.get();
        write_to(to, memory, count);
      }
    } else if constexpr (requires { std::copy_n(memory, count, std::begin(*destination)); }) {
      std::copy_n(memory, std::min(count, std::size(*destination)), std::begin(*destination));
    } else {
      Destination to = destination;
      for (std::size_t i = 0; i < count; ++i, ++to) {
        *to = memory[i];
      }
    }
  }

  detail::shared_part<detail::buffer_owner> m_owner;
  range<D> m_extents;
  std::size_t m_offset = 0; // bytes
  property_list m_properties;
  [[no_unique_address]] Allocator m_allocator;
};

template <class T, int D, class Allocator>
struct is_property_of<property::buffer::use_host_ptr, buffer<T, D, Allocator>> : std::true_type {};
template <class T, int D, class Allocator>
struct is_property_of<property::buffer::use_mutex, buffer<T, D, Allocator>> : std::true_type {};
template <class T, int D, class Allocator>
struct is_property_of<property::buffer::context_bound, buffer<T, D, Allocator>> : std::true_type {};
template <class T, int D, access_mode Mode, target Target, access::placeholder P>
struct is_property_of<property::no_init, accessor<T, D, Mode, Target, P>> : std::true_type {};
template <class T, int D, access_mode Mode>
struct is_property_of<property::no_init, host_accessor<T, D, Mode>> : std::true_type {};
template <class T, int D, access_mode Mode, target Target, access::placeholder P>
struct is_property_of<property::own_part, accessor<T, D, Mode, Target, P>> : std::true_type {};

template <class T, int D>
buffer(const T*, const range<D>&, const property_list& = {}) -> buffer<T, D>;
template <class T, int D>
buffer(T*, const range<D>&, const property_list& = {}) -> buffer<T, D>;
template <class T, int D, class Allocator>
buffer(const T*, const range<D>&, Allocator, const property_list& = {}) -> buffer<T, D, Allocator>;
template <class Container>
  requires(!std::is_pointer_v<Container>)
buffer(Container&, const property_list& = {})
    -> buffer<std::remove_cvref_t<decltype(*std::data(std::declval<Container&>()))>, 1>;
template <class Container, class Allocator>
buffer(Container&, Allocator, const property_list& = {})
    -> buffer<std::remove_cvref_t<decltype(*std::data(std::declval<Container&>()))>, 1, Allocator>;
template <detail::HostIterator Iterator>
buffer(Iterator, Iterator, const property_list& = {}) -> buffer<typename std::iterator_traits<Iterator>::value_type, 1>;
template <detail::HostIterator Iterator, class Allocator>
buffer(Iterator, Iterator, Allocator, const property_list& = {})
    -> buffer<typename std::iterator_traits<Iterator>::value_type, 1, Allocator>;
template <class T, int D>
buffer(const std::shared_ptr<T>&, const range<D>&, const property_list& = {}) -> buffer<T, D>;
template <class T, int D>
buffer(const std::shared_ptr<T[]>&, const range<D>&, const property_list& = {}) -> buffer<T, D>;

LANEFOLD_END_NAMESPACE

template <class T, int D, class Allocator>
struct std::hash<lanefold::buffer<T, D, Allocator>> {
  std::size_t operator()(const lanefold::buffer<T, D, Allocator>& b) const noexcept {
    return std::hash<const void*>()(b.m_owner.get());
  }
};
