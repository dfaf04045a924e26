// SPDX-License-Identifier: Apache-2.0
#include "horizontal_testing.hpp"

namespace lf = lanefold;
using namespace math_testing;

namespace {

template <class T>
class horizontal_move : public testing::Test {};
using elements =
    testing::Types<std::int8_t, std::uint16_t, std::int32_t, std::uint64_t, long long, float, double, long double>;
TYPED_TEST_SUITE(horizontal_move, elements);

/// Lane i of `got` is lane from(i, by, n) of `of`.
template <class T>
[[gnu::noinline]] void expect_moved(const char* name, const T* got, const T* of, std::size_t n, std::size_t by,
                                    std::size_t (*from)(std::size_t i, std::size_t by, std::size_t n)) {
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(got[i], of[from(i, by, n)]) << name << " by " << by << ", lane " << i << " of " << n;
}

constexpr auto from_left = [](std::size_t i, std::size_t by, std::size_t n) { return (i + by) % n; };
constexpr auto from_right = [](std::size_t i, std::size_t by, std::size_t n) { return (i - by) % n; };
constexpr auto from_other = [](std::size_t i, std::size_t by, std::size_t n) { return (i ^ by) % n; };
constexpr auto from_last = [](std::size_t i, std::size_t, std::size_t n) { return n - 1 - i; };

/// Different in every lane.
template <class T, std::size_t N>
lanes_of<T, N> different() {
  T next = T(engine()() % 50);
  return make_lanes<T, N>([&] { return next++; });
}

/// A value that the compiler does not know.
std::size_t unknown(std::size_t n) {
  volatile std::size_t v = n;
  return v;
}

template <class T, class I>
[[gnu::noinline]] void expect_permuted(const T* got, const T* of, const I* index, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(got[i], of[static_cast<std::size_t>(index[i]) % n])
        << "permute by " << 8 * sizeof(I) << " bits, lane " << i << " of " << n;
}

TYPED_TEST(horizontal_move, permute) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto by = [&]<class I>(I) {
      for (int round = 0; round < 8; ++round) {
        const auto a = different<T, N>();
        const auto index = make_lanes<I, N>([] { return static_cast<I>(engine()()); });
        const auto got = lanes(lf::permute(lf::varying<T, N, Isa>::load(a.at), lf::varying<I, N, Isa>::load(index.at)));
        expect_permuted(got.at, a.at, index.at, N);
      }
    };
    by(std::int32_t{});
    if constexpr (thorough || sizeof(T) != 4)
      by(std::conditional_t<std::is_integral_v<T>, T, std::size_t>{});
    if constexpr (thorough) {
      by(std::uint8_t{});
      by(std::size_t{});
    }
  });
}

TYPED_TEST(horizontal_move, shift) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    const auto a = different<T, N>();
    for (std::size_t n = 0; n < 2 * N; n += N > 16 ? 5 : 1) {
      expect_moved("shift_left", lanes(lf::shift_left(V::load(a.at), unknown(n))).at, a.at, N, n, from_left);
      expect_moved("shift_right", lanes(lf::shift_right(V::load(a.at), unknown(n))).at, a.at, N, n, from_right);
    }
    const auto known = [&]<std::size_t M>(std::integral_constant<std::size_t, M>) {
      expect_moved("shift_left", lanes(lf::shift_left(V::load(a.at), M)).at, a.at, N, M, from_left);
      expect_moved("shift_right", lanes(lf::shift_right(V::load(a.at), M)).at, a.at, N, M, from_right);
    };
    known(std::integral_constant<std::size_t, 1>{});
    known(std::integral_constant<std::size_t, 11 % N>{});
    known(std::integral_constant<std::size_t, N / 2>{});
  });
}

TYPED_TEST(horizontal_move, xor_exchange) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    const auto a = different<T, N>();
    for (std::size_t m = 0; m < 2 * N; m += N > 16 ? 5 : 1)
      expect_moved("xor_exchange", lanes(lf::xor_exchange(V::load(a.at), unknown(m))).at, a.at, N, m, from_other);
    const auto known = [&]<std::size_t M>(std::integral_constant<std::size_t, M>) {
      expect_moved("xor_exchange", lanes(lf::xor_exchange(V::load(a.at), M)).at, a.at, N, M, from_other);
    };
    known(std::integral_constant<std::size_t, 0>{});
    if constexpr (N > 1 && (thorough || sizeof(T) == 4))
      [&]<std::size_t... Bit>(std::index_sequence<Bit...>) {
        (known(std::integral_constant<std::size_t, std::size_t{1} << Bit>{}), ...);
      }(std::make_index_sequence<std::countr_zero(N)>{});
    known(std::integral_constant<std::size_t, 43 % N>{});
  });
}

TYPED_TEST(horizontal_move, broadcast_and_reverse) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    const auto a = different<T, N>();
    for (std::size_t lane = 0; lane < N; ++lane)
      ASSERT_EQ(lf::broadcast(V::load(a.at), unknown(lane)), a[lane]) << lane << " of " << N;
    ASSERT_EQ(lf::broadcast(V::load(a.at), N - 1), a[N - 1]);
    expect_moved("reverse", lanes(lf::reverse(V::load(a.at))).at, a.at, N, 0, from_last);
  });
}

TEST(horizontal_mask, ballot) {
  for_lanes([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    const auto a = make_lanes<int, N>([] { return static_cast<int>(engine()() % 2); });
    const auto words = lf::ballot(lf::varying<int, N, Isa>::load(a.at) == 1);
    ASSERT_EQ(words.size(), (N + 63) / 64);
    for (std::size_t i = 0; i < 64 * words.size(); ++i)
      ASSERT_EQ(words[i / 64] >> (i % 64) & 1, i < N ? static_cast<unsigned>(a[i]) : 0U) << i << " of " << N;
  });
}

} // namespace
