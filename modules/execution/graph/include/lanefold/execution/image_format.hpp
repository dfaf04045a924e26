// SPDX-License-Identifier: Apache-2.0
/// Names what pixels are in memory, and how images are sampled. [sycl.4.7.3] [sycl.4.7.8]
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// The channels of a pixel in memory and their bits. `unorm`: 0 to 1 in unsigned integers. Kernels see four elements,
/// red, green, blue, alpha, for every format.
enum class image_format {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm,
};

/// The channels of a pixel in memory, in SYCL 1.2.1: x stands for one that is not there. Those that are not there are
/// 0, alpha 1; an intensity is all four, a luminance red, green and blue.
enum class image_channel_order { a, r, rx, rg, rgx, ra, rgb, rgbx, rgba, argb, bgra, intensity, luminance, abgr };
/// Says what a channel is, in SYCL 1.2.1. `snorm`: -1 to 1, `unorm`: 0 to 1, in integers. Those of several channels in
/// one integer (565, 555, 101010) are names only: images of these throw errc::feature_not_supported.
enum class image_channel_type {
  snorm_int8,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  fp16,
  fp32
};

/// Says what lies outside of an image. The repeating ones need normalized coordinates.
enum class addressing_mode {
  mirrored_repeat,
  repeat,
  clamp_to_edge,
  clamp, ///< a border of zeros, alpha 1 where pixels have no alpha
  none   ///< nothing is outside; what is, is as with clamp_to_edge
};
/// Says whether coordinates go from 0 to 1, or from 0 to the extents.
enum class coordinate_normalization_mode { normalized, unnormalized };
/// Says what a read between pixels gives: one of them, or a mean.
enum class filtering_mode { nearest, linear };

struct image_sampler {
  addressing_mode addressing;
  coordinate_normalization_mode coordinate;
  filtering_mode filtering;

  friend bool operator==(const image_sampler&, const image_sampler&) = default;
};

/// Says who uses an image: kernels, or host tasks.
enum class image_target { device, host_task };

LANEFOLD_END_NAMESPACE
