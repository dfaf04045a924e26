// SPDX-License-Identifier: Apache-2.0
/// Kernels written once in C++, on the CPU and on every OpenCL device: each device's result is compared with the CPU's
/// (largest relative difference; share of different pixels), and the matrix product's speed with the same in OpenCL C
/// by hand. Usage: one_source [extent of the matrices, a multiple of 64; default 256]
#include "comparison.hpp"

#include <lanefold/recorded.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>
#include <string>
#include <vector>

namespace {

using namespace one_source;

constexpr std::size_t tile = 16;

/// c = a b by tiles in local memory: two barriers a tile.
void matrix_product(lf::queue& q, lf::buffer<double, 2>& a, lf::buffer<double, 2>& b, lf::buffer<double, 2>& c) {
  q.submit([&](lf::handler& h) {
    const lf::accessor in_a(a, h, lf::read_only), in_b(b, h, lf::read_only);
    const lf::accessor out(c, h, lf::write_only, lf::no_init);
    const lf::local_accessor<double> tile_a(tile * tile, h), tile_b(tile * tile, h);
    const std::size_t n = a.get_range()[1];
    h.parallel_for(lf::nd_range<2>(c.get_range(), {tile, tile}), [=](auto it) {
      const auto [y, x] = it.get_local_id();
      const auto [row, column] = it.get_global_id();
      auto sum = it.var(0.0);
      it.for_(std::size_t(0), n, tile, [&](auto first) {
        tile_a[y * tile + x] = in_a[row][first + x];
        tile_b[y * tile + x] = in_b[first + y][column];
        lf::group_barrier(it.get_group());
        for (std::size_t k = 0; k < tile; ++k) {
          sum = lf::fma(tile_a[y * tile + k], tile_b[k * tile + x], sum);
        }
        lf::group_barrier(it.get_group());
      });
      out[row][column] = sum;
    });
  });
}

const char* const matrix_product_in_opencl_c = R"(
kernel void product(global const double* a, global const double* b, global double* c, ulong n) {
  local double tile_a[16 * 16] __attribute__((aligned(16))), tile_b[16 * 16] __attribute__((aligned(16)));
  const size_t x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  double sum = 0;
  for (size_t first = 0; first < n; first += 16) {
    tile_a[y * 16 + x] = a[row * n + first + x];
    tile_b[y * 16 + x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t k = 0; k < 16; ++k)
      sum = fma(tile_a[y * 16 + k], tile_b[k * 16 + x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
)";

/// Potentials of bodies of mass 1 on a line, tiled through local memory.
void potentials(lf::queue& q, lf::buffer<float>& places, lf::buffer<float>& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(places, h, lf::read_only);
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    constexpr std::size_t local = 64;
    const lf::local_accessor<float> others(local, h);
    const std::size_t n = places.size();
    h.parallel_for(lf::nd_range<1>(n, local), [=](auto it) {
      const auto l = it.get_local_id(0);
      const auto own = x[it.get_global_id(0)];
      auto sum = it.var(0.F);
      it.for_(std::size_t(0), n, local, [&](auto first) {
        others[l] = x[first + l];
        lf::group_barrier(it.get_group());
        for (std::size_t j = 0; j < local; ++j) {
          const auto distance = others[j] - own;
          sum += lf::rsqrt(distance * distance + 0.01F);
        }
        lf::group_barrier(it.get_group());
      });
      y[it.get_global_id(0)] = sum;
    });
  });
}

/// Rounds until a point of the plane leaves the Mandelbrot set's circle.
void mandelbrot(lf::queue& q, std::size_t side, lf::buffer<std::int32_t>& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::range<2>(side, side), [=](auto it) {
      const auto [row, column] = it.get_id();
      const auto cr = lf::convert<float>(column) * 3.F / static_cast<float>(side) - 2.25F;
      const auto ci = lf::convert<float>(row) * 3.F / static_cast<float>(side) - 1.5F;
      auto r = it.var(cr - cr), i = it.var(cr - cr);
      auto rounds = it.var(std::int32_t(0));
      it.while_([&] { return r * r + i * i <= 4.F && rounds < 100; },
                [&] {
                  const auto next = r * r - i * i + cr;
                  i = 2.F * r * i + ci;
                  r = next;
                  ++rounds;
                });
      y[it.get_linear_id()] = rounds;
    });
  });
}

/// Each work-group divides its elements by their sum, and adds how many are smaller before them.
void normalise(lf::queue& q, lf::buffer<float>& in, lf::buffer<float>& out) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    const lf::accessor y(out, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::nd_range<1>(in.size(), 256), [=](auto it) {
      const auto i = it.get_global_id(0);
      const auto g = it.get_group();
      const auto total = lf::reduce_over_group(g, x[i], lf::plus<>());
      const auto before = lf::exclusive_scan_over_group(g, x[i], lf::plus<>());
      y[i] = x[i] / total + before;
    });
  });
}

void histogram(lf::queue& q, lf::buffer<float>& in, lf::buffer<std::int32_t>& bins) {
  q.submit([&](lf::handler& h) {
    const lf::accessor x(in, h, lf::read_only);
    const lf::accessor counts(bins, h, lf::read_write);
    h.parallel_for(lf::range<1>(in.size()),
                   [=](auto i) { ++lf::atomic_ref(counts[lf::convert<std::uint32_t>(x[i] * 100.F) % 64U]); });
  });
}

/// The fastest of a few runs, after one that builds the kernel.
double milliseconds(const std::function<void()>& run) {
  run();
  double best = 1e300;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
    best = std::min(best, time.count());
  }
  return best;
}

void compare_matrix_product(const gpu::device& device, std::size_t n) {
  if (!device.has_fp64()) {
    return;
  }
  std::vector<double> left(n * n), right(n * n);
  for (std::size_t i = 0; i < n * n; ++i) {
    left[i] = static_cast<double>(i * 7 % 61) / 61;
    right[i] = static_cast<double>(i * 5 % 67) / 67;
  }
  lf::buffer<double, 2> a(left.data(), {n, n}), b(right.data(), {n, n}), c(lf::range<2>(n, n)), d(lf::range<2>(n, n)),
      expected(lf::range<2>(n, n));
  lf::queue cpu, q(device);
  matrix_product(cpu, a, b, expected);
  gpu::build_options options;
  options.work_group = {tile, tile, 1};
  const gpu::kernel by_hand(matrix_product_in_opencl_c, "product", options);
  const double recorded = milliseconds([&] {
    matrix_product(q, a, b, c);
    q.wait();
  });
  const double hand = milliseconds([&] {
    q.launch(by_hand, lf::nd_range<2>({n, n}, {tile, tile}), a, b, d, std::uint64_t(n));
    q.wait();
  });
  const lf::host_accessor found(c, lf::read_only), wanted(expected, lf::read_only);
  double worst = 0;
  for (std::size_t i = 0; i < n * n; ++i) {
    worst =
        std::max(worst, std::fabs(found[i / n][i % n] - wanted[i / n][i % n]) / std::max(1.0, wanted[i / n][i % n]));
  }
  report("matrix product", device.get_name(), worst, 1e-12);
  std::printf("%-16s %-40s %.3f ms, by hand in OpenCL C %.3f ms: %.2f of its speed\n", "", "", recorded, hand,
              hand / recorded);
}

} // namespace

int main(int argc, char** argv) try {
  const std::size_t n = argc > 1 ? std::strtoul(argv[1], nullptr, 10) / 64 * 64 : 256;
  if (n == 0) {
    std::fputs("usage: one_source [extent of the matrices, 64 or more]\n", stderr);
    return 2;
  }
  if (gpu::devices().empty()) {
    std::puts("no OpenCL device: the kernels would run on the CPU only");
    return 0;
  }
  std::vector<float> numbers(n * 64);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i * 37 % 101) / 101;
  }
  for (const gpu::device& device : gpu::devices()) {
    compare_matrix_product(device, n);
    compare<float>("potentials", device, n * 8, 1e-4, [&](lf::queue& q, lf::buffer<float>& out) {
      lf::buffer<float> in(numbers.data(), lf::range<1>(n * 8));
      potentials(q, in, out);
    });
    compare<std::int32_t>(
        "mandelbrot", device, n * n, 0.01, [&](lf::queue& q, lf::buffer<std::int32_t>& out) { mandelbrot(q, n, out); },
        share_of_different<std::int32_t>);
    compare<float>("normalise", device, numbers.size(), 1e-5, [&](lf::queue& q, lf::buffer<float>& out) {
      lf::buffer<float> in(numbers.data(), lf::range<1>(numbers.size()));
      normalise(q, in, out);
    });
    compare<std::int32_t>("histogram", device, 64, 0, [&](lf::queue& q, lf::buffer<std::int32_t>& out) {
      lf::buffer<float> in(numbers.data(), lf::range<1>(numbers.size()));
      histogram(q, in, out);
    });
  }
  return failures == 0 ? 0 : 1;
} catch (const std::exception& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
