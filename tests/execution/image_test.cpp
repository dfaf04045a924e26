// SPDX-License-Identifier: Apache-2.0
// Images: formats, samplers, host accessors, host tasks, kernels, wrong use.

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory/vec.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

namespace lf = lanefold;

namespace {

using lf::addressing_mode;
using lf::image_format;
using float4 = lf::vec<float, 4>;
using int4 = lf::vec<std::int32_t, 4>;
using uint4 = lf::vec<std::uint32_t, 4>;

template <class Pixel>
bool same(const Pixel& a, const Pixel& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

/// Returns what is read where `value` was written, in an image of that format.
template <class Pixel>
Pixel through(image_format format, const Pixel& value) {
  lf::unsampled_image<2> image(format, lf::range<2>(3, 2));
  const lf::vec<int, 2> at(2, 1);
  image.get_host_access<Pixel>().write(at, value);
  return image.get_host_access<Pixel>().read(at);
}

TEST(image, keeps_what_the_format_can_hold) {
  constexpr auto least = std::numeric_limits<std::int32_t>::min();
  EXPECT_TRUE(same(through(image_format::r32b32g32a32_sint, int4(least, -1, 7, 1 << 30)), int4(least, -1, 7, 1 << 30)));
  EXPECT_TRUE(same(through(image_format::r16g16b16a16_sint, int4(-40000, -1, 7, 40000)), int4(-32768, -1, 7, 32767)));
  EXPECT_TRUE(same(through(image_format::r8g8b8a8_sint, int4(-200, -1, 7, 200)), int4(-128, -1, 7, 127)));
  EXPECT_TRUE(same(through(image_format::r32b32g32a32_uint, uint4(0, ~0U, 7, 1)), uint4(0, ~0U, 7, 1)));
  EXPECT_TRUE(same(through(image_format::r16g16b16a16_uint, uint4(0, ~0U, 7, 1)), uint4(0, 65535, 7, 1)));
  EXPECT_TRUE(same(through(image_format::r8g8b8a8_uint, uint4(0, 300, 7, 1)), uint4(0, 255, 7, 1)));
  EXPECT_TRUE(same(through(image_format::r32g32b32a32_sfloat, float4(0.1F, -1e30F, 3, 4)), float4(0.1F, -1e30F, 3, 4)));
  EXPECT_TRUE(same(through(image_format::r16b16g16a16_sfloat, float4(0.5F, -2, 1e6F, 4)),
                   float4(0.5F, -2, std::numeric_limits<float>::infinity(), 4)));
  EXPECT_TRUE(same(through(image_format::r8g8b8a8_unorm, float4(0, 1, 2, 0.2F)), float4(0, 1, 1, 0.2F)));
  EXPECT_TRUE(same(through(image_format::r16g16b16a16_unorm, float4(-1, 1, 2, 0.2F)), float4(0, 1, 1, 0.2F)));
  EXPECT_TRUE(same(through(image_format::b8g8r8a8_unorm, float4(0, 1, 0.4F, 0.2F)), float4(0, 1, 0.4F, 0.2F)));
}

/// Width comes first; rows are `pitch` bytes apart; blue comes first in memory where the format says so.
TEST(image, works_in_host_memory) {
  std::vector<std::uint8_t> memory(2 * 16, 9);
  {
    lf::unsampled_image<2> image(memory.data(), image_format::b8g8r8a8_unorm, lf::range<2>(3, 2), lf::range<1>(16));
    EXPECT_EQ(image.get_range(), lf::range<2>(3, 2));
    EXPECT_EQ(image.get_pitch(), lf::range<1>(16));
    EXPECT_EQ(image.size(), 6U);
    EXPECT_EQ(image.byte_size(), 32U);
    image.get_host_access<float4>().write(lf::vec<int, 2>(2, 1), float4(1, 0, 0, 1));
  }
  std::vector<std::uint8_t> expected(2 * 16, 9);
  std::copy_n(std::array<std::uint8_t, 4>{0, 0, 255, 255}.begin(), 4, expected.begin() + 16 + 2 * 4);
  EXPECT_EQ(memory, expected);
}

TEST(image, goes_where_final_data_says) {
  const auto to = std::make_shared<int4>(0);
  {
    lf::unsampled_image<1> image(image_format::r32b32g32a32_sint, lf::range<1>(1));
    image.get_host_access<int4>().write(0, int4(1, 2, 3, 4));
    image.set_final_data(std::weak_ptr<int4>(to));
  }
  EXPECT_TRUE(same(*to, int4(1, 2, 3, 4)));
}

/// Returns what a sampler gives of an image of the four pixels 10, 20, 30, 40.
float sampled(addressing_mode addressing, lf::filtering_mode filtering, float at, bool normalized = true) {
  using mode = lf::coordinate_normalization_mode;
  const std::vector<float> pixels{10, 0, 0, 0, 20, 0, 0, 0, 30, 0, 0, 0, 40, 0, 0, 0};
  lf::sampled_image<1> image(pixels.data(), image_format::r32g32b32a32_sfloat,
                             {addressing, normalized ? mode::normalized : mode::unnormalized, filtering},
                             lf::range<1>(4));
  return image.get_host_access<float4>().read(at)[0];
}

TEST(image, nearest_pixels) {
  const auto nearest = [](addressing_mode how, float at, bool normalized = true) {
    return sampled(how, lf::filtering_mode::nearest, at, normalized);
  };
  EXPECT_EQ(nearest(addressing_mode::clamp_to_edge, 0.6F), 30);
  EXPECT_EQ(nearest(addressing_mode::clamp_to_edge, 1.9F, false), 20);
  EXPECT_EQ(nearest(addressing_mode::clamp_to_edge, -5), 10);
  EXPECT_EQ(nearest(addressing_mode::clamp_to_edge, 1e30F), 40);
  EXPECT_EQ(nearest(addressing_mode::clamp, -0.1F), 0);
  EXPECT_EQ(nearest(addressing_mode::clamp, 4.1F, false), 0);
  EXPECT_EQ(nearest(addressing_mode::clamp, 3.9F, false), 40);
  EXPECT_EQ(nearest(addressing_mode::repeat, 1.3F), 20);
  EXPECT_EQ(nearest(addressing_mode::repeat, -0.1F), 40);
  EXPECT_EQ(nearest(addressing_mode::mirrored_repeat, 1.3F), 30);
  EXPECT_EQ(nearest(addressing_mode::mirrored_repeat, -0.1F), 10);
  EXPECT_EQ(nearest(addressing_mode::mirrored_repeat, 2.9F), 40);
}

TEST(image, means_of_pixels) {
  const auto linear = [](addressing_mode how, float at) { return sampled(how, lf::filtering_mode::linear, at); };
  EXPECT_EQ(linear(addressing_mode::clamp_to_edge, 0.25F), 15);
  EXPECT_EQ(linear(addressing_mode::clamp_to_edge, 0.125F), 10);
  EXPECT_EQ(linear(addressing_mode::clamp_to_edge, 0), 10);
  EXPECT_EQ(linear(addressing_mode::clamp, 0), 5);
  EXPECT_EQ(linear(addressing_mode::repeat, 0), 25);
  EXPECT_EQ(linear(addressing_mode::mirrored_repeat, 1), 40);
}

TEST(image, in_host_tasks_is_ordered) {
  lf::queue q;
  lf::unsampled_image<1> image(image_format::r32b32g32a32_sint, lf::range<1>(8));
  for (int round = 0; round < 20; ++round) {
    q.submit([&](lf::handler& h) {
      const auto a = image.get_access<int4, lf::access_mode::write, lf::image_target::host_task>(h);
      h.host_task([=] {
        for (int i = 0; i < 8; ++i) {
          a.write(i, int4(round + i));
        }
      });
    });
  }
  int sum = 0;
  q.submit([&](lf::handler& h) {
    const auto a = image.get_access<const int4, lf::access_mode::read, lf::image_target::host_task>(h);
    h.host_task([=, &sum] {
      for (int i = 0; i < 8; ++i) {
        sum += a.read(i)[3];
      }
    });
  });
  q.wait_and_throw();
  EXPECT_EQ(sum, 8 * 19 + 28);
}

TEST(image, is_read_and_written_by_kernels) {
  lf::queue q;
  const int width = 40;
  const int height = 30;
  const lf::range<2> extents(width, height);
  std::vector<float> ramp;
  for (int i = 0; i < width * height; ++i) {
    ramp.insert(ramp.end(), {static_cast<float>(i % width), static_cast<float>(i / width), 0, 1});
  }
  lf::sampled_image<2> from(
      ramp.data(), image_format::r32g32b32a32_sfloat,
      {addressing_mode::clamp_to_edge, lf::coordinate_normalization_mode::unnormalized, lf::filtering_mode::linear},
      extents);
  lf::unsampled_image<2> middle(image_format::r32g32b32a32_sfloat, extents);
  lf::unsampled_image<2> turned(image_format::r32g32b32a32_sfloat, lf::range<2>(height, width));
  q.submit([&](lf::handler& h) {
    const auto in = from.get_access<float4>(h);
    const auto out = middle.get_access<float4, lf::access_mode::write>(h);
    h.parallel_for(lf::range<2>(height, width), [=](lf::id<2> i) {
      const lf::vec<float, 2> at(static_cast<float>(i[1]) + 1, static_cast<float>(i[0]) + 0.5F); // between two pixels
      out.write(lf::vec<int, 2>(static_cast<int>(i[1]), static_cast<int>(i[0])), in.read(at));
    });
  });
  q.submit([&](lf::handler& h) { // behind it
    const auto in = middle.get_access<float4, lf::access_mode::read>(h);
    const auto out = turned.get_access<float4, lf::access_mode::write>(h);
    h.parallel_for(lf::nd_range<2>({40, 32}, {8, 8}), [=](lf::nd_item<2> it) {
      const int x = static_cast<int>(it.get_global_id(0));
      const int y = static_cast<int>(it.get_global_id(1));
      if (y < height) {
        out.write(lf::vec<int, 2>(y, x), in.read(lf::vec<int, 2>(x, y)));
      }
    });
  });
  const auto result = turned.get_host_access<float4>(lf::read_only);
  int wrong = 0;
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      const float4 p = result.read(lf::vec<int, 2>(y, x));
      wrong += p[0] != std::min(static_cast<float>(x) + 0.5F, 39.F) || p[1] != static_cast<float>(y) || p[3] != 1;
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(image, outside_of_an_image_kernels_fail) {
  lf::unsampled_image<1> image(image_format::r32b32g32a32_sint, lf::range<1>(8));
  EXPECT_EQ(code_thrown_by([&] {
              lf::queue plain;
              plain.submit([&](lf::handler& h) {
                const auto out = image.get_access<int4, lf::access_mode::write>(h);
                h.parallel_for(lf::range<1>(9), [=](lf::id<1> i) { out.write(static_cast<int>(i[0]), int4(1)); });
              });
              plain.wait_and_throw();
            }),
            lf::errc::invalid);
}

TEST(image, wrong_use_is_refused) {
  lf::unsampled_image<2> image(image_format::r32b32g32a32_sint, lf::range<2>(2, 3));
  const auto host = image.get_host_access<int4>();
  for (const auto& at : {lf::vec<int, 2>(2, 0), lf::vec<int, 2>(0, 3), lf::vec<int, 2>(-1, 0)}) {
    EXPECT_EQ(code_thrown_by([&] { static_cast<void>(host.read(at)); }), lf::errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { host.write(at, int4(1)); }), lf::errc::invalid);
  }
  EXPECT_EQ(code_thrown_by([&] { image.get_host_access<float4>(); }), lf::errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { image.get_host_access<uint4>(); }), lf::errc::invalid);
  EXPECT_EQ(code_thrown_by([] { lf::unsampled_image<1>(image_format::r8g8b8a8_uint, lf::range<1>(0)); }),
            lf::errc::invalid);
  EXPECT_EQ(
      code_thrown_by([] { lf::unsampled_image<2>(image_format::r8g8b8a8_uint, lf::range<2>(4, 4), lf::range<1>(15)); }),
      lf::errc::invalid);
}

} // namespace
