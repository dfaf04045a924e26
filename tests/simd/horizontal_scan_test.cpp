// SPDX-License-Identifier: Apache-2.0
#include "horizontal_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
void compare(const char* name, const T* got, const T* expected, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(got[i], expected[i]) << name << ", lane " << i << " of " << n;
}

template <class T>
constexpr auto check_inclusive = [](auto op, const char* name, auto make) {
  const auto plain = as_plain<T>(op);
  for_lanes([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    for (int round = 0; round < 8; ++round) {
      const auto a = make_lanes<T, N>(make);
      auto expected = a;
      for (std::size_t i = 1; i < N; ++i)
        expected.at[i] = plain(expected[i - 1], a[i]);
      compare(name, lanes(lf::inclusive_scan(lf::varying<T, N, Isa>::load(a.at), op)).at, expected.at, N);
    }
  });
};

template <class T>
constexpr auto check_exclusive = [](auto op, const char* name, auto make) {
  const auto plain = as_plain<T>(op);
  for_lanes([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    for (int round = 0; round < 8; ++round) {
      const auto a = make_lanes<T, N>(make);
      const T first = make();
      auto expected = a;
      expected.at[0] = first;
      for (std::size_t i = 1; i < N; ++i)
        expected.at[i] = plain(expected[i - 1], a[i - 1]);
      compare(name, lanes(lf::exclusive_scan(lf::varying<T, N, Isa>::load(a.at), op, first)).at, expected.at, N);
    }
  });
};

template <class T>
class horizontal_scan : public testing::Test {};
using elements =
    testing::Types<std::uint8_t, std::int16_t, std::uint32_t, std::uint64_t, long long, float, double, long double>;
TYPED_TEST_SUITE(horizontal_scan, elements);
TYPED_TEST(horizontal_scan, inclusive) { for_some_operators<TypeParam>(check_inclusive<TypeParam>); }

template <class T>
class horizontal_exclusive_scan : public testing::Test {};
using some_elements = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float>;
TYPED_TEST_SUITE(horizontal_exclusive_scan, some_elements);
TYPED_TEST(horizontal_exclusive_scan, some_operators) { for_some_operators<TypeParam>(check_exclusive<TypeParam>); }

TEST(horizontal_inclusive_scan, every_operator) {
  for_operators<std::uint8_t>(check_inclusive<std::uint8_t>);
  for_operators<std::int32_t>(check_inclusive<std::int32_t>);
  for_operators<float>(check_inclusive<float>);
}

} // namespace
