// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/stream_statement.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

std::string digits_of(std::uint64_t value, int base) {
  std::array<char, 24> digits{};
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value, base);
  return {digits.data(), end};
}

std::string unsigned_text(std::uint64_t value, const stream_format& format) {
  const char* const prefix = !format.show_base || value == 0 || format.base == 10 ? "" : format.base == 16 ? "0x" : "0";
  return prefix + digits_of(value, format.base);
}

/// Like std::ostream, this prints octal and hexadecimal digits of the unsigned type of the same size.
std::string signed_text(std::uint64_t bits, std::size_t bytes, const stream_format& format) {
  if (format.base != 10) {
    return unsigned_text(bytes == sizeof(bits) ? bits : bits & ((std::uint64_t{1} << 8 * bytes) - 1), format);
  }
  const bool is_negative = static_cast<std::int64_t>(bits) < 0;
  return (is_negative ? "-" : format.show_sign ? "+" : "") + digits_of(is_negative ? 0 - bits : bits, 10);
}

/// The digits that printf writes in the locale of C, whatever the locale is.
std::string real_text(double value, const stream_format& how) {
  // No double has more than 767 digits, and the notation `g` leaves out zeros at the end; 309 may stand before a point.
  const int precision = how.notation == 'g' ? std::min(how.precision, 1100) : how.precision;
  std::string text(static_cast<std::size_t>(precision) + 330, '\0');
  const auto print = [&](auto... format) {
    const double magnitude = std::fabs(value);
    text.resize(static_cast<std::size_t>(
        std::to_chars(text.data(), text.data() + text.size(), magnitude, format...).ptr - text.data()));
  };
  switch (how.notation) {
  case 'f': print(std::chars_format::fixed, precision); break;
  case 'e': print(std::chars_format::scientific, precision); break;
  case 'g': print(std::chars_format::general, precision); break;
  default: print(std::chars_format::hex); // all digits, whatever the precision
  }
  const char* const prefix = how.notation == 'a' && std::isfinite(value) ? "0x" : "";
  return (std::signbit(value) ? "-" : how.show_sign ? "+" : "") + (prefix + text);
}

} // namespace

bool ends_statement(const stream_piece& piece) noexcept {
  return piece.what == stream_piece::kind::manipulator &&
         (piece.bits == static_cast<std::uint64_t>(stream_manipulator::endl) ||
          piece.bits == static_cast<std::uint64_t>(stream_manipulator::flush));
}

void stream_statement::add_text(std::string_view text, std::size_t limit) {
  const auto width = static_cast<std::size_t>(std::max(std::exchange(m_format.width, 0), 0));
  const std::size_t room = limit - std::min(m_text.size(), limit);
  const std::size_t blanks = width > text.size() ? width - text.size() : 0;
  const std::size_t blanks_taken = std::min(blanks, room);
  const std::size_t taken = std::min(text.size(), room - blanks_taken);
  m_text.append(blanks_taken, ' ');
  m_text.append(text.substr(0, taken));
  m_dropped += blanks - blanks_taken + text.size() - taken;
}

std::string stream_statement::digits(const stream_piece& piece) const {
  switch (piece.what) {
  case stream_piece::kind::character: return {static_cast<char>(piece.bits)};
  case stream_piece::kind::signed_number: return signed_text(piece.bits, piece.bytes, m_format);
  case stream_piece::kind::unsigned_number: return unsigned_text(piece.bits, m_format);
  case stream_piece::kind::real: return real_text(std::bit_cast<double>(piece.bits), m_format);
  default: return "0x" + digits_of(piece.bits, 16);
  }
}

void stream_statement::set(stream_manipulator manipulator) noexcept {
  switch (manipulator) {
  case stream_manipulator::endl:
  case stream_manipulator::flush: break;
  case stream_manipulator::dec: m_format.base = 10; break;
  case stream_manipulator::hex: m_format.base = 16; break;
  case stream_manipulator::oct: m_format.base = 8; break;
  case stream_manipulator::noshowbase: m_format.show_base = false; break;
  case stream_manipulator::showbase: m_format.show_base = true; break;
  case stream_manipulator::noshowpos: m_format.show_sign = false; break;
  case stream_manipulator::showpos: m_format.show_sign = true; break;
  case stream_manipulator::fixed: m_format.notation = 'f'; break;
  case stream_manipulator::scientific: m_format.notation = 'e'; break;
  case stream_manipulator::hexfloat: m_format.notation = 'a'; break;
  case stream_manipulator::defaultfloat: m_format.notation = 'g'; break;
  }
}

void stream_statement::add(const stream_piece& piece, std::size_t limit) {
  switch (piece.what) {
  case stream_piece::kind::text: add_text(piece.text, limit); break;
  case stream_piece::kind::manipulator: {
    const auto manipulator = static_cast<stream_manipulator>(piece.bits);
    if (manipulator == stream_manipulator::endl) {
      add_text("\n", limit);
    }
    set(manipulator);
    break;
  }
  case stream_piece::kind::precision: m_format.precision = std::max(static_cast<int>(piece.bits), 0); break;
  case stream_piece::kind::width: m_format.width = static_cast<int>(piece.bits); break;
  default: add_text(digits(piece), limit); break;
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
