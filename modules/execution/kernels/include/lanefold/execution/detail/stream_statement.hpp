// SPDX-License-Identifier: Apache-2.0
/// Makes text of what a work-item writes to a stream.
#pragma once

#include <lanefold/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
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

namespace detail {

class stream_state;

/// Something that is written to a stream: a text, a number, or how the numbers behind it become text.
struct stream_piece {
  enum class kind : unsigned char {
    text,
    character,
    signed_number, ///< a bool, if it has one byte
    unsigned_number,
    real,
    pointer,
    manipulator,
    precision,
    width
  };
  kind what;
  unsigned char bytes = 0; ///< of a number's type
  std::uint64_t bits = 0;  ///< of an std::int64_t, std::uint64_t or double; of a character; the setting
  std::string_view text = {};

  friend bool operator==(const stream_piece&, const stream_piece&) = default;
};

inline stream_piece text_piece(std::string_view text) { return {stream_piece::kind::text, 0, 0, text}; }
inline stream_piece setting_piece(stream_piece::kind what, int setting) {
  return {what, 0, static_cast<std::uint64_t>(static_cast<std::int64_t>(setting))};
}

/// Returns what numbers of a type are; everything that is no integer is converted to float or double.
template <class T>
constexpr stream_piece::kind number_kind_of() {
  using kind = stream_piece::kind;
  if constexpr (!std::is_integral_v<T>) {
    return kind::real;
  } else if constexpr (std::is_same_v<T, bool>) {
    return kind::signed_number;
  } else {
    return sizeof(T) == 1 ? kind::character : std::is_signed_v<T> ? kind::signed_number : kind::unsigned_number;
  }
}
template <class T>
stream_piece number_piece(const T& value) {
  constexpr stream_piece::kind what = number_kind_of<T>();
  std::uint64_t bits = 0;
  if constexpr (std::is_floating_point_v<T>) {
    bits = std::bit_cast<std::uint64_t>(static_cast<double>(value));
  } else if constexpr (what == stream_piece::kind::real) {
    bits = std::bit_cast<std::uint64_t>(static_cast<double>(static_cast<float>(value)));
  } else if constexpr (what == stream_piece::kind::character) {
    bits = static_cast<unsigned char>(value);
  } else {
    bits = static_cast<std::uint64_t>(value); // a negative number keeps its bits in 64
  }
  return {what, static_cast<unsigned char>(sizeof(T)), bits, {}};
}

/// Says how values become text.
struct stream_format {
  int base = 10;
  bool show_base = false;
  bool show_sign = false;
  char notation = 'g'; ///< the letter of printf: g, f, e, a
  int precision = 6;
  int width = 0; ///< of the next value
};

/// Holds what one work-item has written since its last flush.
class stream_statement {
public:
  /// Adds a piece; the statement has `limit` characters at most.
  void add(const stream_piece& piece, std::size_t limit);
  [[nodiscard]] bool has_output() const noexcept { return !m_text.empty() || m_dropped != 0; }
  [[nodiscard]] const std::string& text() const noexcept { return m_text; }
  /// Characters that did not fit.
  [[nodiscard]] std::size_t dropped() const noexcept { return m_dropped; }
  /// The next statement of the same work-item, which keeps the format.
  void begin_next() noexcept {
    m_text.clear();
    m_dropped = 0;
  }

private:
  void add_text(std::string_view text, std::size_t limit);
  [[nodiscard]] std::string digits(const stream_piece& piece) const;
  void set(stream_manipulator manipulator) noexcept;

  std::string m_text;
  std::size_t m_dropped = 0;
  stream_format m_format;
};

/// Is endl or flush.
[[nodiscard]] bool ends_statement(const stream_piece& piece) noexcept;

/// Notes what a kernel that is recorded for a device writes to its streams.
class stream_recorder {
public:
  stream_recorder() = default;
  stream_recorder(const stream_recorder&) = delete;
  stream_recorder& operator=(const stream_recorder&) = delete;

  /// Something that all work-items write.
  virtual void put(stream_state& to, const stream_piece& piece) = 0;
  /// A plain number of the kernel's, which may be an element of memory that the host cannot read.
  virtual void put_number(stream_state& to, stream_piece::kind what, std::size_t bytes, const void* place) = 0;

protected:
  ~stream_recorder() = default;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
