// SPDX-License-Identifier: Apache-2.0
/// Stores of some of the lanes to local memory leave everything else as it was, in the array and in those beside it.
#include "strategies.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace {

constexpr std::size_t local = 40, groups = 3, before = 3, behind = 5;

/// Runs one group after the other: each fills its local memory with the positions of the elements, stores where the
/// kernel says, and returns all of it.
template <class T, class Strategy, class Store>
std::vector<T> memory_after(const std::vector<std::uint8_t>& chosen, const Store& store) {
  constexpr std::size_t all = before + local + behind;
  std::vector<T> out(groups * all, T(99));
  lf::queue q;
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<T, 1> left(before, h), x(local, h), right(behind, h);
     const lf::view<const std::uint8_t> choice(chosen.data(), chosen.size());
     const lf::view<T> y(out.data(), out.size());
     h.parallel_for(lf::nd_range<1>(groups * local, local), how<Strategy>(), [=](auto it) {
       const auto l = it.get_local_id(0);
       it.if_(l < before, [&] { left[l] = lf::convert<T>(l); });
       it.if_(l < behind, [&] { right[l] = lf::convert<T>(l + (before + local)); });
       x[l] = lf::convert<T>(l + before);
       lf::group_barrier(it.get_group());
       store(it, x, choice[it.get_global_id(0)] != 0);
       lf::group_barrier(it.get_group());
       const std::size_t first = it.get_group(0) * all;
       it.if_(l < before, [&] { y[first + l] = left[l]; });
       y[first + before + l] = x[l];
       it.if_(l < behind, [&] { y[first + before + local + l] = right[l]; });
     });
   }).wait();
  return out;
}

template <class Strategy>
class local_stores : public ::testing::Test {
protected:
  std::vector<std::uint8_t> chosen = [] {
    std::mt19937 random(7);
    std::vector<std::uint8_t> all(groups * local);
    for (std::size_t i = 0; i < all.size(); ++i) { // each group: some, few, nearly all
      all[i] = random() % 8 < (i / local == 0 ? 4U : i / local == 1 ? 1U : 7U);
    }
    return all;
  }();

  /// `place(l, is_chosen)` says where work-item l stores the value `value(l)`; `local` stands for nowhere.
  template <class T, class Store, class Place>
  void compare(const Store& store, const Place& place) const {
    const auto found = memory_after<T, Strategy>(chosen, store);
    for (std::size_t g = 0; g < groups; ++g) {
      std::vector<T> expected;
      for (std::size_t i = 0; i < before + local + behind; ++i) {
        expected.push_back(static_cast<T>(i));
      }
      for (std::size_t l = 0; l < local; ++l) {
        if (const std::size_t to = place(l, chosen[g * local + l] != 0); to < local) {
          expected[before + to] = static_cast<T>(l + 50);
        }
      }
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(found[g * expected.size() + i], expected[i]) << "group " << g << ", element " << i;
      }
    }
  }

  template <class T>
  void compare_all() const {
    compare<T>(
        [](auto it, const auto& x, auto is_chosen) {
          const auto l = it.get_local_id(0);
          it.if_(is_chosen, [&] { x[l] = lf::convert<T>(l + 50); });
        },
        [](std::size_t l, bool is_chosen) { return is_chosen ? l : local; });
    compare<T>( // one lane would lie before the array
        [](auto it, const auto& x, auto is_chosen) {
          const auto l = it.get_local_id(0);
          it.if_(is_chosen && l >= 1, [&] { x[l - 1] = lf::convert<T>(l + 50); });
        },
        [](std::size_t l, bool is_chosen) { return is_chosen && l >= 1 ? l - 1 : local; });
    compare<T>( // some would lie behind it
        [](auto it, const auto& x, auto is_chosen) {
          const auto l = it.get_local_id(0);
          it.if_(is_chosen && l < local - 7, [&] { x[l + 7] = lf::convert<T>(l + 50); });
        },
        [](std::size_t l, bool is_chosen) { return is_chosen && l < local - 7 ? l + 7 : local; });
    compare<T>( // partners
        [](auto it, const auto& x, auto is_chosen) {
          const auto l = it.get_local_id(0);
          const auto partner = l ^ std::size_t(4);
          it.if_(is_chosen && l < 32, [&] { x[partner] = lf::convert<T>(l + 50); });
        },
        [](std::size_t l, bool is_chosen) { return is_chosen && l < 32 ? l ^ 4U : local; });
  }
};
#if defined(LANEFOLD_TEST_THOROUGH)
using kinds = strategies_1d;
#else
using kinds = ::testing::Types<lf::scalar, lf::simd<16>>;
#endif
TYPED_TEST_SUITE(local_stores, kinds, strategy_names);

TYPED_TEST(local_stores, of_floats) { this->template compare_all<float>(); }
TYPED_TEST(local_stores, of_doubles) { this->template compare_all<double>(); }
TYPED_TEST(local_stores, of_bytes) { this->template compare_all<std::int8_t>(); }

/// Tiles of which the rows of a unit are not all stored.
template <class Strategy>
class local_rows : public ::testing::Test {};
TYPED_TEST_SUITE(local_rows, strategies_16_columns, strategy_names);

TYPED_TEST(local_rows, leave_their_neighbours) {
  constexpr std::size_t rows = 6, columns = 16, height = rows + 2, width = columns + 3;
  std::vector<float> out(height * width, -1);
  lf::queue q;
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<float, 2> tile({height, width}, h);
     const lf::view<float, 2> y(out.data(), {height, width});
     h.parallel_for(lf::nd_range<2>({rows, columns}, {rows, columns}), how<TypeParam>(), [=](auto it) {
       const auto r = it.get_local_id(0) + 1, c = it.get_local_id(1) + 1;
       it.if_(r == 1, [&] {
         for (std::size_t i = 0; i < height; ++i) {
           tile[i][c - 1] = 5;
           it.if_(c > columns - 3, [&] { tile[i][c + 2] = 5; });
         }
       });
       lf::group_barrier(it.get_group());
       it.if_(r == 1, [&] { tile[r - 1][c] = lf::convert<float>(c); });
       it.if_(r == rows, [&] { tile[r + 1][c] = lf::convert<float>(c) + 100; });
       it.if_(c == 1, [&] { tile[r][c - 1] = lf::convert<float>(r) + 200; });
       it.if_(c == columns, [&] { tile[r][c + 1] = lf::convert<float>(r) + 300; });
       lf::group_barrier(it.get_group());
       it.if_(r == 1, [&] {
         for (std::size_t i = 0; i < height; ++i) {
           y[i][c - 1] = tile[i][c - 1];
           it.if_(c > columns - 3, [&] { y[i][c + 2] = tile[i][c + 2]; });
         }
       });
     });
   }).wait();
  for (std::size_t r = 0; r < height; ++r) {
    for (std::size_t c = 0; c < width; ++c) {
      const bool inner_row = r >= 1 && r <= rows, inner_column = c >= 1 && c <= columns;
      float expected = 5;
      if (r == 0 && inner_column) {
        expected = static_cast<float>(c);
      } else if (r == rows + 1 && inner_column) {
        expected = static_cast<float>(c) + 100;
      } else if (c == 0 && inner_row) {
        expected = static_cast<float>(r) + 200;
      } else if (c == columns + 1 && inner_row) {
        expected = static_cast<float>(r) + 300;
      }
      ASSERT_EQ(out[r * width + c], expected) << r << ", " << c;
    }
  }
}

} // namespace
