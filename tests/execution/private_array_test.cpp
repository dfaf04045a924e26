// SPDX-License-Identifier: Apache-2.0
/// it.array<T, N>(): an array for each work-item, under every strategy.
#include "strategies.hpp"

#include <lanefold/simd/select.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

namespace {

template <class Strategy>
class private_array : public ::testing::Test {
protected:
  static constexpr std::size_t n = 777; // the last sub-group is not full

  void SetUp() override {
    std::mt19937 random(seed);
    for (int& x : input) {
      x = static_cast<int>(random() % 1000);
    }
  }

  /// Runs `kernel(it, x)` for every element and compares with `reference(x)`.
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
  std::vector<int> input = std::vector<int>(n), output = std::vector<int>(n, -1);
};
TYPED_TEST_SUITE(private_array, strategies_1d, strategy_names);

TYPED_TEST(private_array, plain_indices) {
  this->compare(
      [](auto it, auto x) {
        auto a = it.template array<int, 5>();
        static_assert(a.size() == 5);
        for (int k = 0; k < 5; ++k) {
          a[k] = x * k;
        }
        a[2U] += 7;
        a[std::size_t{3}] -= a[1];
        const auto& same = a;
        return same[0] + same[1] + same[2] + same[3] + same[4];
      },
      [](int x) { return x + 2 * x + 7 + 3 * x - x + 4 * x; });
}

TYPED_TEST(private_array, elements_change_by_every_operator) {
  const auto change = [](auto& a, const auto& x) {
    a[0] %= 7;
    a[0] <<= 2;
    a[0] |= 3;
    a[0] &= 61;
    a[0] ^= x;
    ++a[0];
    a[1]++;
    --a[1];
    a[1]--;
    a[1] >>= 1;
  };
  this->compare(
      [=](auto it, auto x) {
        auto a = it.template array<int, 2>();
        a[0] = x;
        a[1] = x;
        it.if_(x % 3 != 0, [&] { change(a, x); });
        a[lf::abs(x) % 2] |= 64; // of each work-item another one
        return a[0] + 1000 * a[1];
      },
      [=](int x) {
        std::array<int, 2> a{x, x};
        if (x % 3 != 0) {
          change(a, x);
        }
        a[std::abs(x) % 2] |= 64;
        return a[0] + 1000 * a[1];
      });
}

TYPED_TEST(private_array, varying_indices) {
  this->compare(
      [](auto it, auto x) {
        auto counts = it.template array<int, 10>();
        for (int k = 0; k < 10; ++k) {
          counts[k] = 0;
        }
        auto rest = it.var(x);
        for (int digit = 0; digit < 3; ++digit) {
          counts[rest % 10] += 1 + digit;
          rest = rest / 10;
        }
        counts[lf::convert<std::uint8_t>(x % 10)] = counts[lf::convert<std::int64_t>(x % 10)] * 3;
        auto sum = it.var(0);
        for (int k = 0; k < 10; ++k) {
          sum = sum * 5 + counts[k];
        }
        return sum;
      },
      [](int x) {
        int counts[10] = {}, sum = 0;
        int rest = x;
        for (int digit = 0; digit < 3; ++digit) {
          counts[rest % 10] += 1 + digit;
          rest /= 10;
        }
        counts[x % 10] *= 3;
        for (const int count : counts) {
          sum = sum * 5 + count;
        }
        return sum;
      });
}

TYPED_TEST(private_array, divergent_updates_by_elements_leave_the_others_alone) {
  this->compare(
      [](auto it, auto x) {
        auto before = it.template array<std::uint8_t, 1>();
        auto a = it.template array<int, 3>();
        auto behind = it.template array<std::uint8_t, 1>();
        before[0] = std::uint8_t(3);
        behind[0] = std::uint8_t(5);
        for (int k = 0; k < 3; ++k) {
          a[k] = x + k;
        }
        it.if_(x % 3 == 0, [&] {
          a[1] += a[0];
          a[2] *= a[1];
          behind[0] += before[0];
        });
        it.if_(x > 700, [&] {
          a[0] -= a[2];
          before[0] = std::uint8_t(7);
        });
        return a[0] + 2 * a[1] + 3 * a[2] + 4 * lf::convert<int>(before[0]) + 5 * lf::convert<int>(behind[0]);
      },
      [](int x) {
        int a[3] = {x, x + 1, x + 2}, before = 3, behind = 5;
        if (x % 3 == 0) {
          a[1] += a[0];
          a[2] *= a[1];
          behind += before;
        }
        if (x > 700) {
          a[0] -= a[2];
          before = 7;
        }
        return a[0] + 2 * a[1] + 3 * a[2] + 4 * before + 5 * behind;
      });
}

TYPED_TEST(private_array, divergent_code_changes_the_active_work_items) {
  this->compare(
      [](auto it, auto x) {
        auto a = it.template array<int, 4>();
        for (int k = 0; k < 4; ++k) {
          a[k] = k;
        }
        it.if_(x > 300, [&] { a[1] = x; }, [&] { a[x % 4] += 100; });
        it.while_([&] { return a[2] < x; }, [&] { a[2] += 90; });
        return a[0] + 2 * a[1] + 3 * a[2] + 4 * a[3];
      },
      [](int x) {
        int a[4] = {0, 1, 2, 3};
        if (x > 300) {
          a[1] = x;
        } else {
          a[x % 4] += 100;
        }
        while (a[2] < x) {
          a[2] += 90;
        }
        return a[0] + 2 * a[1] + 3 * a[2] + 4 * a[3];
      });
}

TYPED_TEST(private_array, copies_are_arrays_of_their_own) {
  this->compare(
      [](auto it, auto x) {
        auto a = it.template array<int, 2>();
        a[0] = x;
        a[1] = 1;
        auto b = a;
        b[0] = 5;
        return a[0] + b[0] * b[1];
      },
      [](int x) { return x + 5; });
}

/// Each element type has its own number of registers; an array lives across barriers.
TEST(private_arrays, across_barriers_and_in_lane_shapes) {
  std::vector<double> result(256, -1);
  lf::queue q;
  const auto run = [&](auto properties) {
    std::fill(result.begin(), result.end(), -1);
    const lf::view<double, 2> y(result.data(), {16, 16});
    q.submit([&](lf::handler& h) {
       const lf::local_accessor<short, 2> tile({16, 16}, h);
       h.parallel_for(lf::nd_range<2>({16, 16}, {16, 16}), properties, [=](auto it) {
         const auto r = it.get_local_id(0), c = it.get_local_id(1);
         auto shorts = it.template array<short, 3>();
         auto doubles = it.template array<double, 2>();
         shorts[0] = lf::convert<short>(r * 16 + c);
         doubles[1] = lf::convert<double>(c);
         tile[r][c] = shorts[0];
         lf::group_barrier(it.get_group());
         shorts[2] = tile[15 - it.get_local_id(lf::dim<0>)][c];
         doubles[0] = lf::convert<double>(shorts[2]);
         y[r][c] = doubles[0] + doubles[1] / 100 + lf::convert<double>(shorts[0]) * 1000;
       });
     }).wait();
    for (std::size_t r = 0; r < 16; ++r) {
      for (std::size_t c = 0; c < 16; ++c) {
        const auto reversed = static_cast<double>((15 - r) * 16 + c);
        ASSERT_DOUBLE_EQ(result[r * 16 + c],
                         reversed + static_cast<double>(c) / 100 + static_cast<double>(r * 16 + c) * 1000)
            << r << ", " << c;
      }
    }
  };
  run(how<lf::scalar>());
  run(how<lf::simd<16>>());
  run(how<lf::simd<4, 16>>());
}

} // namespace
