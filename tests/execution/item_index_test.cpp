// SPDX-License-Identifier: Apache-2.0
// The item of a kernel over a range in place of its index.
#include "strategies.hpp"

#include <lanefold/memory/bfloat16.hpp>
#include <lanefold/memory/half.hpp>

#include <vector>

namespace {

template <class Strategy>
class item_index : public ::testing::Test {};
TYPED_TEST_SUITE(item_index, index_strategies, strategy_names);

TYPED_TEST(item_index, of_views) {
  const std::size_t n = 333; // the last sub-group is partial
  std::vector<int> in(n), out(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = static_cast<int>(3 * i + 1);
  }
  const lf::view<const int> x(in.data(), n);
  const lf::view<int> y(out.data(), n);
  lf::queue q;
  q.parallel_for(lf::range<1>(n), how<TypeParam>(), [=](auto i) {
     y[i] = lf::convert<int>(i) + x[i];
     i.if_(i + 1 < n && i % 2 == 0, [&] { y[i] = x[i + 1] - x[i]; });
   }).wait();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(out[i], i + 1 < n && i % 2 == 0 ? 3 : static_cast<int>(4 * i + 1)) << i;
  }
}

TYPED_TEST(item_index, converted_to_small_reals) {
  const std::size_t n = 75;
  std::vector<lf::half> halves(n);
  std::vector<float> rounded(n);
  const lf::view<lf::half> x(halves.data(), n);
  const lf::view<float> y(rounded.data(), n);
  lf::queue q;
  q.parallel_for(lf::range<1>(n), how<TypeParam>(), [=](auto it) {
     const auto i = it.get_id(0);
     x[i] = lf::convert<lf::half>(i);
     y[i] = lf::convert<float>(lf::convert<lf::ext::oneapi::bfloat16>(i * 31));
   }).wait();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(halves[i], lf::half(static_cast<float>(i)));
    ASSERT_EQ(rounded[i], static_cast<float>(lf::ext::oneapi::bfloat16(static_cast<float>(i * 31))));
  }
}

TYPED_TEST(item_index, on_either_side_of_operators) {
  const std::size_t n = 40;
  std::vector<std::size_t> out(n);
  const lf::view<std::size_t> y(out.data(), n);
  lf::queue q;
  q.parallel_for(lf::range<1>(n), how<TypeParam>(), [=](auto i) {
     y[i] = lf::select(n - i > i, i * std::size_t(2), std::size_t(3) * (i - std::size_t(1)) + (i / std::size_t(4)));
   }).wait();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(out[i], n - i > i ? 2 * i : 3 * (i - 1) + i / 4) << i;
  }
}

TEST(item_index, of_accessors_in_three_dimensions) {
  const lf::range<3> extents(3, 5, 19);
  std::vector<int> data(extents.size(), 1), twice(extents.size());
  {
    lf::buffer<int, 3> b(data.data(), extents);
    lf::queue q;
    const lf::view<int, 3> t(twice.data(), extents);
    q.submit([&](lf::handler& h) {
      const lf::accessor a(b, h);
      h.parallel_for(extents, [=](auto i) {
        a[i] += lf::convert<int>(i.get_linear_id());
        t[i] = a[i] * 2;
      });
    });
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    ASSERT_EQ(data[i], static_cast<int>(i) + 1);
    ASSERT_EQ(twice[i], 2 * static_cast<int>(i) + 2);
  }
}

} // namespace
