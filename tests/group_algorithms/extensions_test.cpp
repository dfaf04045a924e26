// SPDX-License-Identifier: Apache-2.0
/// Beyond SYCL 2020: ballots and their masks, dealt loads and stores, shared loops.
#include "testing.hpp"

#include <numeric>

namespace {

TEST(sub_group_mask, is_a_set_of_bits) {
  lf::sub_group_mask m(20);
  EXPECT_TRUE(m.none() && !m.any() && !m.all());
  EXPECT_EQ(m.find_low()[0], 20U);
  m.set(3);
  m.set(19);
  m.set(20); // not there
  EXPECT_EQ(m.count(), 2U);
  EXPECT_TRUE(m[3] && m.test(19) && !m[4]);
  EXPECT_EQ(m.find_low()[0], 3U);
  EXPECT_EQ(m.find_high()[0], 19U);
  EXPECT_EQ((m << 1).count(), 1U);
  EXPECT_TRUE((m >> 3)[0]);
  EXPECT_EQ((~m).count(), 18U);
  m.flip();
  EXPECT_EQ(m.count(), 18U);
  m.set();
  EXPECT_TRUE(m.all());
  m.insert_bits(std::uint8_t(0), 4);
  EXPECT_EQ(m.count(), 12U);
  std::uint16_t bits = 0;
  m.extract_bits(bits, 2);
  EXPECT_EQ(bits, 0xfc03);
  m.reset_low();
  m.reset_high();
  EXPECT_EQ(m.find_low()[0], 1U);
  EXPECT_EQ(m.find_high()[0], 18U);
  lf::sub_group_mask large(200);
  large.set(150);
  EXPECT_EQ(large.find_high()[0], 150U);
  EXPECT_EQ((large | ~large).count(), 200U);
  EXPECT_EQ((large & ~large).count(), 0U);
  large.reset();
  EXPECT_TRUE(large.none());
}

template <class Strategy>
class extensions : public seeded {};
TYPED_TEST_SUITE(extensions, few_strategies, strategy_names);

TYPED_TEST(extensions, ballot) {
  for (const std::size_t local : {1, 7, 33, 256}) {
    const auto in = this->template values<int>(local);
    std::vector<int> count(local), low(local), own(local);
    const lf::view<const int> x(in.data(), local);
    const lf::view<int> c(count.data(), local), f(low.data(), local), o(own.data(), local);
    run_groups<TypeParam>(1, local, [=](auto it) {
      const auto sg = it.get_sub_group();
      const auto i = it.get_local_id(0);
      const auto m = lf::group_ballot(sg, x[i] > 0);
      c[i] = static_cast<int>(m.count());
      f[i] = static_cast<int>(m.find_low()[0]);
      o[i] = static_cast<int>(lf::group_ballot(sg).count());
    });
    const std::size_t lanes = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
    for (std::size_t i = 0; i < local; ++i) {
      const std::size_t begin = i / lanes * lanes, end = std::min(begin + lanes, local);
      int right = 0, lowest = -1;
      for (std::size_t k = begin; k < end; ++k) {
        right += in[k] > 0;
        lowest = lowest < 0 && in[k] > 0 ? static_cast<int>(k - begin) : lowest;
      }
      ASSERT_EQ(count[i], right) << local;
      ASSERT_EQ(low[i], lowest < 0 ? static_cast<int>(end - begin) : lowest) << local;
      ASSERT_EQ(own[i], static_cast<int>(end - begin)) << local;
    }
  }
}

TYPED_TEST(extensions, load_and_store) {
  for (const std::size_t local : {1, 7, 33, 256}) {
    std::vector<int> in(6 * local), striped(6 * local), blocked(6 * local), mixed(6 * local);
    std::iota(in.begin(), in.end(), 1);
    const int* from = in.data();
    int *s = striped.data(), *b = blocked.data(), *m = mixed.data();
    run_groups<TypeParam>(2, local, [=](auto it) {
      const auto g = it.get_group();
      const std::size_t first = 3 * local * g.get_group_linear_id();
      lf::group_store<lf::data_placement::striped>(g, lf::group_load<3, lf::data_placement::striped>(g, from + first),
                                                   s + first);
      lf::group_store(g, lf::group_load<3>(g, from + first), b + first);
      lf::group_store<lf::data_placement::striped>(g, lf::group_load<3>(g, from + first), m + first);
    });
    ASSERT_EQ(striped, in);
    ASSERT_EQ(blocked, in);
    for (std::size_t i = 0; i < mixed.size(); ++i) {
      const std::size_t first = i / (3 * local) * 3 * local, k = i - first;
      ASSERT_EQ(mixed[i], in[first + k % local * 3 + k / local]) << local << " " << i;
    }
  }
}

TYPED_TEST(extensions, shared_loop) {
  for (const std::size_t local : {1, 7, 33, 256}) {
    for (const std::size_t n : {0, 1, 5, 100, 1000}) {
      std::vector<int> out(n, 0), sub(n, 0);
      const lf::view<int> o(out.data(), n), s(sub.data(), n);
      run_groups<TypeParam>(1, local, [=](auto it) {
        lf::joint_for(it.get_group(), 2, n, [&](auto i) { o[i] += lf::convert<int>(i); });
        if (it.get_sub_group().get_group_linear_id() == 0) {
          lf::joint_for(it.get_sub_group(), 0, n, [&](auto i) { s[i] += 1; });
        }
      });
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(out[i], i < 2 ? 0 : static_cast<int>(i)) << local << " " << n;
        ASSERT_EQ(sub[i], 1) << local << " " << n;
      }
    }
  }
}

} // namespace
