// SPDX-License-Identifier: Apache-2.0
#include "math_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
class arithmetic_bits : public testing::Test {};
using elements = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t,
                                std::int64_t, std::uint64_t, long long, char>;
TYPED_TEST_SUITE(arithmetic_bits, elements);

template <class T>
auto bits(T x) {
  return static_cast<std::make_unsigned_t<T>>(x);
}

TYPED_TEST(arithmetic_bits, popcount) {
  expect_as_plain<TypeParam, 1>(
      "popcount", [](auto a) { return lf::popcount(a); },
      [](auto a) { return static_cast<TypeParam>(std::popcount(bits(a))); });
}

TYPED_TEST(arithmetic_bits, clz) {
  expect_as_plain<TypeParam, 1>(
      "clz", [](auto a) { return lf::clz(a); },
      [](auto a) { return static_cast<TypeParam>(std::countl_zero(bits(a))); });
}

TYPED_TEST(arithmetic_bits, ctz) {
  expect_as_plain<TypeParam, 1>(
      "ctz", [](auto a) { return lf::ctz(a); },
      [](auto a) { return static_cast<TypeParam>(std::countr_zero(bits(a))); });
}

TYPED_TEST(arithmetic_bits, rotate) {
  const auto plain = [](auto a, auto n) {
    return static_cast<TypeParam>(std::rotl(bits(a), static_cast<int>(bits(n) % (8 * sizeof(n)))));
  };
  expect_as_plain<TypeParam, 2>("rotate", [](auto a, auto n) { return lf::rotate(a, n); }, plain);
  expect_as_plain<TypeParam, 1>(
      "rotate", [](auto a) { return lf::rotate(a, -3); }, [](auto a) { return decltype(plain){}(a, TypeParam(-3)); });
}

} // namespace
