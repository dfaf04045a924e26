// SPDX-License-Identifier: Apache-2.0
/// Compiled without optimisation (tests/CMakeLists.txt): the frames of lane-generic kernels are large then, because
/// every value has a place of its own. Stacks of suspended units hold them all the same.
#include <lanefold/execution.hpp>
#include <lanefold/memory/math_functions.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace lf = lanefold;

namespace {

/// One step of a sort in local memory; four of them are in each turn of the loop below.
template <class Item, class Tile, class Index>
__attribute__((always_inline)) inline void exchange(Item& it, const Tile& tile, const Index& l, std::size_t k,
                                                    std::size_t j) {
  const auto other = l ^ j;
  it.if_(other > l, [&] {
    const auto a = tile[l];
    const auto b = tile[other];
    it.if_((a > b) == ((l & k) == std::size_t(0)), [&] {
      tile[l] = b;
      tile[other] = a;
    });
  });
  lf::group_barrier(it.get_group());
}

TEST(unoptimised_kernels, have_stacks_that_are_large_enough) {
#if defined(__OPTIMIZE__)
  GTEST_SKIP() << "compiled with optimisation";
#endif
  constexpr std::size_t local = 256, n = 1024;
  std::vector<double> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    numbers[i] = static_cast<double>((i * 7919) % n);
  }
  std::vector<double> sorted = numbers;
  const lf::view<double> x(sorted.data(), n);
  lf::queue q;
#if defined(__clang__) // clang's frame of 128 lanes is larger than the 4 MiB of a thread's own stack
  const lf::properties how{lf::property::strategy<lf::simd<32>>{}};
#else
  const lf::properties how{lf::property::strategy<lf::simd<128>>{}};
#endif
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<double> tile(local, h);
     h.parallel_for(lf::nd_range<1>(n, local), how, [=](auto it) {
       const auto l = it.get_local_id(0);
       const auto i = it.get_global_id(0);
       tile[l] = x[i];
       lf::group_barrier(it.get_group());
       for (std::size_t k = 2; k <= local; k *= 2) {
         std::size_t j = k / 2;
         for (; j >= 8; j /= 16) {
           exchange(it, tile, l, k, j);
           exchange(it, tile, l, k, j / 2);
           exchange(it, tile, l, k, j / 4);
           exchange(it, tile, l, k, j / 8);
         }
         for (; j > 0; j /= 2) {
           exchange(it, tile, l, k, j);
         }
       }
       const auto value = it.var(tile[l]);
       auto weighed = it.var(value * 2.0 + 1.0);
       it.if_(weighed > 100.0, [&] { weighed = (weighed * 3.0 - value) / 5.0 + value * value * 0.25; });
       it.if_(weighed < 50.0, [&] { weighed = (weighed + value) * (weighed - value) + value / 3.0; });
       it.if_(weighed == value, [&] { weighed = value * 7.0 + weighed * weighed - value * weighed * 2.0; });
       x[i] = value + weighed * 0.0;
     });
   }).wait();
  for (std::size_t group = 0; group < n; group += local) {
    std::vector<double> expected(numbers.begin() + static_cast<std::ptrdiff_t>(group),
                                 numbers.begin() + static_cast<std::ptrdiff_t>(group + local));
    std::sort(expected.begin(), expected.end());
    for (std::size_t i = 0; i < local; ++i) {
      ASSERT_EQ(sorted[group + i], expected[i]) << group + i;
    }
  }
}

// Each of these calls one of xsimd's functions that g++ 12 compiles for AVX-512 with our help only.
template <class Item>
__attribute__((noinline)) void wait_without_leaving(const Item& it) noexcept {
  lf::group_barrier(it.get_group());
}

/// Without optimisation the compiler calls std::terminate by itself, while the exception counts as thrown only.
template <class Strategy>
void expect_first_error() {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const auto engine : lf::detail::fiber_engines()) {
    const auto fails = [engine](std::size_t failing) {
      lf::queue q;
      q.parallel_for(lf::nd_range<1>(64, 64),
                     lf::properties{lf::property::strategy<Strategy>{}, lf::property::fiber_engine{engine}},
                     [=](auto it) {
                       wait_without_leaving(it);
                       it.if_(it.get_local_id(0) == failing, [] { throw std::runtime_error("thrown on purpose"); });
                       wait_without_leaving(it);
                     })
          .wait_and_throw();
    };
    for (const std::size_t failing : {std::size_t(0), std::size_t(63)}) {
      EXPECT_DEATH(fails(failing), "lanefold: kernel '.*: thrown on purpose\nlanefold: .*noexcept")
          << to_string(engine);
    }
  }
}

TEST(unoptimised_kernels, that_wait_in_a_noexcept_function_end_the_program_with_the_first_error) {
  expect_first_error<lf::scalar>();
  expect_first_error<lf::simd<16>>();
}

TEST(unoptimised, functions_of_lanes_compile) {
  float x[32], y[32];
  for (int i = 0; i < 32; ++i) {
    x[i] = 0.25f * static_cast<float>(i + 1);
  }
  const lf::view<const float> in(x, 32);
  const lf::view<float> out(y, 32);
  lf::queue()
      .parallel_for(lf::range<1>(32),
                    [=](auto it) {
                      const auto v = in[it];
                      out[it] = lf::log(v) + lf::log2(v) + lf::log10(v) + lf::cbrt(v) + lf::asinh(v);
                    })
      .wait();
  for (int i = 0; i < 32; ++i) {
    const float v = x[i];
    EXPECT_NEAR(y[i], std::log(v) + std::log2(v) + std::log10(v) + std::cbrt(v) + std::asinh(v), 1e-5f) << v;
  }
}

} // namespace
