// SPDX-License-Identifier: Apache-2.0
#include "reduction_testing.hpp"

#include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/host_accessor.hpp>
#include <lanefold/memory/usm.hpp>

#include <algorithm>
#include <complex>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace {

/// A type of the user, without a default constructor; sums count, too.
struct tally {
  std::uint64_t sum;
  std::uint64_t count;
  explicit tally(std::uint64_t x) : sum(x), count(1) {}
  tally(std::uint64_t s, std::uint64_t c) : sum(s), count(c) {}
  friend bool operator==(const tally&, const tally&) = default;
};
struct add_tallies {
  tally operator()(const tally& a, const tally& b) const { return {a.sum + b.sum, a.count + b.count}; }
};

using problems = ::testing::Types<
#if defined(LANEFOLD_TEST_THOROUGH)
    problem<double, lf::multiplies<double>>, problem<bool, lf::logical_or<>>,
#endif
    problem<std::uint32_t, lf::plus<std::uint32_t>>, problem<float, lf::plus<>>,
    problem<std::int8_t, lf::maximum<std::int8_t>>>;
TYPED_TEST_SUITE(reductions, problems);

TYPED_TEST(reductions, range_1) {
  for (const std::size_t n : {0, 1, 7, 63, 4096, 4097, 100003}) {
    this->check(n, [&](auto r, auto* p) {
      this->q.parallel_for(lf::range<1>(n), r, [=](lf::id<1> i, auto& total) { total.combine(p[i]); }).wait();
    });
  }
}

TYPED_TEST(reductions, range_2_and_3) {
  for (const lf::range<2> extents : {lf::range<2>(3, 5000), lf::range<2>(5000, 3), lf::range<2>(0, 7)}) {
    this->check(extents.size(), [&](auto r, auto* p) {
      this->q.parallel_for(extents, r, [=](lf::item<2> it, auto& total) { total.combine(p[it.get_linear_id()]); })
          .wait();
    });
  }
  this->check(17 * 19 * 23, [&](auto r, auto* p) {
    this->q
        .submit([&](lf::handler& h) {
          h.parallel_for(lf::range<3>(17, 19, 23), r,
                         [=](lf::id<3> i, auto& total) { total.combine(p[(i[0] * 19 + i[1]) * 23 + i[2]]); });
        })
        .wait();
  });
}

TYPED_TEST(reductions, nd_range) {
  for (const auto& shape : {std::pair<std::size_t, std::size_t>{0, 8}, {70, 7}, {256 * 40, 256}, {97 * 100, 97}}) {
    const std::size_t n = shape.first;
    const std::size_t local = shape.second;
    this->check(n, [&](auto r, auto* p) {
      this->q
          .parallel_for(lf::nd_range<1>{n, local}, r,
                        [=](lf::nd_item<1> it, auto& total) { total.combine(p[it.get_global_linear_id()]); })
          .wait();
    });
  }
  this->check(64 * 64, [&](auto r, auto* p) {
    this->q
        .parallel_for(lf::nd_range<2>{{64, 64}, {4, 16}}, r,
                      [=](lf::nd_item<2> it, auto& total) {
                        if (it.get_local_id(0) == 1) {
                          it.barrier();
                        }
                        total.combine(p[it.get_global_linear_id()]);
                        if (it.get_local_id(0) != 1) {
                          it.barrier();
                        }
                      })
        .wait();
  });
}

// ---- several, types of the user

TEST(reduction, several_in_one_kernel) {
  constexpr std::size_t n = 54321;
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<double>((i * 7919) % 1000);
  }
  const double* p = x.data();
  double sum = 0;
  double least = 1e9;
  int big = 1;
  tally all(0, 0);
  lf::queue q;
  q.parallel_for(lf::range<1>(n), lf::reduction(&sum, lf::plus<>()), lf::reduction(&least, lf::minimum<>()),
                 lf::reduction(&big, std::plus<int>()), lf::reduction(&all, add_tallies()),
                 [=](std::size_t i, auto& s, auto& m, auto& b, auto& t) {
                   s += p[i];
                   m.combine(p[i]);
                   if (p[i] > 900) {
                     ++b;
                   }
                   t.combine(tally(static_cast<std::uint64_t>(p[i])));
                 })
      .wait();
  double expected = 0;
  int expected_big = 1;
  for (const double v : x) {
    expected += v;
    expected_big += v > 900 ? 1 : 0;
  }
  EXPECT_EQ(sum, expected);
  EXPECT_EQ(least, 0);
  EXPECT_EQ(big, expected_big);
  EXPECT_EQ(all, tally(static_cast<std::uint64_t>(expected), n));
}

TEST(reduction, usm_and_dependencies) {
  lf::queue q;
  float* x = lf::malloc_shared<float>(1000, q);
  float* sum = lf::malloc_shared<float>(1, q);
  *sum = 1;
  const lf::event filled = q.fill(x, 2.f, 1000);
  q.parallel_for(lf::range<1>(1000), filled, lf::reduction(sum, lf::plus<>()), [=](lf::id<1> i, auto& total) {
     total += x[i];
   }).wait();
  EXPECT_EQ(*sum, 2001.f);
  lf::free(x, q);
  lf::free(sum, q);
}

TEST(reduction, buffers) {
  lf::queue q;
  constexpr std::size_t n = 5000;
  long host[1] = {100};
  {
    lf::buffer<long> sum(host, lf::range<1>(1));
    lf::buffer<int> x{lf::range<1>(n)};
    q.submit([&](lf::handler& h) {
      lf::accessor to(x, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { to[i] = static_cast<int>(i[0]); });
    });
    const auto add_all = [&](const lf::property_list& properties) {
      q.submit([&](lf::handler& h) {
        lf::accessor from(x, h, lf::read_only);
        h.parallel_for(lf::range<1>(n), lf::reduction(sum, h, lf::plus<>(), properties),
                       [=](lf::id<1> i, auto& total) { total += from[i]; });
      });
    };
    add_all({});
    EXPECT_EQ(lf::host_accessor(sum)[0], 100 + n * (n - 1) / 2);
    add_all(lf::property::reduction::initialize_to_identity{});
    add_all({});
    q.submit([&](lf::handler& h) {
      lf::accessor from(x, h, lf::read_only);
      h.parallel_for(lf::nd_range<1>(n, 50), lf::reduction(sum, h, 0, [](long a, long b) { return a + b; }),
                     [=](lf::nd_item<1> it, auto& total) { total.combine(from[it.get_global_id(0)]); });
    });
  }
  EXPECT_EQ(host[0], static_cast<long>(3 * (n * (n - 1) / 2)));
  lf::buffer<long> pair{lf::range<1>(2)};
  q.submit([&](lf::handler& h) { EXPECT_THROW(lf::reduction(pair, h, lf::plus<>()), lf::exception); });
}

/// Before SYCL 2020 reductions had an accessor in place of a buffer.
TEST(reduction, accessors) {
  lf::queue q;
  constexpr int n = 1000;
  lf::buffer<int> sum{lf::range<1>(1)};
  lf::host_accessor{sum}[0] = 7;
  const auto add_all = [&](auto mode) {
    q.submit([&](lf::handler& h) {
      const auto to = sum.get_access<mode()>(h);
      h.parallel_for(lf::range<1>(n), lf::reduction(to, lf::plus<int>()),
                     [=](lf::id<1> i, auto& total) { total.combine(static_cast<int>(i[0])); });
    });
  };
  add_all(std::integral_constant<lf::access_mode, lf::access_mode::read_write>());
  EXPECT_EQ(lf::host_accessor(sum)[0], 7 + n * (n - 1) / 2);
  add_all(std::integral_constant<lf::access_mode, lf::access_mode::discard_read_write>());
  EXPECT_EQ(lf::host_accessor(sum)[0], n * (n - 1) / 2);
  q.submit([&](lf::handler& h) {
    const lf::accessor to(sum, h);
    h.parallel_for(lf::nd_range<1>(n, 50), lf::reduction(to, 0, [](int a, int b) { return std::max(a, b); }),
                   [=](lf::nd_item<1> it, auto& most) { most.combine(static_cast<int>(it.get_global_id(0)) + n * n); });
  });
  EXPECT_EQ(lf::host_accessor(sum)[0], n * n + n - 1);
}

TEST(reduction, beside_launch_properties) {
  lf::queue q;
  long sum = 0;
  q.parallel_for(lf::nd_range<1>{4096, 64}, lf::property::strategy<lf::simd<8>>{}, lf::reduction(&sum, lf::plus<>()),
                 lf::property::fiber_engine(lf::detail::fiber_engines().back()),
                 [=](auto it, auto& total) {
                   it.barrier();
                   total += it.get_local_id(0);
                 })
      .wait();
  EXPECT_EQ(sum, 64 * 63 / 2 * 64);
}

TEST(reduction, identity) {
  lf::queue q;
  float found = 0;
  float least = 5;
  q.parallel_for(lf::range<1>(1), lf::reduction(&least, lf::minimum<>()), [&found](lf::id<1>, auto& r) {
     static_assert(std::is_same_v<typename std::remove_reference_t<decltype(r)>::value_type, float>);
     found = r.identity();
   }).wait();
  EXPECT_EQ(found, std::numeric_limits<float>::infinity());
  EXPECT_EQ(least, 5);
}

// ---- the same result in each run

TEST(reduction, order_does_not_depend_on_threads) {
  constexpr std::size_t n = 1 << 18;
  std::vector<float> x(n);
  std::mt19937 random(42);
  for (float& v : x) {
    v = std::uniform_real_distribution<float>(0.f, 1.f)(random);
  }
  const float* p = x.data();
  std::vector<float> sums;
  for (const std::size_t threads : {1, 2, 3, 2, 2}) {
    lf::queue q{lf::property::threads(threads)};
    float by_range = 0;
    float by_group = 0;
    q.parallel_for(lf::range<1>(n), lf::reduction(&by_range, lf::plus<>()), [=](lf::id<1> i, auto& sum) {
       sum += p[i];
     }).wait();
    q.parallel_for(lf::nd_range<1>{n, 128}, lf::reduction(&by_group, lf::plus<>()), [=](lf::nd_item<1> it, auto& sum) {
       sum += p[it.get_global_id(0)];
     }).wait();
    sums.push_back(by_range);
    sums.push_back(by_group);
  }
  for (std::size_t i = 2; i < sums.size(); ++i) {
    EXPECT_EQ(sums[i], sums[i - 2]);
  }
  EXPECT_NEAR(sums[0], n / 2.0, n / 1000.0);
}

/// Small structs with an identity have several cells; every count of work-items meets all of them.
TEST(reduction, of_small_structs) {
  using complex = std::complex<double>;
  const auto nearer = [](const complex& a, const complex& b) { return std::norm(b) < std::norm(a) ? b : a; };
  lf::queue q;
  for (const std::size_t n : {1U, 2U, 7U, 16U, 17U, 100U, 5000U}) {
    std::vector<complex> all(n);
    for (std::size_t i = 0; i < n; ++i) {
      all[i] = {static_cast<double>((i * 37 + 11) % n) + 1, static_cast<double>(i)};
    }
    const complex* const at = all.data();
    complex sum = 0.5, least = 1e9, in_groups = 1e9;
    q.parallel_for(lf::range<1>(n), lf::reduction(&sum, complex(0), std::plus<>()), [=](lf::id<1> i, auto& total) {
       total += at[i[0]];
     }).wait();
    q.parallel_for(lf::range<1>(n), lf::reduction(&least, complex(1e9), nearer), [=](lf::id<1> i, auto& total) {
       total.combine(at[i[0]]);
     }).wait();
    q.parallel_for(lf::nd_range<1>(n, n % 10 == 0 ? 10 : 1), lf::reduction(&in_groups, complex(1e9), nearer),
                   [=](lf::nd_item<1> it, auto& total) { total.combine(at[it.get_global_id(0)]); })
        .wait();
    EXPECT_EQ(sum, std::accumulate(all.begin(), all.end(), complex(0.5))) << n;
    const complex right = *std::min_element(
        all.begin(), all.end(), [](const complex& a, const complex& b) { return std::norm(a) < std::norm(b); });
    EXPECT_EQ(std::norm(least), std::norm(right)) << n;
    EXPECT_EQ(std::norm(in_groups), std::norm(right)) << n;
  }
}

// ---- errors

TEST(reduction, misuse) {
  int x = 0;
  const auto smaller = [](int a, int b) { return a < b ? a : b; };
  EXPECT_THROW(lf::reduction(static_cast<int*>(nullptr), lf::plus<>()), lf::exception);
  EXPECT_THROW(lf::reduction(&x, smaller, lf::property::reduction::initialize_to_identity{}), lf::exception);
  EXPECT_NO_THROW(lf::reduction(lf::span<int>(), lf::plus<>()));
}

TEST(reduction, a_kernel_that_throws_leaves_the_variable) {
  for (const bool nd : {false, true}) {
    lf::queue q;
    int sum = 7;
    const auto fail = [](std::size_t i) {
      if (i == 5000) {
        throw std::runtime_error("no");
      }
    };
    lf::event e;
    if (nd) {
      e = q.parallel_for(lf::nd_range<1>{10240, 64}, lf::reduction(&sum, lf::plus<>()),
                         [=](lf::nd_item<1> it, auto& s) {
                           fail(it.get_global_id(0));
                           ++s;
                         });
    } else {
      e = q.parallel_for(lf::range<1>(10240), lf::reduction(&sum, lf::plus<>()), [=](lf::id<1> i, auto& s) {
        fail(i[0]);
        ++s;
      });
    }
    EXPECT_THROW(e.wait(), lf::exception);
    EXPECT_EQ(sum, 7);
  }
}

} // namespace
