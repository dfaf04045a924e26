// SPDX-License-Identifier: Apache-2.0
#include "number_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr std::array names = {"bool", "char", "uchar", "short", "ushort", "int",
                              "uint", "long", "ulong", "float", "double", "float"};

template <class T>
T number_of(std::uint64_t bits) {
  T x;
  std::memcpy(static_cast<void*>(&x), &bits, sizeof(T));
  return x;
}

/// Whole numbers that are not large as such, others in hexadecimal; what is not finite by its bits.
template <class T>
std::string real_text(std::uint64_t bits) {
  constexpr bool is_float = sizeof(T) == 4;
  const T x = number_of<T>(bits);
  std::array<char, 64> text{};
  if (!std::isfinite(x)) {
    std::snprintf(text.data(), text.size(), is_float ? "as_float(0x%llxu)" : "as_double(0x%llxul)",
                  static_cast<unsigned long long>(bits));
    return text.data();
  }
  const auto magnitude = std::fabs(static_cast<double>(x));
  const auto print = [&](auto... format) { // whatever the locale
    return std::string(text.data(), std::to_chars(text.data(), text.data() + text.size(), magnitude, format...).ptr);
  };
  const bool is_whole = x == std::trunc(x) && magnitude < (1 << 20) && !(x == 0 && std::signbit(x));
  const std::string number =
      (is_whole ? print(std::chars_format::fixed, 1) : "0x" + print(std::chars_format::hex)) + (is_float ? "f" : "");
  return std::signbit(x) ? "(-" + number + ")" : number;
}

template <class T>
std::string signed_text(std::uint64_t bits, const char* suffix) {
  const T x = number_of<T>(bits);
  if (x == std::numeric_limits<T>::min()) {
    return "(" + std::to_string(x + 1) + suffix + " - 1)";
  }
  return x < 0 ? "(" + std::to_string(x) + suffix + ")" : std::to_string(x) + suffix;
}

} // namespace

const char* name_of_type(recorded_type type) { return names[static_cast<std::size_t>(type)]; }

const char* name_in_memory(recorded_type type) {
  return type == recorded_type::boolean ? "uchar" : type == recorded_type::f16 ? "half" : name_of_type(type);
}

std::string text_of_number(recorded_type type, std::uint64_t bits) {
  switch (type) {
  case recorded_type::boolean: return bits != 0 ? "true" : "false";
  case recorded_type::i8: return "(char)(" + std::to_string(number_of<std::int8_t>(bits)) + ")";
  case recorded_type::u8: return "(uchar)" + std::to_string(bits);
  case recorded_type::i16: return "(short)(" + std::to_string(number_of<std::int16_t>(bits)) + ")";
  case recorded_type::u16: return "(ushort)" + std::to_string(bits);
  case recorded_type::i32: return signed_text<std::int32_t>(bits, "");
  case recorded_type::u32: return std::to_string(bits) + "u";
  case recorded_type::i64: return signed_text<std::int64_t>(bits, "l");
  case recorded_type::u64: return std::to_string(bits) + "ul";
  case recorded_type::f32: return real_text<float>(bits);
  case recorded_type::f64: return real_text<double>(bits);
  case recorded_type::f16:
    return real_text<float>(std::bit_cast<std::uint32_t>(static_cast<float>(number_of<half>(bits))));
  }
  return "";
}

std::size_t bytes_of(recorded_type type) {
  switch (type) {
  case recorded_type::boolean:
  case recorded_type::i8:
  case recorded_type::u8: return 1;
  case recorded_type::i16:
  case recorded_type::u16:
  case recorded_type::f16: return 2;
  case recorded_type::i32:
  case recorded_type::u32:
  case recorded_type::f32: return 4;
  default: return 8;
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
