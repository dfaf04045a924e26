// SPDX-License-Identifier: Apache-2.0
#include "peers.hpp"

#include <cmath>

namespace lanefold_peers {

namespace {

// Without the instruction, std::fma is a function of a hundred instructions; the peers then round twice, too.
float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

} // namespace

// Compiled without contraction of a * b + c (see CMakeLists.txt), so that only the written fused operations are fused.
std::int32_t mandelbrot_pixel(const picture& of, std::size_t row, std::size_t column) {
  const float cx = fused(static_cast<float>(column), of.step, of.left);
  const float cy = fused(static_cast<float>(row), of.step, of.top);
  float x = cx, y = cy, yy = cy * cy;
  std::int32_t count = 0;
  while (fused(x, x, yy) <= 4.0f && count < of.limit) {
    const float next = fused(x, x, fused(-y, y, cx));
    y = fused(x + x, y, cy);
    x = next;
    yy = y * y;
    ++count;
  }
  return count;
}

template <class T>
void nbody_reference(const bodies<T>& set, std::size_t i, long double (&acceleration)[3]) {
  using real = long double;
  for (auto& component : acceleration)
    component = 0;
  for (std::size_t j = 0; j < set.count; ++j) {
    const real d[3] = {real(set.x[j]) - real(set.x[i]), real(set.y[j]) - real(set.y[i]),
                       real(set.z[j]) - real(set.z[i])};
    const real squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + real(set.softening);
    const real s = real(set.mass[j]) / (squared * std::sqrt(squared));
    for (int component = 0; component < 3; ++component)
      acceleration[component] += s * d[component];
  }
}
template void nbody_reference(const bodies<float>&, std::size_t, long double (&)[3]);
template void nbody_reference(const bodies<double>&, std::size_t, long double (&)[3]);

std::vector<std::uint32_t> barrier_shift_reference(std::uint32_t first, std::size_t group, unsigned rounds) {
  std::vector<std::uint32_t> values(group);
  for (std::size_t i = 0; i < group; ++i)
    values[i] = first + static_cast<std::uint32_t>(i);
  for (unsigned round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i + 1 < group; ++i)
      values[i] += values[i + 1]; // ascending: the next one is still old
  return values;
}

} // namespace lanefold_peers
