// SPDX-License-Identifier: Apache-2.0
/// Beyond SYCL 2020: ballots and their masks, dealt loads and stores, shared loops.
#include "testing.hpp"

#include <climits>
#include <numeric>
#include <type_traits>
#include <utility>

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

TEST(sub_group_mask, gives_references_to_bits) {
  lf::sub_group_mask m(100);
  static_assert(std::is_same_v<decltype(m[3]), lf::sub_group_mask::reference>);
  static_assert(std::is_same_v<decltype(std::as_const(m)[3]), bool>);
  m[70] = true;
  m[100] = true; // not there
  EXPECT_EQ(m.count(), 1U);
  EXPECT_TRUE(m[70] && !m[3] && ~m[3]);
  m[3] = m[70];
  m[70] = m[4];
  EXPECT_TRUE(m.test(3) && !m.test(70));
  lf::sub_group_mask::reference bit = m[3];
  static_assert(std::is_same_v<decltype(bit.flip()), lf::sub_group_mask::reference&>);
  EXPECT_FALSE(bit.flip());
  EXPECT_TRUE(bit.flip() && m.test(3));
  const auto same = bit; // of the same mask
  bit = false;
  EXPECT_FALSE(same);
  EXPECT_EQ(lf::select(m[3], 1, 2), 2);
}

template <class T>
class bits_of_masks : public seeded {};
using integers = ::testing::Types<bool, char, signed char, unsigned short, int, unsigned long long>;
TYPED_TEST_SUITE(bits_of_masks, integers);

TYPED_TEST(bits_of_masks, come_and_go_by_elements_of_an_marray) {
  constexpr std::size_t width = sizeof(TypeParam) * CHAR_BIT, elements = 5;
  using array = lf::marray<TypeParam, elements>;
  for (const std::size_t size : {7, 32, 64, 200}) {
    lf::sub_group_mask m(size);
    for (std::size_t i = 0; i < size; ++i) {
      m.set(i, this->random() % 2 != 0);
    }
    for (const std::size_t from : {std::size_t{0}, std::size_t{3}, size}) {
      array bits(static_cast<TypeParam>(1));
      m.extract_bits(bits, from);
      lf::sub_group_mask filled(size);
      filled.set();
      filled.insert_bits(bits, from);
      for (std::size_t k = 0; k < elements; ++k) {
        TypeParam one{};
        m.extract_bits(one, from + k * width);
        ASSERT_EQ(bits[k], one) << size << " " << from << " " << k;
      }
      if constexpr (!std::is_same_v<TypeParam, bool>) { // whose eight bits are not all kept
        for (std::size_t i = 0; i < size; ++i) {
          ASSERT_EQ(filled.test(i), i < from || i >= from + elements * width || m.test(i)) << size << " " << from;
        }
      }
    }
  }
}

template <class Strategy>
class extensions : public seeded {};
TYPED_TEST_SUITE(extensions, few_strategies, strategy_names);

/// The older extension spells functions of sub-groups as members.
TEST(sub_group, has_the_members_of_the_older_extension) {
  constexpr std::size_t size = 16, items = 48;
  std::vector<int> out(items * 4);
  lf::queue q;
  q.parallel_for(lf::nd_range<1>(items, items), lf::property::sub_group_size(size),
                 [to = out.data()](lf::nd_item<1> it) {
                   const lf::sub_group g = it.get_sub_group();
                   const int mine = static_cast<int>(it.get_global_id(0));
                   int* const mine_of = to + it.get_global_id(0);
                   g.barrier();
                   mine_of[0] = g.shuffle(mine, size - 1 - g.get_local_id()[0]);
                   mine_of[items] = g.shuffle_down(mine, 1);
                   g.barrier(lf::access::fence_space::local_space);
                   mine_of[2 * items] = g.shuffle_up(mine, 2);
                   mine_of[3 * items] = g.shuffle_xor(mine, 5);
                 })
      .wait();
  for (std::size_t i = 0; i < items; ++i) {
    const std::size_t lane = i % size;
    EXPECT_EQ(out[i], static_cast<int>(i + size - 1 - 2 * lane)) << i;
    if (lane + 1 < size) {
      EXPECT_EQ(out[items + i], static_cast<int>(i + 1)) << i;
    }
    if (lane >= 2) {
      EXPECT_EQ(out[2 * items + i], static_cast<int>(i - 2)) << i;
    }
    EXPECT_EQ(out[3 * items + i], static_cast<int>(i ^ 5)) << i;
  }
}

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

/// A variable that begins with a bit of a set is a bool of its own: what it is assigned does not change the set.
TYPED_TEST(extensions, variables_of_bits) {
  constexpr std::size_t local = 64;
  std::vector<int> out(local), unchanged(local);
  const lf::view<int> o(out.data(), local), u(unchanged.data(), local);
  run_groups<TypeParam>(1, local, [=](auto it) {
    lf::sub_group_mask m(8);
    m[3] = true;
    const auto i = it.get_local_id(0);
    auto v = it.var(m[3]);
    auto w = it.unmasked_var(m[4]);
    it.if_(i % 2 == 0, [&] {
      v = m[4];
      w = !m[4];
    });
    o[i] = lf::select(v, 1, 0) + lf::select(i % 2 == 0 && w, 2, 0);
    u[i] = static_cast<int>(m.count());
  });
  for (std::size_t i = 0; i < local; ++i) {
    ASSERT_EQ(out[i], i % 2 == 0 ? 2 : 1) << i;
    ASSERT_EQ(unchanged[i], 1) << i;
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
