// SPDX-License-Identifier: Apache-2.0
/// The Mandelbrot set: divergent control flow.
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>
#include <cstdint>

namespace programs {

namespace lf = lanefold;

/// The part of the complex plane that a picture shows.
struct window {
  float left = -2.0F, top = 1.25F, width = 2.5F, height = 2.5F;
};

/// Number of iterations, up to `limit`, until z = z² + c leaves the circle of radius 2, for each pixel.
template <class Properties>
lf::event mandelbrot(lf::queue& q, lf::view<std::int32_t, 2> iterations, window w, std::int32_t limit,
                     const Properties& how) {
  const float dx = w.width / static_cast<float>(iterations.extent(1));
  const float dy = w.height / static_cast<float>(iterations.extent(0));
  return q.parallel_for(iterations.get_range(), how, [=](auto it) {
    const auto [row, column] = it.get_id();
    const auto cx = w.left + dx * lf::convert<float>(column);
    const auto cy = w.top - dy * lf::convert<float>(row);
    auto x = it.var(0.0F * cx), y = it.var(0.0F * cx);
    auto count = it.var(std::int32_t(0));
    it.while_([&] { return x * x + y * y <= 4.0F && count < limit; },
              [&] {
                const auto next = lf::fma(x, x, cx) - y * y;
                y = lf::fma(2.0F * x, y, cy);
                x = next;
                count += 1;
              });
    iterations[row][column] = count;
  });
}

} // namespace programs
