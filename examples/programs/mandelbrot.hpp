// SPDX-License-Identifier: Apache-2.0
/// The Mandelbrot set: divergent control flow.
#pragma once

#include <lanefold/lanefold.hpp>

#include <cstddef>
#include <cstdint>

namespace programs {

namespace lf = lanefold;

/// The part of the complex plane that a picture shows: pixel (row, column) is the point (left + column * step,
/// top + row * step).
struct window {
  float left, top, step;
};

/// Counts for each pixel the iterations, up to `limit`, until z = z² + c leaves the circle of radius 2.
template <class Properties>
lf::event mandelbrot(lf::queue& q, lf::view<std::int32_t, 2> iterations, window w, std::int32_t limit,
                     const Properties& how) {
  return q.parallel_for(iterations.get_range(), how, [=](auto it) {
    const auto [row, column] = it.get_id();
    const auto cx = lf::fma(lf::convert<float>(column), w.step, w.left);
    const float cy = lf::fma(lf::convert<float>(row), w.step, w.top);
    auto x = it.unmasked_var(cx), y = it.unmasked_var(cy), yy = it.unmasked_var(y * y); // of no use after the loop
    auto count = it.var(std::int32_t(0));
    std::int32_t round = 0; // uniform: the same for all work-items that are still in the loop
    it.while_([&] { return lf::fma(x, x, yy) <= 4.0F && round < limit; },
              [&] {
                const auto twice_x = x + x;
                x = lf::fma(x, x, lf::fma(-y, y, cx));
                y = lf::fma(twice_x, y, cy);
                yy = y * y;
                ++count;
                ++round;
              });
    iterations[row][column] = count;
  });
}

} // namespace programs
