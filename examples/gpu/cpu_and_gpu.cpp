// SPDX-License-Identifier: Apache-2.0
/// A picture of the Mandelbrot set whose rows are shared between an OpenCL device and the CPU: one buffer, a kernel in
/// OpenCL C for the upper rows, one in C++ for the lower ones. Each half is also computed by the other side, to
/// compare. Usage: cpu_and_gpu [pixels a side [rows for the device]]
#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

namespace lf = lanefold;
namespace gpu = lanefold::gpu;

namespace {

constexpr std::uint32_t most_rounds = 200;

const char* const source = R"(
kernel void rows(global uint* pixels, uint side, uint first_row, uint most_rounds) {
  const uint x = get_global_id(0), y = get_global_id(1);
  const double cr = 3.0 * x / side - 2.25, ci = 3.0 * (y + first_row) / side - 1.5;
  double r = 0, i = 0;
  uint n = 0;
  while (n < most_rounds && r * r + i * i <= 4) {
    const double next = fma(r, r, cr) - i * i;
    i = fma(2 * r, i, ci);
    r = next;
    ++n;
  }
  pixels[y * side + x] = n;
}
)";

std::uint32_t rounds_of(double cr, double ci) {
  double r = 0, i = 0;
  std::uint32_t n = 0;
  while (n < most_rounds && r * r + i * i <= 4) {
    const double next = std::fma(r, r, cr) - i * i;
    i = std::fma(2 * r, i, ci);
    r = next;
    ++n;
  }
  return n;
}

using pixels = lf::buffer<std::uint32_t>;

/// Rows [first, first + count) of the picture, on the device.
void rows_on_device(lf::queue& q, pixels& picture, std::size_t side, std::size_t first, std::size_t count) {
  static const gpu::kernel kernel(source, "rows");
  q.submit([&](lf::handler& h) {
    const lf::accessor part(picture, h, lf::range<1>(side * count), lf::id<1>(side * first), lf::write_only,
                            lf::no_init);
    h.launch(kernel, lf::nd_range<2>({count, side}, {1, 64}), part, static_cast<std::uint32_t>(side),
             static_cast<std::uint32_t>(first), most_rounds);
  });
}

void rows_on_cpu(lf::queue& q, pixels& picture, std::size_t side, std::size_t first, std::size_t count) {
  q.submit([&](lf::handler& h) {
    const lf::accessor part(picture, h, lf::range<1>(side * count), lf::id<1>(side * first), lf::write_only,
                            lf::no_init);
    h.parallel_for(lf::range<2>(count, side), [=](lf::item<2> it) {
      const double cr = 3.0 * static_cast<double>(it[1]) / static_cast<double>(side) - 2.25;
      const double ci = 3.0 * static_cast<double>(it[0] + first) / static_cast<double>(side) - 1.5;
      part[it[0] * side + it[1]] = rounds_of(cr, ci);
    });
  });
}

} // namespace

int main(int argc, char** argv) try {
  const std::size_t side = argc > 1 ? std::strtoul(argv[1], nullptr, 10) / 128 * 128 : 1024;
  const std::size_t shared = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : side / 2;
  if (side == 0 || shared > side) {
    std::fputs("usage: cpu_and_gpu [pixels a side, 128 or more [rows for the device, at most as many]]\n", stderr);
    return 2;
  }
  if (gpu::devices().empty()) {
    std::puts("no OpenCL device: nothing to share the picture with");
    return 0;
  }
  lf::queue device(gpu::select_device(gpu::default_selector_v));
  lf::queue cpu;
  std::printf("%zu rows on '%s', %zu on '%s'\n", shared, device.get_device().get_name().c_str(), side - shared,
              cpu.get_device().get_name().c_str());

  std::vector<std::uint32_t> shown(side * side), swapped(side * side);
  const auto begin = std::chrono::steady_clock::now();
  {
    pixels picture(shown.data(), lf::range<1>(shown.size()));
    rows_on_device(device, picture, side, 0, shared);
    rows_on_cpu(cpu, picture, side, shared, side - shared);
  }
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
  {
    pixels picture(swapped.data(), lf::range<1>(swapped.size()));
    rows_on_cpu(cpu, picture, side, 0, shared);
    rows_on_device(device, picture, side, shared, side - shared);
  }
  std::size_t different = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    different += shown[i] != swapped[i] ? 1 : 0;
  }
  std::printf("%.1f ms with the build of the kernel; %zu of %zu pixels differ between the two sides\n", time.count(),
              different, shown.size());
  return different * 1000 > shown.size() ? 1 : 0; // rounding at the edge of the set
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
