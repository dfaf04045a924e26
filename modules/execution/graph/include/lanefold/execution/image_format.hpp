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

/// Says what lies outside of an image. The repeating ones need normalized coordinates.
enum class addressing_mode {
  mirrored_repeat,
  repeat,
  clamp_to_edge,
  clamp, ///< a border of zeros
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

/// Says who uses an image: kernels (which no device here can), or host tasks.
enum class image_target { device, host_task };

LANEFOLD_END_NAMESPACE
