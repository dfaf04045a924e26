// SPDX-License-Identifier: Apache-2.0
// Tests what recorded kernels compute with besides plain arithmetic: relational functions, arrays of a work-item, half,
// atomic operations of all widths, init of group algorithms, single tasks.
#include "testing.hpp"

#include <cstdint>
#include <limits>

namespace {

using namespace recorded_testing;

bool has_wide_atomics(const gpu::device& device) { return lf::device(device).has(lf::aspect::atomic64); }

template <class T>
void check_relations() {
  using limits = std::numeric_limits<T>;
  const std::vector<T> in = {T(0),
                             T(-0.0),
                             T(1),
                             T(-2.5),
                             limits::infinity(),
                             -limits::infinity(),
                             limits::quiet_NaN(),
                             limits::denorm_min(),
                             limits::min(),
                             limits::max()};
  const std::size_t n = in.size();
  expect_same_everywhere<int>(n * n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    lf::buffer<T> x_buffer(in.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(n * n), how, [=](auto it) {
        const auto i = it.get_id(0);
        const auto a = x[i / n], b = x[i % n];
        auto bits = it.var(0);
        const auto note = [&](const auto& condition) { bits = bits * 2 + lf::select(condition, 1, 0); };
        note(lf::isfinite(a));
        note(lf::isinf(a));
        note(lf::isnan(a));
        note(lf::isnormal(a));
        note(lf::signbit(a));
        note(lf::isequal(a, b));
        note(lf::isnotequal(a, b));
        note(lf::isgreater(a, b));
        note(lf::isgreaterequal(a, T(1)));
        note(lf::isless(T(1), b));
        note(lf::islessequal(a, b));
        note(lf::islessgreater(a, b));
        note(lf::isordered(a, b));
        note(lf::isunordered(a, b));
        y[i] = bits;
      });
    });
  });
}

TEST(recorded_values, relational_functions) {
  LANEFOLD_NEED_OPENCL();
  check_relations<float>();
  check_relations<double>();
}

TEST(recorded_values, arrays_of_each_work_item) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 128;
  expect_same_everywhere<int>(2 * n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, 32), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto l = lf::convert<int>(i);
        auto a = it.template array<int, 8>();
        for (int k = 0; k < 8; ++k) {
          a[k] = l * k;
        }
        it.for_(0, 5, [&](auto round) { // an array of each round's own
          auto b = it.template array<int, 4>();
          it.for_(0, 4, [&](auto k) { b[k] = round * k + l; });
          a[(l + round) % 8] += b[round % 4];
        });
        auto copied = a;
        it.if_(l % 3 == 0, [&] { copied[l % 8] = -1; });
        y[i] = a[l % 8] + a[7];
        auto sum = it.var(0);
        for (std::size_t k = 0; k < copied.size(); ++k) {
          sum += copied[k];
        }
        y[i + n] = sum;
      });
    });
  });
}

TEST(recorded_values, arrays_have_an_end) {
  const lf::view<int> y(nullptr, 64);
  EXPECT_EQ(code_thrown_by([&] {
              gpu::source(
                  [=](auto it) {
                    auto a = it.template array<int, 4>();
                    a[4] = 1;
                    y[it.get_global_id(0)] = a[0];
                  },
                  lf::nd_range<1>(64, 64));
            }),
            lf::errc::accessor);
}

TEST(recorded_values, half_is_rounded_as_on_the_cpu) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 256;
  std::vector<lf::half> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = lf::half(static_cast<float>(static_cast<int>(i * 37 % 201) - 100) * 0.37F);
  }
  const lf::half third(1.F / 3);
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    std::vector<lf::half> out(6 * n);
    std::vector<float> sums(n);
    {
      lf::queue q(device);
      lf::buffer<lf::half> x_buffer(in.data(), lf::range<1>(n)), y_buffer(out.data(), lf::range<1>(out.size()));
      lf::buffer<float> sum_buffer(sums.data(), lf::range<1>(n));
      q.submit([&](lf::handler& h) {
        const lf::accessor x(x_buffer, h, lf::read_only);
        const lf::accessor y(y_buffer, h, lf::write_only, lf::no_init);
        const lf::accessor s(sum_buffer, h, lf::write_only, lf::no_init);
        const lf::local_accessor<lf::half> tile(64, h);
        h.parallel_for(lf::nd_range<1>(n, 64), [=](auto it) {
          const auto i = it.get_global_id(0);
          const auto l = it.get_local_id(0);
          tile[l] = x[i];
          lf::group_barrier(it.get_group());
          auto v = it.var(tile[(l + 1) % 64]);
          y[i] = v * third;
          v += x[i];
          v = v / third;
          y[i + n] = v;
          y[i + 2 * n] = lf::convert<lf::half>(lf::sqrt(lf::fabs(lf::convert<float>(x[i]))));
          y[i + 3 * n] = lf::convert<lf::half>(lf::convert<double>(x[i]) * 1.0000001);
          y[i + 4 * n] = lf::select(x[i] < lf::half(1), lf::half(1), x[i]) - -x[i];
          y[i + 5 * n] = lf::select(x[i] < lf::half(0), lf::half(-1), v);
          const auto sum = lf::reduce_over_group(it.get_group(), lf::select(l < 4U, x[i], lf::half(0)), lf::plus<>());
          s[i] = lf::convert<float>(sum) * 2.F;
        });
      });
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = i / 64 * 64;
      const lf::half a = in[i], b = in[first + (i + 1) % 64];
      const auto same = [](lf::half found, lf::half expected) {
        return static_cast<float>(found) == static_cast<float>(expected);
      };
      ASSERT_TRUE(same(out[i], b * third)) << i;
      ASSERT_TRUE(same(out[i + n], lf::half(b + a) / third)) << i;
      ASSERT_TRUE(same(out[i + 2 * n], lf::half(std::sqrt(std::fabs(static_cast<float>(a)))))) << i;
      ASSERT_TRUE(same(out[i + 3 * n], lf::half(static_cast<double>(a) * 1.0000001))) << i;
      ASSERT_TRUE(same(out[i + 4 * n], std::max(a, lf::half(1)) + a)) << i;
      ASSERT_TRUE(same(out[i + 5 * n], static_cast<float>(a) < 0 ? lf::half(-1) : lf::half(b + a) / third)) << i;
      float sum = 0;
      for (std::size_t k = first; k < first + 4; ++k) {
        sum += static_cast<float>(in[k]);
      }
      ASSERT_NEAR(sums[i], 2 * sum, 0.002F * (std::fabs(sum) + 100)) << i;
    }
  }
}

template <class T>
void check_atomics() {
  constexpr std::size_t n = 1000;
  expect_same_everywhere<T>(
      17,
      [&](lf::queue& q, auto how, lf::buffer<T>& out) {
        q.submit([&](lf::handler& h) {
          const lf::accessor y(out, h, lf::read_write);
          const lf::local_accessor<T> sums(2, h);
          h.parallel_for(lf::nd_range<1>(n, 100), how, [=](auto it) {
            const auto i = it.get_global_id(0);
            const auto l = it.get_local_id(0);
            const auto x = lf::convert<T>(i * 77U % 991U);
            it.if_(l < 2U, [&] { sums[l] = T(0); });
            lf::group_barrier(it.get_group());
            lf::atomic_ref(sums[i % 2U]) += x;
            lf::group_barrier(it.get_group());
            it.if_(l < 2U, [&] { lf::atomic_ref(y[l]).fetch_add(sums[l]); });
            const auto at = [&](std::size_t k) { return i % 1U + k; };
            lf::atomic_ref(y[at(2)]).fetch_max(x);
            lf::atomic_ref(y[at(3)]).fetch_min(T(0) - x);
            lf::atomic_ref(y[at(4)]).fetch_sub(x);
            it.if_(i == 5U, [&] { lf::atomic_ref(y[i]).exchange(T(12)); });
            it.if_(i == 6U, [&] { lf::atomic_ref(y[i]).store(T(13)); });
            it.if_(i == 7U, [&] { y[i] = lf::atomic_ref(y[i]).load() + T(3); });
            if constexpr (std::is_integral_v<T>) {
              lf::atomic_ref(y[at(8)]) |= x;
            }
            // Elements with plain indices.
            lf::atomic_ref(y[13]).fetch_add(x);
            lf::atomic_ref(y[14]) -= x;
            lf::atomic_ref(y[15]).fetch_max(x);
            it.if_(l < 2U, [&] { sums[l] = T(0); });
            lf::group_barrier(it.get_group());
            lf::atomic_ref(sums[1]) += x;
            lf::group_barrier(it.get_group());
            it.if_(l == 1U, [&] { lf::atomic_ref(y[16]) += sums[l]; });
            it.if_(i == 9U, [&] {
              auto expected = it.var(T(0));
              const auto done = lf::atomic_ref(y[i]).compare_exchange_strong(expected, T(21));
              const auto again = lf::atomic_ref(y[i]).compare_exchange_strong(
                  expected, T(22), lf::memory_order::relaxed, lf::memory_order::relaxed);
              it.if_(done && !again, [&] { lf::atomic_ref(y[i]) += expected * T(64); });
            });
            it.if_(i == 10U, [&] {
              lf::atomic_ref element(y[i]);
              element = T(5);
              y[i] = element.load() * T(element.is_lock_free() ? 3 : 4);
            });
            // Each work-item adds 1 to one element, by comparisons until it succeeds.
            auto seen = it.var(T(0));
            auto waits = it.var(true);
            it.while_([&] { return waits; },
                      [&] {
                        const auto next = it.var(seen + T(1));
                        waits = !lf::atomic_ref(y[at(11)]).compare_exchange_weak(seen, next);
                      });
            it.if_(l == 3U, [&] {
              auto mine = it.var(T(0));
              sums[l - 3U] = T(0);
              const auto done = lf::atomic_ref(sums[l - 3U]).compare_exchange_strong(mine, T(4));
              it.if_(done, [&] { lf::atomic_ref(y[i % 1U + 12U]) += sums[l - 3U]; });
            });
          });
        });
      },
      1e-5, sizeof(T) == 8 ? has_wide_atomics : [](const gpu::device&) { return true; });
}

TEST(recorded_values, atomic_operations_of_all_widths) {
  LANEFOLD_NEED_OPENCL();
  check_atomics<std::int32_t>();
  check_atomics<std::uint64_t>();
  check_atomics<std::int64_t>();
  check_atomics<float>();
  check_atomics<double>();
}

TEST(recorded_values, init_of_group_algorithms) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 128;
  const lf::uniform<int> ten(10);
  expect_same_everywhere<int>(5 * n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      const lf::local_accessor<int> first(1, h);
      h.parallel_for(lf::nd_range<1>(n, 32), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto g = it.get_group();
        const auto x = lf::convert<int>(i);
        const auto total = lf::reduce_over_group(g, x, lf::plus<>()); // uniform on the CPU, a value of the device here
        y[i] = lf::reduce_over_group(g, x, total, lf::maximum<>());
        y[i + n] = lf::inclusive_scan_over_group(g, x, lf::plus<>(), total);
        y[i + 2 * n] = lf::exclusive_scan_over_group(g, x, total, lf::plus<>());
        y[i + 3 * n] = lf::exclusive_scan_over_group(g, x, ten.get(), lf::plus<>());
        y[i + 4 * n] = lf::reduce_over_group(g, x, ten.get(), lf::plus<>());
      });
    });
  });
}

TEST(recorded_values, single_tasks_have_the_item_of_a_range_of_one) {
  LANEFOLD_NEED_OPENCL();
  expect_same_everywhere<int>(4, [&](lf::queue& q, auto, lf::buffer<int>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::read_write);
      h.single_task<struct named_task>([=](auto it) {
        const auto i = it.get_id(0);
        auto sum = it.var(0);
        it.for_(0, 10, [&](auto k) { sum += k; });
        y[i] = sum;
        y[i + 1] = sum * 2;
      });
    });
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::read_write);
      h.single_task([=](auto it) { y[it.get_id(0) + 2] = y[it.get_id(0) + 1] + 1; });
    });
  });
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { lf::queue(gpu::devices().front()).single_task([] {}); }, &text),
            lf::errc::kernel_not_supported);
  EXPECT_NE(text.find("auto it"), std::string::npos) << text;
}

} // namespace
