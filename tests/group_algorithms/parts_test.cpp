// SPDX-License-Identifier: Apache-2.0
/// All functions on parts of sub-groups, of work-items and of lanes.
#include "testing.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace {

template <class Strategy>
class parts : public seeded {};
#if defined(LANEFOLD_TEST_THOROUGH)
using part_strategies = ::testing::Types<lf::scalar, lf::simd<4>, lf::simd<16>, lf::simd<64>>;
#else
using part_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
#endif
TYPED_TEST_SUITE(parts, part_strategies, strategy_names);

constexpr auto last_set = [](int a, int b) { return b != 0 ? b : a; };

constexpr int columns = 13;

/// The functions that give a value to each work-item, into a row of `columns` for each of them.
template <class Part, class X, class I>
void fill_rows(const Part& part, const X& x, const I& i, const lf::view<int>& out) {
  const auto put = [&](int column, const auto& value) {
    out[i * std::size_t{columns} + static_cast<std::size_t>(column)] = value;
  };
  put(0, lf::sort_over_group(part, x));
  put(1, lf::sort_over_group(part, x, [](int a, int b) { return a > b; }));
  put(2, lf::reduce_over_group(part, x, 100, lf::plus<>()));
  put(3, lf::reduce_over_group(part, x, last_set));
  put(4, lf::inclusive_scan_over_group(part, x, last_set, 3));
  put(5, lf::exclusive_scan_over_group(part, x, 7, lf::plus<>()));
  put(6, lf::shift_group_left(part, x));
  put(7, lf::shift_group_right(part, x));
  put(8, lf::permute_group_by_xor(part, x, 1U));
  put(9, lf::select_from_group(
             part, x, lf::convert<std::uint32_t>(part.get_local_linear_range() - 1U - part.get_local_linear_id())));
  put(10, lf::reduce_over_group<lf::algorithm::serial>(part, x, lf::plus<>()));
  put(11, lf::exclusive_scan_over_group<lf::algorithm::serial>(part, x, 2, lf::plus<>()));
  put(12, lf::group_broadcast(part, x, 0U));
}

/// What they are for work-item `i`; `members` are the values of its part, `at` is its position.
void check_row(const int* row, const std::vector<int>& members, std::size_t at, const std::string& where) {
  SCOPED_TRACE(where);
  auto sorted = members;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = members.size();
  int sum = 0, before = 0, last = members[0], prefix_last = 3;
  for (std::size_t k = 0; k < n; ++k) {
    sum += members[k];
    before += k < at ? members[k] : 0;
    last = last_set(last, members[k]);
    prefix_last = k <= at ? last_set(prefix_last, members[k]) : prefix_last;
  }
  EXPECT_EQ(row[0], sorted[at]);
  EXPECT_EQ(row[1], sorted[n - 1 - at]);
  EXPECT_EQ(row[2], sum + 100);
  EXPECT_EQ(row[3], last);
  EXPECT_EQ(row[4], prefix_last);
  EXPECT_EQ(row[5], before + 7);
  if (at + 1 < n) {
    EXPECT_EQ(row[6], members[at + 1]);
  }
  if (at > 0) {
    EXPECT_EQ(row[7], members[at - 1]);
  }
  if ((at ^ 1) < n) {
    EXPECT_EQ(row[8], members[at ^ 1]);
  }
  EXPECT_EQ(row[9], members[n - 1 - at]);
  EXPECT_EQ(row[10], sum);
  EXPECT_EQ(row[11], before + 2);
  EXPECT_EQ(row[12], members[0]);
}

/// Runs the functions in two groups of `local`. `divide(sub-group, i)` makes the parts, `together(i, k)` says whether
/// two work-items of a sub-group are in one.
template <class Strategy, class Divide, class Together>
void check_values(const std::vector<int>& in, std::size_t local, lf::fiber_engine engine, Divide divide,
                  Together together) {
  const std::size_t n = 2 * local,
                    lanes = std::is_same_v<Strategy, lf::scalar> ? lf::detail::native_lanes : Strategy::size;
  std::vector<int> out(n * columns);
  const lf::view<const int> x(in.data(), n);
  const lf::view<int> o(out.data(), out.size());
  run_groups<Strategy>(
      2, local,
      [=](auto it) {
        const auto i = it.get_global_id(0);
        fill_rows(divide(it.get_sub_group(), i), it.var(x[i]), i, o);
      },
      engine);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t group = i / local * local, first = group + (i - group) / lanes * lanes;
    std::vector<int> members;
    std::size_t at = 0;
    for (std::size_t k = first; k < std::min(first + lanes, group + local); ++k) {
      if (together(i, k)) {
        at += k < i;
        members.push_back(in[k]);
      }
    }
    check_row(out.data() + i * columns, members, at,
              "item " + std::to_string(i) + " of groups of " + std::to_string(local));
  }
}

TYPED_TEST(parts, chunks_have_all_functions) {
  for (const std::size_t local : {3, 61, 64}) {
    for (const auto engine : engines) {
      const std::size_t group = local; // clang does not capture the loop's
      check_values<TypeParam>(
          this->template values<int>(2 * local), local, engine,
          [](const auto& sg, const auto&) { return lf::chunked_partition<4>(sg); },
          [=](std::size_t i, std::size_t k) { return i % group / 4 == k % group / 4; });
    }
  }
}

TYPED_TEST(parts, fragments_have_all_functions) {
  for (const std::size_t local : {3, 61, 64}) {
    for (const auto engine : engines) {
      check_values<TypeParam>(
          this->template values<int>(2 * local), local, engine,
          [](const auto& sg, const auto& i) { return lf::binary_partition(sg, i % 3 == 0); },
          [](std::size_t i, std::size_t k) { return (i % 3 == 0) == (k % 3 == 0); });
    }
  }
}

/// Each part copies two elements for each of its work-items, from and to where it begins, in several ways.
template <class Part, class First>
void copy_pairs(const Part& part, const First& first, const int* from, int* const* to) {
  const auto blocked = lf::group_load<2>(part, from, first);
  lf::group_store(part, blocked, to[0], first);
  lf::group_store<lf::data_placement::striped>(part, lf::group_load<2, lf::data_placement::striped>(part, from, first),
                                               to[1], first);
  const auto size = lf::convert<std::size_t>(part.get_local_linear_range());
  const lf::view<int> loop(to[2], 1U << 20);
  lf::joint_for(part, first, first + (size * 2U - 1U), [&](auto i) { loop[i] += lf::convert<int>(i) + 1; });
}

TYPED_TEST(parts, share_loops_and_memory) {
  for (const std::size_t local : {3, 61, 64}) {
    std::vector<int> in(4 * local), results[3];
    std::iota(in.begin(), in.end(), 1);
    std::array<int*, 3> to{};
    for (std::size_t k = 0; k < 3; ++k) {
      results[k].resize(4 * local);
      to[k] = results[k].data();
    }
    const int* const from = in.data();
    const std::size_t half = local;
    run_groups<TypeParam>(1, local, [=](auto it) {
      const auto i = it.get_global_id(0);
      const auto own = it.var(lf::convert<std::size_t>(i));
      const auto chunk = lf::chunked_partition<4>(it.get_sub_group());
      copy_pairs(chunk, lf::reduce_over_group(chunk, own, lf::minimum<>()) * 2U, from, to.data());
      // Those of one part lie in the upper half of the memory: both begin within their sub-group.
      const auto part = lf::binary_partition(it.get_sub_group(), i % 3 == 0);
      const auto first = lf::reduce_over_group(part, own, lf::minimum<>()) * 2U;
      const auto upper =
          lf::convert<std::size_t>(1U - lf::convert<std::uint32_t>(part.get_group_linear_id())) * (2 * half);
      copy_pairs(part, first + upper, from, to.data());
    });
    for (std::size_t i = 0; i < 2 * local; ++i) {
      ASSERT_EQ(results[0][i], in[i]) << i; // the chunks wrote all of the lower half
      ASSERT_EQ(results[1][i], in[i]) << i;
    }
    std::vector<int> right(4 * local);
    const std::size_t lanes = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
    const auto loop = [&](std::size_t first, std::size_t members) {
      for (std::size_t k = first; k + 1 < first + 2 * members; ++k) {
        right[k] += static_cast<int>(k) + 1;
      }
    };
    for (std::size_t sub = 0; sub < local; sub += lanes) {
      const std::size_t end = std::min(sub + lanes, local);
      for (std::size_t chunk = sub; chunk < end; chunk += 4) {
        loop(2 * chunk, std::min<std::size_t>(4, end - chunk));
      }
      std::size_t members[2] = {}, firsts[2] = {};
      for (std::size_t i = end; i-- > sub;) {
        ++members[i % 3 == 0];
        firsts[i % 3 == 0] = i;
      }
      for (const std::size_t yes : {0, 1}) {
        if (members[yes] > 0) {
          loop(2 * firsts[yes] + (yes != 0 ? 0 : 2 * local), members[yes]);
        }
      }
    }
    ASSERT_EQ(results[2], right) << local;
  }
}

/// A broadcast is from any position that each part has.
TEST(fragments_of_lanes, broadcast_by_position) {
  std::vector<int> out(32);
  const lf::view<int> o(out.data(), out.size());
  run_groups<lf::simd<16>>(1, 32, [=](auto it) {
    const auto i = it.get_global_id(0);
    const auto part = lf::binary_partition(it.get_sub_group(), i % 4 == 0);
    o[i] = lf::group_broadcast(part, it.var(lf::convert<int>(i)), 3U);
  });
  for (int i = 0; i < 32; ++i) {
    EXPECT_EQ(out[static_cast<std::size_t>(i)], i / 16 * 16 + (i % 4 == 0 ? 12 : 5)) << i;
  }
  const std::string message = texts_thrown_by([] {
    run_groups<lf::simd<16>>(1, 32, [=](auto it) {
      lf::group_broadcast(lf::binary_partition(it.get_sub_group(), it.get_global_id(0) % 4 == 0), it.var(1), 4U);
    });
  });
  EXPECT_NE(message.find("group_broadcast"), std::string::npos) << message;
}

static_assert(lf::is_group_v<lf::sub_group_chunk<4, lf::simd<16>>> &&
              lf::is_group_v<lf::sub_group_chunk<4, lf::scalar>>);
static_assert(lf::is_group_v<lf::sub_group_fragment<lf::simd<16>>>);

} // namespace
