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
  const programs::window window;
  for (std::size_t row = 0; row < n; ++row) {
    for (std::size_t column = 0; column < n; ++column) {
      const float cx = window.left + window.width / static_cast<float>(n) * static_cast<float>(column);
      const float cy = window.top - window.height / static_cast<float>(n) * static_cast<float>(row);
      float x = 0, y = 0;
      std::int32_t count = 0;
      while (x * x + y * y <= 4 && count < limit) {
        const float next = std::fma(x, x, cx) - y * y;
        y = std::fma(2 * x, y, cy);
        x = next;
        ++count;
      }
      reference[row * n + column] = count;
    }
  }
  const auto verify = [&] {
    // Contraction to fused operations differs between compilers: a few pixels at the border may differ.
    std::size_t different = 0;
    for (std::size_t i = 0; i < n * n; ++i) {
      different += iterations[i] != reference[i];
    }
    return different <= n * n / 200;
  };
  const auto run = [&](auto strategy) {
    std::fill(iterations.begin(), iterations.end(), -1);
    t.measure("mandelbrot", strategy.name, "-", [&] { programs::mandelbrot(q, v, window, limit, how(strategy)).wait(); },
              verify);
  };
  run(scalar);
  run(omp_simd);
  run(simd<16>);
  run(simd<64>);
  write_picture(iterations, n, picture);
}

} // namespace demo
