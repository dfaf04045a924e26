// SPDX-License-Identifier: Apache-2.0
/// i % m and i / m of indices: values, and what is read and written through them, in whole sub-groups and parts.
#include "index_patterns.hpp"

#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/simd/wrapped_index.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

constexpr std::size_t n = index_patterns<lf::scalar>::n;

/// Numbers below the lanes, about them and above, powers of two and others.
constexpr std::size_t divisors[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 255, 256, 257, 1000, 2000};

template <class Strategy>
class wrapped_index : public index_patterns<Strategy> {};
TYPED_TEST_SUITE(wrapped_index, index_strategies, strategy_names);

TYPED_TEST(wrapped_index, has_the_values_of_the_operators) {
  for (const std::size_t m : divisors) {
    SCOPED_TRACE(m);
    this->template compare<std::uint64_t>(
        999, [=](auto, auto, auto y, auto i) { y[i] = i % m + i / m * 10000 + (i * 3 + 5) % m * 100; },
        [=](std::size_t k) { return k >= 999 ? 100 : k % m + k / m * 10000 + (k * 3 + 5) % m * 100; });
    this->template compare<std::uint64_t>(
        1000, [=](auto it, auto, auto y, auto i) { y[i] = it.var((i + m - 1) % m) * 2 + 7 % (i + 1) + 1000 / (i + 1); },
        [=](std::size_t k) { return k >= 1000 ? 100 : (k + m - 1) % m * 2 + 7 % (k + 1) + 1000 / (k + 1); });
    // Divided again, with and without a sum in between.
    this->template compare<std::uint64_t>(
        1024,
        [=](auto, auto, auto y, auto i) {
          const auto column = i % m, row = i / m;
          y[i] = (column + 1) % m + (column + m - 1) % m * 3 + (row + 4) % 5 * 7 + row / 2 * 11 + column / 3 * 13;
        },
        [=](std::size_t k) {
          const std::size_t column = k % m, row = k / m;
          return (column + 1) % m + (column + m - 1) % m * 3 + (row + 4) % 5 * 7 + row / 2 * 11 + column / 3 * 13;
        });
  }
}

TYPED_TEST(wrapped_index, of_indices_that_pass_the_end_of_their_type) {
  for (const std::size_t m : {3, 10, 64, 1000}) {
    SCOPED_TRACE(m);
    this->template compare<std::uint64_t>(
        1024, [=](auto, auto, auto y, auto i) { y[i] = (i - 100) % m + (i - 100) / m + (i % m - 1) % m; },
        [=](std::size_t k) { return (k - 100) % m + (k - 100) / m + (k % m - 1) % m; });
  }
}

TYPED_TEST(wrapped_index, is_chosen_by_uniform_conditions) {
  for (const bool wraps : {false, true}) {
    this->template compare<std::uint64_t>(
        1000, [=](auto, auto x, auto y, auto i) { y[i] = x[wraps ? i % 100 : i] + 2; },
        [=](std::size_t k) { return k >= 1000 ? 100 : (wraps ? k % 100 : k) + 3; });
  }
}

TYPED_TEST(wrapped_index, of_divisors_beyond_signed_numbers) {
  constexpr std::uint64_t m = (std::uint64_t{1} << 63) + 5, offset = (std::uint64_t{1} << 63) - 4;
  this->template compare<std::uint64_t>(
      1024, [=](auto, auto, auto y, auto i) { y[i] = ((i + offset) % m + offset) % m; },
      [=](std::size_t k) { return ((k + offset) % m + offset) % m; });
}

TYPED_TEST(wrapped_index, of_integers_of_all_types) {
  this->template compare<std::uint64_t>(
      1024,
      [=](auto, auto, auto y, auto i) {
        y[i] = i % 100 + i / std::uint8_t(7) + i % -1 + i % std::int64_t(33) + i / std::uint32_t(1000);
      },
      [](std::size_t k) { return k % 100 + k / 7 + k + k % 33 + k / 1000; });
}

template <class T, class Test>
void read_and_write(Test& test) {
  for (const std::size_t m : divisors) {
    SCOPED_TRACE(m);
    const std::size_t period = std::min(m, n);
    test.template compare<T>(
        n, [=](auto, auto x, auto y, auto i) { y[i] = x[(i + period - 1) % period] + x[(i + 3) % period]; },
        [=](std::size_t k) { return (k + period - 1) % period + 1 + (k + 3) % period + 1; });
    // A part of the last sub-group; mutable elements; what was added behind.
    test.template compare<T>(
        333,
        [=](auto, auto x, auto y, auto i) {
          lf::view<T> all(y.data(), n);
          y[i] = x[i % period] + all[n - 1 - period + i % period + 1] * T(0);
        },
        [=](std::size_t k) { return k < 333 ? k % period + 1 : 100; });
    // Divergent code.
    test.template compare<T>(
        n, [=](auto it, auto x, auto y, auto i) { it.if_(i % 3 == 1, [&] { y[i] = x[(i + 1) % period]; }); },
        [=](std::size_t k) { return k % 3 == 1 ? (k + 1) % period + 1 : 100; });
    // Stores: each element once.
    test.template compare<T>(
        period, [=](auto, auto x, auto y, auto i) { y[(i + 5) % period] = x[i]; },
        [=](std::size_t k) { return k < period ? (k + 5 * period - 5) % period + 1 : 100; });
    test.template compare<T>(
        period, [=](auto it, auto, auto y, auto i) { it.if_(i % 2 == 0, [&] { y[(i + 5) % period] += T(1); }); },
        [=](std::size_t k) { return k < period && (k + 5 * period - 5) % period % 2 == 0 ? 101 : 100; });
    // Positions in a plane: the sum of a row's begin and a column is consecutive again.
    test.template compare<T>(
        n,
        [=](auto, auto x, auto y, auto i) {
          const auto row = i / period, column = i % period;
          y[row * period + column] = x[period * row + column];
        },
        [](std::size_t k) { return k + 1; });
    test.template compare<T>(
        n / period * period,
        [=](auto, auto x, auto y, auto i) {
          const std::size_t rows = n / period;
          const auto row = i / period, column = i % period;
          y[i] = x[(row + 1) % rows * period + (column + 1) % period];
        },
        [=](std::size_t k) {
          const std::size_t rows = n / period;
          return k < rows * period ? (k / period + 1) % rows * period + (k % period + 1) % period + 1 : 100;
        });
  }
}

TYPED_TEST(wrapped_index, of_words) { read_and_write<float>(*this); }
TYPED_TEST(wrapped_index, of_halves) { read_and_write<std::uint16_t>(*this); }
TYPED_TEST(wrapped_index, of_doubles) { read_and_write<double>(*this); }

TYPED_TEST(wrapped_index, of_atomic_elements) {
  this->template compare<int>(
      999, [](auto, auto x, auto y, auto i) { lf::atomic_ref(y[i % 100]).fetch_add(x[i]); },
      [](std::size_t k) {
        int sum = 100;
        for (std::size_t i = k; k < 100 && i < 999; i += 100) {
          sum += static_cast<int>(i) + 1;
        }
        return sum;
      });
}

/// Neighbours in a plane with periodic borders, in global and in local memory, by rows of lanes and by lanes of several
/// rows.
TEST(wrapped_index_in_planes, has_periodic_neighbours) {
  constexpr std::size_t rows = 24, columns = 80;
  const lf::range<2> all(rows, columns);
  std::vector<int> in(rows * columns), out(in.size()), tiles(in.size());
  std::iota(in.begin(), in.end(), 0);
  lf::queue q;
  const lf::view<const int, 2> x(in.data(), all);
  const lf::view<int, 2> y(out.data(), all), z(tiles.data(), all);
  q.parallel_for(all, [=](auto it) {
     const auto r = it.get_id(0), c = it.get_id(1);
     y[r][c] = x[(r + 1) % rows][(c + columns - 1) % columns] - x[(r + rows - 1) % rows][(c + 2) % columns];
   }).wait();
  q.submit([&](lf::handler& h) {
    const lf::local_accessor<int, 2> tile(lf::range<2>(8, 16), h);
    h.parallel_for(lf::nd_range<2>(all, {8, 16}), [=](auto it) {
      const auto r = it.get_local_id(0), c = it.get_local_id(1);
      tile[r][c] = x[it.get_global_id(0)][it.get_global_id(1)];
      lf::group_barrier(it.get_group());
      z[it.get_global_id(0)][it.get_global_id(1)] = tile[(r + 1) % 8][(c + 15) % 16];
    });
  });
  q.wait();
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const auto at = [&](std::size_t row, std::size_t column) {
        return static_cast<int>(row % rows * columns + column % columns);
      };
      ASSERT_EQ(out[r * columns + c], at(r + 1, c + columns - 1) - at(r + rows - 1, c + 2)) << r << ' ' << c;
      ASSERT_EQ(tiles[r * columns + c], at(r / 8 * 8 + (r + 1) % 8, c / 16 * 16 + (c + 15) % 16)) << r << ' ' << c;
    }
  }
}

} // namespace
