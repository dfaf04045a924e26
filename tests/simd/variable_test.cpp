// SPDX-License-Identifier: Apache-2.0
/// Variables assign the active lanes only.
#include <lanefold/simd/variable.hpp>

#include "simd/lane_testing.hpp"

namespace {

using namespace lane_testing;

template <std::size_t N>
struct fixture {
  using lanes = lf::simd<N>;
  using ints = lf::varying<int, N>;
  std::array<bool, N> on = random_bools<N>();
  lf::detail::lane_context<lanes> some{mask_of<N, lf::native_isa>(on), false, true};
  lf::detail::lane_context<lanes> all{lf::mask<N>(true), true, false};
};

template <class F>
void for_sizes(F f) {
  f(fixture<1>{});
  f(fixture<16>{});
  if constexpr (thorough) {
    f(fixture<8>{});
    f(fixture<64>{});
    f(fixture<256>{});
  }
}

TEST(variable, of_numbers) {
  for_sizes([]<std::size_t N>(const fixture<N>& f) {
    using lanes = typename fixture<N>::lanes;
    using ints = typename fixture<N>::ints;
    const ints start = ints::iota(10);
    const auto expect = [&](const char* what, auto change, auto expected) {
      lf::variable<int, lanes> x(&f.some, start), y(&f.all, start);
      change(x);
      change(y);
      const auto got_x = math_testing::lanes(x), got_y = math_testing::lanes(y);
      for (std::size_t i = 0; i < N; ++i) {
        const int old = static_cast<int>(i) + 10;
        EXPECT_EQ(got_x[i], f.on[i] ? expected(old) : old) << what << ", lane " << i;
        EXPECT_EQ(got_y[i], expected(old)) << what << ", lane " << i;
      }
    };
    expect("= 3", [](auto& v) { v = 3; }, [](int) { return 3; });
    expect("= 3.75", [](auto& v) { v = 3.75; }, [](int) { return 3; });
    expect("= varying", [](auto& v) { v = v + 1; }, [](int x) { return x + 1; });
    expect("= varying of another type", [](auto& v) { v = v * 0.5; }, [](int x) { return x / 2; });
    expect("+=", [](auto& v) { v += 2; }, [](int x) { return x + 2; });
    expect("-=", [](auto& v) { v -= v; }, [](int) { return 0; });
    expect("*=", [](auto& v) { v *= 2.5; }, [](int x) { return static_cast<int>(x * 2.5); });
    expect("/=", [](auto& v) { v /= 3; }, [](int x) { return x / 3; });
    expect("%=", [](auto& v) { v %= 3; }, [](int x) { return x % 3; });
    expect("&=", [](auto& v) { v &= 6; }, [](int x) { return x & 6; });
    expect("|=", [](auto& v) { v |= 6; }, [](int x) { return x | 6; });
    expect("^=", [](auto& v) { v ^= 6; }, [](int x) { return x ^ 6; });
    expect("<<=", [](auto& v) { v <<= 2; }, [](int x) { return x << 2; });
    expect(">>=", [](auto& v) { v >>= 1; }, [](int x) { return x >> 1; });
    expect("++", [](auto& v) { ++v; }, [](int x) { return x + 1; });
    expect("--", [](auto& v) { v--; }, [](int x) { return x - 1; });
    expect("post ++", [](auto& v) { v = v++ * 2; }, [](int x) { return x * 2; });
    expect(
        "copy",
        [](auto& v) {
          auto w = v;
          w += 1;
          v = w;
        },
        [](int x) { return x + 1; });
  });
}

TEST(variable, of_bools) {
  for_sizes([]<std::size_t N>(const fixture<N>& f) {
    using lanes = typename fixture<N>::lanes;
    const auto a = random_bools<N>(), b = random_bools<N>();
    const auto other = mask_of<N, lf::native_isa>(b);
    const auto expect = [&](const char* what, auto change, auto expected) {
      lf::variable<bool, lanes> x = lf::detail::make_variable<lanes>(&f.some, mask_of<N, lf::native_isa>(a));
      change(x);
      for (std::size_t i = 0; i < N; ++i)
        EXPECT_EQ(x[i], f.on[i] ? expected(a[i], b[i]) : a[i]) << what << ", lane " << i;
    };
    expect("= mask", [&](auto& v) { v = other; }, [](bool, bool y) { return y; });
    expect("= true", [](auto& v) { v = true; }, [](bool, bool) { return true; });
    expect("= !", [](auto& v) { v = !v; }, [](bool x, bool) { return !x; });
    expect("&=", [&](auto& v) { v &= other; }, [](bool x, bool y) { return x && y; });
    expect("|=", [&](auto& v) { v |= other; }, [](bool x, bool y) { return x || y; });
    expect("^=", [&](auto& v) { v ^= other; }, [](bool x, bool y) { return x != y; });
    expect("&= bool", [&](auto& v) { v &= false; }, [](bool, bool) { return false; });
    expect("|= bool", [&](auto& v) { v |= true; }, [](bool, bool) { return true; });
    expect("^= bool", [&](auto& v) { v ^= true; }, [](bool x, bool) { return !x; });
    expect("= == bool", [&](auto& v) { v = v == false; }, [](bool x, bool) { return !x; });
    expect("= bool !=", [&](auto& v) { v = true != v; }, [](bool x, bool) { return !x; });
    expect("= &&", [&](auto& v) { v = v && other; }, [](bool x, bool y) { return x && y; });
    expect("= || bool", [&](auto& v) { v = v || false; }, [](bool x, bool) { return x; });
  });
}

// `it.var` gets variables, masks and values.
TEST(variable, is_made_of) {
  using lanes = lf::simd<16>;
  const lf::detail::lane_context<lanes> context{lf::mask<16>(true), true, false};
  const auto x = lf::detail::make_variable<lanes>(&context, lf::varying<float, 16>(2.F));
  const auto y = lf::detail::make_variable<lanes>(&context, x);
  const auto z = lf::detail::make_variable<lanes>(&context, y > 1.F);
  static_assert(std::is_same_v<decltype(y), const lf::variable<float, lanes>>);
  static_assert(std::is_same_v<decltype(z), const lf::variable<bool, lanes>>);
  EXPECT_TRUE(z.all() && lf::all(y == x));
}

} // namespace
