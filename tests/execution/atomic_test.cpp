// SPDX-License-Identifier: Apache-2.0
/// Atomics in kernels: histograms and counters mean the same for every strategy, in divergent code too.
#include "strategies.hpp"

#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/memory/local_accessor.hpp>

#include <random>
#include <vector>

namespace {

using order = lf::memory_order;
using scope = lf::memory_scope;

constexpr std::size_t n = 20000, local = 400, bins = 10;

template <class Strategy>
class atomic_kernels : public ::testing::Test {
protected:
  void SetUp() override {
    std::mt19937 random(seed);
    for (int& x : input) {
      x = static_cast<int>(random() % bins);
      ++expected[static_cast<std::size_t>(x)];
    }
  }

  const unsigned seed = std::random_device{}();
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed)};
  std::vector<int> input = std::vector<int>(n), histogram = std::vector<int>(bins), expected = std::vector<int>(bins);
};
TYPED_TEST_SUITE(atomic_kernels, strategies_1d, strategy_names);

TYPED_TEST(atomic_kernels, histogram_in_local_memory) {
  lf::queue q;
  const lf::view<const int> x(this->input.data(), n);
  const lf::view<int> result(this->histogram.data(), bins);
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<int> counts(bins, h);
     h.parallel_for(lf::nd_range<1>(n, local), how<TypeParam>(), [=](auto it) {
       const auto l = it.get_local_id(0);
       it.if_(l < bins, [&] { counts[l] = 0; });
       lf::group_barrier(it.get_group());
       lf::make_atomic_ref<order::relaxed, scope::work_group>(counts[x[it.get_global_id(0)]])++;
       lf::group_barrier(it.get_group());
       it.if_(l < bins, [&] { lf::atomic_ref(result[l]) += counts[l]; });
     });
   }).wait();
  EXPECT_EQ(this->histogram, this->expected);
}

TYPED_TEST(atomic_kernels, counters_in_divergent_code) {
  lf::queue q;
  const lf::view<const int> x(this->input.data(), n);
  std::vector<int> found(n, -1);
  const lf::view<int> places(found.data(), n);
  int small = 0, greatest = 0;
  double sum = 0;
  q.parallel_for(lf::range<1>(n), how<TypeParam>(), [=, &small, &greatest, &sum](auto it) {
     const auto i = it.get_id(0);
     const auto value = it.var(x[i]);
     it.if_(value < 3, [&] { places[i] = lf::atomic_ref(small).fetch_add(it.var(1)); });
     lf::atomic_ref(greatest).fetch_max(value);
     lf::atomic_ref(sum) += value * 0.5;
   }).wait();
  int all = 0, right = 0;
  for (std::size_t k = 0; k < n; ++k) {
    all += this->input[k];
    right += this->input[k] < 3;
    EXPECT_EQ(found[k] == -1, this->input[k] >= 3);
  }
  EXPECT_EQ(small, right);
  EXPECT_EQ(greatest, 9);
  EXPECT_EQ(sum, 0.5 * all);
  // Every work-item got a number of its own.
  std::vector<int> taken(static_cast<std::size_t>(small));
  for (const int place : found) {
    if (place >= 0) {
      ++taken.at(static_cast<std::size_t>(place));
    }
  }
  EXPECT_EQ(taken, std::vector<int>(static_cast<std::size_t>(small), 1));
}

} // namespace
