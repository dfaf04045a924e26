// SPDX-License-Identifier: Apache-2.0
/// Divergent control flow means the same for every strategy.
#include "strategies.hpp"

#include <lanefold/simd/arithmetic.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace {

template <class Strategy>
class control_flow : public ::testing::Test {
protected:
  static constexpr std::size_t n = 1300;

  /// Stretches in which neighbours go one way, and stretches in which they part.
  void SetUp() override {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> any(-50, 50), high(21, 50), negative(-50, -1);
    input.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      switch (i / 256) {
      case 0: input[i] = high(random); break;
      case 1: input[i] = negative(random); break;
      case 2: input[i] = 40; break;
      default: input[i] = any(random);
      }
    }
    output.assign(n, -1000);
  }

  /// Runs `kernel(it, x, y)` for every element and compares with `reference(x)`.
  template <class Kernel, class Reference>
  void compare(const Kernel& kernel, const Reference& reference) {
    lf::queue q;
    const lf::view<const int> x(input.data(), n);
    const lf::view<int> y(output.data(), n);
    q.parallel_for(lf::range<1>(n), how<Strategy>(), [=](auto it) {
       const auto i = it.get_id(0);
       y[i] = kernel(it, x[i]);
     }).wait();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(output[i], reference(input[i])) << "x = " << input[i] << " at " << i << ", seed " << seed;
    }
  }

  const unsigned seed = std::random_device{}();
  std::vector<int> input, output;
};
TYPED_TEST_SUITE(control_flow, strategies_1d, strategy_names);

TYPED_TEST(control_flow, if_else) {
  this->compare(
      [](auto it, auto x) {
        auto y = it.var(0);
        it.if_(x > 10, [&] { y = x * 2; }, [&] { y = x - 1; });
        return y;
      },
      [](int x) { return x > 10 ? x * 2 : x - 1; });
}

TYPED_TEST(control_flow, unmasked_variables_in_a_loop) {
  this->compare(
      [](auto it, auto x) {
        auto left = it.unmasked_var(lf::abs(x)); // negative for the lanes that have left the loop long ago
        auto rounds = it.var(0);
        it.while_([&] { return left > 0; },
                  [&] {
                    left = left - 7;
                    ++rounds;
                  });
        return rounds;
      },
      [](int x) { return (std::abs(x) + 6) / 7; });
}

TYPED_TEST(control_flow, the_first_branch_changes_the_condition) {
  this->compare(
      [](auto it, auto x) {
        auto y = it.var(0);
        auto large = it.var(x > 10);
        it.if_(
            large,
            [&] {
              large = x > 30;
              y += 1;
            },
            [&] { y += 100; });
        it.if_(large, [&] { y += 1000; });
        return y;
      },
      [](int x) { return (x > 10 ? 1 : 100) + (x > 30 ? 1000 : 0); });
}

TYPED_TEST(control_flow, nested_if) {
  this->compare(
      [](auto it, auto x) {
        auto y = it.var(0);
        it.if_(x > 0, [&] {
          y += 1;
          it.if_(
              x > 20, [&] { y += 10; },
              [&] {
                y += 100;
                it.if_((x & 1) == 0, [&] { y += 1000; });
              });
          y += 5;
        });
        y += 7;
        return y;
      },
      [](int x) {
        int y = 0;
        if (x > 0) {
          y += 1;
          if (x > 20) {
            y += 10;
          } else {
            y += 100;
            if ((x & 1) == 0) {
              y += 1000;
            }
          }
          y += 5;
        }
        return y + 7;
      });
}

TYPED_TEST(control_flow, while_loops_run_as_long_as_each_work_item_needs) {
  this->compare(
      [](auto it, auto x) {
        auto k = it.var(0), v = it.var(x);
        it.while_([&] { return v > 0; },
                  [&] {
                    v -= 3;
                    it.if_(v == 5, [&] { k += 100; });
                    k += 1;
                  });
        return k;
      },
      [](int x) {
        int k = 0;
        while (x > 0) {
          x -= 3;
          if (x == 5) {
            k += 100;
          }
          k += 1;
        }
        return k;
      });
}

TYPED_TEST(control_flow, for_with_uniform_and_varying_bounds) {
  this->compare(
      [](auto it, auto x) {
        auto sum = it.var(0);
        it.for_(0, 5, [&](int i) { sum += i; });
        it.for_(0, x, 2, [&](auto i) { sum += i; });
        return sum;
      },
      [](int x) {
        int sum = 10;
        for (int i = 0; i < x; i += 2) {
          sum += i;
        }
        return sum;
      });
}

/// With bounds that vary as with uniform ones.
TYPED_TEST(control_flow, for_counts_in_floating_point_up_to_such_a_bound) {
  this->compare(
      [](auto it, auto x) {
        auto sum = it.var(0);
        it.for_(0, 3.F, [&](auto k) { sum += lf::convert<int>(k / 2 * 2); });
        it.for_(0, lf::convert<float>(x), [&](auto k) { sum += lf::convert<int>(k / 2 * 2); });
        return sum;
      },
      [](int x) { return 3 + (x > 0 ? x * (x - 1) / 2 : 0); });
}

/// With bounds that vary as with uniform ones, where 0 is an int and the end is not.
TYPED_TEST(control_flow, for_counts_in_the_common_type_of_its_bounds) {
  this->compare(
      [](auto it, auto x) {
        auto sum = it.var(0);
        it.for_(0, lf::convert<unsigned>(x & 15), [&](auto k) { sum += lf::select(k - 5 > 0, 1, 0); });
        it.for_(std::int8_t(0), x & 255, 17, [&](auto k) { sum += k; });
        it.for_(2147483640, lf::convert<std::int64_t>(x & 15) + 2147483640, [&](auto) { sum += 1; });
        return sum;
      },
      [](int x) {
        int sum = 0;
        for (unsigned k = 0; k < static_cast<unsigned>(x & 15); ++k) {
          sum += k - 5 > 0 ? 1 : 0;
        }
        for (int k = 0; k < (x & 255); k += 17) {
          sum += k;
        }
        return sum + (x & 15);
      });
}

/// Lanes that are off neither read nor write: their indices may be anything.
TYPED_TEST(control_flow, gathers_and_scatters_skip_inactive_work_items) {
  lf::queue q;
  constexpr std::size_t size = 300;
  std::vector<int> index(size), table(size), out(size, 0), hits(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    index[i] = i % 3 == 0 ? 0x7ffffff0 : static_cast<int>((i * 7) % size);
    table[i] = static_cast<int>(i * i);
  }
  const lf::view<const int> ix(index.data(), size), t(table.data(), size);
  const lf::view<int> o(out.data(), size), h(hits.data(), size);
  q.parallel_for(lf::nd_range<1>(size, 100), how<TypeParam>(), [=](auto it) {
     const auto i = it.get_global_id(0);
     const auto j = ix[i];
     it.if_(j < int(size), [&] {
       o[i] = t[j] + 1;
       h[j] = t[j];
     });
   }).wait();
  for (std::size_t i = 0; i < size; ++i) {
    const bool on = i % 3 != 0;
    ASSERT_EQ(out[i], on ? static_cast<int>((i * 7 % size) * (i * 7 % size)) + 1 : 0);
    if (on) {
      ASSERT_EQ(hits[i * 7 % size], static_cast<int>((i * 7 % size) * (i * 7 % size)));
    }
  }
}

/// A counter that begins with an id and takes uniform steps stays affine; the bounds may vary.
TYPED_TEST(control_flow, for_from_an_id) {
  constexpr std::size_t items = 300, count = 5000;
  std::vector<int> data(count), sums(items, -1);
  std::vector<std::size_t> lengths(items);
  std::iota(data.begin(), data.end(), 1);
  for (std::size_t i = 0; i < items; ++i) {
    lengths[i] = i * 37 % count;
  }
  lf::queue q;
  const lf::view<const int> x(data.data(), count);
  const lf::view<const std::size_t> length(lengths.data(), items);
  const lf::view<int> y(sums.data(), items);
  const auto expect = [&](std::size_t step, auto last) {
    for (std::size_t i = 0; i < items; ++i) {
      int sum = 0;
      for (std::size_t k = 5 + i; k < last(i); k += step) {
        sum += data[k];
      }
      ASSERT_EQ(sums[i], sum) << i << ", steps of " << step;
    }
  };
  for (const std::size_t step : {std::size_t{1}, std::size_t{7}, items}) {
    q.parallel_for(lf::range<1>(items), how<TypeParam>(), [=](auto it) {
       auto sum = it.var(0);
       it.for_(5U + it.get_id(0), count, step, [&](auto k) {
         static_assert(lf::is_lane_index_v<decltype(k)> == !std::is_integral_v<decltype(k)>);
         sum += x[k];
       });
       y[it.get_id(0)] = sum;
     }).wait();
    expect(step, [&](std::size_t) { return count; });
    q.parallel_for(lf::range<1>(items), how<TypeParam>(), [=](auto it) {
       auto sum = it.var(0);
       const auto i = it.get_id(0);
       it.if_(i % 3 != 1, [&] { it.for_(i + 5, length[i], step, [&](auto k) { sum += x[k]; }); });
       it.if_(i % 3 == 1, [&] { it.for_(i + 5, length[i], it.var(step), [&](auto k) { sum += x[k]; }); });
       y[i] = sum;
     }).wait();
    expect(step, [&](std::size_t i) { return lengths[i]; });
  }
}

/// Gathers and scatters through a varying index know the lanes that run only by what control flow says: the mask is
/// that of the innermost construct, and behind it that of the one around it.
TYPED_TEST(control_flow, gathers_and_scatters_under_nested_masks) {
  constexpr std::size_t count = 1000; // the last units are partial
  std::vector<unsigned> places(count);
  std::iota(places.begin(), places.end(), 0U);
  std::shuffle(places.begin(), places.end(), std::mt19937(this->seed));
  std::vector<int> rounds(count), values(count, 100), visits(count);
  for (std::size_t i = 0; i < count; ++i) {
    rounds[i] = this->input[i] % 5;
  }
  lf::queue q;
  const lf::view<const unsigned> place(places.data(), count);
  const lf::view<const int> times(rounds.data(), count);
  const lf::view<int> value(values.data(), count), visit(visits.data(), count);
  q.parallel_for(lf::range<1>(count), how<TypeParam>(), [=](auto it) {
     const auto i = it.get_id(0);
     const auto p = it.var(place[i]);
     const auto k = it.var(times[i]);
     it.if_(k > 0, [&] {
       auto left = it.var(k);
       it.while_([&] { return left > 0; },
                 [&] {
                   visit[p] += 1;
                   it.if_(left > 2, [&] { value[p] += 1000; });
                   value[p] += 1;
                   left -= 1;
                 });
       value[p] = value[p] * 2;
     });
     visit[p] += 10;
   }).wait();
  for (std::size_t i = 0; i < count; ++i) {
    const int k = std::max(rounds[i], 0);
    ASSERT_EQ(visits[places[i]], 10 + k) << i << ", seed " << this->seed;
    ASSERT_EQ(values[places[i]], k > 0 ? 2 * (100 + k + 1000 * std::max(k - 2, 0)) : 100)
        << i << ", seed " << this->seed;
  }
}

} // namespace
