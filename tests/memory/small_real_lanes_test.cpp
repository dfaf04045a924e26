// SPDX-License-Identifier: Apache-2.0
/// half and bfloat16 in lanes do what the plain types do, bit for bit: every value, every rounding, every operator.
#include "memory/function_testing.hpp"
#include "memory/small_real_bits.hpp"
#include "simd/lane_testing.hpp"

#include <lanefold/memory/bfloat16.hpp>
#include <lanefold/memory/varying_small_real.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace lane_testing {
namespace {

using lf::half;
using lf::ext::oneapi::bfloat16;

/// Any value: NaN, infinite and denormal ones too.
template <class T>
T any_small_real() {
  const auto b = static_cast<unsigned>(engine()());
  return of_bits<T>(b % 4 == 0 ? b >> 16 & 0x83ffU : b % 8 == 1 ? b >> 16 | 0x7c00U : b >> 16);
}
/// Equal bits, or NaN both (its payload is nobody's promise).
template <class T>
bool same_small(T x, T y) {
  return bits(x) == bits(y) || (std::isnan(static_cast<float>(x)) && std::isnan(static_cast<float>(y)));
}

/// f(integral_constant<N>, isa) for lanes below, of and beyond the registers of 16 and of 32 bits.
template <class F>
void for_small_lanes(F f) {
  for_each_n<lf::native_isa, 1, 4, 8, 16, 32, 64>(f);
  for_each_n<lf::isa::generic, 1, 16>(f);
}
/// The same for what takes long to compile: half of them, unless all are asked for.
template <class F>
void for_some_small_lanes(F f) {
#if defined(LANEFOLD_TEST_THOROUGH)
  for_small_lanes(f);
#else
  for_each_n<lf::native_isa, 1, 8, 32>(f);
  for_each_n<lf::isa::generic, 16>(f);
#endif
}

template <class T>
struct small_real_lanes : ::testing::Test {};
using types = ::testing::Types<half, bfloat16>;
TYPED_TEST_SUITE(small_real_lanes, types);

TYPED_TEST(small_real_lanes, every_value_becomes_float_and_comes_back) {
  for_small_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<TypeParam, N, Isa>;
    static_assert(V::size() == N && std::is_trivially_copyable_v<V> && !std::is_copy_assignable_v<V>);
    for (unsigned first = 0; first < 65536; first += N) {
      std::array<TypeParam, N> in;
      for (std::size_t i = 0; i < N; ++i) {
        in[i] = of_bits<TypeParam>(first + static_cast<unsigned>(i));
      }
      const V v = V::load(in.data());
      const auto wide = v.floats().to_array();
      const auto back = V(v.floats()).to_array();
      for (std::size_t i = 0; i < N; ++i) {
        const float right = in[i];
        ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]), std::bit_cast<std::uint32_t>(right)) << first + i;
        ASSERT_TRUE(same_small(back[i], in[i])) << first + i;
      }
    }
  });
}

/// Numbers on, just below and just above the middle of neighbours, and any bits.
TYPED_TEST(small_real_lanes, floats_and_doubles_round_once) {
  std::vector<float> in;
  for (unsigned b = 0; b < 65535; ++b) {
    const float low = of_bits<TypeParam>(b), high = of_bits<TypeParam>(b + 1);
    const float middle = low + (high - low) / 2;
    in.insert(in.end(), {middle, std::nextafterf(middle, 0.F), std::nextafterf(middle, HUGE_VALF),
                         std::bit_cast<float>(static_cast<std::uint32_t>(engine()()))});
  }
  for_small_lanes([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<TypeParam, N, Isa>;
    for (std::size_t first = 0; first + N <= in.size(); first += N) {
      const auto rounded = V(lf::varying<float, N, Isa>::load(&in[first])).to_array();
      for (std::size_t i = 0; i < N; ++i) {
        ASSERT_EQ(bits(rounded[i]), bits(TypeParam(in[first + i]))) << in[first + i];
      }
    }
  });
  using V = lf::varying<TypeParam, 16>;
  for (int round = 0; round < 1000; ++round) {
    const auto d = make_lanes<double, 16>(any_value<double>);
    const auto n = make_lanes<long, 16>(any_value<long>);
    const auto s = make_lanes<short, 16>(any_value<short>);
    const auto of_d = lf::convert<TypeParam>(lf::varying<double, 16>::load(d.at)).to_array();
    const auto of_n = V(lf::varying<long, 16>::load(n.at)).to_array();
    const auto of_s = V(lf::varying<short, 16>::load(s.at)).to_array();
    for (std::size_t i = 0; i < 16; ++i) {
      ASSERT_TRUE(same_small(of_d[i], TypeParam(d[i]))) << d[i];
      ASSERT_EQ(bits(of_n[i]), bits(TypeParam(n[i]))) << n[i];
      ASSERT_EQ(bits(of_s[i]), bits(TypeParam(s[i]))) << s[i];
    }
  }
}

/// f of lanes is f of each; also of a plain value beside lanes, on both sides.
template <class T, class F>
void check_operator(const char* what, F f) {
  for_some_small_lanes([&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    for (int round = 0; round < rounds(N); ++round) {
      std::array<T, N> a, b;
      for (std::size_t i = 0; i < N; ++i) {
        a[i] = any_small_real<T>(), b[i] = engine()() % 4 == 0 ? a[i] : any_small_real<T>();
      }
      const V x = V::load(a.data()), y = V::load(b.data());
      const auto check = [&](int line, const auto& got, auto right) {
        for (std::size_t i = 0; i < N; ++i) {
          using R = decltype(right(i));
          if constexpr (std::is_same_v<R, bool>) {
            ASSERT_EQ(got[i], right(i)) << what << " in lane " << i << " of " << N << ": " << a[i] << " and " << b[i]
                                        << " at " << line;
          } else {
            static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(got)>::value_type, R>);
            const R r = right(i), g = got[i];
            if constexpr (sizeof(R) == 2) {
              ASSERT_TRUE(same_small(g, r))
                  << what << " in lane " << i << " of " << N << ": " << +bits(a[i]) << " " << +bits(b[i]);
            } else {
              ASSERT_TRUE(same(g, r)) << what << " in lane " << i << " of " << N << ": " << g << ", expected " << r;
            }
          }
        }
      };
      const T plain = b[0];
      check(__LINE__, f(x, y), [&](std::size_t i) { return f(a[i], b[i]); });
      check(__LINE__, f(x, plain), [&](std::size_t i) { return f(a[i], plain); });
      check(__LINE__, f(plain, x), [&](std::size_t i) { return f(plain, a[i]); });
      check(__LINE__, f(x, 3), [&](std::size_t i) { return f(a[i], 3); });
      check(__LINE__, f(2.5F, x), [&](std::size_t i) { return f(2.5F, a[i]); });
      check(__LINE__, f(x, lf::varying<double, N, Isa>(0.1)), [&](std::size_t i) { return f(a[i], 0.1); });
      const auto c = make_lanes<float, N>(moderate_value<float>);
      check(__LINE__, f(x, lf::varying<float, N, Isa>::load(c.at)), [&](std::size_t i) { return f(a[i], c[i]); });
      const auto d = make_lanes<int, N>(moderate_value<int>);
      check(__LINE__, f(lf::varying<int, N, Isa>::load(d.at), x), [&](std::size_t i) { return f(d[i], a[i]); });
    }
  });
}
#define CHECK_OPERATOR(op) check_operator<TypeParam>(#op, [](const auto& a, const auto& b) { return a op b; })

TYPED_TEST(small_real_lanes, arithmetic) {
  CHECK_OPERATOR(+);
  CHECK_OPERATOR(-);
  CHECK_OPERATOR(*);
  CHECK_OPERATOR(/);
  using V = lf::varying<TypeParam, 16>;
  EXPECT_EQ((-V(TypeParam(1.5F)))[3], -1.5F);
  EXPECT_EQ((+V(TypeParam(1.5F)))[3], 1.5F);
  EXPECT_TRUE(std::signbit(static_cast<float>((-V(TypeParam(0.F)))[3])));
}

TYPED_TEST(small_real_lanes, comparisons) {
  CHECK_OPERATOR(==);
  CHECK_OPERATOR(!=);
  CHECK_OPERATOR(<);
  CHECK_OPERATOR(<=);
  CHECK_OPERATOR(>);
  CHECK_OPERATOR(>=);
}

/// Every way to memory, with and without a mask, moves the bits: payloads of NaN too.
TYPED_TEST(small_real_lanes, memory) {
  using T = TypeParam;
  for_small_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    std::vector<T> in(4 * N);
    for (T& x : in) {
      x = any_small_real<T>();
    }
    const auto on = random_bools<N>();
    const auto m = mask_of<N, Isa>(on);
    const auto each = [&](const V& v, auto right) {
      const auto all = v.to_array();
      for (std::size_t i = 0; i < N; ++i) {
        ASSERT_EQ(bits(all[i]), bits(right(i))) << i << " of " << N;
        ASSERT_EQ(bits(v.lane(i)), bits(right(i)));
      }
    };
    const V zero(T(0.F));
    each(V::load(in.data()), [&](std::size_t i) { return in[i]; });
    each(select(m, V::load(in.data(), m), zero), [&](std::size_t i) { return on[i] ? in[i] : T(0.F); });
    each(V::load_strided(in.data(), 3), [&](std::size_t i) { return in[3 * i]; });
    std::array<int, N> around, reversed;
    for (std::size_t i = 0; i < N; ++i) {
      around[i] = static_cast<int>(i * 7 % (4 * N)), reversed[i] = static_cast<int>(N - 1 - i);
    }
    using index = lf::varying<int, N, Isa>;
    const index at = index::load(around.data());
    each(V::gather(in.data(), at), [&](std::size_t i) { return in[(i * 7) % (4 * N)]; });
    each(V::from_lanes([&](std::size_t i) { return in[i + 1]; }), [&](std::size_t i) { return in[i + 1]; });
    std::vector<T> out(4 * N, T(0.F));
    V::load(in.data()).store(out.data(), m);
    for (std::size_t i = 0; i < N; ++i) {
      ASSERT_EQ(bits(out[i]), on[i] ? bits(in[i]) : 0U);
    }
    V::load(in.data()).store_strided(out.data(), 2);
    for (std::size_t i = 0; i < N; ++i) {
      ASSERT_EQ(bits(out[2 * i]), bits(in[i]));
    }
    V::load(in.data()).scatter(out.data(), index::load(reversed.data()));
    for (std::size_t i = 0; i < N; ++i) {
      ASSERT_EQ(bits(out[N - 1 - i]), bits(in[i]));
    }
    if constexpr (N >= 4) {
      each(V::template load_rows<4>(in.data(), 8), [&](std::size_t i) { return in[i / 4 * 8 + i % 4]; });
    }
  });
}

/// f of lanes of half is f of each half, a number or a mask; at most `most` steps away.
template <class F>
void check_function(const char* what, F f, int most = 0) {
  auto check = [&]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<half, N, Isa>;
    for (int round = 0; round < rounds(N); ++round) {
      std::array<half, N> a, b;
      for (std::size_t i = 0; i < N; ++i) {
        a[i] = any_small_real<half>(), b[i] = engine()() % 4 == 0 ? a[i] : any_small_real<half>();
      }
      const auto got = f(V::load(a.data()), V::load(b.data()), half(0.75F));
      for (std::size_t i = 0; i < N; ++i) {
        const auto right = f(a[i], b[i], half(0.75F));
        const auto g = got[i];
        static_assert(std::is_same_v<std::remove_const_t<decltype(g)>, std::remove_const_t<decltype(right)>>);
        if constexpr (std::is_same_v<decltype(right), const half>) {
          ASSERT_TRUE(same_small(g, right) ||
                      std::abs(static_cast<int>(bits(g)) - static_cast<int>(bits(right))) <= most)
              << what << "(" << a[i] << ", " << b[i] << ") = " << g << ", expected " << right;
        } else {
          ASSERT_EQ(g, right) << what << "(" << a[i] << ", " << b[i] << ")";
        }
      }
    }
  };
  for_each_n<lf::native_isa, 4, 16, 32>(check);
}
#define CHECK_FUNCTION(most, ...)                                                                                      \
  check_function(                                                                                                      \
      #__VA_ARGS__,                                                                                                    \
      []([[maybe_unused]] const auto& a, [[maybe_unused]] const auto& b, [[maybe_unused]] half c) {                    \
        return __VA_ARGS__;                                                                                            \
      },                                                                                                               \
      most)

TEST(small_real_lanes_functions, of_half) {
  CHECK_FUNCTION(0, lf::sqrt(a));
  CHECK_FUNCTION(0, lf::fabs(a));
  CHECK_FUNCTION(0, lf::floor(a));
  CHECK_FUNCTION(0, lf::fmax(a, b));
  CHECK_FUNCTION(0, lf::min(a, b));
  CHECK_FUNCTION(0, lf::clamp(b, half(-1), half(2)));
  CHECK_FUNCTION(0, lf::fma(a, b, c));
  CHECK_FUNCTION(0, lf::nextafter(a, b));
  CHECK_FUNCTION(1, lf::exp(a));
  CHECK_FUNCTION(1, lf::sin(a));
  CHECK_FUNCTION(1, lf::pow(lf::fabs(a), c));
  CHECK_FUNCTION(1, lf::smoothstep(half(0), half(1), a));
  CHECK_FUNCTION(0, lf::bitselect(a, b, c));
  CHECK_FUNCTION(0, lf::select(a, b, a < c));
  CHECK_FUNCTION(0, lf::select(a, b, true));
}

TEST(small_real_lanes_functions, questions_about_half) {
  CHECK_FUNCTION(0, lf::isnan(a));
  CHECK_FUNCTION(0, lf::isfinite(a));
  CHECK_FUNCTION(0, lf::isnormal(a));
  CHECK_FUNCTION(0, lf::signbit(a));
  CHECK_FUNCTION(0, lf::isless(a, b));
  CHECK_FUNCTION(0, lf::isordered(a, c));
}

TEST(small_real_lanes_functions, with_floats_give_floats) {
  using V = lf::varying<half, 16>;
  const V x(half(2.5F));
  static_assert(std::is_same_v<decltype(lf::fmax(x, lf::varying<float, 16>(3.F))), lf::varying<float, 16>>);
  EXPECT_EQ(lf::fmax(x, lf::varying<float, 16>(3.F))[7], 3.F);
  EXPECT_EQ(lf::fmax(x, 3.F)[7], 3.F);
  EXPECT_EQ(lf::fma(x, half(2), half(1))[15], 6.F);
  const lf::varying<int, 16> whole(2049); // no half: rounded to 2048 first, as a plain one is
  static_assert(std::is_same_v<decltype(lf::fmax(x, whole)), V>);
  EXPECT_EQ(lf::fmax(x, whole)[3], lf::fmax(half(2.5F), 2049));
  EXPECT_EQ(lf::fmax(x, whole)[3], half(2048));
}

} // namespace
} // namespace lane_testing
