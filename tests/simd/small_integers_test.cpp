// SPDX-License-Identifier: Apache-2.0
/// Lanes of small integers, which are compared and updated without becoming int, do what C++ does in int: with plain
/// integers of any size and sign, and with lanes of them.
#include <lanefold/simd/reference.hpp>
#include <lanefold/simd/variable.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

namespace lf = lanefold;

constexpr std::size_t N = 64;
constexpr long interesting[] = {0,
                                1,
                                -1,
                                2,
                                -2,
                                127,
                                128,
                                -127,
                                -128,
                                -129,
                                255,
                                256,
                                257,
                                -255,
                                -256,
                                32767,
                                32768,
                                -32768,
                                -32769,
                                65535,
                                65536,
                                65537,
                                100000,
                                -100000,
                                std::numeric_limits<int>::max(),
                                std::numeric_limits<int>::min()};

template <class T>
struct small_integers : ::testing::Test {
  std::array<T, N> x{};
  small_integers() {
    for (std::size_t i = 0; i < N; ++i) {
      x[i] = static_cast<T>(interesting[i % std::size(interesting)]);
    }
  }
  lf::varying<T, N> lanes() const { return lf::varying<T, N>::load(x.data()); }

  template <class U>
  void compare(U u) {
    using R = decltype(T() + U());
#define LANEFOLD_TEST_COMPARISON(op)                                                                                   \
  {                                                                                                                    \
    const auto left = lanes() op u, right = u op lanes(), both = lanes() op lf::varying<U, N>(u);                      \
    for (std::size_t i = 0; i < N; ++i) {                                                                              \
      EXPECT_EQ(left[i], static_cast<R>(x[i]) op static_cast<R>(u)) << +x[i] << " " #op " " << +u;                     \
      EXPECT_EQ(right[i], static_cast<R>(u) op static_cast<R>(x[i])) << +u << " " #op " " << +x[i];                    \
      EXPECT_EQ(both[i], static_cast<R>(x[i]) op static_cast<R>(u)) << +x[i] << " " #op " lanes of " << +u;            \
    }                                                                                                                  \
  }
    LANEFOLD_TEST_COMPARISON(==)
    LANEFOLD_TEST_COMPARISON(!=)
    LANEFOLD_TEST_COMPARISON(<)
    LANEFOLD_TEST_COMPARISON(<=)
    LANEFOLD_TEST_COMPARISON(>)
    LANEFOLD_TEST_COMPARISON(>=)
#undef LANEFOLD_TEST_COMPARISON
  }

  /// `v op= u` for a variable of which every other lane is active, and for elements of memory.
  template <class U>
  void update(U u) {
    using lanes_of = lf::simd<N>;
    std::uint64_t even = 0x5555'5555'5555'5555;
    const lf::detail::lane_context<lanes_of> some{lf::mask<N>::from_words(&even), false, true};
    const lf::detail::lane_context<lanes_of> all{lf::mask<N>(true), true, false};
    const auto expect = [&](const char* what, auto change, auto right) {
      lf::variable<T, lanes_of> v(&some, lanes()), w(&all, lanes());
      change(v, u);
      change(w, lf::varying<U, N>(u));
      const auto in_some = v.to_array(), in_all = w.to_array();
      for (std::size_t i = 0; i < N; ++i) {
        const T expected = static_cast<T>(right(static_cast<std::uint64_t>(x[i]), static_cast<std::uint64_t>(u)));
        EXPECT_EQ(in_some[i], i % 2 == 0 ? expected : x[i]) << +x[i] << what << +u;
        EXPECT_EQ(in_all[i], expected) << +x[i] << what << +u << " in lanes";
      }
    };
    expect(" += ", [](auto& v, auto o) { v += o; }, [](std::uint64_t a, std::uint64_t b) { return a + b; });
    expect(" -= ", [](auto& v, auto o) { v -= o; }, [](std::uint64_t a, std::uint64_t b) { return a - b; });
    expect(" *= ", [](auto& v, auto o) { v *= o; }, [](std::uint64_t a, std::uint64_t b) { return a * b; });
    expect(" &= ", [](auto& v, auto o) { v &= o; }, [](std::uint64_t a, std::uint64_t b) { return a & b; });
    expect(" |= ", [](auto& v, auto o) { v |= o; }, [](std::uint64_t a, std::uint64_t b) { return a | b; });
    expect(" ^= ", [](auto& v, auto o) { v ^= o; }, [](std::uint64_t a, std::uint64_t b) { return a ^ b; });
  }

  template <class... U>
  void all_operands() {
    for (const long u : interesting) {
      (compare(static_cast<U>(u)), ...);
      (update(static_cast<U>(u)), ...);
    }
  }
};

using small = ::testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t>;
TYPED_TEST_SUITE(small_integers, small);

TYPED_TEST(small_integers, beside_small_ones) {
  this->template all_operands<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t>();
}
TYPED_TEST(small_integers, beside_large_ones) {
  this->template all_operands<int, unsigned, std::int64_t, std::uint64_t>();
}

TYPED_TEST(small_integers, in_memory) {
  using lanes_of = lf::simd<N>;
  for (const long u : interesting) {
    lf::detail::lane_context<lanes_of> all{lf::mask<N>(true), true, false};
    const lf::lane_index<lanes_of, lf::stride::zero, lf::stride::one> i(&all, 0, 0, 1);
    auto values = this->x;
    const auto element = [&] { return lf::detail::element(values.data(), i); };
    element() += static_cast<int>(u);
    element() *= 3;
    element() -= this->lanes();
    for (std::size_t k = 0; k < N; ++k) {
      const auto old = static_cast<std::uint64_t>(this->x[k]);
      EXPECT_EQ(values[k], static_cast<TypeParam>((old + static_cast<std::uint64_t>(u)) * 3 - old)) << u;
    }
  }
}

TYPED_TEST(small_integers, a_real_operand_is_computed_with_as_real) {
  const lf::detail::lane_context<lf::simd<N>> all{lf::mask<N>(true), true, false};
  lf::variable<TypeParam, lf::simd<N>> v(&all, lf::varying<TypeParam, N>(TypeParam(5)));
  v *= 2.5f;
  EXPECT_EQ(v.to_array()[0], 12);
}

} // namespace
