// SPDX-License-Identifier: Apache-2.0
/// Integer functions in every form, against 128-bit arithmetic.
#include "function_testing.hpp"

#include <bit>

namespace {

using namespace function_testing;
__extension__ using wide = __int128;

template <class T>
struct integer_functions : ::testing::Test {};
using integers =
    ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint32_t, std::int32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(integer_functions, integers);

template <class T>
T saturated(wide x) {
  using limits = std::numeric_limits<T>;
  return static_cast<T>(x > wide(limits::max()) ? wide(limits::max()) : x < wide(limits::min()) ? limits::min() : x);
}
/// x / 2^bits rounded down, x * y within 128 bits.
template <class T>
T upper(wide x, wide y) {
  if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>) {
    __extension__ using unsigned_wide = unsigned __int128;
    return static_cast<T>(static_cast<unsigned_wide>(x) * static_cast<unsigned_wide>(y) >> 64);
  } else {
    return static_cast<T>(x * y >> (8 * sizeof(T)));
  }
}
/// x * y + z of 64-bit integers without sign leaves 128 bits with sign.
template <class T>
T saturated_sum(T x, T y, T z) {
  if constexpr (sizeof(T) == 8 && std::is_unsigned_v<T>) {
    return upper<T>(x, y) != 0 || x * y + z < z ? std::numeric_limits<T>::max() : x * y + z;
  } else {
    return saturated<T>(wide(x) * wide(y) + wide(z));
  }
}

#define LANEFOLD_TEST_2(name, ...)                                                                                     \
  expect_equal<T>(                                                                                                     \
      #name, [](const auto& v, const auto& w) { return lf::name(v, w); },                                              \
      [](T a, T b) {                                                                                                   \
        [[maybe_unused]] const wide v = a, w = b;                                                                      \
        return static_cast<T>(__VA_ARGS__);                                                                            \
      },                                                                                                               \
      x, y);
#define LANEFOLD_TEST_3(name, ...)                                                                                     \
  expect_equal<T>(                                                                                                     \
      #name, [](const auto& v, const auto& w, const auto& u) { return lf::name(v, w, u); },                            \
      [](T v, T w, T u) { return static_cast<T>(__VA_ARGS__); }, x, y, z);

TYPED_TEST(integer_functions, of_two_and_three) {
  using T = TypeParam;
  const auto x = operands<T>(0, 100), y = operands<T>(0, 100, true), z = operands<T>(3, 120);
  LANEFOLD_TEST_2(abs_diff, v < w ? w - v : v - w)
  LANEFOLD_TEST_2(add_sat, saturated<T>(v + w))
  LANEFOLD_TEST_2(sub_sat, saturated<T>(v - w))
  LANEFOLD_TEST_2(hadd, (v + w) >> 1)
  LANEFOLD_TEST_2(rhadd, (v + w + 1) >> 1)
  LANEFOLD_TEST_2(mul_hi, upper<T>(v, w))
  LANEFOLD_TEST_2(max, v < w ? w : v)
  LANEFOLD_TEST_2(min, w < v ? w : v)
  LANEFOLD_TEST_3(mad_hi,
                  static_cast<std::make_unsigned_t<T>>(upper<T>(v, w)) + static_cast<std::make_unsigned_t<T>>(u))
  LANEFOLD_TEST_3(mad_sat, saturated_sum<T>(v, w, u))
  expect_equal<T>(
      "clamp", [](const auto& v, const auto& w) { return lf::clamp(v, w, w); }, [](T, T w) { return w; }, x, y);
}

TYPED_TEST(integer_functions, of_bits) {
  using T = TypeParam;
  using U = std::make_unsigned_t<T>;
  const auto x = operands<T>(0, 100), y = operands<T>(0, 100, true);
  const auto of_one = [&](const char* name, auto f, auto right) { expect_equal<T>(name, f, right, x); };
  of_one(
      "abs", [](const auto& v) { return lf::abs(v); },
      [](T v) { return v < 0 ? static_cast<T>(U(0) - static_cast<U>(v)) : v; });
  of_one(
      "clz", [](const auto& v) { return lf::clz(v); },
      [](T v) { return static_cast<T>(std::countl_zero(static_cast<U>(v))); });
  of_one(
      "ctz", [](const auto& v) { return lf::ctz(v); },
      [](T v) { return static_cast<T>(std::countr_zero(static_cast<U>(v))); });
  of_one(
      "popcount", [](const auto& v) { return lf::popcount(v); },
      [](T v) { return static_cast<T>(std::popcount(static_cast<U>(v))); });
  LANEFOLD_TEST_2(rotate, std::rotl(static_cast<U>(a), static_cast<int>(b & T(8 * sizeof(T) - 1))))
}

TEST(integers_of, 24_bits) {
  auto x = operands<std::int32_t>(-8388608, 8388607), y = operands<std::int32_t>(-8388608, 8388607, true);
  for (std::size_t i = 0; i < count; ++i) {
    x[i] = x[i] << 8 >> 8;
    y[i] = y[i] << 8 >> 8;
  }
  const auto product = [](std::int32_t v, std::int32_t w) {
    return static_cast<std::int32_t>(static_cast<std::int64_t>(v) * w);
  };
  expect_equal<std::int32_t>("mul24", [](const auto& v, const auto& w) { return lf::mul24(v, w); }, product, x, y);
  expect_equal<std::int32_t>(
      "mad24", [](const auto& v, const auto& w) { return lf::mad24(v, w, v); },
      [&](std::int32_t v, std::int32_t w) {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(product(v, w)) + static_cast<std::uint32_t>(v));
      },
      x, y);
}

template <class H, class W>
void test_upsample() {
  using L = std::make_unsigned_t<H>;
  const auto x = operands<H>(0, 100);
  const auto y = operands<L>(0, 100, true);
  expect_equal<W>(
      "upsample", [](const auto& v, const auto& w) { return lf::upsample(v, w); },
      [](H v, L w) { return static_cast<W>(static_cast<W>(v) * (W(1) << (8 * sizeof(H))) + static_cast<W>(w)); }, x, y);
}

TEST(integers_of, upsample) {
  test_upsample<std::int8_t, std::int16_t>();
  test_upsample<std::uint8_t, std::uint16_t>();
  test_upsample<std::int16_t, std::int32_t>();
  test_upsample<std::uint16_t, std::uint32_t>();
  test_upsample<std::int32_t, std::int64_t>();
  test_upsample<std::uint32_t, std::uint64_t>();
}

} // namespace
