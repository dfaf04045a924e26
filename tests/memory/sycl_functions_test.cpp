// SPDX-License-Identifier: Apache-2.0
/// Every function of SYCL 2020's tables, in every form that a program may call it: of numbers, half, vec, swizzles and
/// marray, of a vec beside a number, with the types of the arguments named, through pointers. [sycl.4.17.5]
/// [sycl.4.17.6] [sycl.4.17.7] [sycl.4.17.8] [sycl.4.17.9]
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

namespace {

namespace sycl = lanefold;
using sycl::half;

/// Holds four values of an argument.
template <class T>
using four = std::array<T, 4>;

template <class V, class T>
V object_of(const four<T>& x) {
  using element = typename V::value_type;
  V v;
  for (std::size_t i = 0; i < V::size(); ++i) {
    v[static_cast<std::conditional_t<requires { V::get_count(); }, int, std::size_t>>(i)] = static_cast<element>(x[i]);
  }
  return v;
}
template <class T>
sycl::vec<T, 4> reversed(const four<T>& x) {
  return {x[3], x[2], x[1], x[0]};
}
template <class To, class From>
four<To> as(const four<From>& x) {
  return {static_cast<To>(x[0]), static_cast<To>(x[1]), static_cast<To>(x[2]), static_cast<To>(x[3])};
}
/// Equal, or both NaN.
template <class T>
bool same(T a, T b) {
  return a == b || (a != a && b != b);
}
/// Returns whether they are the same, or as close as functions are that compilers take for several elements at once.
template <class T>
bool close(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return same(a, b) || std::fabs(a - b) <= 8 * std::numeric_limits<T>::epsilon() * std::max(T(1), std::fabs(b));
  } else {
    return same(a, b);
  }
}

// These two are no templates, and called rather than inlined: GoogleTest's checks are most of what there is to compile.
[[gnu::noinline]] void expect_same(bool is_same, const char* name, const char* of, std::size_t i) {
  EXPECT_TRUE(is_same) << name << " of " << of << ", element " << i;
}
[[gnu::noinline]] void expect_near(double value, double right, double epsilon, const char* name, std::size_t i) {
  EXPECT_NEAR(value, right, 8 * epsilon * std::max(1.0, std::fabs(right))) << name << ' ' << i;
}

/// The function of vec, swizzles and marray gives what it gives of numbers, by `alike`, and of types that are named.
template <class F, class N, class R, class... T>
void expect_elements_alike(bool (*alike)(R, R), const char* name, F f, N named, const four<R>& right,
                           const four<T>&... x) {
  const auto vectors = f(object_of<sycl::vec<T, 4>>(x)...);
  const auto swizzles = f(reversed(x).template swizzle<3, 2, 1, 0>()...);
  const auto arrays = f(object_of<sycl::marray<T, 3>>(x)...);
  static_assert(std::is_same_v<decltype(vectors), const sycl::vec<R, 4>>);
  static_assert(std::is_same_v<decltype(swizzles), const sycl::vec<R, 4>>);
  static_assert(std::is_same_v<decltype(arrays), const sycl::marray<R, 3>>);
  static_assert(std::is_same_v<decltype(named(object_of<sycl::vec<T, 4>>(x)...)), sycl::vec<R, 4>>);
  static_assert(std::is_same_v<decltype(named(object_of<sycl::marray<T, 3>>(x)...)), sycl::marray<R, 3>>);
  for (std::size_t i = 0; i < 4; ++i) {
    expect_same(alike(vectors[static_cast<int>(i)], right[i]), name, "a vec", i);
    expect_same(alike(swizzles[static_cast<int>(i)], right[i]), name, "a swizzle", i);
    expect_same(i == 3 || alike(arrays[i], right[i]), name, "an marray", i);
  }
}

template <class F, class N, class R, class... T>
void expect_elements(const char* name, F f, N named, const four<R>& right, const four<T>&... x) {
  expect_elements_alike<F, N, R>(same<R>, name, f, named, right, x...);
}

/// The function of numbers T is near that of doubles.
template <class T, class F, class R, class... X>
four<T> expect_numbers(const char* name, F f, R reference, const four<X>&... x) {
  static_assert(std::is_same_v<decltype(f(x[0]...)), T>);
  four<T> all;
  for (std::size_t i = 0; i < 4; ++i) {
    all[i] = f(x[i]...);
    const double right = reference(static_cast<double>(x[i])...);
    expect_near(static_cast<double>(all[i]), right, static_cast<double>(std::numeric_limits<T>::epsilon()), name, i);
  }
  return all;
}
template <class T, class F, class N, class R, class... X>
void expect_real(const char* name, F f, N named, R reference, const four<X>&... x) {
  expect_elements_alike<F, N, T>(close<T>, name, f, named, expect_numbers<T>(name, f, reference, x...), x...);
}

/// Calls a function; with the types of its arguments named.
#define TO_CALL(name) [](const auto&... v) { return sycl::name(v...); }
#define TO_CALL_NAMED(name) [](const auto&... v) { return sycl::name<std::remove_cvref_t<decltype(v)>...>(v...); }
/// A function of real arguments: its value of numbers, then the arguments' values.
#define REAL(name, value, ...)                                                                                         \
  in_real_types(                                                                                                       \
      #name, TO_CALL(name), TO_CALL_NAMED(name),                                                                       \
      []([[maybe_unused]] double a, [[maybe_unused]] auto... more) {                                                   \
        [[maybe_unused]] const four<double> rest{static_cast<double>(more)...};                                        \
        [[maybe_unused]] const double b = rest[0], c = rest[1];                                                        \
        return static_cast<double>(value);                                                                             \
      },                                                                                                               \
      __VA_ARGS__)
template <class F, class N, class R, class... X>
void in_real_types(const char* name, F f, N named, R reference, const X&... x) {
  expect_real<float>(name, f, named, reference, as<float>(x)...);
  expect_real<double>(name, f, named, reference, as<double>(x)...);
  expect_real<half>(name, f, named, reference, as<half>(x)...);
}

constexpr double pi = std::numbers::pi;
constexpr four<double> any{-2.75, 0.5, 1.25, 3.5}, positive{0.25, 0.5, 1.25, 3.5}, unit{-0.75, -0.25, 0.5, 1},
    other{1.5, -0.75, 0.25, 2}, above{1, 1.5, 2.25, 3}, third{0.5, 4, -1, 0.25};

TEST(sycl_functions, of_one_real_number) {
  REAL(acos, std::acos(a), unit);
  REAL(acosh, std::acosh(a), above);
  REAL(acospi, std::acos(a) / pi, unit);
  REAL(asin, std::asin(a), unit);
  REAL(asinh, std::asinh(a), any);
  REAL(asinpi, std::asin(a) / pi, unit);
  REAL(atan, std::atan(a), any);
  REAL(atanh, std::atanh(a), (four<double>{-0.75, -0.25, 0.5, 0.875}));
  REAL(atanpi, std::atan(a) / pi, any);
  REAL(cbrt, std::cbrt(a), any);
  REAL(ceil, std::ceil(a), any);
  REAL(cos, std::cos(a), any);
  REAL(cosh, std::cosh(a), any);
  REAL(cospi, std::cos(pi * a), any);
  REAL(erf, std::erf(a), any);
  REAL(erfc, std::erfc(a), any);
  REAL(exp, std::exp(a), any);
  REAL(exp2, std::exp2(a), any);
  REAL(exp10, std::pow(10, a), any);
  REAL(expm1, std::expm1(a), any);
  REAL(fabs, std::fabs(a), any);
  REAL(floor, std::floor(a), any);
  REAL(lgamma, std::lgamma(a), any);
  REAL(log, std::log(a), positive);
  REAL(log2, std::log2(a), positive);
  REAL(log10, std::log10(a), positive);
  REAL(log1p, std::log1p(a), positive);
  REAL(logb, std::logb(a), any);
  REAL(rint, std::rint(a), any);
  REAL(round, std::round(a), any);
  REAL(rsqrt, 1 / std::sqrt(a), positive);
  REAL(sin, std::sin(a), any);
  REAL(sinh, std::sinh(a), any);
  REAL(sinpi, std::sin(pi * a), any);
  REAL(sqrt, std::sqrt(a), positive);
  REAL(tan, std::tan(a), any);
  REAL(tanh, std::tanh(a), any);
  REAL(tanpi, std::tan(pi * std::remainder(a, 1)), (four<double>{-2.75, 0.25, 1.25, 3.125}));
  REAL(tgamma, std::tgamma(a), any);
  REAL(trunc, std::trunc(a), any);
  REAL(degrees, a * 180 / pi, any);
  REAL(radians, a * pi / 180, any);
  REAL(sign, a > 0 ? 1 : a < 0 ? -1 : 0, any);
}

TEST(sycl_functions, of_more_real_numbers) {
  REAL(atan2, std::atan2(a, b), any, other);
  REAL(atan2pi, std::atan2(a, b) / pi, any, other);
  REAL(copysign, std::copysign(a, b), any, other);
  REAL(fdim, std::fdim(a, b), any, other);
  REAL(fma, std::fma(a, b, c), any, other, third);
  REAL(fmax, std::fmax(a, b), any, other);
  REAL(fmin, std::fmin(a, b), any, other);
  REAL(fmod, std::fmod(a, b), any, other);
  REAL(hypot, std::hypot(a, b), any, other);
  REAL(mad, a * b + c, any, other, third);
  REAL(maxmag, std::fabs(a) > std::fabs(b) ? a : b, any, other);
  REAL(minmag, std::fabs(a) < std::fabs(b) ? a : b, any, other);
  REAL(pow, std::pow(a, b), positive, other);
  REAL(powr, std::pow(a, b), positive, other);
  REAL(remainder, std::remainder(a, b), any, other);
  REAL(clamp, std::min(std::max(a, b), c), any, (four<double>{-1, -1, 0, 0}), positive);
  REAL(max, std::max(a, b), any, other);
  REAL(min, std::min(a, b), any, other);
  REAL(mix, a + (b - a) * c, any, other, third);
  REAL(step, b < a ? 0 : 1, any, other);
  REAL(smoothstep,
       c <= 0   ? 0
       : c >= 1 ? 1
                : c * c * (3 - 2 * c),
       (four<double>{}), (four<double>{1, 1, 1, 1}), positive);
  expect_elements("nextafter", TO_CALL(nextafter), TO_CALL_NAMED(nextafter),
                  four<float>{std::nextafter(-2.75F, 1.5F), std::nextafter(0.5F, -0.75F), std::nextafter(1.25F, 0.25F),
                              std::nextafter(3.5F, 2.F)},
                  as<float>(any), as<float>(other));
}

TEST(sycl_functions, of_reals_and_integers) {
  constexpr four<int> n{3, -2, 1, 4};
  const auto check = [&]<class T>(const char* name, auto f, auto named, auto reference, T) {
    expect_elements(name, f, named, expect_numbers<T>(name, f, reference, as<T>(positive), n), as<T>(positive), n);
  };
  const auto in_types = [&](const char* name, auto f, auto named, auto reference) {
    check(name, f, named, reference, 0.F);
    check(name, f, named, reference, 0.0);
    check(name, f, named, reference, half(0));
  };
  in_types("ldexp", TO_CALL(ldexp), TO_CALL_NAMED(ldexp), [](double x, double k) { return x * std::exp2(k); });
  in_types("pown", TO_CALL(pown), TO_CALL_NAMED(pown), [](double x, double k) { return std::pow(x, k); });
  in_types("rootn", TO_CALL(rootn), TO_CALL_NAMED(rootn), [](double x, double k) { return std::pow(x, 1 / k); });
  expect_elements("ilogb", TO_CALL(ilogb), TO_CALL_NAMED(ilogb), four<int>{1, -1, 0, 1}, as<float>(any));
  expect_elements("ilogb", TO_CALL(ilogb), TO_CALL_NAMED(ilogb), four<int>{1, -1, 0, 1}, as<half>(any));
  EXPECT_EQ(sycl::ldexp(sycl::float2(3), 2)[1], 12.F);
  expect_elements("nan", TO_CALL(nan), TO_CALL_NAMED(nan), as<float>(four<double>{NAN, NAN, NAN, NAN}),
                  four<unsigned>{1, 2});
  expect_elements("nan", TO_CALL(nan), TO_CALL_NAMED(nan), four<double>{NAN, NAN, NAN, NAN}, four<std::uint64_t>{1, 2});
}

/// A vec or an marray beside a number, which SYCL does not name.
template <class V>
void expect_mixed() {
  using T = typename V::value_type;
  const V x = object_of<V>(any), y = object_of<V>(other);
  const T low = -1, high = 1;
  const V clamped = sycl::clamp<V>(x, low, high), greater = sycl::max<V>(x, high), least = sycl::min<V>(x, high);
  const V fmax = sycl::fmax<V>(x, high), fmin = sycl::fmin<V>(x, high), mixed = sycl::mix<V, V>(x, y, T(0.5));
  const V stepped = sycl::step<V>(high, x), smooth = sycl::smoothstep<V>(T(0), high, x);
  for (std::size_t i = 0; i < V::size(); ++i) {
    const auto at = [i](const V& v) {
      return v[static_cast<std::conditional_t<requires { V::get_count(); }, int, std::size_t>>(i)];
    };
    EXPECT_EQ(at(clamped), sycl::clamp(at(x), low, high));
    EXPECT_EQ(at(greater), sycl::max(at(x), high));
    EXPECT_EQ(at(least), sycl::min(at(x), high));
    EXPECT_EQ(at(fmax), sycl::max(at(x), high));
    EXPECT_EQ(at(fmin), sycl::min(at(x), high));
    EXPECT_EQ(at(mixed), sycl::mix(at(x), at(y), T(0.5)));
    EXPECT_EQ(at(stepped), at(x) < high ? T(0) : T(1));
    EXPECT_EQ(at(smooth), sycl::smoothstep(T(0), high, at(x)));
  }
}
TEST(sycl_functions, of_vectors_and_numbers) {
  expect_mixed<sycl::vec<float, 4>>();
  expect_mixed<sycl::vec<double, 2>>();
  expect_mixed<sycl::vec<half, 3>>();
  expect_mixed<sycl::marray<float, 3>>();
  expect_mixed<sycl::marray<half, 3>>();
  const sycl::float4 v(1, 2, 3, 4);
  static_assert(std::is_same_v<decltype(sycl::step(2.F, v.swizzle<0, 1, 2>())), sycl::float3>);
  EXPECT_EQ(sycl::step(2.F, v.swizzle<2, 0>())[1], 0.F);
  EXPECT_EQ(sycl::smoothstep(0.F, 4.F, v.swizzle<1, 3>())[0], 0.5F);
  EXPECT_EQ(sycl::max<sycl::uint4>(sycl::uint4(7), 9U)[2], 9U);
}

/// The functions with a second result of X, whose integers are N. `Named` is X where SYCL names the type of x beside
/// that of the pointer.
template <class X, class N, class... Named>
void expect_second_results(const X& x, const X& y) {
  using sycl::access::decorated, sycl::access::address_space;
  const auto near = [](const X& a, const X& b) { return sycl::length(X(a - b)) < 0x1p-8F; };
  X second{};
  N count{};
  const sycl::multi_ptr<X, address_space::private_space, decorated::yes> p(&second);
  using P = std::remove_const_t<decltype(p)>;
  EXPECT_TRUE(near((sycl::fract<Named..., X*>(x, &second)), X(x - sycl::floor(x))));
  EXPECT_TRUE(near(second, sycl::floor(x)));
  EXPECT_TRUE(near((sycl::modf<Named..., P>(x, p)), X(x - sycl::trunc(x))));
  EXPECT_TRUE(near(second, sycl::trunc(x)));
  EXPECT_TRUE(near((sycl::sincos<Named..., P>(x, p)), sycl::sin(x)));
  EXPECT_TRUE(near(second, sycl::cos(x)));
  const X mantissa = sycl::frexp<Named..., N*>(x, &count);
  EXPECT_TRUE(near(sycl::ldexp(mantissa, count), x));
  EXPECT_TRUE(near((sycl::lgamma_r<Named..., N*>(x, &count)), sycl::lgamma(x)));
  EXPECT_TRUE(near((sycl::remquo<Named..., Named..., N*>(x, y, &count)), sycl::remainder(x, y)));
}
TEST(sycl_functions, with_two_results) {
  expect_second_results<float, int>(2.75F, 1.5F);
  expect_second_results<double, int>(2.75, 1.5);
  expect_second_results<half, int>(half(2.75F), half(1.5F));
  using v4 = sycl::float4;
  using m3 = sycl::marray<float, 3>;
  expect_second_results<v4, sycl::int4, v4>(object_of<v4>(any), object_of<v4>(other));
  expect_second_results<m3, sycl::marray<int, 3>, m3>(object_of<m3>(any), object_of<m3>(other));
  expect_second_results<sycl::half2, sycl::int2, sycl::half2>(sycl::half2(1.5F), sycl::half2(0.5F));
  sycl::int4 quotient, sign;
  sycl::remquo(object_of<v4>(any), object_of<v4>(other), &quotient);
  sycl::lgamma_r(v4(-0.5F, 0.5F, -1.5F, 3.F), &sign);
  EXPECT_EQ(quotient[0], -2);
  EXPECT_EQ(quotient[2], 5);
  EXPECT_EQ(sign[0], -1);
  EXPECT_EQ(sign[2], 1);
}

TEST(sycl_functions, less_exact) {
  const auto check = [](const char* name, auto f, auto named, auto reference, const auto&... x) {
    expect_real<float>(name, f, named, reference, as<float>(x)...);
  };
#define BOTH(name, value, ...)                                                                                         \
  check(#name, TO_CALL(native::name), TO_CALL_NAMED(native::name), value, __VA_ARGS__);                                \
  check(#name, TO_CALL(half_precision::name), TO_CALL_NAMED(half_precision::name), value, __VA_ARGS__)
  BOTH(cos, [](double a) { return std::cos(a); }, any);
  BOTH(exp, [](double a) { return std::exp(a); }, any);
  BOTH(exp2, [](double a) { return std::exp2(a); }, any);
  BOTH(exp10, [](double a) { return std::pow(10, a); }, any);
  BOTH(log, [](double a) { return std::log(a); }, positive);
  BOTH(log2, [](double a) { return std::log2(a); }, positive);
  BOTH(log10, [](double a) { return std::log10(a); }, positive);
  BOTH(recip, [](double a) { return 1 / a; }, positive);
  BOTH(rsqrt, [](double a) { return 1 / std::sqrt(a); }, positive);
  BOTH(sin, [](double a) { return std::sin(a); }, any);
  BOTH(sqrt, [](double a) { return std::sqrt(a); }, positive);
  BOTH(tan, [](double a) { return std::tan(a); }, any);
  BOTH(divide, [](double a, double b) { return a / b; }, any, other);
  BOTH(powr, [](double a, double b) { return std::pow(a, b); }, positive, other);
#undef BOTH
}

__extension__ using wide = __int128;

/// The number of type T next to x.
template <class T>
T saturated(wide x) {
  using limits = std::numeric_limits<T>;
  return static_cast<T>(x < limits::min() ? limits::min() : x > limits::max() ? limits::max() : x);
}
template <class T>
constexpr int bits = static_cast<int>(8 * sizeof(T));
template <class T>
int ones(T x) {
  int count = 0;
  for (int i = 0; i < bits<T>; ++i) {
    count += static_cast<int>(static_cast<wide>(x) >> i & 1);
  }
  return count;
}
/// Bits above the highest one, or below the lowest one.
template <class T>
int zeros(T x, bool upper) {
  int count = 0;
  while (count < bits<T> && (static_cast<wide>(x) >> (upper ? bits<T> - 1 - count : count) & 1) == 0) {
    ++count;
  }
  return count;
}

/// A function of integers: its value of wide integers a, b, c; T is the type.
#define INTEGER(name, value, ...)                                                                                      \
  in_integer_types(                                                                                                    \
      #name, TO_CALL(name), TO_CALL_NAMED(name),                                                                       \
      []<class T>([[maybe_unused]] T x, [[maybe_unused]] auto... more) {                                               \
        [[maybe_unused]] const four<wide> rest{static_cast<wide>(more)...};                                            \
        [[maybe_unused]] const wide a = x, b = rest[0], c = rest[1];                                                   \
        return static_cast<T>(value);                                                                                  \
      },                                                                                                               \
      __VA_ARGS__)
template <class T, class F, class N, class R, class... X>
void expect_integers(const char* name, F f, N named, R reference, const four<X>&... x) {
  four<T> right;
  for (std::size_t i = 0; i < 4; ++i) {
    right[i] = reference(static_cast<T>(x[i])...);
    static_assert(std::is_same_v<decltype(named(static_cast<T>(x[i])...)), T>);
    EXPECT_EQ(+f(static_cast<T>(x[i])...), +right[i]) << name << ' ' << i;
  }
  expect_elements(name, f, named, right, as<T>(x)...);
}
template <class F, class N, class R, class... X>
void in_integer_types(const char* name, F f, N named, R reference, const X&... x) {
  expect_integers<signed char>(name, f, named, reference, x...);
  expect_integers<unsigned char>(name, f, named, reference, x...);
  expect_integers<short>(name, f, named, reference, x...);
  expect_integers<unsigned short>(name, f, named, reference, x...);
  expect_integers<int>(name, f, named, reference, x...);
  expect_integers<unsigned>(name, f, named, reference, x...);
  expect_integers<std::int64_t>(name, f, named, reference, x...);
}

/// The least and the greatest integers of every type are among the bits of these.
constexpr four<std::int64_t> first{-1, 100, static_cast<std::int64_t>(0x8000000080008080), 0x7fffffff7fff7f7f},
    second{7, -100, -1, 0x7fffffff7fff7f7f}, last{3, 1, -128, 0}, shifts{0, 1, 3, -1};

TEST(sycl_functions, of_integers) {
  INTEGER(abs, a < 0 ? -a : a, first);
  INTEGER(abs_diff, a < b ? b - a : a - b, first, second);
  INTEGER(add_sat, saturated<T>(a + b), first, second);
  INTEGER(sub_sat, saturated<T>(a - b), first, second);
  INTEGER(hadd, (a + b) >> 1, first, second);
  INTEGER(rhadd, (a + b + 1) >> 1, first, second);
  INTEGER(mul_hi, (a * b) >> bits<T>, first, second);
  INTEGER(mad_hi, ((a * b) >> bits<T>)+c, first, second, last);
  INTEGER(mad_sat, saturated<T>(a * b + c), first, second, last);
  INTEGER(max, a < b ? b : a, first, second);
  INTEGER(min, b < a ? b : a, first, second);
  INTEGER(clamp, a < 5 ? 5 : a > 90 ? 90 : a, first, (four<int>{5, 5, 5, 5}), (four<int>{90, 90, 90, 90}));
  INTEGER(clz, zeros(x, true), first);
  INTEGER(ctz, zeros(x, false), first);
  INTEGER(popcount, ones(x), first);
  INTEGER(rotate,
          a << (b & (bits<T> - 1)) |
              (a & ((wide{1} << bits<T>)-1)) >> ((bits<T> - (b & (bits<T> - 1))) % (2 * bits<T>)) % (bits<T> + 1),
          first, shifts);
  const four<int> small{-5, 1 << 20, 4097, -(1 << 22)}, factor{7, 3, 5, 1};
  expect_integers<int>(
      "mul24", TO_CALL(mul24), TO_CALL_NAMED(mul24), [](int a, int b) { return a * b; }, small, factor);
  expect_integers<int>(
      "mad24", TO_CALL(mad24), TO_CALL_NAMED(mad24), [](int a, int b, int c) { return a * b + c; }, small, factor,
      factor);
  expect_elements("upsample", TO_CALL(upsample), TO_CALL_NAMED(upsample), four<short>{-1, 0x1234, 0, -32768},
                  four<signed char>{-1, 0x12, 0, -128}, four<unsigned char>{255, 0x34, 0, 0});
  expect_elements("upsample", TO_CALL(upsample), TO_CALL_NAMED(upsample), four<std::uint64_t>{0x100000002, 0, 0, 5},
                  four<unsigned>{1, 0, 0, 0}, four<unsigned>{2, 0, 0, 5});
}

/// A relation of real numbers: whether it holds of doubles a and b.
#define RELATION(name, holds, ...)                                                                                     \
  in_every_real_form(                                                                                                  \
      #name, TO_CALL(name), TO_CALL_NAMED(name),                                                                       \
      []([[maybe_unused]] double a, [[maybe_unused]] auto... more) -> bool {                                           \
        [[maybe_unused]] const double b = (0 + ... + more);                                                            \
        return holds;                                                                                                  \
      },                                                                                                               \
      __VA_ARGS__)
template <class T, class F, class N, class R, class... X>
void expect_relation(const char* name, F f, N named, R reference, const four<X>&... x) {
  using flags =
      sycl::vec<std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, int, std::int64_t>>,
                4>;
  const auto vectors = f(object_of<sycl::vec<T, 4>>(x)...);
  const auto swizzles = f(reversed(x).template swizzle<3, 2, 1, 0>()...);
  const auto arrays = f(object_of<sycl::marray<T, 3>>(x)...);
  static_assert(std::is_same_v<decltype(f(x[0]...)), bool>);
  static_assert(std::is_same_v<decltype(vectors), const flags> && std::is_same_v<decltype(swizzles), const flags>);
  static_assert(std::is_same_v<decltype(arrays), const sycl::marray<bool, 3>>);
  static_assert(std::is_same_v<decltype(named(object_of<sycl::vec<T, 4>>(x)...)), flags>);
  static_assert(std::is_same_v<decltype(named(object_of<sycl::marray<T, 3>>(x)...)), sycl::marray<bool, 3>>);
  for (std::size_t i = 0; i < 4; ++i) {
    const bool right = reference(static_cast<double>(x[i])...);
    EXPECT_EQ(f(x[i]...), right) << name << ' ' << i;
    EXPECT_EQ(vectors[static_cast<int>(i)], right ? -1 : 0) << name << ' ' << i;
    EXPECT_EQ(swizzles[static_cast<int>(i)], right ? -1 : 0) << name << ' ' << i;
    EXPECT_TRUE(i == 3 || arrays[i] == right) << name << ' ' << i;
  }
}
template <class F, class N, class R, class... X>
void in_every_real_form(const char* name, F f, N named, R reference, const X&... x) {
  expect_relation<float>(name, f, named, reference, as<float>(x)...);
  expect_relation<double>(name, f, named, reference, as<double>(x)...);
  expect_relation<half>(name, f, named, reference, as<half>(x)...);
}

constexpr four<double> odd{1, -0.0, NAN, INFINITY}, even{1, 0.5, 2, -INFINITY};

TEST(sycl_functions, relations) {
  RELATION(isequal, a == b, odd, even);
  RELATION(isnotequal, a != b, odd, even);
  RELATION(isgreater, a > b, odd, even);
  RELATION(isgreaterequal, a >= b, odd, even);
  RELATION(isless, a < b, odd, even);
  RELATION(islessequal, a <= b, odd, even);
  RELATION(islessgreater, (a < b || a > b), odd, even);
  RELATION(isordered, !std::isunordered(a, b), odd, even);
  RELATION(isunordered, std::isunordered(a, b), odd, even);
  RELATION(isfinite, std::isfinite(a), odd);
  RELATION(isinf, std::isinf(a), odd);
  RELATION(isnan, std::isnan(a), odd);
  RELATION(isnormal, std::isnormal(a), odd);
  RELATION(signbit, std::signbit(a), odd);
  EXPECT_FALSE(sycl::isnormal(half(0x1p-16F)));
}

TEST(sycl_functions, choices) {
  using v4 = sycl::float4;
  using m3 = sycl::marray<float, 3>;
  const v4 a(1, 2, 3, 4), b(-1, -2, -3, -4);
  EXPECT_EQ((sycl::select<v4, v4, sycl::int4>(a, b, sycl::int4(-1, 0, 1, -1)))[0], -1.F);
  EXPECT_EQ((sycl::select<v4, v4, sycl::uint4>(a, b, sycl::uint4(~0U, 0, 1, ~0U)))[2], 3.F);
  EXPECT_EQ(sycl::select<float>(1.F, 2.F, true), 2.F);
  EXPECT_EQ(static_cast<float>(sycl::select<half>(half(1), half(2), false)), 1.F);
  EXPECT_EQ((sycl::select<m3, m3, sycl::mbool3>(m3(1.F), m3(2.F), sycl::mbool3(true, false, true)))[2], 2.F);
  EXPECT_EQ((sycl::bitselect<int, int, int>(0x0f, 0xf0, 0x3c)), 0x33);
  EXPECT_EQ((sycl::bitselect<v4, v4, v4>(a, b, v4(-0.F)))[3], -4.F);
  EXPECT_EQ((sycl::bitselect<half, half, half>(half(1), half(-2), half(-0.F))), half(-1));
  EXPECT_EQ(sycl::any<sycl::int4>(sycl::int4(0, -1, 0, 0)), 1);
  EXPECT_EQ(sycl::all<sycl::int4>(sycl::int4(0, -1, 0, 0)), 0);
  EXPECT_TRUE((sycl::any<sycl::marray<short, 5>>(sycl::marray<short, 5>(short{-1}))));
  EXPECT_FALSE(sycl::all<int>(1));
}

/// The geometric functions of a vector of T with the elements 1, 2, 2 and 0.
template <class V>
void expect_geometric() {
  using T = typename V::value_type;
  const V x = object_of<V>(four<double>{1, 2, 2, 0}), y = object_of<V>(four<double>{0, 1, 0, 0});
  static_assert(std::is_same_v<decltype(sycl::dot<V, V>(x, y)), T>);
  EXPECT_EQ((sycl::dot<V, V>(x, y)), T(2));
  EXPECT_EQ(sycl::length<V>(x), T(3));
  EXPECT_NEAR(static_cast<double>(sycl::distance<V, V>(x, y)), std::sqrt(6.0), 0x1p-8);
  EXPECT_NEAR(static_cast<double>(sycl::length(sycl::normalize<V>(x))), 1, 0x1p-8);
  EXPECT_NEAR(static_cast<double>(sycl::fast_distance<V, V>(x, y)), std::sqrt(6.0), 0x1p-8);
  EXPECT_EQ(sycl::fast_length<V>(x), T(3));
  EXPECT_NEAR(static_cast<double>(sycl::length(sycl::fast_normalize<V>(x))), 1, 0x1p-8);
  const V product = sycl::cross<V, V>(x, y);
  EXPECT_EQ(product[0], T(-2));
  EXPECT_EQ(product[1], T(0));
  EXPECT_EQ(product[2], T(1));
}
TEST(sycl_functions, geometric) {
  expect_geometric<sycl::float3>();
  expect_geometric<sycl::float4>();
  expect_geometric<sycl::double3>();
  expect_geometric<sycl::half4>();
  expect_geometric<sycl::marray<float, 3>>();
  expect_geometric<sycl::marray<double, 4>>();
  const sycl::float4 v(3, 4, 0, 0);
  EXPECT_EQ(sycl::length(v.swizzle<1, 0>()), 5.F);
  EXPECT_EQ(sycl::dot(v.swizzle<0, 1>(), sycl::float2(1, 2)), 11.F);
}

TEST(sycl_functions, whole_numbers_as_real_numbers) {
  EXPECT_NEAR(sycl::rootn(27.F, 3.F), 3.F, 1e-6F);
  EXPECT_EQ(sycl::pown(3.0, 2.5), 9.0);
}

} // namespace
