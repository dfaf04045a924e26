// SPDX-License-Identifier: Apache-2.0
// Images of SYCL 1.2.1: channels in any order, samplers of reads, arrays of images.

#include "thrown.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/memory/vec.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace lf = lanefold;

namespace {

using lf::access_mode;
using order = lf::image_channel_order;
using type = lf::image_channel_type;
using float4 = lf::vec<float, 4>;
using int2 = lf::vec<int, 2>;
using int4 = lf::vec<std::int32_t, 4>;
using uint4 = lf::vec<std::uint32_t, 4>;

template <class Pixel>
bool same(const Pixel& a, const Pixel& b) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2] && a[3] == b[3];
}

/// Returns what is read where (1, 2, 3, 4) was written.
uint4 through(order how) {
  lf::image<1> image(how, type::unsigned_int8, lf::range<1>(3));
  image.get_access<uint4, access_mode::write>().write(1, uint4(1, 2, 3, 4));
  return image.get_access<uint4, access_mode::read>().read(1);
}

TEST(image_1_2_1, channels_have_their_places) {
  EXPECT_TRUE(same(through(order::rgba), uint4(1, 2, 3, 4)));
  EXPECT_TRUE(same(through(order::bgra), uint4(1, 2, 3, 4)));
  EXPECT_TRUE(same(through(order::argb), uint4(1, 2, 3, 4)));
  EXPECT_TRUE(same(through(order::abgr), uint4(1, 2, 3, 4)));
  EXPECT_TRUE(same(through(order::rgb), uint4(1, 2, 3, 1)));
  EXPECT_TRUE(same(through(order::rgbx), uint4(1, 2, 3, 1)));
  EXPECT_TRUE(same(through(order::rg), uint4(1, 2, 0, 1)));
  EXPECT_TRUE(same(through(order::rgx), uint4(1, 2, 0, 1)));
  EXPECT_TRUE(same(through(order::ra), uint4(1, 0, 0, 4)));
  EXPECT_TRUE(same(through(order::r), uint4(1, 0, 0, 1)));
  EXPECT_TRUE(same(through(order::rx), uint4(1, 0, 0, 1)));
  EXPECT_TRUE(same(through(order::a), uint4(0, 0, 0, 4)));
  EXPECT_TRUE(same(through(order::intensity), uint4(1, 1, 1, 1)));
  EXPECT_TRUE(same(through(order::luminance), uint4(1, 1, 1, 1)));
}

TEST(image_1_2_1, lies_in_host_memory_as_its_channels_say) {
  std::vector<std::int8_t> memory(2 * 8, 9);
  {
    lf::image<2> image(memory.data(), order::argb, type::snorm_int8, lf::range<2>(1, 2), lf::range<1>(8));
    EXPECT_EQ(image.get_pitch(), lf::range<1>(8));
    EXPECT_EQ(image.get_count(), 2U);
    EXPECT_EQ(image.get_size(), 16U);
    image.get_access<float4, access_mode::write>().write(int2(0, 1), float4(1, 0, -1, -2));
  }
  std::vector<std::int8_t> expected(16, 9);
  expected[8] = -128; // less than -1, which is -127
  expected[9] = 127;
  expected[10] = 0;
  expected[11] = -127;
  EXPECT_EQ(memory, expected);
  const std::vector<std::int8_t>& kept = memory;
  const lf::image<2> again(kept.data(), order::argb, type::snorm_int8, lf::range<2>(1, 2), lf::range<1>(8));
  const lf::accessor<float4, 2, access_mode::read, lf::target::host_image> a(again);
  EXPECT_TRUE(same(a.read(int2(0, 1)), float4(1, 0, -1, -1)));
  const auto shared = std::make_shared<float4>(1, 2, 3, 4);
  lf::image<1> of_shared(shared, order::rgba, type::fp32, lf::range<1>(1));
  EXPECT_TRUE(same(of_shared.get_access<float4, access_mode::read>().read(0), float4(1, 2, 3, 4)));
}

TEST(image_1_2_1, kernels_sample_and_write) {
  lf::queue q;
  std::vector<float> ramp(16 * 8);
  for (std::size_t i = 0; i < ramp.size(); ++i) {
    ramp[i] = static_cast<float>(i);
  }
  std::vector<std::uint16_t> halved(8 * 4);
  {
    lf::image<2> from(ramp.data(), order::r, type::fp32, lf::range<2>(16, 8));
    lf::image<2> to(halved.data(), order::r, type::unsigned_int16, lf::range<2>(8, 4));
    q.submit([&](lf::handler& h) {
      const auto in = from.get_access<float4, access_mode::read>(h);
      const auto out = to.get_access<uint4, access_mode::write>(h);
      EXPECT_EQ(in.get_range(), lf::range<2>(16, 8));
      EXPECT_EQ(in.get_count(), 128U);
      const lf::sampler smooth(lf::coordinate_normalization_mode::normalized, lf::addressing_mode::clamp_to_edge,
                               lf::filtering_mode::linear);
      h.parallel_for(lf::range<2>(4, 8), [=](lf::id<2> i) {
        const float u = (static_cast<float>(i[1]) + 0.5F) / 8;
        const float v = (static_cast<float>(i[0]) + 0.5F) / 4;
        const float mean = in.read(lf::vec<float, 2>(u, v), smooth)[0]; // of four
        out.write(int2(static_cast<int>(i[1]), static_cast<int>(i[0])), uint4(static_cast<std::uint32_t>(2 * mean)));
      });
    });
  }
  for (std::size_t y = 0; y < 4; ++y) {
    for (std::size_t x = 0; x < 8; ++x) {
      EXPECT_EQ(halved[y * 8 + x], 2 * (2 * x + 32 * y) + 17) << x << ' ' << y;
    }
  }
}

TEST(image_1_2_1, arrays_are_sampled_image_by_image) {
  lf::queue q;
  std::vector<int> pixels; // 100 z + 10 y + x
  for (int i = 0; i < 3 * 4 * 5; ++i) {
    pixels.push_back(100 * (i / 20) + 10 * (i / 5 % 4) + i % 5);
  }
  lf::image<3> stack(pixels.data(), order::r, type::signed_int32, lf::range<3>(5, 4, 3));
  std::vector<int> seen(3);
  {
    lf::buffer<int> results(seen.data(), lf::range<1>(3));
    q.submit([&](lf::handler& h) {
      const lf::accessor<int4, 2, access_mode::read, lf::target::image_array> in(stack, h);
      const lf::accessor out(results, h, lf::write_only);
      EXPECT_EQ(in.get_count(), 3U);
      const lf::sampler nearest(lf::coordinate_normalization_mode::unnormalized, lf::addressing_mode::clamp_to_edge,
                                lf::filtering_mode::nearest);
      h.parallel_for(lf::range<1>(3), [=](lf::id<1> z) {
        out[z] = in[z[0]].read(lf::vec<float, 2>(7.5F, 2.5F), nearest)[0] + in[z[0]].read(int2(1, 1))[0];
      });
    });
  }
  EXPECT_EQ(seen, (std::vector<int>{24 + 11, 124 + 111, 224 + 211}));
}

TEST(image_1_2_1, outside_there_is_no_color) {
  const float pixels[4] = {5, 5, 5, 5};
  const lf::sampler clamped(lf::coordinate_normalization_mode::unnormalized, lf::addressing_mode::clamp,
                            lf::filtering_mode::nearest);
  const auto outside = [&](order how) {
    const lf::image<1> image(pixels, how, type::fp32, lf::range<1>(1));
    const lf::accessor<float4, 1, access_mode::read, lf::target::host_image> a(image);
    return a.read(-1.F, clamped);
  };
  EXPECT_TRUE(same(outside(order::r), float4(0, 0, 0, 1)));
  EXPECT_TRUE(same(outside(order::rgb), float4(0, 0, 0, 1)));
  EXPECT_TRUE(same(outside(order::rx), float4(0, 0, 0, 0)));
  EXPECT_TRUE(same(outside(order::rgba), float4(0, 0, 0, 0)));
}

TEST(image_1_2_1, misuse_is_refused) {
  EXPECT_EQ(code_thrown_by([] { const lf::image<1> packed(order::rgb, type::unorm_short_565, lf::range<1>(4)); }),
            lf::errc::feature_not_supported);
  EXPECT_EQ(code_thrown_by([] { const lf::image<1> empty(order::r, type::fp32, lf::range<1>(0)); }), lf::errc::invalid);
  EXPECT_EQ(
      code_thrown_by([] { const lf::image<2> narrow(order::rgba, type::fp32, lf::range<2>(4, 4), lf::range<1>(63)); }),
      lf::errc::invalid);
  for (const std::size_t many : {(std::size_t{1} << 60) + 1, std::size_t{1} << 62}) {
    EXPECT_EQ(code_thrown_by([&] { const lf::image<1> large(order::rgba, type::fp32, lf::range<1>(many)); }),
              lf::errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { const lf::image<2> large(order::r, type::fp32, lf::range<2>(4, many)); }),
              lf::errc::invalid);
  }
  lf::queue q;
  lf::image<2> rows(order::r, type::fp32, lf::range<2>(4, 3));
  EXPECT_EQ(code_thrown_by([&] {
              q.submit([&](lf::handler& h) {
                const lf::accessor<float4, 1, access_mode::write, lf::target::image_array> out(rows, h);
                h.single_task([=] { out[3].write(0, float4(1)); });
              });
              q.wait_and_throw();
            }),
            lf::errc::invalid);
  lf::image<1> image(order::r, type::fp32, lf::range<1>(4));
  EXPECT_EQ(code_thrown_by([&] { (void)image.get_access<int4, access_mode::read>(); }), lf::errc::invalid);
  const auto a = image.get_access<float4, access_mode::read_write>();
  EXPECT_EQ(code_thrown_by([&] { a.write(4, float4(0)); }), lf::errc::invalid);
}

TEST(samplers, equal_ones_have_one_hash) {
  const auto make = [](lf::filtering_mode filtering) {
    return lf::sampler(lf::coordinate_normalization_mode::normalized, lf::addressing_mode::repeat, filtering);
  };
  const std::hash<lf::sampler> hash;
  EXPECT_EQ(hash(make(lf::filtering_mode::linear)), hash(make(lf::filtering_mode::linear)));
  EXPECT_NE(hash(make(lf::filtering_mode::linear)), hash(make(lf::filtering_mode::nearest)));
}

} // namespace
