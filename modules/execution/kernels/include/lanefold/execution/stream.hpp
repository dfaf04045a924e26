// SPDX-License-Identifier: Apache-2.0
/// stream: text output of kernels.
#pragma once

#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/detail/shared_part.hpp>
#include <lanefold/execution/detail/stream_statement.hpp>
#include <lanefold/execution/detail/work_item_note.hpp>
#include <lanefold/execution/item.hpp>
#include <lanefold/execution/launch.hpp>
#include <lanefold/execution/nd_item.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/id.hpp>
#include <lanefold/memory/multi_ptr.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/detail/math_operand.hpp>
#include <lanefold/simd/lane_id.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

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

} // namespace detail

/// Digits of floating-point numbers: significant ones, or with fixed and scientific those behind the point.
inline detail::stream_precision setprecision(int digits) { return {digits}; }
/// The least number of characters of the next value; blanks are put before it.
inline detail::stream_width setw(int characters) { return {characters}; }

/// Text output of a kernel [sycl.4.16]: made in a command group, captured by value, written to by work-items with `<<`.
///
/// The text goes to stdout when the command ends, before anybody learns that it is complete: all that one work-item has
/// written, then what the next one has, in the linear order of the range, so that the output is the same in every run.
/// In lane-generic kernels each work-item that runs writes, too, also what is uniform, so that lanes, single work-items
/// and OpenCL devices print the same. Work-items of hierarchical and scoped kernels have no order among each other, but
/// statements stay whole; lanes of such kernels write together, once. Manipulators hold for one work-item.
///
/// An OpenCL device keeps what its work-items have written, in 20 bytes for each character of the stream, and the host
/// makes text of it when the command ends.
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

  // Only the library calls these.

  /// Each work-item that runs writes it.
  void put(const detail::stream_piece& piece) const;
  /// Notes what a kernel writes that is recorded for a device; else null.
  [[nodiscard]] detail::stream_recorder* recorder() const noexcept {
    return m_note == nullptr ? nullptr : m_note->recorder;
  }
  [[nodiscard]] detail::stream_state& state() const noexcept { return *m_state; }
  /// Returns whether that many lanes write.
  [[nodiscard]] bool has_lanes(std::size_t count) const;
  /// `write(lane)` writes what is of that lane, if it runs.
  template <class Write>
  void put_lanes(std::size_t count, const Write& write) const {
    for (std::size_t lane = 0; lane < count; ++lane) {
      if (runs(lane)) {
        m_lane = lane;
        write(lane);
        m_lane = all_lanes;
      }
    }
  }

private:
  friend struct std::hash<stream>;
  static constexpr std::size_t all_lanes = static_cast<std::size_t>(-1);

  stream(std::size_t total_buffer_size, std::size_t work_item_buffer_size, const property_list& properties);

  /// Returns what ends with the command.
  std::shared_ptr<detail::command_attachment> attachment() const;
  const property_list& properties() const noexcept;
  void begin() const;
  void copy_statements(const stream& other);
  [[nodiscard]] bool runs(std::size_t lane) const noexcept;
  void commit(std::size_t lane) const noexcept;
  void commit() const noexcept;

  detail::shared_part<detail::stream_state> m_state;
  const detail::work_item_note* m_note = nullptr; ///< of the frame that runs this copy
  // These hold what the work-items that run have written since their last flush. A copy is used by one thread.
  mutable std::size_t m_item = 0;                                                  ///< the first one's place
  mutable detail::shared_part<std::vector<detail::stream_statement>> m_statements; ///< of each lane; not shared
  mutable std::size_t m_lane = all_lanes;                                          ///< the one that writes
};

namespace detail {

/// vec, its swizzles, marray.
template <class T>
concept ElementSequence = requires(const T& x) {
  { T::size() } -> std::convertible_to<std::size_t>;
  x[0];
} && !varying_value<T>;

/// A class that is a number, such as half.
template <class T>
concept NumberClass = std::is_class_v<T> && std::convertible_to<const T&, float> && !ElementSequence<T>;

template <class Coordinates>
void put_coordinates(const stream& out, const Coordinates& place) {
  out.put(text_piece("{"));
  for (int d = 0; d < Coordinates::dimensions; ++d) {
    if (d != 0) {
      out.put(text_piece(", "));
    }
    out.put(number_piece(std::uint64_t{place[d]}));
  }
  out.put(text_piece("}"));
}

/// Who records knows a number by where it lies: only of a volatile one there is a copy.
template <class T>
void put_number(const stream& out, const T& value) {
  if constexpr (std::is_volatile_v<T>) {
    put_number(out, static_cast<std::remove_volatile_t<T>>(value));
  } else if (stream_recorder* const recorder = out.recorder()) {
    recorder->put_number(out.state(), number_kind_of<T>(), sizeof(T), &value);
  } else {
    out.put(number_piece(value));
  }
}

/// Is a value of each lane: a varying, an index or a mask.
template <class X>
concept LaneValue = varying_value<X> || stands_for_varying<X> || is_mask_v<X>;

template <class X>
void put_lanes(const stream& out, std::size_t count, const X& x) {
  const auto put = [&](std::size_t lane) {
    if constexpr (requires { x.lane(lane); }) { // of vectors and structs
      out << x.lane(lane);
    } else {
      out << x[lane];
    }
  };
  if (out.has_lanes(count)) {
    out.put_lanes(count, put);
    return;
  }
  for (std::size_t lane = 0; lane < count; ++lane) {
    out.put(text_piece(lane == 0 ? "" : ", "));
    put(lane);
  }
}

} // namespace detail

// ---- values [sycl.4.16.3]

inline const stream& operator<<(const stream& out, const char* text) {
  out.put(detail::text_piece(text == nullptr ? std::string_view("(null)") : std::string_view(text)));
  return out;
}
template <std::integral T>
const stream& operator<<(const stream& out, const T& value) {
  detail::put_number<T>(out, value);
  return out;
}
template <std::floating_point T>
const stream& operator<<(const stream& out, const T& value) {
  detail::put_number<T>(out, value);
  return out;
}
template <detail::NumberClass T>
const stream& operator<<(const stream& out, const T& value) {
  detail::put_number<T>(out, value);
  return out;
}
template <class T, access::address_space Space, access::decorated Decorated>
const stream& operator<<(const stream& out, const multi_ptr<T, Space, Decorated>& pointer) {
  return out << pointer.get();
}
template <class T>
const stream& operator<<(const stream& out, T* pointer) {
  out.put({detail::stream_piece::kind::pointer, sizeof(pointer), reinterpret_cast<std::uintptr_t>(pointer), {}});
  return out;
}
/// "1, 2, 3, 4"
template <detail::ElementSequence T>
const stream& operator<<(const stream& out, const T& elements) {
  for (int i = 0; i < static_cast<int>(T::size()); ++i) {
    if (i != 0) {
      out.put(detail::text_piece(", "));
    }
    out << elements[i];
  }
  return out;
}
/// Each work-item writes its value. (Where lanes write together, all of them: "1, 2, 3, 4".)
template <detail::LaneValue X>
const stream& operator<<(const stream& out, const X& x) {
  if constexpr (detail::stands_for_varying<X>) {
    return out << x.value();
  } else {
    constexpr std::size_t count = [] {
      if constexpr (is_mask_v<X>) {
        return X::size;
      } else {
        return X::size();
      }
    }();
    detail::put_lanes(out, count, x);
    return out;
  }
}
/// "{1, 2}", of each work-item.
template <int D, class Lanes>
const stream& operator<<(const stream& out, const lane_id<D, Lanes>& value) {
  out << "{";
  for (int d = 0; d < D; ++d) {
    out << (d == 0 ? "" : ", ") << value[d];
  }
  return out << "}";
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
  out << "group(id: {";
  for (int d = 0; d < D; ++d) {
    out << (d == 0 ? "" : ", ") << value.get_group_id(d);
  }
  return out << "}, local_range: " << value.get_local_range() << ")";
}
inline const stream& operator<<(const stream& out, stream_manipulator manipulator) {
  out.put(detail::setting_piece(detail::stream_piece::kind::manipulator, static_cast<int>(manipulator)));
  return out;
}
inline const stream& operator<<(const stream& out, detail::stream_precision precision) {
  out.put(detail::setting_piece(detail::stream_piece::kind::precision, precision.digits));
  return out;
}
inline const stream& operator<<(const stream& out, detail::stream_width width) {
  out.put(detail::setting_piece(detail::stream_piece::kind::width, width.characters));
  return out;
}

LANEFOLD_END_NAMESPACE

template <>
struct std::hash<lanefold::stream> {
  std::size_t operator()(const lanefold::stream& s) const noexcept { return std::hash<const void*>()(s.m_state.get()); }
};
