// SPDX-License-Identifier: Apache-2.0
/// An image that is turned and made smaller: pixels in a format, a sampler that interpolates and repeats the border,
/// read and written by a kernel on a device with aspect::image, which the CPU is.
///
///     images [edge]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

int main(int argc, char** argv) {
  const std::size_t edge = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 64;
  using pixel = sycl::float4;

  // A ramp of red to the right, of green downwards; four bytes a pixel.
  std::vector<std::uint8_t> bytes(4 * edge * edge);
  for (std::size_t y = 0; y < edge; ++y) {
    for (std::size_t x = 0; x < edge; ++x) {
      std::uint8_t* const p = &bytes[4 * (y * edge + x)];
      p[0] = static_cast<std::uint8_t>(255 * x / edge);
      p[1] = static_cast<std::uint8_t>(255 * y / edge);
      p[3] = 255;
    }
  }
  const sycl::range<2> size(edge, edge); // width first
  const sycl::range<2> half(edge / 2, edge / 2);
  const sycl::image_sampler smooth{sycl::addressing_mode::clamp_to_edge,
                                   sycl::coordinate_normalization_mode::normalized, sycl::filtering_mode::linear};
  sycl::sampled_image<2> from(bytes.data(), sycl::image_format::r8g8b8a8_unorm, smooth, size);
  sycl::unsampled_image<2> to(sycl::image_format::r32g32b32a32_sfloat, half);

  sycl::queue q{sycl::aspect_selector<sycl::aspect::image>()};
  q.submit([&](sycl::handler& cgh) {
    sycl::sampled_image_accessor<pixel, 2> in(from, cgh);
    sycl::unsampled_image_accessor<pixel, 2, sycl::access_mode::write> out(to, cgh);
    cgh.parallel_for(sycl::range<2>(half[1], half[0]), [=](sycl::id<2> i) {
      // A quarter turn: what was right is below.
      const int y = static_cast<int>(i[0]);
      const int x = static_cast<int>(i[1]);
      const float u = (static_cast<float>(y) + 0.5F) / static_cast<float>(half[1]);
      const float v = 1 - (static_cast<float>(x) + 0.5F) / static_cast<float>(half[0]);
      out.write(sycl::int2(x, y), in.read(sycl::float2(u, v)));
    });
  });

  int wrong = 0;
  const auto turned = to.get_host_access<pixel>(sycl::read_only);
  for (int y = 0; y < static_cast<int>(half[1]); ++y) {
    for (int x = 0; x < static_cast<int>(half[0]); ++x) {
      const pixel p = turned.read(sycl::int2(x, y));
      const float red = (static_cast<float>(y) + 0.5F) / static_cast<float>(half[1]);
      const float green = 1 - (static_cast<float>(x) + 0.5F) / static_cast<float>(half[0]);
      wrong += std::abs(p[0] - red) > 0.02F || std::abs(p[1] - green) > 0.02F || p[3] != 1;
    }
  }
  std::cout << wrong << " wrong pixels of " << half.size() << '\n';
  return wrong == 0 ? 0 : 1;
}
