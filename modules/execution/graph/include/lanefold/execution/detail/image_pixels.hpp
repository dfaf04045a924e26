// SPDX-License-Identifier: Apache-2.0
/// The pixels of an image in memory.
#pragma once

#include <lanefold/execution/detail/forward.hpp>
#include <lanefold/execution/image_format.hpp>

#include <array>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Red, green, blue, alpha. A double holds every value of every format exactly.
using pixel = std::array<double, 4>;

/// Says what a pixel is in memory.
struct pixel_format {
  image_channel_order order;
  image_channel_type type;
};

/// Says how an image lies in memory: x, y, z, of which those that it does not have are 0 or of extent 1.
struct image_layout {
  pixel_format format;
  std::array<std::size_t, 3> extents; ///< pixels
  std::array<std::size_t, 2> pitch;   ///< bytes from one row to the next, from one plane to the next

  [[nodiscard]] std::size_t size() const noexcept { return extents[0] * extents[1] * extents[2]; }
  [[nodiscard]] std::size_t byte_size() const noexcept { return pitch[1] * extents[2]; }
};

/// Names what the elements of a pixel are for programs.
enum class channel_kind { real, signed_integer, unsigned_integer };

pixel_format pixels_of(image_format format) noexcept;

/// Rows and planes without gaps where `pitch` is 0. Throws errc::invalid for rows or planes that overlap,
/// errc::feature_not_supported for several channels in one integer.
image_layout make_layout(pixel_format format, const std::array<std::size_t, 3>& extents,
                         const std::array<std::size_t, 2>& pitch);
/// Throws errc::invalid if the elements of the program's pixels are not those of the format.
void check_kind(pixel_format format, channel_kind elements);

/// Throws errc::feature_not_supported for a command of a device other than the CPU: none of these has aspect::image.
void refuse_on_devices(const handler& command);

using pixel_position = std::array<std::ptrdiff_t, 3>;
/// Throw errc::invalid for a position outside of the image.
pixel read_pixel(const image_layout& layout, const std::byte* memory, const pixel_position& at);
void write_pixel(const image_layout& layout, std::byte* memory, const pixel_position& at, const pixel& value);
/// Returns how many bytes behind the first one the i-th row (of two dimensions) or plane begins, as an image of its
/// own; `dimensions` are those of that. Throws errc::invalid if there is none.
std::size_t offset_of_slice(const image_layout& layout, std::size_t dimensions, std::size_t i);
/// The image at coordinates between pixels, or outside of it, as the sampler says. Coordinates that it does not have
/// are 0.5.
pixel sample(const image_layout& layout, const std::byte* memory, const image_sampler& how,
             const std::array<double, 3>& at);

} // namespace detail
LANEFOLD_END_NAMESPACE
