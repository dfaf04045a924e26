// SPDX-License-Identifier: Apache-2.0
/// vec: layout, construction, access, operators and conversions, for every element type and number of elements.
#include <lanefold/memory/vec.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace {

namespace lf = lanefold;

template <class T>
struct vectors : ::testing::Test {
  std::uint32_t seed = std::random_device{}();
  std::mt19937 random{seed};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed)};

  /// Elements from 1 to 7 (or -7 to 7): whatever is computed of them fits in T.
  template <int N>
  lf::vec<T, N> value(bool positive = true) {
    std::uniform_int_distribution<int> distribution(positive || !std::is_signed_v<T> ? 1 : -7, 7);
    lf::vec<T, N> v;
    for (int i = 0; i < N; ++i) {
      v[i] = static_cast<T>(distribution(random));
    }
    return v;
  }
};

#if defined(LANEFOLD_TEST_THOROUGH)
using element_types = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                                       std::uint32_t, std::int64_t, std::uint64_t, float, double>;
#else
using element_types = ::testing::Types<std::uint8_t, std::int32_t, double>;
#endif
TYPED_TEST_SUITE(vectors, element_types);

/// f(N) for each number of elements, as a constant.
template <class F>
void for_sizes(F f) {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    (f(std::integral_constant<int, N>{}), ...);
  }(std::integer_sequence<int, 1, 2, 3, 4, 8, 16>{});
}

TYPED_TEST(vectors, layout) {
  for_sizes([](auto n) {
    using V = lf::vec<TypeParam, n()>;
    constexpr std::size_t elements = n() == 3 ? 4 : n();
    static_assert(sizeof(V) == elements * sizeof(TypeParam));
    static_assert(alignof(V) == std::min<std::size_t>(sizeof(V), 64));
    static_assert(V::size() == n() && V::get_count() == n() && V::byte_size() == sizeof(V));
    static_assert(V::get_size() == sizeof(V));
    EXPECT_EQ(V().template swizzle<0>().get_size(), sizeof(typename V::element_type));
    static_assert(std::is_trivially_copyable_v<V> && std::is_standard_layout_v<V>);
    static_assert(std::is_same_v<typename V::element_type, TypeParam>);
    constexpr V zero{};
    for (int i = 0; i < n(); ++i) {
      EXPECT_EQ(zero[i], TypeParam(0));
    }
  });
}

TYPED_TEST(vectors, construction) {
  using T = TypeParam;
  for_sizes([&](auto n) {
    const lf::vec<T, n()> same(T(3));
    auto v = this->template value<n()>();
    const lf::vec<T, n()> copy = v;
    v = T(5);
    for (int i = 0; i < n(); ++i) {
      EXPECT_EQ(same[i], T(3));
      EXPECT_EQ(v[i], T(5));
    }
    v = copy;
    EXPECT_EQ(v[n() - 1], copy[n() - 1]);
  });
  const lf::vec<T, 2> two(T(1), T(2));
  const lf::vec<T, 3> three(two, 3);
  const lf::vec<T, 4> four(T(0), three), other(two, two.template swizzle<1, 0>());
  const lf::vec<T, 8> eight(four, T(4), three);
  const lf::vec<T, 16> sixteen(two, eight, three, three);
  const int right4[] = {0, 1, 2, 3}, right_other[] = {1, 2, 2, 1};
  const int right16[] = {1, 2, 0, 1, 2, 3, 4, 1, 2, 3, 1, 2, 3, 1, 2, 3};
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(sixteen[i], T(right16[i])) << i;
    EXPECT_EQ(four[i % 4], T(right4[i % 4]));
    EXPECT_EQ(other[i % 4], T(right_other[i % 4]));
  }
  const T one = lf::vec<T, 1>(T(7));
  EXPECT_EQ(one, T(7));
  lf::vec<int, 1> converted(3);
  converted = lf::vec<T, 1>(T(7)); // converts to its element
  EXPECT_EQ(converted[0], 7);
  converted = {};
  EXPECT_EQ(converted[0], 0);
  const lf::vec deduced(T(1), T(2), T(3));
  static_assert(std::is_same_v<decltype(deduced), const lf::vec<T, 3>>);
}

TYPED_TEST(vectors, load_and_store) {
  using T = TypeParam;
  for_sizes([&](auto n) {
    std::vector<T> memory(4 * n() + 1), to(4 * n() + 1, T(99));
    for (std::size_t i = 0; i < memory.size(); ++i) {
      memory[i] = static_cast<T>(i);
    }
    lf::vec<T, n()> v;
    v.load(2, memory.data() + 1);
    v.store(1, to.data());
    for (std::size_t i = 0; i < to.size(); ++i) {
      EXPECT_EQ(to[i], i / n() == 1 ? T(i + n() + 1) : T(99)) << n() << " " << i;
    }
  });
}

/// Programs from before SYCL 2020 have strings for the vectors that were of char then.
TEST(vec, loads_and_stores_strings) {
  const char text[] = "one two ";
  lf::vec<std::int8_t, 4> word;
  word.load(1, text);
  EXPECT_EQ(word[2], 'o');
  char copy[9] = "........";
  word.store(0, copy);
  lf::vec<char, 4> same;
  same.load(0, text);
  same.store(1, copy);
  EXPECT_STREQ(copy, "two one ");
}

/// The first element of v that is not right(i), -1 if there is none. (One comparison of the test framework for each
/// would take a minute to compile.)
template <class V, class Right>
int first_wrong(const V& v, Right right) {
  for (int i = 0; i < static_cast<int>(V::size()); ++i) {
    if (v[i] != right(i)) {
      return i;
    }
  }
  return -1;
}

[[gnu::noinline]] void expect_right(std::size_t elements, int wrong, const char* what) {
  EXPECT_EQ(wrong, -1) << what << ", " << elements << " elements";
}

/// Sizes with all forms of an operator; the others are tested with two vectors.
template <class V>
inline constexpr bool all_forms = V::size() == 3 || V::size() == 8;

/// op of vectors, and of a vector and a number on either side.
template <class V, class Op, class Right>
void check_operator(const V& a, const V& b, Op op, Right right) {
  static_assert(sizeof(op(a, b)) == sizeof(V));
  expect_right(V::size(), first_wrong(op(a, b), [&](int i) { return right(a[i], b[i]); }), "vectors");
  if constexpr (all_forms<V>) {
    expect_right(V::size(), first_wrong(op(a, b[0]), [&](int i) { return right(a[i], b[0]); }), "vector, number");
    expect_right(V::size(), first_wrong(op(a[0], b), [&](int i) { return right(a[0], b[i]); }), "number, vector");
  }
}

/// Checks the same, and `a op= b`; the result is a T.
template <class V, class Op, class Assign>
void check_arithmetic(const V& a, const V& b, Op op, Assign assign) {
  using T = typename V::element_type;
  const auto right = [&](T x, T y) { return static_cast<T>(op(x, y)); };
  check_operator(a, b, op, right);
  if constexpr (all_forms<V>) {
    V by_vector = a, by_number = a;
    static_assert(std::is_same_v<decltype(op(a, b)), V> && std::is_same_v<decltype(assign(by_vector, b)), V&>);
    assign(by_vector, b);
    assign(by_number, b[0]);
    expect_right(V::size(), first_wrong(by_vector, [&](int i) { return right(a[i], b[i]); }), "assigned vector");
    expect_right(V::size(), first_wrong(by_number, [&](int i) { return right(a[i], b[0]); }), "assigned number");
  }
}

TYPED_TEST(vectors, arithmetic) {
  using T = TypeParam;
  for_sizes([&](auto n) {
    const auto a = this->template value<n()>(false) * T(2), b = this->template value<n()>();
    check_arithmetic(
        a, b, [](const auto& x, const auto& y) { return x + y; },
        [](auto& x, const auto& y) -> decltype(auto) { return x += y; });
    check_arithmetic(
        a, b, [](const auto& x, const auto& y) { return x - y; },
        [](auto& x, const auto& y) -> decltype(auto) { return x -= y; });
    check_arithmetic(
        a, b, [](const auto& x, const auto& y) { return x * y; },
        [](auto& x, const auto& y) -> decltype(auto) { return x *= y; });
    check_arithmetic(
        a, b, [](const auto& x, const auto& y) { return x / y; },
        [](auto& x, const auto& y) -> decltype(auto) { return x /= y; });
    EXPECT_EQ(first_wrong(-a, [&](int i) { return static_cast<T>(-a[i]); }), -1);
    EXPECT_EQ(first_wrong(+a, [&](int i) { return a[i]; }), -1);
  });
}

TYPED_TEST(vectors, increments) {
  using T = TypeParam;
  const lf::vec<T, 3> a(T(1), T(5), T(9));
  auto up = a, down = a;
  EXPECT_EQ(first_wrong(up++, [&](int i) { return a[i]; }), -1);
  EXPECT_EQ(first_wrong(++up, [&](int i) { return static_cast<T>(a[i] + 2); }), -1);
  EXPECT_EQ(first_wrong(--down, [&](int i) { return static_cast<T>(a[i] - 1); }), -1);
  EXPECT_EQ(first_wrong(down--, [&](int i) { return static_cast<T>(a[i] - 1); }), -1);
  EXPECT_EQ(up[2] - down[2], T(4));
}

TYPED_TEST(vectors, bits) {
  using T = TypeParam;
  if constexpr (std::is_integral_v<T>) {
    for_sizes([&](auto n) {
      const auto a = this->template value<n()>() * T(5), b = this->template value<n()>();
      check_arithmetic(
          a, b, [](const auto& x, const auto& y) { return x % y; },
          [](auto& x, const auto& y) -> decltype(auto) { return x %= y; });
      check_arithmetic(
          a, b, [](const auto& x, const auto& y) { return x & y; },
          [](auto& x, const auto& y) -> decltype(auto) { return x &= y; });
      check_arithmetic(
          a, b, [](const auto& x, const auto& y) { return x | y; },
          [](auto& x, const auto& y) -> decltype(auto) { return x |= y; });
      check_arithmetic(
          a, b, [](const auto& x, const auto& y) { return x ^ y; },
          [](auto& x, const auto& y) -> decltype(auto) { return x ^= y; });
      check_arithmetic(
          b, b % T(3), [](const auto& x, const auto& y) { return x << y; },
          [](auto& x, const auto& y) -> decltype(auto) { return x <<= y; });
      check_arithmetic(
          a, b % T(3), [](const auto& x, const auto& y) { return x >> y; },
          [](auto& x, const auto& y) -> decltype(auto) { return x >>= y; });
      EXPECT_EQ(first_wrong(~a, [&](int i) { return static_cast<T>(~a[i]); }), -1);
    });
  }
}

TYPED_TEST(vectors, comparisons) {
  using T = TypeParam;
  for_sizes([&](auto n) {
    const auto a = this->template value<n()>(false), b = this->template value<n()>(false);
    const auto flag = [](auto op) { return [op](T x, T y) { return op(x, y) ? -1 : 0; }; };
    check_operator(a, b, std::equal_to<>{}, flag(std::equal_to<>{}));
    check_operator(a, b, std::not_equal_to<>{}, flag(std::not_equal_to<>{}));
    check_operator(a, b, std::less<>{}, flag(std::less<>{}));
    check_operator(a, b, std::less_equal<>{}, flag(std::less_equal<>{}));
    check_operator(a, b, std::greater<>{}, flag(std::greater<>{}));
    check_operator(a, b, std::greater_equal<>{}, flag(std::greater_equal<>{}));
    check_operator(a - a, b, std::logical_and<>{}, flag(std::logical_and<>{}));
    check_operator(a - a, b, std::logical_or<>{}, flag(std::logical_or<>{}));
    static_assert(std::is_signed_v<typename decltype(a < b)::element_type>);
    EXPECT_EQ(first_wrong(!(a - T(3)), [&](int i) { return a[i] == T(3) ? -1 : 0; }), -1);
    EXPECT_EQ(first_wrong(min(a, b), [&](int i) { return std::min(a[i], b[i]); }), -1);
    EXPECT_EQ(first_wrong(max(a, b), [&](int i) { return std::max(a[i], b[i]); }), -1);
  });
}

TYPED_TEST(vectors, unions_may_hold_them) {
  using T = TypeParam;
  struct block {
    union {
      lf::vec<T, 3> v;
      T elements[4];
    };
  };
  static_assert(std::is_trivially_default_constructible_v<lf::vec<T, 2>> && std::is_trivial_v<block>);
  block b;
  b.v = lf::vec<T, 3>(T(1), T(2), T(3));
  const block copy = b;
  EXPECT_TRUE(copy.v[0] == T(1) && copy.v[1] == T(2) && copy.v[2] == T(3));
  constexpr lf::vec<T, 4> zero{};
  static_assert(zero[3] == T(0) && lf::vec<T, 16>()[15] == T(0));
  EXPECT_EQ((lf::vec<T, 3>{}[2]), T(0));
}

/// Sets the three elements and computes with them.
template <class T>
constexpr lf::vec<T, 3> of_three_elements(lf::vec<T, 3>& v) {
  v.x() = T(1);
  v.y() = T(2);
  v.z() = T(4);
  v = -((v + v) * v / v - T(3) * v);
  v += v / v;
  return v;
}

#if defined(__clang__) || __GNUC__ < 15 // from g++ 15 on, constants have no variables without a value
template <class T>
constexpr lf::vec<T, 3> of_no_values() {
  lf::vec<T, 3> v;
  return of_three_elements(v);
}
#endif

/// The memory behind three elements takes part in no arithmetic: its zeros divide nothing, and constants need it
/// not.
TYPED_TEST(vectors, of_three_read_no_fourth_element) {
  using T = TypeParam;
#if defined(__clang__) || __GNUC__ < 15
  static_assert(of_no_values<T>()[0] == T(2) && of_no_values<T>()[2] == T(5));
#endif
  lf::vec<T, 3> zeros, huge;
  std::fill_n(reinterpret_cast<T*>(&zeros), 4, T(0));
  std::fill_n(reinterpret_cast<T*>(&huge), 4, std::numeric_limits<T>::max());
  std::feclearexcept(FE_ALL_EXCEPT);
  for (lf::vec<T, 3>* const each : {&zeros, &huge}) {
    const lf::vec<T, 3> v = of_three_elements(*each);
    EXPECT_TRUE(v[0] == T(2) && v[1] == T(3) && v[2] == T(5));
  }
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW), 0);
}

TYPED_TEST(vectors, elements_by_name) {
  using T = TypeParam;
  lf::vec<T, 1> one;
  one.x() = T(9);
  EXPECT_EQ(one[0], T(9));
  lf::vec<T, 4> v(T(0), T(1), T(2), T(3));
  const auto c = v;
  EXPECT_TRUE(c.x() == T(0) && c.y() == T(1) && c.z() == T(2) && c.w() == T(3));
  EXPECT_TRUE(c.r() == T(0) && c.g() == T(1) && c.b() == T(2) && c.a() == T(3));
  v.z() += T(5);
  v.a() = T(8);
  EXPECT_TRUE(v[2] == T(7) && v[3] == T(8));
  lf::vec<T, 16> all;
  T value(0);
  for (T* each : {&all.s0(), &all.s1(), &all.s2(), &all.s3(), &all.s4(), &all.s5(), &all.s6(), &all.s7(), &all.s8(),
                  &all.s9(), &all.sA(), &all.sB(), &all.sC(), &all.sD(), &all.sE(), &all.sF()}) {
    *each = value;
    value = static_cast<T>(value + 1);
  }
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(all[i], T(i));
  }
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(all.lo()[i], T(i));
    EXPECT_EQ(all.hi()[i], T(i + 8));
    EXPECT_EQ(all.even()[i], T(2 * i));
    EXPECT_EQ(all.odd()[i], T(2 * i + 1));
  }
  const lf::vec<T, 3> three(T(1), T(2), T(3));
  EXPECT_TRUE(three.hi()[0] == T(3) && three.even()[1] == T(3) && three.odd()[0] == T(2));
}

TYPED_TEST(vectors, swizzles) {
  using T = TypeParam;
  using lf::elem;
  lf::vec<T, 4> v(T(0), T(1), T(2), T(3));
  const lf::vec<T, 3> r = v.template swizzle<elem::w, elem::x, elem::w>();
  EXPECT_TRUE(r[0] == T(3) && r[1] == T(0) && r[2] == T(3));
  v.template swizzle<0, 1>() = v.template swizzle<1, 0>(); // read before it is written
  EXPECT_TRUE(v[0] == T(1) && v[1] == T(0));
  v.template swizzle<2, 0>() += lf::vec<T, 2>(T(1), T(2));
  EXPECT_TRUE(v[2] == T(3) && v[0] == T(3));
  v.hi() = T(6);
  v.lo() *= T(2);
  EXPECT_TRUE(v[0] == T(6) && v[1] == T(0) && v[2] == T(6) && v[3] == T(6));
  v.lo().template swizzle<1>() = T(4);
  EXPECT_EQ(v.template swizzle<1>() + T(1), T(5));
  v.lo().y() = T(5);
  EXPECT_EQ(v[1], T(5));
  const auto sum = v.lo() + v.hi() * T(1) + v.odd();
  static_assert(std::is_same_v<decltype(sum), const lf::vec<T, 2>>);
  EXPECT_TRUE(sum[0] == T(6 + 6 + 5) && sum[1] == T(5 + 6 + 6));
  EXPECT_EQ((v.lo() == v.hi())[0], -1);
  static_assert(!std::is_assignable_v<decltype(v.template swizzle<0, 0>()), lf::vec<T, 2>>);
  static_assert(!std::is_assignable_v<decltype(std::as_const(v).lo()), lf::vec<T, 2>>);
}

TEST(vectors_converted, with_rounding) {
  using lf::rounding_mode;
  const lf::float8 x(1.5f, 2.5f, -1.5f, -2.5f, 0.4f, -0.4f, 3.f, -3.6f);
  const auto check = [](const lf::int8& v, const std::vector<int>& right) {
    for (int i = 0; i < 8; ++i) {
      EXPECT_EQ(v[i], right[static_cast<std::size_t>(i)]) << i;
    }
  };
  check(x.convert<std::int32_t>(), {2, 2, -2, -2, 0, 0, 3, -4});
  check(x.convert<std::int32_t, rounding_mode::rtz>(), {1, 2, -1, -2, 0, 0, 3, -3});
  check(x.convert<std::int32_t, rounding_mode::rte>(), {2, 2, -2, -2, 0, 0, 3, -4});
  check(x.convert<std::int32_t, rounding_mode::rtp>(), {2, 3, -1, -2, 1, 0, 3, -3});
  check(x.convert<std::int32_t, rounding_mode::rtn>(), {1, 2, -2, -3, 0, -1, 3, -4});

  const double third = 1.0 / 3, below = 0.3333333;
  const lf::vec<double, 4> d(third, -third, 0.5, below);
  const auto up = d.convert<float, rounding_mode::rtp>(), down = d.convert<float, rounding_mode::rtn>();
  const auto zero = d.convert<float, rounding_mode::rtz>(), near = d.convert<float, rounding_mode::rte>();
  for (int i = 0; i < 4; ++i) {
    EXPECT_GE(static_cast<double>(up[i]), d[i]);
    EXPECT_LE(static_cast<double>(down[i]), d[i]);
    EXPECT_LE(std::abs(static_cast<double>(zero[i])), std::abs(d[i]));
    EXPECT_EQ(near[i], static_cast<float>(d[i]));
    EXPECT_EQ(up[i] == down[i], static_cast<double>(near[i]) == d[i]);
    EXPECT_TRUE(up[i] == down[i] || std::nextafter(down[i], 1.f) == up[i]);
  }
  const lf::vec<std::int64_t, 2> large((std::int64_t{1} << 53) + 1, -(std::int64_t{1} << 53) - 1);
  const auto large_up = large.convert<double, rounding_mode::rtp>();
  EXPECT_EQ(large_up[0], 0x1p53 + 2);
  EXPECT_EQ(large_up[1], -0x1p53);
  EXPECT_EQ(lf::uchar4(200, 1, 2, 255).convert<std::int16_t>()[3], 255);
}

/// Functions that the compiler sees by themselves: from -O2 on it uses that types do not alias.
[[gnu::noinline]] float row_copied(lf::half* to, const lf::half* from) {
  to[0] = 1;
  to[7] = 1;
  *reinterpret_cast<lf::uint4*>(to) = *reinterpret_cast<const lf::uint4*>(from);
  return to[0] + 10.F * to[7];
}
[[gnu::noinline]] std::int32_t bits_seen(lf::float4* v, const lf::int4* bits) {
  *v = lf::float4(1.F);
  return (*bits)[2];
}
/// A variable as the storage of other numbers: how programs that came from CUDA compute with what they copy in packs.
[[gnu::noinline]] void packs_added(float* to, const float* a, const float* b) {
  using pack = lf::uint4;
  const pack x = reinterpret_cast<const pack*>(a)[0];
  const pack y = reinterpret_cast<const pack*>(b)[0];
  pack sum;
  for (int i = 0; i < 4; ++i) {
    reinterpret_cast<float*>(&sum)[i] = reinterpret_cast<const float*>(&x)[i] + reinterpret_cast<const float*>(&y)[i];
  }
  reinterpret_cast<pack*>(to)[0] = sum;
}
TEST(vectors_converted, variables_as_storage_of_other_types) {
  alignas(lf::uint4) const float a[4] = {1, 2, 3, 4};
  alignas(lf::uint4) const float b[4] = {10, 20, 30, 40};
  alignas(lf::uint4) float to[4] = {};
  packs_added(to, a, b);
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(to[i], a[i] + b[i]);
  }
}
TEST(vectors_converted, seen_as_other_types) {
  alignas(lf::uint4) lf::half from[8], to[8];
  for (int i = 0; i < 8; ++i) {
    from[i] = i + 2;
  }
  EXPECT_EQ(row_copied(to, from), 92.F);
  lf::float4 v(2.F);
  EXPECT_EQ(bits_seen(&v, reinterpret_cast<const lf::int4*>(&v)), 0x3f800000);
}

TEST(vectors_converted, same_bits) {
  const lf::float4 x(1.f, -2.f, 0.f, 4.f);
  const auto bits = x.as<lf::int4>();
  EXPECT_EQ(bits[0], 0x3f800000);
  EXPECT_EQ(bits.as<lf::float4>()[1], -2.f);
  EXPECT_EQ(x.as<lf::uchar16>()[3], 0x3f);
  EXPECT_EQ(x.as<lf::float3>()[1], -2.f);
}

TEST(vectors_small, do_not_promote) {
  const lf::ushort2 a(std::uint16_t(65535)); // a product of two would overflow an int
  EXPECT_EQ((a * a)[0], 1);
  EXPECT_EQ((a + std::uint16_t(1))[1], 0);
  EXPECT_EQ((~lf::uchar4())[0], 255);
}

TEST(vectors_other, bool_and_byte) {
  const lf::bool4 b(true, false, true, true);
  EXPECT_EQ((!b)[1], -1);
  EXPECT_TRUE((b & lf::bool4(true))[0]);
  EXPECT_FALSE((b ^ b)[0]);
  const lf::vec<std::byte, 4> bytes(std::byte{0xf0});
  EXPECT_EQ((bytes & std::byte{0x3c})[3], std::byte{0x30});
  EXPECT_EQ((~bytes)[0], std::byte{0x0f});
  EXPECT_EQ((bytes == bytes)[2], -1);
}

/// All of it in constant expressions.
constexpr lf::float4 computed() {
  lf::float4 v(1, 2, 3, 4);
  v.lo() = v.hi() * 2.f;
  v += lf::float4(1);
  v.swizzle<0, 2>() = v.swizzle<2, 0>();
  return -v;
}
static_assert(computed()[0] == -4 && computed()[1] == -9 && computed()[2] == -7 && computed()[3] == -5);

} // namespace
