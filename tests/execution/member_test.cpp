// SPDX-License-Identifier: Apache-2.0
/// Members of structs in views, accessors and local accessors, in every strategy.
#include "strategies.hpp"

#include <lanefold/memory/member.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

namespace lf = lanefold;

namespace {

struct body {
  double mass;
  int number;
};

template <class Strategy>
class members : public testing::Test {
protected:
  static constexpr std::size_t n = 100;
  static std::vector<body> bodies() {
    std::vector<body> all(n);
    for (std::size_t i = 0; i < n; ++i) {
      all[i] = {static_cast<double>(i) / 2, static_cast<int>(i)};
    }
    return all;
  }
};
TYPED_TEST_SUITE(members, strategies_1d, strategy_names);

TYPED_TEST(members, of_a_part_of_a_buffer_counts_from_where_the_part_begins) {
  std::vector<body> all = this->bodies();
  std::vector<int> numbers(30, -1);
  {
    lf::buffer<body> b(all.data(), all.size());
    lf::buffer<int> o(numbers.data(), numbers.size());
    lf::queue().submit([&](lf::handler& h) {
      const lf::accessor part(b, h, lf::range<1>(30), lf::id<1>(50), lf::read_write);
      const lf::accessor out(o, h, lf::write_only);
      h.parallel_for(lf::range<1>(30), how<TypeParam>(), [=](auto it) {
        const auto i = it.get_id(0);
        out[i] = lf::member(part, &body::number)[i];
        lf::member(part, &body::mass)[i] = -1.;
      });
    });
  }
  for (std::size_t i = 0; i < this->n; ++i) {
    if (i >= 50 && i < 80) {
      EXPECT_EQ(numbers[i - 50], static_cast<int>(i));
    }
    EXPECT_EQ(all[i].mass, i >= 50 && i < 80 ? -1. : static_cast<double>(i) / 2) << i;
  }
}

TYPED_TEST(members, takes_what_the_array_takes_as_an_index) {
  std::vector<body> all = this->bodies();
  std::vector<int> numbers(this->n, -1), same(this->n, -1);
  const lf::view<body> b(all.data(), all.size());
  const lf::view<int> out(numbers.data(), numbers.size()), copy(same.data(), same.size());
  lf::queue q;
  q.parallel_for(lf::range<1>(this->n), how<TypeParam>(), [=](auto it) {
     out[it] = lf::member(b, &body::number)[it];
     copy[it] = lf::member(b, &body::number)[it.get_id()];
   }).wait();
  q.parallel_for(lf::range<1>(this->n), [=](lf::id<1> i) { lf::member(b, &body::number)[i] += 1; }).wait();
  for (std::size_t i = 0; i < this->n; ++i) {
    EXPECT_EQ(numbers[i], static_cast<int>(i));
    EXPECT_EQ(same[i], static_cast<int>(i));
    EXPECT_EQ(all[i].number, static_cast<int>(i) + 1);
  }
}

} // namespace
