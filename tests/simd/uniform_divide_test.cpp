// SPDX-License-Identifier: Apache-2.0
/// Lanes divided by one number, known to the compiler and not, give what C++ gives for each lane: quotients,
/// remainders, and both assigned to variables.
#include <lanefold/simd/variable.hpp>

#include "simd/lane_testing.hpp"

#include <utility>

namespace {

using namespace lane_testing;

/// Returns what lanes give: the least integer divided by -1 is itself.
template <class R>
R plain_quotient(R a, R b) {
  return b == static_cast<R>(-1) ? static_cast<R>(std::make_unsigned_t<R>(0) - static_cast<std::make_unsigned_t<R>>(a))
                                 : static_cast<R>(a / b);
}

template <class T, class U>
struct expected {
  using R = decltype(T() / U());
  static R quotient(T a, U b) {
    if constexpr (std::is_signed_v<R>)
      return plain_quotient<R>(a, b);
    else
      return static_cast<R>(a) / static_cast<R>(b);
  }
  static R remainder(T a, U b) {
    if constexpr (std::is_signed_v<R>)
      return static_cast<R>(b) == -1 ? R(0) : static_cast<R>(static_cast<R>(a) % static_cast<R>(b));
    else
      return static_cast<R>(a) % static_cast<R>(b);
  }
};

/// The results of n dividends a.
template <class T, class R>
struct results {
  std::vector<R> quotients, remainders;
  std::vector<T> updated_quotients, updated_remainders;
  explicit results(std::size_t n) : quotients(n), remainders(n), updated_quotients(n), updated_remainders(n) {}
};

template <class T, class U, class R>
void expect_results(const std::vector<T>& a, U b, const results<T, R>& got, const char* how) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const R q = expected<T, U>::quotient(a[i], b), r = expected<T, U>::remainder(a[i], b);
    if (got.quotients[i] != q || got.remainders[i] != r || got.updated_quotients[i] != static_cast<T>(q) ||
        got.updated_remainders[i] != static_cast<T>(r)) {
      ADD_FAILURE() << +a[i] << " by " << +b << ", " << how << ": " << +got.quotients[i] << ", " << +got.remainders[i]
                    << ", assigned " << +got.updated_quotients[i] << ", " << +got.updated_remainders[i] << "; expected "
                    << +q << ", " << +r;
      return;
    }
  }
}

/// `divisor()` is the number, so that the compiler knows it here if it is a constant. `Updates`: variables are updated,
/// too.
template <bool Updates, class T, std::size_t N, class Isa, class Divisor, class R>
[[gnu::always_inline]] inline void divide(const std::vector<T>& a, Divisor divisor, results<T, R>& got) {
  using lanes = lf::simd<N>;
  lf::detail::lane_context<lanes> all{lf::mask<N>(true), true, false};
  for (std::size_t i = 0; i < a.size(); i += N) {
    const auto x = lf::varying<T, N, Isa>::load(a.data() + i);
    const auto q = x / divisor();
    const auto r = x % divisor();
    static_assert(std::is_same_v<typename decltype(q)::value_type, R>);
    q.store(got.quotients.data() + i);
    r.store(got.remainders.data() + i);
    if constexpr (Updates && std::is_same_v<Isa, lf::native_isa>) {
      lf::variable<T, lanes> v(&all, x), w(&all, x);
      v /= divisor();
      w %= divisor();
      static_cast<lf::varying<T, N>>(v).store(got.updated_quotients.data() + i);
      static_cast<lf::varying<T, N>>(w).store(got.updated_remainders.data() + i);
    } else {
      lf::varying<T, N, Isa>(q).store(got.updated_quotients.data() + i);
      lf::varying<T, N, Isa>(r).store(got.updated_remainders.data() + i);
    }
  }
}

template <class T, std::size_t N, class Isa, class U>
[[gnu::noinline]] void divide_by_number(const std::vector<T>& a, U b) {
  results<T, decltype(T() / U())> got(a.size());
  divide<true, T, N, Isa>(a, [b] { return b; }, got);
  expect_results(a, b, got, "at run time");
}

template <class T, std::size_t N, class Isa, class U, U B>
[[gnu::noinline]] void divide_by_constant(const std::vector<T>& a) {
  results<T, decltype(T() / U())> got(a.size());
  constexpr bool updates = sizeof(T) < sizeof(int); // others are the same quotients
  divide<updates, T, N, Isa>(a, [] { return B; }, got);
  expect_results(a, B, got, "a constant");
}

/// Dividends at the ends, around multiples of b, and random ones of every size: a multiple of 256.
template <class T>
std::vector<T> dividends(std::uint64_t b) {
  std::vector<T> a;
  if constexpr (sizeof(T) == 1) {
    for (int i = 0; i < 256; ++i)
      a.push_back(static_cast<T>(i));
    return a;
  }
  using limits = std::numeric_limits<T>;
  for (const int near : {-2, -1, 0, 1, 2}) {
    a.push_back(static_cast<T>(near));
    for (const T end : {limits::min(), limits::max(), static_cast<T>(limits::max() / 2)})
      a.push_back(static_cast<T>(static_cast<std::uint64_t>(end) + static_cast<std::uint64_t>(near)));
  }
  const auto most = static_cast<std::uint64_t>(limits::max());
  const std::uint64_t magnitude = std::is_signed_v<T> && static_cast<std::int64_t>(b) < 0 ? 0 - b : b;
  auto& e = engine();
  while (a.size() < 512) {
    const std::uint64_t any = e() >> (e() % 64);
    const std::uint64_t multiple = magnitude == 0 ? 0 : (any & most) / magnitude * magnitude;
    const std::uint64_t last = magnitude == 0 ? 0 : most / magnitude * magnitude;
    for (const std::uint64_t x : {any, multiple, multiple - 1, multiple + 1, last, last - 1}) {
      a.push_back(static_cast<T>(x));
      a.push_back(static_cast<T>(0 - x));
    }
  }
  a.resize(512);
  return a;
}

template <class U>
std::vector<U> divisors() {
  std::vector<U> all;
  if constexpr (sizeof(U) == 1) {
    for (int i = 1; i < 256; ++i)
      all.push_back(static_cast<U>(i));
    return all;
  }
  for (int i = std::is_signed_v<U> ? -130 : 1; i <= 130; ++i)
    all.push_back(static_cast<U>(i));
  for (unsigned k = 7; k < 8 * sizeof(U); ++k)
    for (const int near : {-1, 0, 1}) {
      all.push_back(static_cast<U>((std::uint64_t{1} << k) + static_cast<std::uint64_t>(near)));
      all.push_back(static_cast<U>(0 - ((std::uint64_t{1} << k) + static_cast<std::uint64_t>(near))));
    }
  for (int i = 0; i < 100; ++i)
    all.push_back(static_cast<U>(engine()() >> (engine()() % 64)));
  all.push_back(std::numeric_limits<U>::max());
  all.push_back(std::numeric_limits<U>::min());
  std::erase(all, U(0));
  return all;
}

template <class T>
struct uniform_divide : ::testing::Test {};
using types =
    few_or_many<::testing::Types<signed char, unsigned char, short, char16_t, int, unsigned, long, unsigned long>,
                ::testing::Types<char, signed char, unsigned char, char8_t, short, unsigned short, char16_t, int,
                                 unsigned, wchar_t, char32_t, long, unsigned long, long long, unsigned long long>>;
TYPED_TEST_SUITE(uniform_divide, types);

template <class T, class U>
void expect_numbers() {
  for (const U b : divisors<U>()) {
    const auto a = dividends<T>(static_cast<std::uint64_t>(b));
    for_registers<T>([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
      divide_by_number<T, N, Isa, U>(a, b);
    });
  }
}

TYPED_TEST(uniform_divide, by_numbers) { expect_numbers<TypeParam, TypeParam>(); }
TYPED_TEST(uniform_divide, by_numbers_of_other_types) {
  expect_numbers<TypeParam, int>();
  expect_numbers<TypeParam, unsigned long>();
  if constexpr (thorough) {
    expect_numbers<TypeParam, unsigned char>();
    expect_numbers<TypeParam, unsigned>();
    expect_numbers<TypeParam, long>();
  }
}

/// A function for each constant takes long to compile: each has one pack, of two registers.
template <class T, class U, U... B>
void expect_constants() {
  const auto check = []<std::size_t N, class Isa, U Constant>(std::integral_constant<std::size_t, N>, Isa,
                                                              std::integral_constant<U, Constant>) {
    if constexpr (Constant != 0) // as which some are left of a small type
      divide_by_constant<T, N, Isa, U, Constant>(dividends<T>(static_cast<std::uint64_t>(Constant)));
  };
  for_packs<T, false>([&](auto n, auto isa) { (check(n, isa, std::integral_constant<U, B>{}), ...); });
}

/// In order: multipliers with and without a bit more than U has, powers of two, what is next to them, the ends.
template <class T, class U>
void expect_constants_of() {
  using limits = std::numeric_limits<U>;
  expect_constants<T, U, 1, 2, 7, 8, 10, static_cast<U>(-1), static_cast<U>(-8), static_cast<U>(-10), limits::max(),
                   limits::min()>();
  if constexpr (sizeof(U) > 1)
    expect_constants<T, U, 641, static_cast<U>(-1000)>();
  if constexpr (sizeof(U) > 2)
    expect_constants<T, U, 65536, static_cast<U>(-1000000007)>();
  if constexpr (sizeof(U) > 4)
    expect_constants<T, U, (U(1) << 32) + 1>();
  if constexpr (thorough)
    expect_constants<T, U, 3, 5, 6, 14, 100, 127, static_cast<U>(-2), static_cast<U>(-3), static_cast<U>(-127),
                     static_cast<U>(limits::max() / 2), static_cast<U>(limits::max() / 2 + 1),
                     static_cast<U>(limits::max() / 3)>();
}

TYPED_TEST(uniform_divide, by_constants) { expect_constants_of<TypeParam, TypeParam>(); }
/// Promoted, or divided as they are: by numbers that T holds and that it does not.
TYPED_TEST(uniform_divide, by_constants_of_other_types) {
  using T = TypeParam;
  expect_constants<T, int, -1, 7, 200, -32768>();
  expect_constants<T, unsigned long, 10, 1UL << 33>();
}

/// Every byte divided by every byte that the compiler knows.
template <class T, int... I>
void expect_bytes(std::integer_sequence<int, I...>) {
  const auto a = dividends<T>(1);
  constexpr std::size_t n = 16;
  (
      [&] {
        if constexpr (I != 0) {
          divide_by_constant<T, n, lf::native_isa, T, static_cast<T>(I)>(a);
        }
      }(),
      ...);
}
TEST(uniform_divide_bytes, by_constants) {
  constexpr int step = thorough ? 1 : 17;
  [&]<int... I>(std::integer_sequence<int, I...>) {
    expect_bytes<unsigned char>(std::integer_sequence<int, I * step...>{});
    expect_bytes<signed char>(std::integer_sequence<int, I * step...>{});
  }(std::make_integer_sequence<int, (255 + step) / step>{});
}

/// Results of a division by 0 are unspecified; it must not trap.
TYPED_TEST(uniform_divide, by_zero) {
  using T = TypeParam;
  static volatile T zero = 0;
  for_registers<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto a = make_lanes<T, N>(any_value<T>);
    const auto x = lf::varying<T, N, Isa>::load(a.at);
    const T b = zero;
    lanes(x / b);
    lanes(x % b);
    lanes(x / T(0));
    lanes(x % T(0));
  });
}

} // namespace
