// SPDX-License-Identifier: Apache-2.0
// Kernels in C++, recorded: matrix product, n-body, reduction, segmented reduction, against the same in OpenCL C by
// hand and in CUDA; group algorithms (for collectives.cpp).
#include "program_kernels.hpp"
#include "recorded_sides.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>
#include <type_traits>

namespace lanefold_gpu_benchmarks {
namespace {

std::vector<double> random_reals(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> values(count);
  for (double& x : values)
    x = static_cast<double>(random()) / 4294967296. + 0.25;
  return values;
}

/// Compares the results of recorded work with the same by hand and in CUDA, and the times. `peer` may be null.
void compare(const std::string& name, std::size_t results, lanefold_cuda::work& recorded, lanefold_cuda::work& by_hand,
             lanefold_cuda::work* peer, unsigned rounds = 6) {
  std::vector<double> found(results), wanted(results);
  recorded.run(1);
  recorded.fetch(found.data());
  by_hand.run(1);
  by_hand.fetch(wanted.data());
  for (std::size_t i = 0; i < results; ++i)
    if (!(std::abs(found[i] - wanted[i]) <= 1e-9 * (1 + std::abs(wanted[i]))))
      return say_wrong("recorded/" + name + "/hand", "result " + std::to_string(i) + ": " + std::to_string(found[i]) +
                                                         ", not " + std::to_string(wanted[i]));
  std::vector<lanefold_cuda::work*> works = {&recorded, &by_hand};
  if (peer != nullptr)
    works.push_back(peer);
  const std::vector<double> t = seconds_per_round(works, 1, rounds);
  note("recorded " + name + ": " + std::to_string(t[0] * 1e6) + " us, by hand " + std::to_string(t[1] * 1e6) + " us" +
       (peer != nullptr ? ", CUDA " + std::to_string(t[2] * 1e6) + " us" : ""));
  say("recorded/" + name + "/hand", t[1] / t[0]);
  if (peer != nullptr)
    say("recorded/" + name + "/cuda", t[2] / t[0]);
  else
    say_skipped("recorded/" + name + "/cuda", lanefold_cuda::absent());
}

bool has_cuda() { return lanefold_cuda::absent().empty(); }

gpu::kernel kernel_for(const char* source, const char* name, std::size_t x, std::size_t y = 1) {
  gpu::build_options options;
  options.work_group = {x, y, 1};
  return {source, name, options};
}

// ---- the programs

void multiply(lf::queue& q, lf::buffer<double>& a, lf::buffer<double>& b, lf::buffer<double>& c, std::size_t n) {
  q.submit([&](lf::handler& h) {
    constexpr std::uint32_t tile = 16;
    const lf::accessor in_a(a, h, lf::read_only), in_b(b, h, lf::read_only);
    const lf::accessor out(c, h, lf::write_only, lf::no_init);
    const lf::local_accessor<double, 2> tile_a({tile, tile}, h), tile_b({tile, tile}, h);
    const auto extent = static_cast<std::uint32_t>(n);
    h.parallel_for(lf::nd_range<2>({n, n}, {tile, tile}), [=](auto it) {
      const auto y = lf::convert<std::uint32_t>(it.get_local_id(0)), x = lf::convert<std::uint32_t>(it.get_local_id(1));
      const auto row = lf::convert<std::uint32_t>(it.get_global_id(0));
      const auto column = lf::convert<std::uint32_t>(it.get_global_id(1));
      auto sum = it.var(0.0);
      it.for_(0U, extent, tile, [&](auto first) {
        tile_a[y][x] = in_a[row * extent + first + x];
        tile_b[y][x] = in_b[(first + y) * extent + column];
        lf::group_barrier(it.get_group());
        for (std::uint32_t k = 0; k < tile; ++k)
          sum = lf::fma(tile_a[y][k], tile_b[k][x], sum);
        lf::group_barrier(it.get_group());
      });
      out[row * extent + column] = sum;
    });
  });
}

void measure_product(const gpu::queue& given, std::size_t n) {
  gpu::queue q = given;
  const std::vector<double> a = random_reals(n * n, 1), b = random_reals(n * n, 2);
  lf::buffer<double> in_a = filled(a), in_b = filled(b), out{lf::range<1>(n * n)};
  const work_ptr recorded =
      recorded_launches<double, 1>(q, [=](lf::queue& to) mutable { multiply(to, in_a, in_b, out, n); }, out);
  const gpu::buffer<double> hand_a = filled(q, a), hand_b = filled(q, b), hand_c(q, n * n);
  const gpu::kernel k = kernel_for(lanefold_programs::dgemm_tiled, "dgemm_tiled", 16, 16);
  const work_ptr by_hand = opencl_launches(
      q,
      [=]() mutable {
        q.launch(k, lf::nd_range<2>({n, n}, {16, 16}), hand_a, hand_b, hand_c, static_cast<std::uint32_t>(n));
      },
      [=](void* to) mutable { q.copy(hand_c, static_cast<double*>(to), n * n).wait(); });
  const work_ptr peer = has_cuda() ? lanefold_cuda::dgemm_tiled(a.data(), b.data(), n) : nullptr;
  compare("dgemm/" + std::to_string(n), n * n, *recorded, *by_hand, peer.get(),
          n < 1000 && !q.get_device().is_cpu() ? 200 : 6);
}

using body = lf::vec<double, 4>; // x, y, z, mass

void attract(lf::queue& q, lf::buffer<body>& bodies, lf::buffer<body>& accelerations, double softening) {
  q.submit([&](lf::handler& h) {
    constexpr std::uint32_t group = 256, unrolled = 8;
    const lf::accessor in(bodies, h, lf::read_only);
    const lf::accessor out(accelerations, h, lf::write_only, lf::no_init);
    const lf::local_accessor<body> tile(group, h);
    const auto n = static_cast<std::uint32_t>(in.size());
    h.parallel_for(lf::nd_range<1>(n, group), [=](auto it) {
      const auto l = lf::convert<std::uint32_t>(it.get_local_id(0));
      const auto i = it.get_global_id(0);
      const auto x = it.var(in[i].x()), y = it.var(in[i].y()), z = it.var(in[i].z());
      auto ax = it.var(0.0), ay = it.var(0.0), az = it.var(0.0);
      it.for_(0U, n, group, [&](auto first) {
        tile[l] = in[first + l];
        lf::group_barrier(it.get_group());
        it.for_(0U, group, unrolled, [&](auto j) {
          for (std::uint32_t k = 0; k < unrolled; ++k) {
            const auto other = tile[j + k];
            const auto dx = other.x() - x, dy = other.y() - y, dz = other.z() - z;
            const auto inverse = lf::rsqrt(lf::fma(dx, dx, lf::fma(dy, dy, lf::fma(dz, dz, softening))));
            const auto s = other.w() * inverse * (inverse * inverse);
            ax = lf::fma(s, dx, ax);
            ay = lf::fma(s, dy, ay);
            az = lf::fma(s, dz, az);
          }
        });
        lf::group_barrier(it.get_group());
      });
      out[i] = lf::make_vec(ax, ay, az, az - az);
    });
  });
}

void measure_nbody(const gpu::queue& given, std::size_t n) {
  gpu::queue q = given;
  const double softening = 1e-3;
  const std::vector<double> numbers = random_reals(4 * n, 5);
  std::vector<body> bodies(n);
  for (std::size_t i = 0; i < n; ++i)
    bodies[i] = body(numbers[4 * i], numbers[4 * i + 1], numbers[4 * i + 2], numbers[4 * i + 3]);
  lf::buffer<body> in = filled(bodies), out{lf::range<1>(n)};
  const work_ptr recorded =
      recorded_launches<body, 1>(q, [=](lf::queue& to) mutable { attract(to, in, out, softening); }, out);
  const gpu::buffer<double> hand_in = filled(q, numbers), hand_out(q, 4 * n);
  const gpu::kernel k = kernel_for(lanefold_programs::nbody, "nbody", 256);
  const work_ptr by_hand = opencl_launches(
      q,
      [=]() mutable {
        q.launch(k, lf::nd_range<1>(n, 256), hand_in, hand_out, static_cast<std::uint32_t>(n), softening);
      },
      [=](void* to) mutable { q.copy(hand_out, static_cast<double*>(to), 4 * n).wait(); });
  const work_ptr peer = has_cuda() ? lanefold_cuda::nbody(numbers.data(), n, softening) : nullptr;
  compare("nbody/" + std::to_string(n), 4 * n, *recorded, *by_hand, peer.get());
}

constexpr std::uint32_t reduction_group = 256, reduction_groups = 1056, segment_group = 32;

/// The sums of what the groups of work-items read, `groups` of them.
void sums_of_groups(lf::queue& q, lf::buffer<double>& from, lf::buffer<double>& to, std::uint32_t groups) {
  q.submit([&](lf::handler& h) {
    const lf::accessor in(from, h, lf::read_only);
    const lf::accessor out(to, h, lf::write_only, lf::no_init);
    const auto count = static_cast<std::uint32_t>(in.size());
    h.parallel_for(lf::nd_range<1>(groups * reduction_group, reduction_group), [=](auto it) {
      auto sum = it.var(0.0);
      it.for_(lf::convert<std::uint32_t>(it.get_global_id(0)), count, groups * reduction_group,
              [&](auto i) { sum += in[i]; });
      const auto total = lf::reduce_over_group(it.get_group(), sum, lf::plus<>());
      it.if_(it.get_local_id(0) == 0U, [&] { out[it.get_group(0)] = total; });
    });
  });
}

void sums_of_segments(lf::queue& q, lf::buffer<double>& from, lf::buffer<std::uint32_t>& offsets,
                      lf::buffer<double>& to) {
  q.submit([&](lf::handler& h) {
    const lf::accessor in(from, h, lf::read_only);
    const lf::accessor begin(offsets, h, lf::read_only);
    const lf::accessor out(to, h, lf::write_only, lf::no_init);
    h.parallel_for(lf::nd_range<1>(out.size() * segment_group, segment_group), [=](auto it) {
      const auto segment = lf::convert<std::uint32_t>(it.get_group(0));
      auto sum = it.var(0.0);
      it.for_(begin[segment] + lf::convert<std::uint32_t>(it.get_local_id(0)), begin[segment + 1U], segment_group,
              [&](auto i) { sum += in[i]; });
      const auto total = lf::reduce_over_group(it.get_group(), sum, lf::plus<>());
      it.if_(it.get_local_id(0) == 0U, [&] { out[segment] = total; });
    });
  });
}

constexpr char sums_by_hand[] = R"CLC(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void sums_of_groups(global const double* in, global double* out, uint count) {
  LANEFOLD_SCRATCH(s);
  double sum = 0;
  for (uint i = get_global_id(0); i < count; i += get_global_size(0))
    sum += in[i];
  const double total = lf_reduce_plus_double(sum, &s);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = total;
}
)CLC";
constexpr char segments_by_hand[] = R"CLC(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void sums_of_segments(global const double* in, global const uint* begin, global double* out) {
  LANEFOLD_SCRATCH(s);
  const uint segment = get_group_id(0), behind = begin[segment + 1];
  double sum = 0;
  for (uint i = begin[segment] + get_local_id(0); i < behind; i += get_local_size(0))
    sum += in[i];
  const double total = lf_reduce_plus_double(sum, &s);
  if (get_local_id(0) == 0)
    out[segment] = total;
}
)CLC";

void measure_sums(const gpu::queue& given, std::size_t count) {
  gpu::queue q = given;
  const std::vector<double> values = random_reals(count, 9);
  std::vector<std::uint32_t> offsets = {0};
  std::mt19937 random(11);
  while (offsets.back() < count)
    offsets.push_back(static_cast<std::uint32_t>(std::min<std::size_t>(count, offsets.back() + 100 + random() % 201)));
  const std::size_t segments = offsets.size() - 1;
  lf::buffer<double> in = filled(values), sums{lf::range<1>(reduction_groups)}, sum{lf::range<1>(1)},
                     of_segments{lf::range<1>(segments)};
  lf::buffer<std::uint32_t> places = filled(offsets);
  const gpu::buffer<double> hand_in = filled(q, values), hand_sums(q, reduction_groups), hand_sum(q, 1),
                            hand_of_segments(q, segments);
  const gpu::buffer<std::uint32_t> hand_places = filled(q, offsets);
  const bool cuda = has_cuda();

  const work_ptr recorded = recorded_launches<double, 1>(
      q,
      [=](lf::queue& to) mutable {
        sums_of_groups(to, in, sums, reduction_groups);
        sums_of_groups(to, sums, sum, 1);
      },
      sum);
  const gpu::kernel k = kernel_for(sums_by_hand, "sums_of_groups", reduction_group);
  const work_ptr by_hand = opencl_launches(
      q,
      [=]() mutable {
        q.launch(k, lf::nd_range<1>(reduction_groups * reduction_group, reduction_group), hand_in, hand_sums,
                 static_cast<std::uint32_t>(count));
        q.launch(k, lf::nd_range<1>(reduction_group, reduction_group), hand_sums, hand_sum, reduction_groups);
      },
      [=](void* to) mutable { q.copy(hand_sum, static_cast<double*>(to), 1).wait(); });
  const work_ptr peer = cuda ? lanefold_cuda::device_reduce(type::fp64, values.data(), count) : nullptr;
  compare("reduction", 1, *recorded, *by_hand, peer.get(), 21);

  const work_ptr recorded_segments = recorded_launches<double, 1>(
      q, [=](lf::queue& to) mutable { sums_of_segments(to, in, places, of_segments); }, of_segments);
  const gpu::kernel of_parts = kernel_for(segments_by_hand, "sums_of_segments", segment_group);
  const work_ptr segments_hand = opencl_launches(
      q,
      [=]() mutable {
        q.launch(of_parts, lf::nd_range<1>(segments * segment_group, segment_group), hand_in, hand_places,
                 hand_of_segments);
      },
      [=](void* to) mutable { q.copy(hand_of_segments, static_cast<double*>(to), segments).wait(); });
  const work_ptr segments_peer =
      cuda ? lanefold_cuda::segmented_reduce(values.data(), count, offsets.data(), segments) : nullptr;
  compare("segmented_reduction", segments, *recorded_segments, *segments_hand, segments_peer.get(), 21);
}

// ---- group algorithms

/// One call of a collective for each round; see lanefold_cuda::repeat.
template <class T>
work_ptr collective_of(const gpu::queue& q, collective what, std::size_t group, const std::vector<std::byte>& start) {
  std::vector<T> values(start.size() / sizeof(T));
  std::memcpy(values.data(), start.data(), start.size());
  return recorded_rounds(q, group, values, [what](const auto& it, const auto& mine, auto& x) {
    const auto g = it.get_group();
    const auto next = [&](const auto& y) {
      if constexpr (std::is_integral_v<T>)
        x = y + mine;
      else
        x = lf::fma(y, T(1) / 1024, mine);
    };
    if (what == collective::reduce)
      next(lf::reduce_over_group(g, x, lf::plus<>()));
    else if (what == collective::inclusive_scan)
      next(lf::inclusive_scan_over_group(g, x, lf::plus<>()));
    else
      next(lf::exclusive_scan_over_group(g, x, lf::plus<>()));
  });
}

} // namespace

work_ptr recorded_collective(const gpu::queue& q, type t, collective what, std::size_t group,
                             const std::vector<std::byte>& start) {
  switch (t) {
  case type::int32: return collective_of<std::int32_t>(q, what, group, start);
  case type::fp32: return collective_of<float>(q, what, group, start);
  case type::int64: return collective_of<std::int64_t>(q, what, group, start);
  case type::fp64: return collective_of<double>(q, what, group, start);
  default: return nullptr;
  }
}

void measure_recorded(const gpu::queue& q) {
  if (!q.get_device().has_fp64())
    return note("recorded: the device has no double");
  const bool small = q.get_device().is_cpu();
  for (const std::size_t n : small ? std::vector<std::size_t>{256} : std::vector<std::size_t>{256, 1024, 2048, 4096})
    measure_product(q, n);
  measure_nbody(q, small ? 1024 : 65536);
  measure_sums(q, small ? 1 << 20 : 1 << 27);
}

} // namespace lanefold_gpu_benchmarks
