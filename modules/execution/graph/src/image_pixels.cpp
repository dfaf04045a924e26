// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/image_pixels.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/memory/half.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

[[noreturn]] void refuse(const char* why) { throw exception(make_error_code(errc::invalid), why); }

std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) {
    refuse("an image of this size does not fit memory");
  }
  return result;
}

/// One channel in memory.
template <class T, bool Normalized = false>
struct channel {
  using type = T;
  static double read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    const auto number = static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, half>, float, T>>(value));
    return Normalized ? std::max(number / std::numeric_limits<T>::max(), -1.0) : number;
  }
  static void write(std::byte* to, double number) {
    T value;
    if constexpr (std::is_integral_v<T>) {
      constexpr double least = std::numeric_limits<T>::min();
      constexpr double most = std::numeric_limits<T>::max();
      const double scaled = std::rint(Normalized ? number * most : number);
      value = static_cast<T>(scaled > least ? std::min(scaled, most) : least); // not a number: the least
    } else {
      value = static_cast<T>(static_cast<float>(number));
    }
    std::memcpy(to, &value, sizeof(T));
  }
};

/// Calls the function with the channel of the type.
template <class F>
auto with_channel(image_channel_type type, F f) {
  switch (type) {
  case image_channel_type::snorm_int8: return f(channel<std::int8_t, true>());
  case image_channel_type::snorm_int16: return f(channel<std::int16_t, true>());
  case image_channel_type::unorm_int8: return f(channel<std::uint8_t, true>());
  case image_channel_type::unorm_int16: return f(channel<std::uint16_t, true>());
  case image_channel_type::signed_int8: return f(channel<std::int8_t>());
  case image_channel_type::signed_int16: return f(channel<std::int16_t>());
  case image_channel_type::signed_int32: return f(channel<std::int32_t>());
  case image_channel_type::unsigned_int8: return f(channel<std::uint8_t>());
  case image_channel_type::unsigned_int16: return f(channel<std::uint16_t>());
  case image_channel_type::unsigned_int32: return f(channel<std::uint32_t>());
  case image_channel_type::fp16: return f(channel<half>());
  case image_channel_type::fp32: return f(channel<float>());
  case image_channel_type::unorm_short_565:
  case image_channel_type::unorm_short_555:
  case image_channel_type::unorm_int_101010: break;
  }
  throw exception(make_error_code(errc::feature_not_supported),
                  "images with several channels in one integer (565, 555, 101010) are not supported");
}

/// Says where red, green, blue and alpha are: the number of the channel in memory, or what stands there instead.
struct channel_places {
  static constexpr std::size_t zero = 4;
  static constexpr std::size_t one = 5;
  std::size_t count; // of channels in memory
  std::array<std::size_t, 4> places;
  double alpha_outside = 0; // of the image, where the colors are 0
};

channel_places places_of(image_channel_order order) noexcept {
  constexpr std::size_t o = channel_places::zero;
  constexpr std::size_t i = channel_places::one;
  switch (order) {
  case image_channel_order::a: return {1, {o, o, o, 0}};
  case image_channel_order::r: return {1, {0, o, o, i}, 1};
  case image_channel_order::rx: return {1, {0, o, o, i}};
  case image_channel_order::rg: return {2, {0, 1, o, i}, 1};
  case image_channel_order::rgx: return {2, {0, 1, o, i}};
  case image_channel_order::ra: return {2, {0, o, o, 1}};
  case image_channel_order::rgb: return {3, {0, 1, 2, i}, 1};
  case image_channel_order::rgbx: return {3, {0, 1, 2, i}};
  case image_channel_order::argb: return {4, {1, 2, 3, 0}};
  case image_channel_order::bgra: return {4, {2, 1, 0, 3}};
  case image_channel_order::abgr: return {4, {3, 2, 1, 0}};
  case image_channel_order::intensity: return {1, {0, 0, 0, 0}};
  case image_channel_order::luminance: return {1, {0, 0, 0, i}, 1};
  case image_channel_order::rgba: break;
  }
  return {4, {0, 1, 2, 3}};
}

std::size_t pixel_bytes(pixel_format format) {
  return with_channel(format.type, [](auto c) { return sizeof(typename decltype(c)::type); }) *
         places_of(format.order).count;
}

channel_kind kind_of(pixel_format format) noexcept {
  switch (format.type) {
  case image_channel_type::signed_int8:
  case image_channel_type::signed_int16:
  case image_channel_type::signed_int32: return channel_kind::signed_integer;
  case image_channel_type::unsigned_int8:
  case image_channel_type::unsigned_int16:
  case image_channel_type::unsigned_int32: return channel_kind::unsigned_integer;
  default: return channel_kind::real;
  }
}

bool is_inside(const image_layout& layout, const pixel_position& at) {
  for (std::size_t d = 0; d < 3; ++d) {
    if (at[d] < 0 || static_cast<std::size_t>(at[d]) >= layout.extents[d]) {
      return false;
    }
  }
  return true;
}

std::size_t offset_of(const image_layout& layout, const pixel_position& at) {
  if (!is_inside(layout, at)) {
    refuse("the position of a pixel is not within the image");
  }
  return static_cast<std::size_t>(at[2]) * layout.pitch[1] + static_cast<std::size_t>(at[1]) * layout.pitch[0] +
         static_cast<std::size_t>(at[0]) * pixel_bytes(layout.format);
}

/// The pixels in one dimension between which a coordinate lies, -1 or the extent for the border, and how much of the
/// second one counts.
struct neighbours {
  std::ptrdiff_t first;
  std::ptrdiff_t second;
  double weight;
};

neighbours find(double at, std::size_t extent, const image_sampler& how) {
  const auto n = static_cast<double>(extent);
  if (how.addressing == addressing_mode::repeat) {
    at -= std::floor(at);
  } else if (how.addressing == addressing_mode::mirrored_repeat) {
    at = std::fabs(at - 2 * std::rint(at / 2));
  }
  if (how.coordinate == coordinate_normalization_mode::normalized) {
    at *= n;
  }
  // Far outside is as good as just outside; this also keeps what is no number out.
  const double u = at > -2 ? std::min(at, n + 2) : -2;
  const bool is_linear = how.filtering == filtering_mode::linear;
  const double low = std::floor(is_linear ? u - 0.5 : u);
  const auto put = [&](double i) {
    const auto index = static_cast<std::ptrdiff_t>(i);
    const auto count = static_cast<std::ptrdiff_t>(extent);
    switch (how.addressing) {
    case addressing_mode::repeat: return (index + count) % count;
    case addressing_mode::clamp: return std::clamp<std::ptrdiff_t>(index, -1, count);
    default: return std::clamp<std::ptrdiff_t>(index, 0, count - 1);
    }
  };
  return {put(low), put(low + 1), is_linear ? u - 0.5 - low : 0};
}

} // namespace

pixel_format pixels_of(image_format format) noexcept {
  constexpr image_channel_order rgba = image_channel_order::rgba;
  switch (format) {
  case image_format::r8g8b8a8_unorm: return {rgba, image_channel_type::unorm_int8};
  case image_format::b8g8r8a8_unorm: return {image_channel_order::bgra, image_channel_type::unorm_int8};
  case image_format::r16g16b16a16_unorm: return {rgba, image_channel_type::unorm_int16};
  case image_format::r8g8b8a8_sint: return {rgba, image_channel_type::signed_int8};
  case image_format::r16g16b16a16_sint: return {rgba, image_channel_type::signed_int16};
  case image_format::r32b32g32a32_sint: return {rgba, image_channel_type::signed_int32};
  case image_format::r8g8b8a8_uint: return {rgba, image_channel_type::unsigned_int8};
  case image_format::r16g16b16a16_uint: return {rgba, image_channel_type::unsigned_int16};
  case image_format::r32b32g32a32_uint: return {rgba, image_channel_type::unsigned_int32};
  case image_format::r16b16g16a16_sfloat: return {rgba, image_channel_type::fp16};
  case image_format::r32g32b32a32_sfloat: break;
  }
  return {rgba, image_channel_type::fp32};
}

image_layout make_layout(pixel_format format, const std::array<std::size_t, 3>& extents,
                         const std::array<std::size_t, 2>& pitch) {
  const std::size_t row = product(extents[0], pixel_bytes(format));
  image_layout made{format, extents, {pitch[0] == 0 ? row : pitch[0], 0}};
  const std::size_t plane = product(made.pitch[0], extents[1]);
  made.pitch[1] = pitch[1] == 0 ? plane : pitch[1];
  static_cast<void>(product(made.pitch[1], extents[2]));
  if (made.size() == 0) {
    refuse("an image has at least one pixel");
  }
  if (made.pitch[0] < row || made.pitch[1] < plane) {
    refuse("the pitch of an image is less than a row or a plane");
  }
  return made;
}

void check_kind(pixel_format format, channel_kind elements) {
  if (kind_of(format) != elements) {
    refuse("the pixels of an image accessor are of signed integers, unsigned integers or real numbers, as the format "
           "of the image");
  }
}

pixel read_pixel(const image_layout& layout, const std::byte* memory, const pixel_position& at) {
  const std::byte* const from = memory + offset_of(layout, at);
  return with_channel(layout.format.type, [&](auto c) {
    const channel_places in_memory = places_of(layout.format.order);
    pixel value;
    for (std::size_t i = 0; i < 4; ++i) {
      const std::size_t place = in_memory.places[i];
      value[i] = place == channel_places::zero  ? 0
                 : place == channel_places::one ? 1
                                                : c.read(from + place * sizeof(typename decltype(c)::type));
    }
    return value;
  });
}

void write_pixel(const image_layout& layout, std::byte* memory, const pixel_position& at, const pixel& value) {
  std::byte* const to = memory + offset_of(layout, at);
  with_channel(layout.format.type, [&](auto c) {
    const channel_places in_memory = places_of(layout.format.order);
    for (std::size_t i = 4; i-- > 0;) { // an intensity and a luminance are red
      if (in_memory.places[i] < in_memory.count) {
        c.write(to + in_memory.places[i] * sizeof(typename decltype(c)::type), value[i]);
      }
    }
  });
}

std::size_t offset_of_slice(const image_layout& layout, std::size_t dimensions, std::size_t i) {
  if (i >= layout.extents[dimensions]) {
    refuse("the array has no such image");
  }
  return i * layout.pitch[dimensions - 1];
}

pixel sample(const image_layout& layout, const std::byte* memory, const image_sampler& how,
             const std::array<double, 3>& at) {
  std::array<neighbours, 3> near{};
  for (std::size_t d = 0; d < 3; ++d) {
    near[d] = find(at[d], layout.extents[d], how);
  }
  pixel sum{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    double weight = 1;
    pixel_position position;
    for (std::size_t d = 0; d < 3; ++d) {
      const bool second = (corner >> d & 1U) != 0;
      weight *= second ? near[d].weight : 1 - near[d].weight;
      position[d] = second ? near[d].second : near[d].first;
    }
    if (weight != 0 && !is_inside(layout, position)) {
      sum[3] += weight * places_of(layout.format.order).alpha_outside;
    } else if (weight != 0) {
      const pixel part = read_pixel(layout, memory, position);
      for (std::size_t i = 0; i < 4; ++i) {
        sum[i] += weight * part[i];
      }
    }
  }
  return sum;
}

void refuse_on_devices(const handler& command) {
  if (command.common_settings().device != nullptr) {
    throw exception(make_error_code(errc::feature_not_supported),
                    "images: OpenCL devices have no aspect::image here, the CPU has");
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
