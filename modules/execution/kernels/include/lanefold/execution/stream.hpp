// SPDX-License-Identifier: Apache-2.0
/// stream: text output of kernels.
#pragma once

#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/work_item_note.hpp>
#include <lanefold/execution/item.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/nd_item.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/id.hpp>
#include <lanefold/memory/multi_ptr.hpp>
#include <lanefold/range.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// [sycl.4.16.2]
enum class stream_manipulator {
  flush,
  dec,
  hex,
  oct,
  noshowbase,
  showbase,
  noshowpos,
  showpos,
  endl,
  fixed,
  scientific,
  hexfloat,
  defaultfloat
};

inline constexpr stream_manipulator flush = stream_manipulator::flush;
inline constexpr stream_manipulator dec = stream_manipulator::dec;
inline constexpr stream_manipulator hex = stream_manipulator::hex;
inline constexpr stream_manipulator oct = stream_manipulator::oct;
inline constexpr stream_manipulator noshowbase = stream_manipulator::noshowbase;
inline constexpr stream_manipulator showbase = stream_manipulator::showbase;
inline constexpr stream_manipulator noshowpos = stream_manipulator::noshowpos;
inline constexpr stream_manipulator showpos = stream_manipulator::showpos;
/// A new line, and flush.
inline constexpr stream_manipulator endl = stream_manipulator::endl;
inline constexpr stream_manipulator fixed = stream_manipulator::fixed;
inline constexpr stream_manipulator scientific = stream_manipulator::scientific;
inline constexpr stream_manipulator hexfloat = stream_manipulator::hexfloat;
inline constexpr stream_manipulator defaultfloat = stream_manipulator::defaultfloat;

namespace detail {

struct stream_precision {
  int digits;
};
struct stream_width {
  int characters;
};
class stream_state;

/// Says how values become text.
struct stream_format {
  int base = 10;
  bool show_base = false;
  bool show_sign = false;
  char notation = 'g'; ///< the letter of printf: g, f, e, a
  int precision = 6;
  int width = 0; ///< of the next value
};

} // namespace detail

/// Digits of floating-point numbers: significant ones, or with fixed and scientific those behind the point.
inline detail::stream_precision setprecision(int digits) { return {digits}; }
/// The least number of characters of the next value; blanks are put before it.
inline detail::stream_width setw(int characters) { return {characters}; }

/// Text output of a kernel [sycl.4.16]: made in a command group, captured by value, written to by work-items with `<<`.
///
/// The text goes to stdout when the command ends, before anybody learns that it is complete: all that one work-item has
/// written, then what the next one has, in the linear order of the range, so that the output is the same in every run.
/// In lane-generic kernels a sub-group writes, in the place of its first work-item; work-items of hierarchical and
/// scoped kernels have no order among each other, but statements stay whole. Manipulators hold for one work-item.
///
/// A work-item collects a statement of `work_item_buffer_size` characters at most, up to endl, flush or its end, and
/// all statements have `total_buffer_size` at most; what goes beyond is dropped, and stderr says how much. A stream
/// makes its kernel's loop scalar; kernels without one pay nothing.
// The alignment marks kernels that capture a stream: see work_item_note.hpp.
class alignas(detail::stream_alignment) stream {
public:
  // (A template, so that handler.hpp is not needed here.)
  template <std::same_as<handler> Handler>
  stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, Handler& group,
         const property_list& properties = {})
      : stream(total_buffer_size, work_item_buffer_size, properties) {
    group.attach(attachment());
  }
  /// A copy writes to the same stream.
  stream(const stream& other);
  stream& operator=(const stream& other);
  ~stream();

  [[nodiscard]] std::size_t size() const noexcept;
  [[nodiscard]] std::size_t get_work_item_buffer_size() const noexcept;
  /// SYCL 1.2.1's names of these.
  [[nodiscard]] std::size_t get_size() const noexcept { return size(); }
  [[nodiscard]] std::size_t get_max_statement_size() const noexcept { return get_work_item_buffer_size(); }
  template <class P>
  [[nodiscard]] bool has_property() const noexcept {
    return properties().has_property<P>();
  }
  template <class P>
  [[nodiscard]] P get_property() const {
    return properties().get_property<P>();
  }

  /// Equal if one is a copy of the other.
  friend bool operator==(const stream& a, const stream& b) noexcept { return a.m_state == b.m_state; }

  // Only the library calls these: each writes one value.
  void put_text(std::string_view text) const;
  void put(std::int64_t value, std::size_t bytes) const;
  void put(std::uint64_t value) const;
  void put(double value) const;
  void put_pointer(const void* pointer) const;
  void put(stream_manipulator manipulator) const;
  void put(detail::stream_precision precision) const;
  void put(detail::stream_width width) const;

private:
  friend struct std::hash<stream>;

  stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, const property_list& properties);

  /// Returns what ends with the command.
  std::shared_ptr<detail::command_attachment> attachment() const;
  const property_list& properties() const noexcept;
  void begin() const;
  void put_number(std::string_view sign, std::string_view digits) const;
  void commit() const noexcept;

  std::shared_ptr<detail::stream_state> m_state;
  const detail::work_item_note* m_note = nullptr; ///< of the frame that runs this copy
  // These hold what the work-item has written since its last flush. A copy is used by one thread.
  mutable std::size_t m_item = 0;
  mutable std::string m_statement;
  mutable std::size_t m_dropped = 0;
  mutable detail::stream_format m_format;
};

namespace detail {

/// vec, its swizzles, marray.
template <class T>
concept ElementSequence = requires(const T& x) {
  { T::size() } -> std::convertible_to<std::size_t>;
  x[0];
};

/// A class that is a number, such as half.
template <class T>
concept NumberClass = std::is_class_v<T> && std::convertible_to<const T&, float> && !ElementSequence<T>;

template <class Coordinates>
void put_coordinates(const stream& out, const Coordinates& place) {
  out.put_text("{");
  for (int d = 0; d < Coordinates::dimensions; ++d) {
    if (d != 0) {
      out.put_text(", ");
    }
    out.put(std::uint64_t{place[d]});
  }
  out.put_text("}");
}

} // namespace detail

// ---- values [sycl.4.16.3]

inline const stream& operator<<(const stream& out, const char* text) {
  out.put_text(text == nullptr ? std::string_view("(null)") : std::string_view(text));
  return out;
}
template <std::integral T>
const stream& operator<<(const stream& out, T value) {
  if constexpr (sizeof(T) == 1 && !std::is_same_v<T, bool>) {
    const auto character = static_cast<char>(value);
    out.put_text(std::string_view(&character, 1));
  } else if constexpr (std::is_signed_v<T> || std::is_same_v<T, bool>) {
    out.put(std::int64_t{value}, sizeof(T));
  } else {
    out.put(std::uint64_t{value});
  }
  return out;
}
template <std::floating_point T>
const stream& operator<<(const stream& out, T value) {
  out.put(static_cast<double>(value));
  return out;
}
template <detail::NumberClass T>
const stream& operator<<(const stream& out, const T& value) {
  out.put(static_cast<double>(static_cast<float>(value)));
  return out;
}
template <class T, access::address_space Space, access::decorated Decorated>
const stream& operator<<(const stream& out, const multi_ptr<T, Space, Decorated>& pointer) {
  return out << pointer.get();
}
template <class T>
const stream& operator<<(const stream& out, T* pointer) {
  out.put_pointer(static_cast<const void*>(pointer));
  return out;
}
/// "1, 2, 3, 4"
template <detail::ElementSequence T>
const stream& operator<<(const stream& out, const T& elements) {
  for (int i = 0; i < static_cast<int>(T::size()); ++i) {
    if (i != 0) {
      out.put_text(", ");
    }
    out << elements[i];
  }
  return out;
}
/// "{1, 2}"
template <int D>
const stream& operator<<(const stream& out, const id<D>& value) {
  detail::put_coordinates(out, value);
  return out;
}
template <int D>
const stream& operator<<(const stream& out, const range<D>& value) {
  detail::put_coordinates(out, value);
  return out;
}
template <int D>
const stream& operator<<(const stream& out, const nd_range<D>& value) {
  return out << "nd_range(global_range: " << value.get_global_range() << ", local_range: " << value.get_local_range()
             << ", offset: " << value.get_offset() << ")";
}
template <int D>
const stream& operator<<(const stream& out, const item_of<D, scalar>& value) {
  return out << "item(range: " << value.get_range() << ", id: " << value.get_id() << ")";
}
template <int D>
const stream& operator<<(const stream& out, const nd_item<D, scalar>& value) {
  return out << "nd_item(global_id: " << value.get_global_id() << ", local_id: " << value.get_local_id() << ")";
}
template <int D, class Lanes>
const stream& operator<<(const stream& out, const group<D, Lanes>& value) {
  return out << "group(id: " << value.get_group_id() << ", local_range: " << value.get_local_range() << ")";
}
inline const stream& operator<<(const stream& out, stream_manipulator manipulator) {
  out.put(manipulator);
  return out;
}
inline const stream& operator<<(const stream& out, detail::stream_precision precision) {
  out.put(precision);
  return out;
}
inline const stream& operator<<(const stream& out, detail::stream_width width) {
  out.put(width);
  return out;
}

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::stream> {
  std::size_t operator()(const lanefold::stream& s) const noexcept {
    return std::hash<std::shared_ptr<lanefold::detail::stream_state>>()(s.m_state);
  }
};
