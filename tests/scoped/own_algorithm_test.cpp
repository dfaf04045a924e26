// SPDX-License-Identifier: Apache-2.0
/// Group algorithms that a program writes for itself, through group_traits: each is one function, which work-groups,
/// sub-groups, parts of sub-groups and scoped groups have, of work-items and of lanes.
#include "testing.hpp"

#include <lanefold/group_algorithms.hpp>

#include <algorithm>
#include <vector>

// ---- what a program writes, as docs/group-algorithms.md tells

namespace own {

/// How many work-items of the group have a smaller value. Varying.
template <lf::Group G, class T>
auto rank_in_group(const G& g, const T& x) {
  return lf::group_traits<G>::in_memory(g, "rank_in_group", x, [](auto* values, std::size_t n) {
    std::vector<int> sorted(values, values + n);
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin());
    }
  });
}

/// How many elements of [first, last) are `value`. Uniform.
template <lf::Group G, class T>
std::size_t joint_count(const G& g, const T* first, const T* last, T value) {
  return lf::group_traits<G>::once(g, [=] { return static_cast<std::size_t>(std::count(first, last, value)); });
}

/// 0 for the last work-item of the group, 1 for the one before it, and so on. Varying; costs nothing.
template <lf::Group G>
auto places_behind(const G& g) {
  using traits = lf::group_traits<G>;
  return lf::convert<int>(traits::size(g)) - 1 - lf::convert<int>(traits::position(g));
}

} // namespace own

namespace {

int value_of(std::size_t i) { return static_cast<int>(mixed(i) % 100); }

int rank_among(const std::vector<std::size_t>& members, std::size_t i) {
  return static_cast<int>(
      std::count_if(members.begin(), members.end(), [&](std::size_t k) { return value_of(k) < value_of(i); }));
}

template <class Strategy>
class own_algorithms : public ::testing::Test {};
using both = ::testing::Types<lf::scalar, lf::simd<16>>;
TYPED_TEST_SUITE(own_algorithms, both, strategy_names);

template <class T>
struct results {
  std::vector<T> each;
  explicit results(std::size_t n) : each(n) {}
  lf::view<T> view() { return lf::view<T>(each.data(), each.size()); }
};

TYPED_TEST(own_algorithms, of_groups_of_nd_ranges) {
  for (const std::size_t local : {5, 45, 64}) {
    const std::size_t n = 2 * local, lanes = 16;
    std::vector<int> in(n);
    for (std::size_t i = 0; i < n; ++i) {
      in[i] = value_of(i);
    }
    const lf::view<const int> x(in.data(), n);
    results<int> group(n), sub(n), chunk(n), fragment(n), behind(n), behind_chunk(n);
    const auto g = group.view(), s = sub.view(), c = chunk.view(), f = fragment.view(), b = behind.view(),
               d = behind_chunk.view();
    const int* const all = in.data();
    results<int> counted(n);
    const auto k = counted.view();
    lf::queue q;
    q.parallel_for(lf::nd_range<1>(n, local),
                   lf::properties{lf::property::strategy<TypeParam>{}, lf::property::sub_group_size{16}},
                   [=](auto it) {
                     const auto i = it.get_global_id(0);
                     const auto v = it.var(x[i]);
                     const auto four = lf::chunked_partition<4>(it.get_sub_group());
                     g[i] = own::rank_in_group(it.get_group(), v);
                     s[i] = own::rank_in_group(it.get_sub_group(), v);
                     c[i] = own::rank_in_group(four, v);
                     f[i] = own::rank_in_group(lf::binary_partition(it.get_sub_group(), i % 3 == 0), v);
                     b[i] = own::places_behind(it.get_group());
                     d[i] = own::places_behind(four);
                     k[i] = static_cast<int>(own::joint_count(it.get_group(), all, all + local, all[0]) +
                                             own::joint_count(four, all, all + local, all[0]));
                   })
        .wait();
    const auto count = static_cast<int>(std::count(all, all + local, all[0]));
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t first = i / local * local;
      std::vector<std::size_t> members[4];
      for (std::size_t m = first; m < first + local; ++m) {
        const bool same_sub = (m - first) / lanes == (i - first) / lanes;
        members[0].push_back(m);
        if (same_sub) {
          members[1].push_back(m);
          if ((m - first) / 4 == (i - first) / 4) {
            members[2].push_back(m);
          }
          if ((m % 3 == 0) == (i % 3 == 0)) {
            members[3].push_back(m);
          }
        }
      }
      ASSERT_EQ(group.each[i], rank_among(members[0], i)) << i;
      ASSERT_EQ(sub.each[i], rank_among(members[1], i)) << i;
      ASSERT_EQ(chunk.each[i], rank_among(members[2], i)) << i;
      ASSERT_EQ(fragment.each[i], rank_among(members[3], i)) << i;
      ASSERT_EQ(behind.each[i], static_cast<int>(members[0].back() - i)) << i;
      ASSERT_EQ(behind_chunk.each[i], static_cast<int>(members[2].back() - i)) << i;
      ASSERT_EQ(counted.each[i], 2 * count) << i;
    }
  }
}

TYPED_TEST(own_algorithms, of_scoped_groups) {
  constexpr std::size_t n = 72, tile_size = 24;
  const std::size_t together = std::is_same_v<TypeParam, lf::scalar> ? 1 : 16;
  results<int> group(n), tile(n), unit(n), counted(3);
  std::vector<int> in(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = value_of(i);
  }
  const lf::view<const int> x(in.data(), n);
  const auto g = group.view(), t = tile.view(), u = unit.view(), k = counted.view();
  const int* const all = in.data();
  lf::queue q;
  q.parallel(lf::range<1>(1), lf::range<1>(n), how<TypeParam>(), [=](auto work_group) {
     const auto ranks = [&](const auto& of, const auto& out) {
       lf::memory_environment(of, lf::require_private_mem<int>(), [&](auto& values) {
         lf::distribute_items(of, [&](auto it) { values(it) = x[it.get_global_id(0)]; });
         own::rank_in_group(of, values);
         lf::distribute_items(of, [&](auto it) { out[it.get_global_id(0)] = values(it); });
       });
     };
     ranks(work_group, g);
     lf::distribute_groups(work_group, lf::range<1>(tile_size), [&](auto part) {
       ranks(part, t);
       k[part.get_group_id(0)] = static_cast<int>(own::joint_count(part, all, all + n, all[0]));
     });
     lf::distribute_items(work_group, [&](auto it) { // the items that run together
       const auto i = it.get_global_id(0);
       u[i] = own::rank_in_group(it.get_sub_group(), it.var(x[i]));
     });
   }).wait();
  EXPECT_EQ(counted.each, std::vector<int>(3, static_cast<int>(std::count(in.begin(), in.end(), in[0]))));
  const auto block = [&](std::size_t i, std::size_t size) {
    std::vector<std::size_t> members;
    for (std::size_t m = i / size * size; m < std::min(n, i / size * size + size); ++m) {
      members.push_back(m);
    }
    return members;
  };
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(group.each[i], rank_among(block(i, n), i)) << i;
    ASSERT_EQ(tile.each[i], rank_among(block(i, tile_size), i)) << i;
    ASSERT_EQ(unit.each[i], rank_among(block(i, together), i)) << i;
  }
}

} // namespace
