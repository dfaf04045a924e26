// SPDX-License-Identifier: Apache-2.0
/// Private arrays whose elements are accessed as registers and lane by lane in turn. A program of its own, optimised
/// and without gathers, where a compiler that takes the one for no access to the other gives wrong values.
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lf = lanefold;

namespace {

template <class T>
class private_array_lanes : public ::testing::Test {
protected:
  static constexpr std::size_t n = 203; // the last sub-group is not full
  std::vector<T> in = std::vector<T>(n * 8), out = std::vector<T>(n * 8);

  void SetUp() override {
    for (std::size_t i = 0; i < in.size(); ++i) {
      in[i] = static_cast<T>(i * 7919 % 101);
    }
  }
};
using element_types = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                       std::uint32_t, std::int64_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(private_array_lanes, element_types);

TYPED_TEST(private_array_lanes, varying_indices_see_what_plain_ones_have_stored) {
  const lf::view<TypeParam> y(this->out.data(), this->out.size());
  const int two = 2;
  lf::queue()
      .parallel_for(lf::range<1>(this->n),
                    [=](auto it) {
                      const auto i = it.get_id(0);
                      auto a = it.template array<TypeParam, 8>();
                      for (int k = 0; k < 8; ++k) {
                        a[k] = lf::convert<TypeParam>(lf::convert<int>(i % 50U) + k);
                      }
                      const auto j = it.var(two);
                      a[j + 1] = a[j];
                      for (std::size_t k = 0; k < 8; ++k) {
                        y[i * 8 + k] = a[k];
                      }
                    })
      .wait();
  for (std::size_t i = 0; i < this->out.size(); ++i) {
    const std::size_t k = i % 8;
    ASSERT_EQ(this->out[i], static_cast<TypeParam>(i / 8 % 50 + (k == 3 ? 2 : k))) << i;
  }
}

TYPED_TEST(private_array_lanes, are_sorted_by_insertion) {
  const lf::view<const TypeParam> x(this->in.data(), this->in.size());
  const lf::view<TypeParam> y(this->out.data(), this->out.size());
  lf::queue()
      .parallel_for(lf::range<1>(this->n),
                    [=](auto it) {
                      const auto i = it.get_id(0);
                      auto a = it.template array<TypeParam, 8>();
                      for (std::size_t k = 0; k < 8; ++k) {
                        a[k] = x[i * 8 + k];
                      }
                      for (int k = 1; k < 8; ++k) {
                        const auto key = it.var(a[k]);
                        auto j = it.var(k - 1);
                        it.while_([&] { return j >= 0 && a[lf::max(j, 0)] > key; },
                                  [&] {
                                    a[j + 1] = a[j];
                                    j -= 1;
                                  });
                        a[j + 1] = key;
                      }
                      for (std::size_t k = 0; k < 8; ++k) {
                        y[i * 8 + k] = a[k];
                      }
                    })
      .wait();
  for (std::size_t i = 0; i < this->n; ++i) {
    const auto first = this->in.begin() + static_cast<std::ptrdiff_t>(i * 8);
    std::sort(first, first + 8);
  }
  EXPECT_EQ(this->out, this->in);
}

} // namespace
