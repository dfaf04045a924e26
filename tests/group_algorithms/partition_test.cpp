// SPDX-License-Identifier: Apache-2.0
/// chunked_partition and binary_partition.
#include "testing.hpp"

#include <algorithm>
#include <array>
#include <concepts>

namespace {

template <class Strategy>
class chunks : public seeded {};
#if defined(LANEFOLD_TEST_THOROUGH)
using chunk_strategies = ::testing::Types<lf::scalar, lf::simd<4>, lf::simd<16>, lf::simd<64>>;
#else
using chunk_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
#endif
TYPED_TEST_SUITE(chunks, chunk_strategies, strategy_names);

TYPED_TEST(chunks, of_four) {
  const auto last_set = [](int a, int b) { return b != 0 ? b : a; };
  for (const std::size_t local : {4, 7, 32, 61, 256}) {
    for (const auto engine : engines) {
      const std::size_t n = 2 * local;
      const auto in = this->template values<int>(n);
      std::vector<int> results[8];
      for (auto& each : results) {
        each.resize(n);
      }
      const lf::view<const int> x(in.data(), n);
      int* r[8];
      std::transform(results, results + 8, r, [](auto& each) { return each.data(); });
      run_groups<TypeParam>(
          2, local,
          [=](auto it) {
            const auto out = [&](int k) { return lf::view<int>(r[k], n); };
            const auto i = it.get_global_id(0);
            const auto chunk = lf::chunked_partition<4>(it.get_sub_group());
            out(0)[i] = lf::reduce_over_group(chunk, x[i], lf::plus<>{});
            out(1)[i] = lf::inclusive_scan_over_group(chunk, x[i], lf::plus<>{});
            out(2)[i] = lf::exclusive_scan_over_group(chunk, x[i], 7, lf::plus<>{});
            out(3)[i] = lf::group_broadcast(chunk, x[i]);
            out(4)[i] = lf::reduce_over_group(chunk, x[i], last_set);
            out(5)[i] = lf::permute_group_by_xor(chunk, x[i], 1);
            auto votes = it.var(0);
            it.if_(lf::any_of_group(chunk, x[i] > 4), [&] { votes += 1; });
            it.if_(lf::all_of_group(chunk, x[i] > -4), [&] { votes += 2; });
            it.if_(lf::none_of_group(chunk, x[i] == 0), [&] { votes += 4; });
            out(6)[i] = votes;
            out(7)[i] = lf::inclusive_scan_over_group(chunk, x[i], last_set, 3);
          },
          engine);
      for (std::size_t i = 0; i < n; ++i) {
        const std::size_t first = i - i % local % 4, end = std::min(first + 4, i - i % local + local);
        int sum = 0, before = 0, last = in[first], prefix_last = 3, votes = 2 + 4;
        for (std::size_t k = first; k < end; ++k) {
          sum += in[k];
          before += k < i ? in[k] : 0;
          last = k > first ? last_set(last, in[k]) : last;
          prefix_last = k <= i ? last_set(prefix_last, in[k]) : prefix_last;
          votes |= in[k] > 4;
          votes &= in[k] > -4 ? 7 : 5;
          votes &= in[k] == 0 ? 3 : 7;
        }
        const auto where = [&] { return "item " + std::to_string(i) + " of groups of " + std::to_string(local); };
        ASSERT_EQ(results[0][i], sum) << where();
        ASSERT_EQ(results[1][i], before + in[i]) << where();
        ASSERT_EQ(results[2][i], before + 7) << where();
        ASSERT_EQ(results[3][i], in[first]) << where();
        ASSERT_EQ(results[4][i], last) << where();
        const std::size_t partner = first + ((i - first) ^ 1);
        if (partner < end) {
          ASSERT_EQ(results[5][i], in[partner]) << where();
        }
        ASSERT_EQ(results[6][i], votes) << where();
        ASSERT_EQ(results[7][i], prefix_last) << where();
      }
    }
  }
}

/// The sum of a value over the parts of `size` work-items of a sub-group of 16; 0 is a barrier of the sub-group, 1 one
/// of the work-group.
int meet(const lf::nd_item<1>& it, int size, int value) {
  const auto sg = it.get_sub_group();
  const lf::plus<> sum;
  switch (size) {
  case 0: lf::group_barrier(sg); return 0;
  case 1: lf::group_barrier(it.get_group()); return 0;
  case 2: return lf::reduce_over_group(lf::chunked_partition<2>(sg), value, sum);
  case 4: return lf::reduce_over_group(lf::chunked_partition<4>(sg), value, sum);
  case 8: return lf::reduce_over_group(lf::chunked_partition<8>(sg), value, sum);
  default: return lf::reduce_over_group(sg, value, sum);
  }
}

/// Returns what meet() returns for work-item `i` of groups of `local`, where work-item k brings k + add.
int met(std::size_t i, std::size_t local, std::size_t size, int add) {
  if (size < 2) {
    return 0;
  }
  int sum = 0;
  const std::size_t first = i / size * size;
  for (std::size_t k = first; k < std::min(first + size, local); ++k) {
    sum += static_cast<int>(k) + add;
  }
  return sum;
}

/// Parts of every size meet one after the other, in every order, again and again, in whole and partial sub-groups.
TEST(parts_of_work_items, meet_in_any_order) {
  const int sizes[] = {0, 1, 2, 4, 8, 16};
  for (const auto engine : engines) {
    for (const std::size_t local : {16, 45}) {
      for (int order = 0; order < 6 * 6 * 6; ++order) {
        const std::array<int, 3> steps{sizes[order % 6], sizes[order / 6 % 6], sizes[order / 36]};
        std::vector<int> out(2 * local);
        const lf::view<int> o(out.data(), out.size());
        lf::queue q;
        q.parallel_for(lf::nd_range<1>(2 * local, local),
                       lf::properties{lf::property::fiber_engine{engine}, lf::property::sub_group_size{16}},
                       [=](lf::nd_item<1> it) {
                         int sum = 0;
                         for (int round = 0; round < 2; ++round) {
                           for (const int size : steps) {
                             sum = 3 * sum + meet(it, size, static_cast<int>(it.get_local_id(0)) + round);
                           }
                         }
                         o[it.get_global_id(0)] = sum;
                       })
            .wait();
        for (std::size_t i = 0; i < out.size(); ++i) {
          int sum = 0;
          for (int round = 0; round < 2; ++round) {
            for (const int size : steps) {
              sum = 3 * sum + met(i % local, local, static_cast<std::size_t>(size), round);
            }
          }
          ASSERT_EQ(out[i], sum) << to_string(engine) << ", work-item " << i << " of groups of " << local << ": "
                                 << steps[0] << ", " << steps[1] << ", " << steps[2];
        }
      }
    }
  }
}

/// Chunks of a sub-group need not meet as often as others, nor at the same places; the first may not meet at all.
TEST(parts_of_work_items, meet_as_often_as_they_like) {
  for (const auto engine : engines) {
    for (const std::size_t silent : {0, 1, 3}) {
      constexpr std::size_t local = 48;
      std::vector<int> out(3 * local);
      const lf::view<int> o(out.data(), out.size());
      lf::queue q;
      q.parallel_for(lf::nd_range<1>(out.size(), local),
                     lf::properties{lf::property::fiber_engine{engine}, lf::property::sub_group_size{16}},
                     [=](lf::nd_item<1> it) {
                       const std::size_t l = it.get_local_id(0);
                       int sum = 0;
                       for (std::size_t round = silent; round < l / 4; ++round) {
                         sum += meet(it, 4, 1);
                         for (std::size_t pair = 0; pair < l % 4 / 2; ++pair) {
                           sum += meet(it, 2, 1);
                         }
                       }
                       o[it.get_global_id(0)] = sum + (it.get_group(0) > 0 ? meet(it, 16, 1) + meet(it, 4, 1) : 0);
                     })
          .wait();
      for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t l = i % local, rounds = l / 4 > silent ? l / 4 - silent : 0;
        ASSERT_EQ(out[i], static_cast<int>(rounds * (4 + 2 * (l % 4 / 2)) + (i >= local ? 20 : 0)))
            << to_string(engine) << ", work-item " << i << ", first chunk that meets " << silent + 1;
      }
    }
  }
}

/// A part that some of its work-items do not come to is an error all the same, wherever the others are.
TEST(parts_of_work_items, that_are_not_complete_are_errors) {
  for (const auto engine : engines) {
    for (const int awaited : {2, 4, 16}) {
      for (const int instead : {-1, 0, 1, 2, 4, 16}) {
        for (const std::size_t lonely : {0, 1, 2, 3, 5, 15, 31}) {
          if (instead == awaited || (instead == 0 && awaited == 16)) {
            continue;
          }
          const std::string message = texts_thrown_by([&] {
            lf::queue q;
            q.parallel_for(lf::nd_range<1>(64, 32),
                           lf::properties{lf::property::fiber_engine{engine}, lf::property::sub_group_size{16}},
                           [=](lf::nd_item<1> it) {
                             if (it.get_local_id(0) != lonely) {
                               meet(it, awaited, 1);
                             } else if (instead >= 0) {
                               meet(it, instead, 1);
                             }
                           })
                .wait();
            q.wait_and_throw();
          });
          EXPECT_TRUE(message.find("sub-group barrier") != std::string::npos ||
                      message.find("not reached") != std::string::npos ||
                      message.find("different group algorithms") != std::string::npos)
              << to_string(engine) << ", " << lonely << " came to " << instead << " instead of " << awaited << ": "
              << message;
        }
      }
    }
  }
}

template <class Strategy>
class fragments : public seeded {};
TYPED_TEST_SUITE(fragments, chunk_strategies, strategy_names);

TYPED_TEST(fragments, of_a_condition) {
  constexpr std::size_t lanes = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
  for (const std::size_t local : {3, 64, 61}) {
    const auto in = this->template values<int>(local);
    std::vector<int> results[6];
    for (auto& each : results) {
      each.resize(local);
    }
    const lf::view<const int> x(in.data(), local);
    int* r[6];
    std::transform(results, results + 6, r, [](auto& each) { return each.data(); });
    run_groups<TypeParam>(1, local, [=](auto it) {
      const auto out = [&](int k) { return lf::view<int>(r[k], local); };
      const auto i = it.get_global_id(0);
      const auto part = lf::binary_partition(it.get_sub_group(), x[i] > 0);
      out(0)[i] = lf::reduce_over_group(part, x[i], lf::plus<>{});
      out(1)[i] = lf::inclusive_scan_over_group(part, x[i], lf::plus<>{});
      out(2)[i] = lf::group_broadcast(part, x[i]);
      auto vote = it.var(0);
      it.if_(lf::any_of_group(part, x[i] == 1), [&] { vote = 1; });
      out(3)[i] = vote;
      out(4)[i] = lf::convert<int>(part.get_local_linear_id() * 100U + part.get_local_linear_range());
      out(5)[i] = lf::exclusive_scan_over_group(part, x[i], lf::plus<>{});
    });
    for (std::size_t i = 0; i < local; ++i) {
      int sum = 0, prefix = 0, first = 0, vote = 0, position = 0, size = 0;
      for (std::size_t k = i / lanes * lanes; k < std::min(i / lanes * lanes + lanes, local); ++k) {
        if ((in[k] > 0) == (in[i] > 0)) {
          first = size == 0 ? in[k] : first;
          sum += in[k];
          prefix += k <= i ? in[k] : 0;
          vote |= in[k] == 1;
          position += k < i;
          ++size;
        }
      }
      ASSERT_EQ(results[0][i], sum) << i;
      ASSERT_EQ(results[1][i], prefix) << i;
      ASSERT_EQ(results[2][i], first) << i;
      ASSERT_EQ(results[3][i], vote) << i;
      ASSERT_EQ(results[4][i], 100 * position + size) << i;
      ASSERT_EQ(results[5][i], prefix - in[i]) << i;
    }
  }
}

/// In work-item kernels the parts are groups like sub-groups: shuffles, broadcasts by position, other algorithms.
TEST(fragments_of_work_items, are_groups) {
  for (const auto engine : engines) {
    const std::size_t local = 40;
    std::vector<int> out(local);
    const lf::view<int> o(out.data(), local);
    run_groups<lf::scalar>(
        1, local,
        [=](lf::nd_item<1> it) {
          const int i = static_cast<int>(it.get_local_id(0));
          const auto sg = it.get_sub_group();
          const auto part = lf::binary_partition(sg, i % 3 == 0);
          const int next = lf::shift_group_left(part, i); // three places on in one part, one or two in the other
          const int end = lf::group_broadcast(part, i, part.get_local_linear_range() - 1);
          lf::group_barrier(part);
          const int sum = lf::reduce_over_group<lf::algorithm::serial>(part, i, lf::plus<>{});
          const bool last = part.get_local_linear_id() + 1 == part.get_local_linear_range();
          const int first = static_cast<int>(sg.get_group_linear_id() * sg.get_max_local_range()[0]);
          int right = 0, right_end = -1;
          for (int k = first; k < first + static_cast<int>(sg.get_local_linear_range()); ++k) {
            if ((k % 3 == 0) == (i % 3 == 0)) {
              right += k;
              right_end = k;
            }
          }
          const int right_next = i % 3 == 0 ? i + 3 : i % 3 == 1 ? i + 1 : i + 2;
          o[it.get_local_id(0)] = (sum == right) + (end == right_end) + (last || next == right_next);
        },
        engine);
    EXPECT_EQ(out, std::vector<int>(local, 3)) << to_string(engine);
  }
}

TEST(fragments_of_work_items, are_called_side_by_side) {
  for (const auto engine : engines) {
    EXPECT_NE(texts_thrown_by([&] {
                run_groups<lf::scalar>(
                    1, 20,
                    [](lf::nd_item<1> it) {
                      const bool odd = it.get_local_id(0) % 2 == 1;
                      const auto part = lf::binary_partition(it.get_sub_group(), odd);
                      if (odd) {
                        lf::reduce_over_group(part, 1, lf::plus<>{});
                      }
                    },
                    engine);
              }),
              "")
        << to_string(engine);
  }
}

/// [sycl.4.9.1.8]: the linear functions return linear_id_type, as those of sub-groups do.
template <class Group>
concept ReturnsLinearIds = requires(const Group& g) {
  { g.get_local_linear_id() } -> std::same_as<typename Group::linear_id_type>;
  { g.get_local_linear_range() } -> std::same_as<typename Group::linear_id_type>;
  { g.get_group_linear_id() } -> std::same_as<typename Group::linear_id_type>;
  { g.get_group_linear_range() } -> std::same_as<typename Group::linear_id_type>;
};
static_assert(ReturnsLinearIds<lf::sub_group>);
static_assert(ReturnsLinearIds<lf::sub_group_chunk<4, lf::scalar>>);
static_assert(ReturnsLinearIds<lf::sub_group_fragment<lf::scalar>>);

} // namespace
