// SPDX-License-Identifier: Apache-2.0
/// p[i] for lane indices of every kind and for varying indices, with all lanes active and with some.
#include <lanefold/simd/reference.hpp>

#include "simd/lane_testing.hpp"

#include <algorithm>

namespace {

using namespace lane_testing;
using lf::stride;

template <class T, std::size_t R, std::size_t C>
struct checker {
  using lanes = lf::simd<R, C>;
  static constexpr std::size_t n = R * C;
  using values = lf::varying<T, n>;
  static constexpr std::size_t room = 4096;

  std::array<bool, n> on;
  lf::detail::lane_context<lanes> context;

  explicit checker(const std::array<bool, n>& active, bool all)
      : on(active), context{mask_of<n, lf::native_isa>(active), all, !all} {}

  template <class Index>
  void operator()(const Index& i) {
    const std::vector<T> before = numbered<T>(room);
    const T* const p = before.data();
    expect_active(lf::detail::element(p, i), [&](std::size_t l) { return p[i.lane(l)]; });

    const auto a = make_lanes<T, n>(moderate_value<T>);
    const values v = values::load(a.at);
    std::vector<T> got = before, expected = before;
    lf::detail::element(got.data(), i) = v;
    for (std::size_t l = 0; l < n; ++l)
      if (on[l])
        expected[i.lane(l)] = a[l];
    EXPECT_EQ(got, expected);

    lf::detail::element(got.data(), i) = T(5);
    for (std::size_t l = 0; l < n; ++l)
      if (on[l])
        expected[i.lane(l)] = T(5);
    EXPECT_EQ(got, expected);

    lf::detail::element(got.data(), i) += T(2);
    for (std::size_t l = 0; l < n; ++l)
      if (on[l])
        expected[i.lane(l)] = T(7);
    EXPECT_EQ(got, expected);

    operators(got, expected, i);

    const auto read = lf::detail::element(got.data(), i);
    expect_active(read, [](std::size_t) { return T(7); });

    updates(i);
  }

  // From 7 to 7.
  template <class Index>
  void operators(std::vector<T>& got, std::vector<T>& expected, const Index& i) {
    T* const p = got.data();
    const auto gives = [&](T wanted) {
      for (std::size_t l = 0; l < n; ++l)
        if (on[l])
          expected[i.lane(l)] = wanted;
      EXPECT_EQ(got, expected);
    };
    ++lf::detail::element(p, i);
    gives(T(8));
    lf::detail::element(p, i)++;
    gives(T(9));
    --lf::detail::element(p, i);
    gives(T(8));
    lf::detail::element(p, i)--;
    gives(T(7));
    if constexpr (std::is_integral_v<T>) {
      lf::detail::element(p, i) %= T(4);
      gives(T(3));
      lf::detail::element(p, i) <<= 2;
      gives(T(12));
      lf::detail::element(p, i) |= T(3);
      gives(T(15));
      lf::detail::element(p, i) &= T(13);
      gives(T(13));
      lf::detail::element(p, i) ^= T(8);
      gives(T(5));
      lf::detail::element(p, i) >>= 1;
      gives(T(2));
      lf::detail::element(p, i) += T(5);
      gives(T(7));
    }
  }

  // x[i] op= y[i], where no two lanes hit one element.
  template <class Index>
  void updates(const Index& i) {
    for (std::size_t l = 0; l < n; ++l)
      for (std::size_t k = 0; k < l; ++k)
        if (i.lane(k) == i.lane(l))
          return;
    std::vector<T> got(room, T(3)), expected = got, other(room);
    std::generate(other.begin(), other.end(), [] { return static_cast<T>(1 + engine()() % 7); });
    lf::detail::element(got.data(), i) += lf::detail::element(other.data(), i);
    lf::detail::element(got.data(), i) *= lf::detail::element(other.data(), i);
    lf::detail::element(got.data(), i) -= lf::detail::element(other.data(), i);
    lf::detail::element(got.data(), i) /= lf::detail::element(other.data(), i);
    const auto named = lf::detail::element(other.data(), i);
    lf::detail::element(got.data(), i) += named;
    for (std::size_t l = 0; l < n; ++l) {
      const T b = other[i.lane(l)];
      if (on[l])
        expected[i.lane(l)] = static_cast<T>(static_cast<T>((T(3) + b) * b - b) / b + b);
    }
    EXPECT_EQ(got, expected);
  }

  template <class F>
  void expect_active(const values& v, F expected) const {
    const auto got = math_testing::lanes(v);
    expect_lanes("p[i]", __FILE__, __LINE__, got, [&](std::size_t l) { return on[l] ? expected(l) : got[l]; });
  }
};

template <class T, std::size_t R, std::size_t C>
void expect_elements() {
  using lanes = lf::simd<R, C>;
  constexpr std::size_t n = R * C;
  for (int round = 0; round < 6; ++round) {
    auto on = random_bools<n>();
    const bool all = round == 0;
    if (all)
      on.fill(true);
    else if (round <= 2) // registers with all, some and none of their lanes
      std::fill(std::fill_n(on.begin(), 1 + engine()() % n, true), on.end(), false);
    else
      on[engine()() % n] = true; // code runs for at least one lane
    checker<T, R, C> check(on, all);
    const lf::lane_index<lanes, stride::zero, stride::one> x(&check.context, 3, 0, 1);
    const lf::lane_index<lanes, stride::one, stride::zero> y(&check.context, 1, 1, 0);
    check(x);
    check(y);
    check(x + 10);
    check(x * 3);
    check(y * 20 + x);
    check(y * 9 + x * 2);
    check(x * 0 + y);
    check(lf::lane_index<lanes, stride::dynamic, stride::dynamic>(&check.context, 2, 70, 1));
    check(lf::lane_index<lanes, stride::dynamic, stride::dynamic>(&check.context, 2, 70, 0));
    check(lf::lane_index<lanes, stride::dynamic, stride::dynamic>(&check.context, 4000, -70, -1));
  }
}

TEST(reference, of_lane_indices) {
  expect_elements<float, 1, 16>();
  expect_elements<double, 4, 4>();
  expect_elements<short, 4, 8>();
#if defined(LANEFOLD_TEST_THOROUGH)
  expect_elements<double, 1, 128>();
  expect_elements<double, 1, 64>();
  expect_elements<float, 2, 16>();
  expect_elements<int, 8, 2>();
  expect_elements<unsigned char, 1, 32>();
  expect_elements<long double, 2, 2>();
#endif
}

TEST(reference, of_varying_indices) {
  constexpr std::size_t n = 16;
  using values = lf::varying<double, n>;
  const auto index = make_lanes<int, n>([] { return static_cast<int>(engine()() % 50); });
  const auto i = lf::varying<int, n>::load(index.at);
  const auto before = numbered<double>(50);
  const auto a = make_lanes<double, n>(moderate_value<double>);
  for (const bool divergent : {false, true}) {
    std::array<bool, n> on;
    on.fill(true);
    lf::detail::lane_context<lf::simd<n>> context{lf::mask<n>(true), true, false};
    if (divergent) {
      on = random_bools<n>();
      lf::detail::assign(context.active, mask_of<n, lf::native_isa>(on));
      lf::detail::announce_divergence(context);
    }
    const double* const p = before.data();
    EXPECT_LANES(lf::detail::element(p, i), [&](std::size_t l) { return on[l] ? p[index[l]] : 0.; });
    auto got = before, expected = before;
    lf::detail::element(got.data(), i) = values::load(a.at);
    for (std::size_t l = 0; l < n; ++l)
      if (on[l])
        expected[static_cast<std::size_t>(index[l])] = a[l];
    EXPECT_EQ(got, expected);
    lf::detail::announce_convergence();
  }
}

/// y[place] = v under a mask, where the places of the active lanes follow each other, as those of a compaction; all but
/// one of them; and where numbers wrap around.
template <class T, class I, std::size_t N>
void expect_packed() {
  using index = std::make_signed_t<I>;
  for (int round = 0; round < 40; ++round) {
    std::array<bool, N> on = random_bools<N>();
    const bool wraps = round % 4 == 3, breaks = round % 4 == 2;
    lf::detail::lane_context<lf::simd<N>> context{mask_of<N, lf::native_isa>(on), false, true};
    lf::detail::announce_divergence(context);
    index next = wraps ? index(-3) : index(7);
    std::size_t active = 0;
    const auto places = make_lanes<I, N>([&, l = std::size_t{0}]() mutable {
      const bool is_on = on[l++];
      const index place = is_on ? next++ : index(40);
      return static_cast<I>(breaks && is_on && ++active == 2 ? place + 30 : place);
    });
    const auto a = make_lanes<T, N>(moderate_value<T>);
    std::vector<T> got = numbered<T>(N + 64), expected = got;
    if constexpr (std::is_signed_v<I>) { // from the middle on, since places may be below 0
      lf::detail::element(got.data() + 3, lf::varying<I, N>::load(places.at)) = lf::varying<T, N>::load(a.at);
      for (std::size_t l = 0; l < N; ++l)
        if (on[l])
          expected[static_cast<std::size_t>(3 + places[l])] = a[l];
      EXPECT_EQ(got, expected);
    } else if (!wraps) {
      lf::detail::element(got.data(), lf::varying<I, N>::load(places.at)) = lf::varying<T, N>::load(a.at);
      for (std::size_t l = 0; l < N; ++l)
        if (on[l])
          expected[places[l]] = a[l];
      EXPECT_EQ(got, expected);
    }
    lf::detail::announce_convergence();
  }
}

TEST(reference, of_places_that_follow_each_other) {
  expect_packed<float, unsigned, 16>();
  expect_packed<float, int, 64>();
  expect_packed<double, std::size_t, 16>();
  expect_packed<double, int, 8>();
  expect_packed<int, long, 32>();
  expect_packed<std::uint8_t, unsigned, 16>();
}

} // namespace
