// SPDX-License-Identifier: Apache-2.0
#include "../programs/mandelbrot.hpp"

#include "demo.hpp"

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace demo {

namespace {

constexpr std::int32_t limit = 256;

void write_picture(const std::vector<std::int32_t>& iterations, std::size_t side, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << side << ' ' << side << "\n255\n";
  for (const std::int32_t n : iterations) {
    const double x = n == limit ? 0 : std::sqrt(static_cast<double>(n) / limit);
    const auto shade = [](double v) { return static_cast<char>(static_cast<unsigned char>(255 * std::min(v, 1.0))); };
    const char pixel[3] = {shade(x * x), shade(x), shade(0.3 * (x > 0) + x)};
    file.write(pixel, 3);
  }
  file.close();
  if (!file) {
    throw std::runtime_error("could not write " + path);
  }
}

} // namespace

void run_mandelbrot(lf::queue& q, const sizes& s, table& t, const std::string& picture) {
  const std::size_t n = s.pixels;
  std::vector<std::int32_t> iterations(n * n), reference(n * n);
  const lf::view<std::int32_t, 2> v(iterations.data(), {n, n});
  const programs::window window{-2.0F, -1.25F, 2.5F / static_cast<float>(n)};
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const float cx = std::fma(static_cast<float>(column), window.step, window.left);
      const float cy = std::fma(static_cast<float>(row), window.step, window.top);
      float x = cx, y = cy, yy = cy * cy;
      std::int32_t count = 0;
      while (std::fma(x, x, yy) <= 4.0F && count < limit) {
        const float next = std::fma(x, x, std::fma(-y, y, cx));
        y = std::fma(x + x, y, cy);
        x = next;
        yy = y * y;
        ++count;
      }
      reference[row * n + column] = count;
    }
  }
  const auto verify = [&] { return iterations == reference; };
  const auto run = [&](auto strategy) {
    std::fill(iterations.begin(), iterations.end(), -1);
    t.measure(
        "mandelbrot", strategy.name, "-", [&] { programs::mandelbrot(q, v, window, limit, how(strategy)).wait(); },
        verify);
  };
  run(scalar);
  run(omp_simd);
  run(simd<16>);
  run(simd<64>);
  write_picture(iterations, n, picture);
}

} // namespace demo
