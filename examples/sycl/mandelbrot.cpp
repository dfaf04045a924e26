// SPDX-License-Identifier: Apache-2.0
/// The Mandelbrot set, from the first program of many a SYCL course: a two-dimensional buffer and a kernel over its
/// range.
///
///     mandelbrot [width] [height] [file.pgm]
#include <sycl/sycl.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iostream>

using namespace sycl;

constexpr int most_rounds = 255;

inline int rounds_until_escape(float cx, float cy) {
  float x = 0, y = 0;
  int round = 0;
  while (round < most_rounds && x * x + y * y < 4.f) {
    const float next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
    ++round;
  }
  return round;
}

int main(int argc, char** argv) {
  const std::size_t width = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 384;
  const std::size_t height = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 256;

  queue q{cpu_selector_v};
  buffer<std::uint8_t, 2> image{range{height, width}};
  q.submit([&](handler& h) {
    accessor pixels{image, h, write_only, no_init};
    h.parallel_for(image.get_range(), [=](item<2> it) {
      const float x = -2.f + 3.f * static_cast<float>(it[1]) / static_cast<float>(it.get_range(1));
      const float y = -1.f + 2.f * static_cast<float>(it[0]) / static_cast<float>(it.get_range(0));
      pixels[it.get_id()] = static_cast<std::uint8_t>(rounds_until_escape(x, y));
    });
  });

  host_accessor pixels{image, read_only};
  if (argc > 3) {
    std::ofstream file(argv[3], std::ios::binary);
    file << "P5\n" << width << ' ' << height << "\n255\n";
    for (const std::uint8_t p : pixels) {
      file.put(static_cast<char>(p));
    }
  }
  // The area of the set is known to be about 1.5066; points that took all rounds approximate it from above.
  std::size_t inside = 0, wrong = 0;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      inside += pixels[row][column] == most_rounds;
    }
    // The points of the real axis left of -2 and the middle of the main bulb are clear cases.
    const float y = -1.f + 2.f * static_cast<float>(row) / static_cast<float>(height);
    wrong += pixels[row][0] == most_rounds && y != 0.f;
  }
  const double area = 6.0 * static_cast<double>(inside) / static_cast<double>(width * height);
  std::cout << "area " << area << ", " << wrong << " wrong\n";
  return wrong == 0 && area > 1.4 && area < 1.7 ? 0 : 1;
}
