// SPDX-License-Identifier: Apache-2.0
/// Work-item kernels through buffers and accessors against loops: a reduction, a stencil.
#include "contest.hpp"
#include "programs.hpp"
#include "queues.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace lanefold_benchmarks {

namespace {

using lanefold_peers::array;

template <class T>
void measure_sum(report& to, const options& given, const std::string& name) {
  constexpr std::size_t count = std::size_t{1} << 25;
  array<T> x(count);
  double exact = 0;
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = static_cast<T>(i % 1021) / 1024;
    exact += static_cast<double>(x[i]);
  }
  T result = 0;
  const auto side_of = [&](work only) {
    return side{{std::move(only)},
                [&] { result = -1; },
                [&]() -> std::string {
                  const bool near = std::fabs(static_cast<double>(result) / exact - 1) < 1e-5;
                  return near ? "" : std::to_string(result) + " for " + std::to_string(exact);
                },
                {},
                false};
  };
  const side by_hand = side_of(by_hand::sum(x.data(), count, &result, given.threads));
  if (given.absolute_times)
    return to.absolute(name, by_hand, -static_cast<double>(count * sizeof(T)) * 1e-9, "GB/s");

  sycl::queue q = queue_of(given.threads);
  sycl::buffer<T> in(x.data(), sycl::range(count));
  sycl::buffer<T> sum(&result, sycl::range(1));
  const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity{}};
  const side range_kernel =
      side_of({"range, id",
               [&] {
                 q.submit([&](sycl::handler& h) {
                    sycl::accessor from(in, h, sycl::read_only);
                    h.parallel_for(sycl::range(count), sycl::reduction(sum, h, sycl::plus<>(), fresh),
                                   [=](sycl::id<1> i, auto& total) { total += from[i]; });
                  }).wait();
               },
               {}});
  const side nd_kernel =
      side_of({"nd_range, groups of 256",
               [&] {
                 q.submit([&](sycl::handler& h) {
                    sycl::accessor from(in, h, sycl::read_only);
                    h.parallel_for(sycl::nd_range<1>(count, 256), sycl::reduction(sum, h, sycl::plus<>(), fresh),
                                   [=](sycl::nd_item<1> it, auto& total) { total += from[it.get_global_id(0)]; });
                  }).wait();
               },
               {}});
  to.compare(name + "/range/by_hand", quantity::speed, range_kernel, by_hand);
  to.compare(name + "/nd_range/by_hand", quantity::speed, nd_kernel, by_hand);
}

/// Work-items give their reducer a value behind a condition.
void measure_sum_of_some(report& to, const options& given) {
  const std::size_t count = std::size_t{262'144} * given.threads; // which stay in the caches of each
  array<float> x(count), sum(1);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = static_cast<float>(i * 7919 % 1021) / 1024;
  sycl::queue q = queue_of(given.threads);
  sycl::buffer<float> in(x.data(), sycl::range(count));
  float* const total = sum.data();
  contest<float>{to, given, sum, static_cast<double>(count)}.compare(
      "reduction/some", by_hand::sum_of_some(x.data(), count, total, given.threads), "range, id", [&] {
        q.submit([&](sycl::handler& h) {
           sycl::accessor from(in, h, sycl::read_only);
           h.parallel_for(sycl::range(count),
                          sycl::reduction(total, sycl::plus<>(), sycl::property::reduction::initialize_to_identity{}),
                          [=](sycl::id<1> i, auto& result) {
                            if (from[i] > 0.5F)
                              result += from[i];
                          });
         }).wait();
      });
}

} // namespace

void measure_reduction(report& to, const options& given) {
  measure_sum_of_some(to, given);
  measure_sum<float>(to, given, "reduction/fp32");
  measure_sum<double>(to, given, "reduction/fp64");
}

void measure_stencil(report& to, const options& given) {
  constexpr std::size_t edge = 4096;
  constexpr int steps = 100;
  array<float> a(edge * edge), b(edge * edge);
  const auto start = [&] {
    for (std::size_t y = 0; y < edge; ++y) {
      for (std::size_t x = 0; x < edge; ++x)
        a[y * edge + x] = b[y * edge + x] = x == 0 ? 100.f : 0.f;
    }
  };
  start();
  by_hand::stencil(a.data(), b.data(), edge, edge, steps, given.threads).run();
  const std::vector<float> expected(a.begin(), a.end());

  const auto side_of = [&](work only) {
    return side{{std::move(only)},
                start,
                [&]() -> std::string {
                  for (std::size_t i = 0; i < expected.size(); ++i) {
                    if (std::fabs(a[i] - expected[i]) > 1e-4f)
                      return "element " + std::to_string(i) + " is wrong";
                  }
                  return {};
                },
                {},
                false};
  };
  const side by_hand = side_of(by_hand::stencil(a.data(), b.data(), edge, edge, steps, given.threads));
  if (given.absolute_times)
    return to.absolute("stencil", by_hand, -static_cast<double>(edge * edge) * steps * 2 * sizeof(float) * 1e-9,
                       "GB/s");

  sycl::queue q = queue_of(given.threads);
  const side ours = side_of({"range<2>, accessors",
                             [&] {
                               sycl::buffer<float, 2> even(a.data(), sycl::range(edge, edge));
                               sycl::buffer<float, 2> odd(b.data(), sycl::range(edge, edge));
                               sycl::buffer<float, 2>*now = &even, *next = &odd;
                               for (int step = 0; step < steps; ++step) {
                                 q.submit([&](sycl::handler& h) {
                                   sycl::accessor u(*now, h, sycl::read_only);
                                   sycl::accessor v(*next, h, sycl::read_write);
                                   h.parallel_for(sycl::range(edge - 2, edge - 2), [=](sycl::id<2> i) {
                                     const std::size_t y = i[0] + 1, x = i[1] + 1;
                                     v[y][x] = 0.25f * (u[y][x - 1] + u[y][x + 1] + u[y - 1][x] + u[y + 1][x]);
                                   });
                                 });
                                 std::swap(now, next);
                               }
                             },
                             {}});
  to.compare("stencil/by_hand", quantity::speed, ours, by_hand);
}

} // namespace lanefold_benchmarks
