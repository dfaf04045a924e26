// SPDX-License-Identifier: Apache-2.0
// The four programs: matrix products, n-body, reduction, segmented reduction; checked against the host.
#include "program_kernels.hpp"
#include "sides.hpp"

#include <cmath>
#include <cstdint>
#include <numeric>
#include <random>

namespace lanefold_gpu_benchmarks {
namespace {

std::vector<double> random_reals(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values(count);
  for (double& x : values)
    x = static_cast<double>(random()) / 4294967296. - 0.5;
  return values;
}

/// Some elements of the product.
std::string check_product(lanefold_cuda::work& w, const std::vector<double>& a, const std::vector<double>& b,
                          std::size_t n) {
  std::vector<double> c(n * n, NAN);
  w.run(1);
  w.fetch(c.data());
  std::mt19937 random(3);
  for (int sample = 0; sample < 500; ++sample) {
    const std::size_t row = random() % n, column = random() % n;
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k)
      sum += a[row * n + k] * b[k * n + column];
    if (!(std::abs(c[row * n + column] - sum) < 1e-10 * static_cast<double>(n)))
      return "element " + std::to_string(row) + ", " + std::to_string(column) + ": " +
             std::to_string(c[row * n + column]) + ", not " + std::to_string(sum);
  }
  return "";
}

work_ptr our_product(gpu::queue q, const char* source, const char* name, std::size_t tile, const gpu::buffer<double>& a,
                     const gpu::buffer<double>& b, std::size_t n) {
  gpu::build_options options;
  options.work_group = {16, 16, 1};
  const gpu::kernel k(source, name, options);
  const gpu::buffer<double> c(q, n * n);
  const std::size_t items = n / tile * 16;
  return opencl_launches(
      q,
      [=]() mutable {
        q.launch(k, lanefold::nd_range<2>({items, items}, {16, 16}), a, b, c, static_cast<std::uint32_t>(n));
      },
      [=](void* to) mutable { q.copy(c, static_cast<double*>(to), n * n).wait(); });
}

std::string gigaflops(double operations, double seconds) {
  return std::to_string(static_cast<int>(std::lround(operations / seconds / 1e9))) + " GFLOP/s";
}

void measure_products(gpu::queue q, std::size_t n) {
  const std::vector<double> a = random_reals(n * n, 1), b = random_reals(n * n, 2);
  const gpu::buffer<double> on_device_a(q, n * n), on_device_b(q, n * n);
  q.copy(a.data(), on_device_a, n * n).wait();
  q.copy(b.data(), on_device_b, n * n).wait();
  const work_ptr tiled = our_product(q, lanefold_programs::dgemm_tiled, "dgemm_tiled", 16, on_device_a, on_device_b, n);
  const work_ptr registers =
      our_product(q, lanefold_programs::dgemm_registers, "dgemm_registers", 64, on_device_a, on_device_b, n);
  const work_ptr cuda = lanefold_cuda::absent().empty() ? lanefold_cuda::dgemm_tiled(a.data(), b.data(), n) : nullptr;
  const std::string size = std::to_string(n);
  std::vector<lanefold_cuda::work*> works = {tiled.get(), registers.get()};
  if (cuda)
    works.push_back(cuda.get());
  for (lanefold_cuda::work* const w : works)
    if (const std::string wrong = check_product(*w, a, b, n); !wrong.empty())
      return say_wrong("dgemm/" + size + "/cuda", wrong);
  const std::vector<double> t = seconds_per_round(works, 1, 6);
  const double operations = 2. * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  note("dgemm " + size + ": tiled " + gigaflops(operations, t[0]) + ", registers " + gigaflops(operations, t[1]) +
       (cuda ? ", CUDA tiled " + gigaflops(operations, t[2]) : ""));
  if (cuda)
    say("dgemm/" + size + "/cuda", t[2] / t[0]);
  else
    say_skipped("dgemm/" + size + "/cuda", lanefold_cuda::absent());
  say("dgemm/" + size + "/registers", t[0] / t[1]);
}

void measure_nbody(gpu::queue q, std::size_t n) {
  const double softening = 1e-3;
  std::vector<double> bodies = random_reals(4 * n, 5);
  for (std::size_t i = 0; i < n; ++i)
    bodies[4 * i + 3] = std::abs(bodies[4 * i + 3]);
  const gpu::buffer<double> in(q, 4 * n), out(q, 4 * n);
  q.copy(bodies.data(), in, 4 * n).wait();
  gpu::build_options options;
  options.work_group = {256, 1, 1};
  const gpu::kernel k(lanefold_programs::nbody, "nbody", options);
  const work_ptr w = opencl_launches(q, [=]() mutable {
    q.launch(k, lanefold::nd_range<1>(n, 256), in, out, static_cast<std::uint32_t>(n), softening);
  });
  w->run(1);
  std::vector<double> result(4 * n);
  q.copy(out, result.data(), 4 * n).wait();
  for (std::size_t i = 0; i < n; i += n / 16) {
    double ax = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double d[] = {bodies[4 * j] - bodies[4 * i], bodies[4 * j + 1] - bodies[4 * i + 1],
                          bodies[4 * j + 2] - bodies[4 * i + 2]};
      const double r = 1 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening);
      ax += bodies[4 * j + 3] * r * r * r * d[0];
    }
    if (!(std::abs(result[4 * i] - ax) < 1e-8 * (1 + std::abs(ax)) * static_cast<double>(n) / 1000))
      return say_wrong("nbody", "body " + std::to_string(i));
  }
  const double t = seconds_per_round({w.get()}, 1, 4)[0];
  note("n-body, fp64, " + std::to_string(n) +
       " bodies: " + gigaflops(20. * static_cast<double>(n) * static_cast<double>(n), t));
}

/// Sums of doubles: all, and of segments of 100 to 300.
void measure_sums(gpu::queue q, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<double>(i % 17);
  std::vector<std::uint32_t> offsets = {0};
  std::mt19937 random(11);
  while (offsets.back() < count)
    offsets.push_back(static_cast<std::uint32_t>(std::min<std::size_t>(count, offsets.back() + 100 + random() % 201)));
  const std::size_t segments = offsets.size() - 1;
  const gpu::buffer<double> in(q, count), sum(q, 1), sums(q, segments);
  const gpu::buffer<std::uint32_t> places(q, offsets.size());
  q.copy(values.data(), in, count).wait();
  q.copy(offsets.data(), places, offsets.size()).wait();
  const work_ptr whole = opencl_launches(q, [=]() mutable { gpu::reduce(q, in, count, sum, gpu::plus); });
  const work_ptr parts =
      opencl_launches(q, [=]() mutable { gpu::segmented_reduce(q, in, count, places, segments, sums, gpu::plus); });
  const std::vector<double> t = seconds_per_round({whole.get(), parts.get()}, 1, 6);
  double total = 0;
  q.copy(sum, &total, 1).wait();
  if (total != std::accumulate(values.begin(), values.end(), 0.))
    say_wrong("reduction", std::to_string(total));
  std::vector<double> result(segments);
  q.copy(sums, result.data(), segments).wait();
  for (std::size_t s = 0; s < segments; ++s)
    if (result[s] != std::accumulate(values.begin() + offsets[s], values.begin() + offsets[s + 1], 0.))
      return say_wrong("segmented reduction", "segment " + std::to_string(s));
  const double bytes = static_cast<double>(count) * sizeof(double);
  note("sums of " + std::to_string(count) + " doubles: " + std::to_string(std::lround(bytes / t[0] / 1e9)) +
       " GB/s, of " + std::to_string(segments) + " segments: " + std::to_string(std::lround(bytes / t[1] / 1e9)) +
       " GB/s");
}

} // namespace

void measure_programs(const gpu::queue& q) {
  if (!q.get_device().has_fp64())
    return note("programs: the device has no double");
  const bool small = q.get_device().is_cpu();
  for (const std::size_t n : small ? std::vector<std::size_t>{256} : std::vector<std::size_t>{1024, 2048, 4096})
    measure_products(q, n);
  measure_nbody(q, small ? 1024 : 16384);
  if (!small)
    measure_nbody(q, 65536);
  measure_sums(q, small ? 1 << 20 : 1 << 27);
}

} // namespace lanefold_gpu_benchmarks
