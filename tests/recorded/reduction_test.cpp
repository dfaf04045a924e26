// SPDX-License-Identifier: Apache-2.0
// Reductions of parallel_for in recorded kernels.
#include "testing.hpp"

#include <array>
#include <cstdint>
#include <numeric>

namespace {

using namespace recorded_testing;

template <class T, class Space>
void check_sums(Space space, std::size_t n) {
  std::vector<T> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = static_cast<T>(static_cast<int>(i * 7 % 31) - 11);
  }
  expect_same_everywhere<T>(
      6,
      [&](lf::queue& q, auto how, lf::buffer<T>& out) {
        lf::buffer<T> x_buffer(in.data(), lf::range<1>(n));
        const T five = 5;
        lf::buffer<T> sum(&five, lf::range<1>(1)), least(&five, lf::range<1>(1)), product(&five, lf::range<1>(1)),
            fresh{lf::range<1>(1)};
        q.submit([&](lf::handler& h) {
          const lf::accessor x(x_buffer, h, lf::read_only);
          h.parallel_for(space, how, lf::reduction(sum, h, lf::plus<>()), lf::reduction(least, h, lf::minimum<T>()),
                         lf::reduction(product, h, T(1), [](auto a, auto b) { return a * b; }),
                         lf::reduction(fresh, h, lf::plus<T>(), {lf::property::reduction::initialize_to_identity()}),
                         [=](auto it, auto& total, auto& smallest, auto& times, auto& again) {
                           const auto i = it.get_linear_id();
                           total += x[i];
                           total.combine(x[i] + T(1));
                           smallest.combine(x[i]);
                           it.if_(i == 3U, [&] { times.combine(x[i]); });
                           again += x[i];
                           again += T(2);
                         });
        });
        q.submit([&](lf::handler& h) {
          const lf::accessor a(sum, h, lf::read_only), b(least, h, lf::read_only), c(product, h, lf::read_only),
              d(fresh, h, lf::read_only);
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::range<1>(1), [=](auto it) {
            const auto i = it.get_id(0);
            y[i] = a[i];
            y[i + 1] = b[i];
            y[i + 2] = c[i];
            y[i + 3] = d[i];
            y[i + 4] = T(0);
            y[i + 5] = T(0);
          });
        });
      },
      1e-4, [](const gpu::device& d) { return sizeof(T) == 4 || lf::device(d).has(lf::aspect::atomic64); });
}

TEST(recorded_reduction, ranges_of_any_size) {
  LANEFOLD_NEED_OPENCL();
  check_sums<std::int32_t>(lf::range<1>(1000), 1000);
  check_sums<float>(lf::range<2>(37, 21), 37 * 21);
  check_sums<std::int64_t>(lf::range<3>(3, 5, 7), 105);
  check_sums<std::int64_t>(lf::range<4>(2, 3, 5, 7), 210);
  check_sums<double>(lf::range<1>(7), 7);
}

TEST(recorded_reduction, nd_ranges_with_local_memory_and_barriers) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 512;
  expect_same_everywhere<std::uint32_t>(1, [&](lf::queue& q, auto how, lf::buffer<std::uint32_t>& out) {
    q.submit([&](lf::handler& h) {
      const lf::local_accessor<std::uint32_t> tile(64, h);
      h.parallel_for(lf::nd_range<1>(n, 64), how, lf::reduction(out, h, lf::bit_xor<>()), [=](auto it, auto& bits) {
        const auto l = it.get_local_id(0);
        tile[l] = lf::convert<std::uint32_t>(it.get_global_id(0) * 2654435761U);
        lf::group_barrier(it.get_group());
        bits ^= tile[63U - l] + lf::convert<std::uint32_t>(l);
      });
    });
  });
}

TEST(recorded_reduction, memory_of_the_device_and_spans) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 1000, bins = 8;
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    lf::queue q(device, lf::property::queue::in_order());
    int* const memory = lf::malloc_device<int>(bins, q);
    int* const total = lf::malloc_device<int>(1, q);
    q.fill(memory, 3, bins);
    q.fill(total, 4, 1);
    const lf::span<int, bins> counts(memory, bins);
    q.parallel_for(lf::range<1>(n), lf::reduction(counts, lf::plus<>()),
                   [=](auto i, auto& histogram) { histogram[lf::convert<std::size_t>(i) % bins] += 1; });
    q.parallel_for(lf::range<1>(n), lf::reduction(total, lf::plus<>()), [=](auto, auto& count) { ++count; });
    std::array<int, bins> found{};
    int number = 0;
    q.memcpy(found.data(), memory, sizeof(found));
    q.memcpy(&number, total, sizeof(number)).wait();
    for (std::size_t k = 0; k < bins; ++k) {
      EXPECT_EQ(found[k], 3 + static_cast<int>(n / bins)) << k;
    }
    EXPECT_EQ(number, 4 + static_cast<int>(n));
    q.parallel_for(lf::range<1>(n),
                   lf::reduction(counts, lf::plus<>(), {lf::property::reduction::initialize_to_identity()}),
                   [=](auto i, auto& histogram) { histogram[lf::convert<std::size_t>(i) % 2U] += 1; });
    q.memcpy(found.data(), memory, sizeof(found)).wait();
    EXPECT_EQ(found[0], static_cast<int>(n / 2));
    EXPECT_EQ(found[1], static_cast<int>(n / 2));
    EXPECT_EQ(found[2], 0);
    lf::free(memory, q);
    lf::free(total, q);
  }
}

/// Some work-items combine nothing, some two values; a value before the first would be wrong.
TEST(recorded_reduction, operators_without_identity) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<std::int32_t>(1, [](lf::queue& q, auto how, lf::buffer<std::int32_t>& out) {
    q.submit([&](lf::handler& h) {
      const auto joined = [](auto a, auto b) { return a + b - 3; };
      h.parallel_for(lf::range<1>(500), how, lf::reduction(out, h, joined), [=](auto it, auto& all) {
        const auto x = lf::convert<std::int32_t>(it.get_id(0));
        it.if_(x % 3 != 0, [&] { all.combine(x * 5); });
        it.if_(x % 4 == 0, [&] { all.combine(x); });
      });
    });
  });
}

TEST(recorded_reduction, memory_of_the_host_is_refused) {
  LANEFOLD_NEED_OPENCL();
  lf::queue q(gpu::devices().front());
  int sum = 0;
  EXPECT_EQ(code_thrown_by([&] {
              q.parallel_for(lf::range<1>(10), lf::reduction(&sum, lf::plus<>()), [](auto, auto& s) { s += 1; });
            }),
            lf::errc::kernel_argument);
}

} // namespace
