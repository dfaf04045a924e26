// SPDX-License-Identifier: Apache-2.0
/// Reductions of lane-generic kernels, and of spans in kernels of every kind.
#include "reduction_testing.hpp"

#include <lanefold/memory/view.hpp>

#include <functional>
#include <vector>

namespace {

using problems = ::testing::Types<problem<std::uint32_t, lf::plus<std::uint32_t>>, problem<float, lf::plus<>>,
                                  problem<std::uint8_t, lf::bit_xor<>>>;
template <class Problem>
class reductions_of_lanes : public reductions<Problem> {};
TYPED_TEST_SUITE(reductions_of_lanes, problems);

TYPED_TEST(reductions_of_lanes, varyings) {
  for (const std::size_t n : {1, 63, 64, 4097, 100003}) {
    this->check(n, [&](auto r, auto* p) {
      const lf::view x(p, n);
      this->q.parallel_for(lf::range<1>(n), r, [=](auto it, auto& total) { total.combine(x[it.get_id(0)]); }).wait();
    });
  }
  for (const std::size_t local : {3, 20, 256}) {
    this->check(local * 33, [&](auto r, auto* p) {
      const lf::view x(p, local * 33);
      this->q
          .parallel_for(lf::nd_range<1>{local * 33, local}, r,
                        [=](auto it, auto& total) {
                          it.barrier();
                          total.combine(x[it.get_global_id(0)]);
                          it.barrier();
                        })
          .wait();
    });
  }
}

TEST(reduction, divergent_lanes) {
  constexpr std::size_t n = 10007;
  lf::queue q;
  std::uint64_t odd = 0;
  std::uint64_t ones = 0;
  std::uint64_t product = 1;
  q.parallel_for(lf::range<1>(n), lf::reduction(&odd, lf::plus<>()), lf::reduction(&ones, lf::plus<>()),
                 lf::reduction(&product, std::uint64_t{1}, [](std::uint64_t a, std::uint64_t b) { return a * b; }),
                 [=](auto it, auto& sum, auto& count, auto& power) {
                   const auto i = it.get_id(0);
                   it.if_((i & 1) != 0, [&] {
                     sum += i;
                     ++count;
                   });
                   it.if_(i < 20, [&] { power.combine(2); });
                 })
      .wait();
  EXPECT_EQ(odd, (n / 2) * (n / 2));
  EXPECT_EQ(ones, n / 2);
  EXPECT_EQ(product, 1u << 20);
}

TEST(reduction, masks) {
  bool some = false;
  bool every = true;
  lf::queue q;
  q.parallel_for(lf::range<1>(1000), lf::reduction(&some, lf::logical_or<>()),
                 lf::reduction(&every, lf::logical_and<>()),
                 [=](auto it, auto& any, auto& all) {
                   any.combine(it.get_id(0) == 999u);
                   all.combine(it.get_id(0) < 1000u);
                 })
      .wait();
  EXPECT_TRUE(some);
  EXPECT_TRUE(every);
}

/// The remainders of 0 … n-1 by `size`, counted by the kernel of `launch`.
template <class Launch>
void check_span(std::size_t n, std::size_t size, Launch launch) {
  std::vector<int> bins(size, 10);
  launch(lf::reduction(lf::span<int>(bins), lf::plus<>()));
  for (std::size_t k = 0; k < size; ++k) {
    EXPECT_EQ(bins[k], static_cast<int>(10 + n / size + (k < n % size ? 1 : 0))) << k << " of " << size;
  }
  launch(lf::reduction(lf::span<int>(bins), without_identity<int, lf::plus<>>()));
  EXPECT_EQ(bins[0], static_cast<int>(10 + 2 * ((n + size - 1) / size)));
  launch(lf::reduction(lf::span<int>(bins), 0, std::plus<>(), lf::property::reduction::initialize_to_identity{}));
  EXPECT_EQ(bins[0], static_cast<int>((n + size - 1) / size));
}

TEST(reduction, spans) {
  lf::queue q;
  constexpr std::size_t n = 30000;
  for (const std::size_t size : {1, 5, 256}) {
    check_span(n, size, [&](auto r) {
      q.parallel_for(lf::range<1>(n), r, [=](lf::id<1> i, auto& bins) { bins[i[0] % size].combine(1); }).wait();
    });
    check_span(n, size, [&](auto r) {
      q.parallel_for(lf::nd_range<1>{n, 30}, r, [=](lf::nd_item<1> it, auto& bins) {
         it.barrier();
         bins[it.get_global_id(0) % size].combine(1);
       }).wait();
    });
    check_span(n, size, [&](auto r) {
      q.parallel_for(lf::range<1>(n), r, [=](auto it, auto& bins) { bins[it.get_id(0) % size].combine(1); }).wait();
    });
  }
}

} // namespace
