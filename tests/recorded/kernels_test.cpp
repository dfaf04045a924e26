// SPDX-License-Identifier: Apache-2.0
// Kernels on the CPU and, recorded, on OpenCL devices: ids, memory, control flow, group algorithms.
#include "testing.hpp"

#include <cstdint>
#include <cstdlib>
#include <numeric>

namespace {

using namespace recorded_testing;

template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = static_cast<T>(static_cast<int>(i * 7 % 31) - 11);
  }
  return all;
}

TEST(recorded_kernels, tree_reduction_in_local_memory) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 2048, local = 64;
  std::vector<float> in = numbers<float>(n);
  expect_same_everywhere<float>(
      n,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        lf::buffer<float> x_buffer(in);
        q.submit([&](lf::handler& h) {
          const lf::accessor x(x_buffer, h, lf::read_only);
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          lf::local_accessor<float> sums(local, h);
          h.parallel_for(lf::nd_range<1>{n, local}, how, [=](auto it) {
            const auto i = it.get_global_id(0);
            const auto l = it.get_local_id(0);
            auto v = it.var(x[i]);
            it.if_(v > 0.f, [&] { v = lf::sqrt(v); });
            sums[l] = v;
            for (std::size_t half = local / 2; half > 0; half /= 2) {
              lf::group_barrier(it.get_group());
              it.if_(l < half, [&] { sums[l] += sums[l + half]; });
            }
            lf::group_barrier(it.get_group());
            y[i] = v / sums[0];
          });
        });
      },
      1e-5);
}

template <int D>
void check_ids(lf::nd_range<D> space) {
  const std::size_t n = space.get_global_range().size();
  expect_same_everywhere<std::uint64_t>(n * 4, [&](lf::queue& q, auto how, lf::buffer<std::uint64_t>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(space, how, [=](auto it) {
        const auto place = it.get_global_linear_id();
        auto ids = it.var(std::uint64_t(0));
        auto locals = it.var(std::uint64_t(0));
        for (int d = 0; d < D; ++d) {
          ids = ids * 1000U + it.get_global_id(d);
          locals = locals * 100U + it.get_local_id(d);
          locals = locals * 100U + it.get_group(d);
        }
        y[place * 4] = ids;
        y[place * 4 + 1] = locals;
        y[place * 4 + 2] = lf::convert<std::uint64_t>(it.get_local_linear_id());
        y[place * 4 + 3] = it.get_group_linear_id() * 100000U + it.get_group_range(D - 1) * 1000U +
                           it.get_local_range(0) + lf::convert<std::uint64_t>(it.get_group().get_local_id(D - 1));
      });
    });
  });
}

TEST(recorded_kernels, ids_in_one_to_three_dimensions) {
  LANEFOLD_NEED_OPENCL();
  check_ids(lf::nd_range<1>(96, 32));
  check_ids(lf::nd_range<1>(96, 32, lf::id<1>(5)));
  check_ids(lf::nd_range<2>({6, 32}, {3, 8}));
  check_ids(lf::nd_range<2>({6, 32}, {3, 8}, {2, 7}));
  check_ids(lf::nd_range<3>({4, 6, 16}, {2, 3, 8}));
}

TEST(recorded_kernels, ids_in_four_to_six_dimensions) { // which OpenCL has not: leading ones are folded
  LANEFOLD_NEED_OPENCL();
  check_ids(lf::nd_range<4>({4, 6, 2, 8}, {2, 3, 1, 8}));
  check_ids(lf::nd_range<4>({4, 6, 2, 8}, {1, 2, 2, 4}, {3, 1, 5, 7}));
  check_ids(lf::nd_range<6>({2, 3, 4, 2, 3, 4}, {1, 3, 2, 1, 3, 2}));
}

/// Ids and ranges of one dimension are also asked as such: id[0], id.get(0).
TEST(recorded_kernels, ids_of_one_dimension) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 64, local = 8; // each work-group is one sub-group
  expect_same_everywhere<std::uint64_t>(5 * n, [&](lf::queue& q, auto how, lf::buffer<std::uint64_t>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
        const auto i = it.get_global_id();
        const auto g = it.get_group();
        const auto sg = it.get_sub_group();
        const auto put = [&](std::size_t column, const auto& v) {
          y[i[0] + column * n] = lf::convert<std::uint64_t>(v);
        };
        put(0, i[0] * 3U + it.get_local_id()[0]);
        put(1, g.get_local_id()[0] * 100U + g.get_group_id()[0]);
        put(2, g.get_id()[0] + g.get_linear_id() * 10U + g.get_global_range(0));
        put(3, lf::convert<std::uint64_t>(sg.get_local_id()[0]) * 100U + sg.get_local_range()[0]);
        put(4, sg.get_group_id()[0] * 100U + sg.get_group_range()[0]);
        it.mem_fence();
        it.if_(sg.get_local_range()[0] > sg.get_max_local_range()[0], [&] { y[i] = 0; });
      });
    });
  });
}

TEST(recorded_kernels, ranges_of_any_size) {
  LANEFOLD_NEED_OPENCL();
  for (const std::size_t n : {1, 7, 255, 1000}) {
    expect_same_everywhere<int>(n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
      q.submit([&](lf::handler& h) {
        const lf::accessor y(out, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::range<1>(n), how, [=](auto i) { y[i] = lf::convert<int>(i) * 3 - 1; });
      });
    });
  }
  expect_same_everywhere<int>(37 * 21, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<2>(37, 21), how, [=](auto it) {
        const auto [row, column] = it.get_id();
        y[it.get_linear_id()] =
            lf::convert<int>(row) * 100 + lf::convert<int>(column) + lf::convert<int>(it.get_range(1));
      });
    });
  });
  expect_same_everywhere<int>(2 * 3 * 5 * 3 * 7, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range{2, 3, 5, 3, 7}, how, [=](auto it) {
        const auto [a, b, c, row, column] = it.get_id();
        y[it.get_linear_id()] = lf::convert<int>(a) * 10000 + lf::convert<int>(b) * 1000 + lf::convert<int>(c) * 100 +
                                lf::convert<int>(row) * 10 + lf::convert<int>(column) + lf::convert<int>(it.get_id(1));
      });
    });
  });
}

TEST(recorded_kernels, control_flow) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 512;
  expect_same_everywhere<int>(n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, 64), how, [=](auto it) {
        const auto i = lf::convert<int>(it.get_global_id(0));
        auto steps = it.var(0);
        auto x = it.var(i + 1);
        it.while_([&] { return x != 1 && steps < 40; },
                  [&] {
                    it.if_(x % 2 == 0, [&] { x = x / 2; }, [&] { x = 3 * x + 1; });
                    ++steps;
                  });
        auto sum = it.var(0);
        it.for_(0, i % 13, [&](auto k) { it.for_(k, 10, 3, [&](auto j) { sum += j * k; }); });
        it.for_(0, 4, [&](auto k) { sum += k; });
        for (int k = 0; k < 3; ++k) {
          sum = sum + k * i;
        }
        y[i] = steps * 100000 + sum + lf::select(x > 5 || x == 2, 7, sum - sum);
      });
    });
  });
}

template <class T>
void check_arithmetic() {
  constexpr std::size_t n = 256;
  const std::vector<T> in = numbers<T>(n);
  expect_same_everywhere<T>(
      4 * n,
      [&](lf::queue& q, auto how, lf::buffer<T>& out) {
        lf::buffer<T> x_buffer(in.data(), lf::range<1>(n));
        q.submit([&](lf::handler& h) {
          const lf::accessor x(x_buffer, h, lf::read_only);
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          const T seven = 7;
          h.parallel_for(lf::nd_range<1>(n, 64), how, [=](auto it) {
            const auto i = it.get_global_id(0);
            const auto a = x[i];
            const auto b = x[(i * 5 + 3) % n];
            y[i] = lf::convert<T>(a * b + seven);
            y[i + n] = lf::convert<T>(a - b * 3);
            y[i + 2 * n] = lf::convert<T>(a / (seven + T(1)) + lf::select(a < b, a, b));
            if constexpr (std::is_integral_v<T>) {
              y[i + 3 * n] = lf::convert<T>(((a & 15) << 1) ^ (b | 3) ^ (a % 5) ^ (a >> 1) ^ ~b);
            } else {
              y[i + 3 * n] = lf::fma(a, b, T(1) / 3) + lf::fabs(-a) + lf::floor(b / 2);
            }
          });
        });
      },
      1e-6);
}

TEST(recorded_kernels, arithmetic_of_all_types) {
  LANEFOLD_NEED_OPENCL();
  check_arithmetic<std::int8_t>();
  check_arithmetic<std::uint8_t>();
  check_arithmetic<std::int16_t>();
  check_arithmetic<std::int32_t>();
  check_arithmetic<std::uint32_t>();
  check_arithmetic<std::int64_t>();
  check_arithmetic<std::uint64_t>();
  check_arithmetic<float>();
  check_arithmetic<double>();
}

template <class T>
void check_group_algorithms(std::size_t local) {
  const std::size_t n = 4 * local;
  const std::vector<T> in = numbers<T>(n);
  expect_same_everywhere<T>(
      9 * n,
      [&](lf::queue& q, auto how, lf::buffer<T>& out) {
        lf::buffer<T> x_buffer(in.data(), lf::range<1>(n));
        q.submit([&](lf::handler& h) {
          const lf::accessor x(x_buffer, h, lf::read_only);
          const lf::accessor y(out, h, lf::write_only, lf::no_init);
          h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
            const auto i = it.get_global_id(0);
            const auto g = it.get_group();
            const auto v = x[i];
            y[i] = lf::reduce_over_group(g, v, lf::plus<>());
            y[i + n] = lf::reduce_over_group(g, v, lf::maximum<T>());
            y[i + 2 * n] = lf::inclusive_scan_over_group(g, v, lf::plus<T>());
            y[i + 3 * n] = lf::exclusive_scan_over_group(g, v, T(5), lf::plus<>());
            y[i + 4 * n] = lf::group_broadcast(g, v, 3);
            y[i + 5 * n] = lf::group_broadcast(g, v);
            y[i + 6 * n] = lf::reduce_over_group(g, v, T(100), lf::minimum<>());
            const auto low = lf::any_of_group(g, v < T(2)), high = lf::all_of_group(g, v < T(100));
            y[i + 7 * n] = lf::select(low, T(1), T(0)) + lf::select(high, T(2), T(0)) +
                           lf::select(lf::none_of_group(g, v == T(1)), T(4), T(0));
            y[i + 8 * n] = lf::exclusive_scan_over_group(g, v, lf::plus<>());
          });
        });
      },
      1e-5);
}

TEST(recorded_kernels, group_algorithms) {
  LANEFOLD_NEED_OPENCL();
  check_group_algorithms<std::int32_t>(50);
  check_group_algorithms<float>(64);
  check_group_algorithms<double>(64);
}

TEST(recorded_kernels, sub_groups) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 256;
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    std::vector<int> out(8 * n);
    {
      lf::queue q(device);
      lf::buffer<int> buffer(out.data(), lf::range<1>(out.size()));
      q.submit([&](lf::handler& h) {
        const lf::accessor y(buffer, h, lf::write_only, lf::no_init);
        h.parallel_for(lf::nd_range<1>(n, 64), [=](auto it) {
          const auto i = it.get_global_id(0);
          const auto g = it.get_sub_group();
          const auto x = lf::convert<int>(i);
          y[i] = lf::convert<int>(g.get_local_linear_id());
          y[i + n] = lf::convert<int>(g.get_local_linear_range());
          y[i + 2 * n] = lf::reduce_over_group(g, x, lf::plus<>());
          y[i + 3 * n] = lf::inclusive_scan_over_group(g, x, lf::plus<>());
          y[i + 4 * n] = lf::shift_group_left(g, x, 1);
          y[i + 5 * n] = lf::permute_group_by_xor(g, x, 1);
          y[i + 6 * n] = lf::select_from_group(g, x, g.get_local_linear_id() / 2);
          lf::group_barrier(g);
          y[i + 7 * n] = lf::select(lf::any_of_group(g, g.leader()), lf::group_broadcast(g, x), -1);
        });
      });
    }
    for (std::size_t i = 0; i < n; ++i) {
      const int lane = out[i], size = out[i + n], first = static_cast<int>(i) - lane, x = static_cast<int>(i);
      ASSERT_TRUE(size >= 1 && lane >= 0 && lane < size) << i;
      ASSERT_EQ(out[i + 2 * n], size * (2 * first + size - 1) / 2) << i;
      ASSERT_EQ(out[i + 3 * n], (lane + 1) * (2 * first + lane) / 2) << i;
      if (lane + 1 < size) {
        ASSERT_EQ(out[i + 4 * n], x + 1) << i;
      }
      if ((lane ^ 1) < size) {
        ASSERT_EQ(out[i + 5 * n], first + (lane ^ 1)) << i;
      }
      ASSERT_EQ(out[i + 6 * n], first + lane / 2) << i;
      ASSERT_EQ(out[i + 7 * n], first) << i;
    }
  }
}

TEST(recorded_kernels, memory_of_the_device_and_uniform_numbers) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 256;
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    lf::queue q(device, lf::property::queue::in_order());
    int* const memory = lf::malloc_device<int>(2 * n, q);
    q.fill(memory, 5, 2 * n);
    const lf::view<const int> x(memory, n);
    const lf::view<int> y(memory + n, n);
    const std::size_t before = gpu::get_program_cache_counters().builds;
    for (int round = 1; round < 4; ++round) {
      const lf::uniform<int> factor(round);
      q.parallel_for(lf::nd_range<1>(n, 64),
                     [=](auto it) { y[it.get_global_id(0)] = x[it.get_global_id(0)] * factor.get() + x[3]; });
      std::vector<int> out(n);
      q.memcpy(out.data(), y.data(), n * sizeof(int)).wait();
      EXPECT_EQ(out, std::vector<int>(n, 5 * round + 5));
    }
    EXPECT_LE(gpu::get_program_cache_counters().builds, before + 1);
    lf::free(memory, q);
  }
}

TEST(recorded_kernels, atomic_operations) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 1000, bins = 16;
  expect_same_everywhere<int>(bins, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::read_write);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) {
        const auto i = it.get_id(0);
        ++lf::atomic_ref(y[i % (bins - 2)]);
        lf::atomic_ref(y[i % 1 + (bins - 2)]).fetch_max(lf::convert<int>(i * 77 % 991));
        lf::atomic_ref(y[i % 1 + (bins - 1)]).fetch_sub(lf::convert<int>(i % 5));
      });
    });
  });
  expect_same_everywhere<float>(2, [&](lf::queue& q, auto how, lf::buffer<float>& out) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(out, h, lf::read_write);
      h.parallel_for(lf::range<1>(n), how, [=](auto it) { lf::atomic_ref(y[it.get_id(0) % 2]) += 0.5f; });
    });
  });
}

constexpr lf::specialization_id<int> factor(5);
constexpr lf::specialization_id<float> divisor(2.F);

TEST(recorded_kernels, specialization_constants) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 32, launches = 6;
  expect_same_everywhere<float>(
      n * launches,
      [&](lf::queue& q, auto how, lf::buffer<float>& out) {
        for (std::size_t k = 0; k < launches; ++k) { // the same kernel, each time with another number
          q.submit([&](lf::handler& h) {
            if (k != 0) {
              h.set_specialization_constant<factor>(static_cast<int>(k * 10));
            }
            const lf::accessor y(out, h, lf::range<1>(n), lf::id<1>(k * n));
            h.parallel_for(lf::range<1>(n), how, [=](auto it, lf::kernel_handler kh) {
              const auto i = lf::convert<int>(it.get_id(0));
              y[it] = lf::convert<float>(i * kh.get_specialization_constant<factor>());
            });
          });
        }
        for (std::size_t k = 0; k < launches; ++k) {
          q.submit([&](lf::handler& h) {
            h.set_specialization_constant<divisor>(static_cast<float>(k) + 0.5F);
            const lf::accessor y(out, h);
            const lf::local_accessor<float> tile(n, h);
            h.parallel_for(lf::nd_range<1>(n, n), how, [=](auto it, auto kh) {
              const auto l = it.get_local_id(0);
              tile[l] = y[l + k * n] / kh.template get_specialization_constant<divisor>();
              lf::group_barrier(it.get_group());
              y[l + k * n] = tile[n - 1U - l];
            });
          });
        }
      },
      1e-6); // divisions of float may be rounded otherwise
}

TEST(recorded_kernels, specialization_constants_behind_reducers) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    int sum = 0;
    {
      lf::queue q(device);
      lf::buffer<int> result(&sum, lf::range<1>(1));
      q.submit([&](lf::handler& h) {
        h.set_specialization_constant<factor>(3);
        h.parallel_for(
            lf::range<1>(10), lf::reduction(result, h, lf::plus<>()), lf::property::strategy<lf::simd<8>>(),
            [=](auto, auto& total, lf::kernel_handler kh) { total += kh.get_specialization_constant<factor>(); });
      });
    }
    EXPECT_EQ(sum, 30) << device.get_platform_name();
  }
}

TEST(recorded_kernels, as_much_local_memory_as_the_device_has) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    const std::size_t most = q.get_device().get_info<lf::info::device::local_mem_size>() / sizeof(int);
    const auto run = [&](std::size_t elements) {
      std::vector<int> out(8);
      {
        lf::buffer<int> buffer(out);
        q.submit([&](lf::handler& h) {
          const lf::accessor y(buffer, h, lf::write_only);
          const lf::local_accessor<int> tile(elements, h);
          h.parallel_for(lf::nd_range<1>(8, 8), lf::property::strategy<lf::simd<8>>(), [=](auto it) {
            const auto l = it.get_local_id(0);
            tile[l + (elements - 8)] = lf::convert<int>(l);
            lf::group_barrier(it.get_group());
            y[it.get_global_id(0)] = tile[elements - 1U - l];
          });
        });
        q.wait_and_throw();
      }
      return out;
    };
    // Drivers may keep some of it, and take long for much.
    const std::size_t enough = std::min<std::size_t>(most * 3 / 4, 100'000);
    EXPECT_EQ(run(enough), (std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0})) << device.get_platform_name();
    EXPECT_EQ(code_thrown_by([&] { run(most + 1); }), lf::errc::memory_allocation) << device.get_platform_name();
  }
}

TEST(recorded_kernels, operators_of_the_program) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 192;
  const std::vector<int> in = numbers<int>(n);
  expect_same_everywhere<int>(4 * n, [&](lf::queue& q, auto how, lf::buffer<int>& out) {
    lf::buffer<int> x_buffer(in.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      const int limit = 13;
      h.parallel_for(lf::nd_range<1>(n, 48), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto g = it.get_group();
        const auto v = lf::convert<int>(x[i]);
        const auto first_other = [](auto a, auto b) { return lf::select(a == 0, b, a); }; // does not commute
        const auto capped = [=](auto a, auto b) { return lf::min(lf::max(a, b), limit); };
        y[i] = lf::reduce_over_group(g, lf::select(it.get_local_id(0) > 6U, v, 0), first_other);
        y[i + n] = lf::inclusive_scan_over_group(g, v, first_other);
        y[i + 2 * n] = lf::exclusive_scan_over_group(g, v, 3, capped);
        y[i + 3 * n] = lf::reduce_over_group(g, v, -100, capped);
      });
    });
  });
}

TEST(recorded_kernels, explain_that_other_numbers_are_other_programs) {
  LANEFOLD_NEED_OPENCL();
  lf::queue q(gpu::devices().front());
  lf::buffer<int> buffer{lf::range<1>(64)};
  const auto run = [&](int number) {
    q.submit([&](lf::handler& h) {
      const lf::accessor y(buffer, h, lf::write_only);
      h.parallel_for<struct numbered>(lf::nd_range<1>(64, 64), [=](auto it) { y[it.get_global_id(0)] = number; });
    });
    q.wait_and_throw();
  };
  setenv("LANEFOLD_EXPLAIN", "1", 1);
  testing::internal::CaptureStderr();
  for (const int number : {1, 2, 1, 3}) {
    run(number);
  }
  const std::string said = testing::internal::GetCapturedStderr();
  unsetenv("LANEFOLD_EXPLAIN");
  EXPECT_EQ(lf::host_accessor(buffer)[5], 3);
  EXPECT_NE(said.find("kernel_numbered' is built again for other captured numbers, time 1;"), said.npos) << said;
  EXPECT_NE(said.find("time 2;"), said.npos) << said;
  EXPECT_EQ(said.find("time 3;"), said.npos) << said;
}

TEST(recorded_kernels, least_and_greatest_of_what_is_no_number) {
  LANEFOLD_NEED_OPENCL();
  constexpr std::size_t n = 64;
  std::vector<float> in = numbers<float>(n);
  for (std::size_t i = 0; i < n; i += 3) {
    in[i] = std::nanf("");
  }
  expect_same_everywhere<float>(4 * n, [&](lf::queue& q, auto how, lf::buffer<float>& out) {
    lf::buffer<float> x_buffer(in);
    q.submit([&](lf::handler& h) {
      const lf::accessor x(x_buffer, h, lf::read_only);
      const lf::accessor y(out, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::nd_range<1>(n, 32), how, [=](auto it) {
        const auto i = it.get_global_id(0);
        const auto v = it.var(x[i]);
        y[i] = lf::min(v, 1.f);
        y[i + n] = lf::min(1.f, v);
        y[i + 2 * n] = lf::max(1.f, v);
        y[i + 3 * n] = lf::clamp(v, -2.f, 2.f);
      });
    });
  });
}

} // namespace
