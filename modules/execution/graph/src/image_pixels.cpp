// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/image_pixels.hpp>

#include <lanefold/exception.hpp>
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

/// One channel in memory.
template <class T, bool Normalized = false>
struct channel {
  using type = T;
  static double read(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    const auto number = static_cast<double>(static_cast<std::conditional_t<std::is_same_v<T, half>, float, T>>(value));
    return Normalized ? number / std::numeric_limits<T>::max() : number;
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

/// Calls the function with the channel of the format.
template <class F>
auto with_channel(image_format format, F f) {
  switch (format) {
  case image_format::r8g8b8a8_unorm:
  case image_format::b8g8r8a8_unorm: return f(channel<std::uint8_t, true>());
  case image_format::r16g16b16a16_unorm: return f(channel<std::uint16_t, true>());
  case image_format::r8g8b8a8_sint: return f(channel<std::int8_t>());
  case image_format::r16g16b16a16_sint: return f(channel<std::int16_t>());
  case image_format::r32b32g32a32_sint: return f(channel<std::int32_t>());
  case image_format::r8g8b8a8_uint: return f(channel<std::uint8_t>());
  case image_format::r16g16b16a16_uint: return f(channel<std::uint16_t>());
  case image_format::r32b32g32a32_uint: return f(channel<std::uint32_t>());
  case image_format::r16b16g16a16_sfloat: return f(channel<half>());
  case image_format::r32g32b32a32_sfloat: break;
  }
  return f(channel<float>());
}

/// Says where red, green, blue and alpha are.
std::array<std::size_t, 4> order_of(image_format format) {
  return format == image_format::b8g8r8a8_unorm ? std::array<std::size_t, 4>{2, 1, 0, 3}
                                                : std::array<std::size_t, 4>{0, 1, 2, 3};
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

std::size_t pixel_bytes(image_format format) noexcept {
  return with_channel(format, [](auto c) { return 4 * sizeof(typename decltype(c)::type); });
}

channel_kind kind_of(image_format format) noexcept {
  switch (format) {
  case image_format::r8g8b8a8_sint:
  case image_format::r16g16b16a16_sint:
  case image_format::r32b32g32a32_sint: return channel_kind::signed_integer;
  case image_format::r8g8b8a8_uint:
  case image_format::r16g16b16a16_uint:
  case image_format::r32b32g32a32_uint: return channel_kind::unsigned_integer;
  default: return channel_kind::real;
  }
}

image_layout make_layout(image_format format, const std::array<std::size_t, 3>& extents,
                         const std::array<std::size_t, 2>& pitch) {
  const std::size_t row = extents[0] * pixel_bytes(format);
  image_layout made{format, extents, {pitch[0] == 0 ? row : pitch[0], 0}};
  const std::size_t plane = made.pitch[0] * extents[1];
  made.pitch[1] = pitch[1] == 0 ? plane : pitch[1];
  if (made.size() == 0) {
    refuse("an image has at least one pixel");
  }
  if (made.pitch[0] < row || made.pitch[1] < plane) {
    refuse("the pitch of an image is less than a row or a plane");
  }
  return made;
}

void check_kind(image_format format, channel_kind elements) {
  if (kind_of(format) != elements) {
    refuse("the pixels of an image accessor are of signed integers, unsigned integers or real numbers, as the format "
           "of the image");
  }
}

pixel read_pixel(const image_layout& layout, const std::byte* memory, const pixel_position& at) {
  const std::byte* const from = memory + offset_of(layout, at);
  return with_channel(layout.format, [&](auto c) {
    const auto order = order_of(layout.format);
    pixel value;
    for (std::size_t i = 0; i < 4; ++i) {
      value[i] = c.read(from + order[i] * sizeof(typename decltype(c)::type));
    }
    return value;
  });
}

void write_pixel(const image_layout& layout, std::byte* memory, const pixel_position& at, const pixel& value) {
  std::byte* const to = memory + offset_of(layout, at);
  with_channel(layout.format, [&](auto c) {
    const auto order = order_of(layout.format);
    for (std::size_t i = 0; i < 4; ++i) {
      c.write(to + order[i] * sizeof(typename decltype(c)::type), value[i]);
    }
  });
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
    if (weight != 0 && is_inside(layout, position)) {
      const pixel part = read_pixel(layout, memory, position);
      for (std::size_t i = 0; i < 4; ++i) {
        sum[i] += weight * part[i];
      }
    }
  }
  return sum;
}

void refuse_in_kernels(image_target target) {
  if (target == image_target::device) {
    throw exception(make_error_code(errc::feature_not_supported),
                    "images: no device has aspect::image, kernels cannot use them; host tasks can "
                    "(image_target::host_task)");
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
