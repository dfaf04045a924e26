// SPDX-License-Identifier: Apache-2.0
/// Loads and stores of varyings for one element type; the lists of types are in memory_*_test.cpp.
#pragma once

#include "simd/lane_testing.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace lane_testing {

/// A function that captures, without its type.
template <class Signature>
class function_ref;
template <class R, class... A>
class function_ref<R(A...)> {
public:
  template <class F>
  function_ref(const F& f) // NOLINT(google-explicit-constructor)
      : m_object(&f), m_call([](const void* o, A... a) { return static_cast<R>((*static_cast<const F*>(o))(a...)); }) {}
  R operator()(A... a) const { return m_call(m_object, a...); }

private:
  const void* m_object;
  R (*m_call)(const void*, A...);
};

template <class T>
[[gnu::noinline]] void expect_stored(const char* what, const T* a, const bool* on, std::size_t n, std::size_t room,
                                     std::size_t origin, function_ref<void(T*)> store,
                                     function_ref<std::ptrdiff_t(std::size_t)> place) {
  std::vector<T> got = numbered<T>(room), expected = got;
  store(got.data() + origin);
  for (std::size_t i = 0; i < n; ++i)
    if (on[i])
      expected[static_cast<std::size_t>(static_cast<std::ptrdiff_t>(origin) + place(i))] = a[i];
  EXPECT_EQ(got, expected) << what << ", " << n << " lanes of " << typeid(T).name();
}

/// Checks that store(p) writes a[i] to p[place(i)] for every i that is on, in order, and nothing else.
template <class T, std::size_t N, class Store, class Place>
void expect_stored(const char* what, const lanes_of<T, N>& a, const std::array<bool, N>& on, std::size_t room,
                   std::size_t origin, Store store, Place place) {
  expect_stored<T>(what, a.at, on.data(), N, room, origin, store, place);
}

template <std::size_t N>
std::array<bool, N> all_on() {
  std::array<bool, N> on;
  on.fill(true);
  return on;
}

template <class T>
class memory_access : public ::testing::Test {};
TYPED_TEST_SUITE_P(memory_access);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(memory_access);

TYPED_TEST_P(memory_access, contiguous) {
  using T = TypeParam;
  for_lanes<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    const auto from = numbered<T>(N + 3);
    const auto a = make_lanes<T, N>(moderate_value<T>);
    const V v = V::load(a.at);
    EXPECT_LANES(V::load(from.data() + 1), [&](std::size_t i) { return from[i + 1]; });
    const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
    expect_stored("store", a, all_on<N>(), N + 3, 1, [&](T* p) { v.store(p); }, at);
    for (int round = 0; round < 10; ++round) {
      const auto on = random_bools<N>();
      const auto m = mask_of<N, Isa>(on);
      EXPECT_LANES(V::load(from.data() + 1, m), [&](std::size_t i) { return on[i] ? from[i + 1] : T(0); });
      expect_stored("store under a mask", a, on, N + 3, 1, [&](T* p) { v.store(p, m); }, at);
    }
  });
}

TYPED_TEST_P(memory_access, leaves_masked_lanes_alone) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    using M = lf::mask<N, Isa>;
    const guarded<T> memory(N);
    for (const std::size_t n : {std::size_t(0), std::size_t(1), N / 2, N - 1, N}) {
      T* const p = memory.end() - n; // lanes from n on lie in a page that cannot be accessed
      for (std::size_t i = 0; i < n; ++i)
        p[i] = static_cast<T>(i % 100 + 1);
      const auto expected = [&](std::size_t i) { return i < n ? static_cast<T>(i % 100 + 1) : T(0); };
      const V v = V::load(p, M::first(n));
      EXPECT_LANES(v, expected);
      v.store(p, M::first(n));
      EXPECT_LANES(V::load_strided(p, 1, M::first(n)), expected);
      v.store_strided(p, 1, M::first(n));
      EXPECT_LANES((V::template load_rows<(N > 2 ? N / 2 : N)>(p, N > 2 ? N / 2 : N, M::first(n))), expected);
      v.template store_rows<(N > 2 ? N / 2 : N)>(p, N > 2 ? N / 2 : N, M::first(n));
      const auto indices = lf::varying<int, N, Isa>::iota(0);
      EXPECT_LANES(V::gather(p, indices, M::first(n)), expected);
      v.scatter(p, indices, M::first(n));
      EXPECT_LANES(V::load(p, M::first(n)), expected);
      // And the page before.
      T* const q = memory.begin() - (N - n);
      const auto last = !M::first(N - n);
      for (std::size_t i = N - n; i < N; ++i)
        q[i] = static_cast<T>(i % 100 + 1);
      V::load(q, last).store(q, last);
      EXPECT_LANES(V::load(q, last), [&](std::size_t i) { return i >= N - n ? static_cast<T>(i % 100 + 1) : T(0); });
    }
  });
}

TYPED_TEST_P(memory_access, strided) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    const std::size_t room = 16 * N + 1, origin = 8 * N;
    const auto from = numbered<T>(room);
    const auto a = make_lanes<T, N>(moderate_value<T>);
    const V v = V::load(a.at);
    for (const std::ptrdiff_t s : {0, 1, 2, 3, 4, 7, -1, -5}) {
      const auto place = [=](std::size_t i) { return static_cast<std::ptrdiff_t>(i) * s; };
      const T* const p = from.data() + origin;
      EXPECT_LANES(V::load_strided(p, s), [&](std::size_t i) { return p[place(i)]; });
      expect_stored("store_strided", a, all_on<N>(), room, origin, [&](T* to) { v.store_strided(to, s); }, place);
      const auto on = random_bools<N>();
      const auto m = mask_of<N, Isa>(on);
      EXPECT_LANES(V::load_strided(p, s, m), [&](std::size_t i) { return on[i] ? p[place(i)] : T(0); });
      expect_stored(
          "store_strided under a mask", a, on, room, origin, [&](T* to) { v.store_strided(to, s, m); }, place);
    }
  });
}

TYPED_TEST_P(memory_access, strided_accesses_nothing_before_the_first_lane_and_behind_the_last) {
  using T = TypeParam;
  for_packs<T>([]<std::size_t N, class Isa>(std::integral_constant<std::size_t, N>, Isa) {
    using V = lf::varying<T, N, Isa>;
    for (const std::ptrdiff_t s : {2, 3, 4, 5, -1, -2}) {
      const std::size_t span = (N - 1) * static_cast<std::size_t>(std::abs(s));
      const guarded<T> memory(span + 1);
      const auto value = [](std::size_t i) { return static_cast<T>(i % 100 + 1); };
      for (T* const lowest : {memory.begin(), memory.end() - span - 1}) {
        T* const p = s < 0 ? lowest + span : lowest;
        V::iota(T(0)).store_strided(p, s);
        for (std::size_t i = 0; i < N; ++i)
          p[static_cast<std::ptrdiff_t>(i) * s] = value(i);
        EXPECT_LANES(V::load_strided(p, s), value);
        V::load_strided(p, s).store_strided(p, s);
        EXPECT_LANES(V::load_strided(p, s), value);
      }
    }
  });
}

REGISTER_TYPED_TEST_SUITE_P(memory_access, contiguous, leaves_masked_lanes_alone, strided,
                            strided_accesses_nothing_before_the_first_lane_and_behind_the_last);

template <class T>
class memory_rows : public ::testing::Test {};
TYPED_TEST_SUITE_P(memory_rows);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(memory_rows);

template <class T, std::size_t R, std::size_t C>
void expect_rows() {
  constexpr std::size_t N = R * C;
  using V = lf::varying<T, N>;
  using std::ptrdiff_t;
  const auto a = make_lanes<T, N>(moderate_value<T>);
  const V v = V::load(a.at);
  for (const ptrdiff_t s : {static_cast<ptrdiff_t>(C), static_cast<ptrdiff_t>(C) + 3, -static_cast<ptrdiff_t>(C)}) {
    const std::size_t room = 2 * R * (C + 3), origin = R * (C + 3);
    const auto from = numbered<T>(room);
    const T* const p = from.data() + origin;
    const auto row = [=](std::size_t i) { return static_cast<ptrdiff_t>(i / C) * s; };
    const auto place = [=](std::size_t i) { return row(i) + static_cast<ptrdiff_t>(i % C); };
    EXPECT_LANES(V::template load_rows<C>(p, s), [&](std::size_t i) { return p[place(i)]; });
    EXPECT_LANES(V::template load_row<C>(p), [&](std::size_t i) { return p[i % C]; });
    EXPECT_LANES(V::template broadcast_rows<C>(p, s), [&](std::size_t i) { return p[row(i)]; });
    expect_stored("store_rows", a, all_on<N>(), room, origin, [&](T* to) { v.template store_rows<C>(to, s); }, place);
    for (int round = 0; round < 4; ++round) {
      const auto on = random_bools<N>();
      const auto m = mask_of<N, lf::native_isa>(on);
      EXPECT_LANES(V::template load_rows<C>(p, s, m), [&](std::size_t i) { return on[i] ? p[place(i)] : T(0); });
      EXPECT_LANES(V::template load_row<C>(p, m), [&](std::size_t i) { return on[i] ? p[i % C] : T(0); });
      EXPECT_LANES(V::template broadcast_rows<C>(p, s, m), [&](std::size_t i) { return on[i] ? p[row(i)] : T(0); });
      expect_stored(
          "store_rows under a mask", a, on, room, origin, [&](T* to) { v.template store_rows<C>(to, s, m); }, place);
    }
  }
  for (const ptrdiff_t s : {0, 2, 3, 4, 5, -1}) {
    const std::size_t room = 10 * R * C + 1, origin = 5 * R * C;
    const auto from = numbered<T>(room);
    const T* const p = from.data() + origin;
    for (const ptrdiff_t apart : {static_cast<ptrdiff_t>(4 * C), static_cast<ptrdiff_t>(-3)}) {
      const auto place = [=](std::size_t i) {
        return static_cast<ptrdiff_t>(i / C) * apart + static_cast<ptrdiff_t>(i % C) * s;
      };
      using memory = lf::detail::strided_memory<T, N, lf::native_isa>;
      using lf::detail::varying_access;
      EXPECT_LANES(varying_access::make<V>(memory::template load_rows<C>(p, apart, s)),
                   [&](std::size_t i) { return p[place(i)]; });
      expect_stored(
          "rows of strided lanes", a, all_on<N>(), room, origin,
          [&](T* to) { memory::template store_rows<C>(varying_access::registers(v), to, apart, s); }, place);
    }
  }
  const auto steps = V::template affine<C>(T(1), T(2), T(3));
  EXPECT_LANES(steps, [](std::size_t i) {
    return static_cast<T>(T(1) + static_cast<T>(static_cast<T>(i / C) * T(2)) +
                          static_cast<T>(static_cast<T>(i % C) * T(3)));
  });
}

TYPED_TEST_P(memory_rows, of_every_shape) {
  using T = TypeParam;
  expect_rows<T, 4, 4>();
  expect_rows<T, 2, 4>();
  if constexpr (lf::detail::has_registers<T>)
    expect_rows<T, 4, 16>();
  if constexpr (thorough && sizeof(T) <= 8) {
    expect_rows<T, 1, 16>();
    expect_rows<T, 4, 2>();
    expect_rows<T, 8, 1>();
    expect_rows<T, 16, 4>();
  }
  if constexpr (std::is_same_v<T, float>) {
    expect_rows<T, 8, 8>();
    expect_rows<T, 2, 128>();
  }
}

REGISTER_TYPED_TEST_SUITE_P(memory_rows, of_every_shape);

template <class T>
class memory_gather : public ::testing::Test {};
TYPED_TEST_SUITE_P(memory_gather);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(memory_gather);

template <class T, class I, std::size_t N>
void expect_gather() {
  using V = lf::varying<T, N>;
  using X = lf::varying<I, N>;
  constexpr std::size_t room = 241, origin = std::is_signed_v<I> ? 120 : 0;
  const auto from = numbered<T>(room);
  for (int round = 0; round < 10; ++round) {
    const auto a = make_lanes<T, N>(moderate_value<T>);
    const auto index = make_lanes<I, N>([] {
      const auto i = static_cast<int>(engine()() % 120);
      return static_cast<I>(std::is_signed_v<I> && engine()() % 2 != 0 ? -i : i);
    });
    const V v = V::load(a.at);
    const X indices = X::load(index.at);
    const T* const p = from.data() + origin;
    const auto place = [&](std::size_t i) { return static_cast<std::ptrdiff_t>(index[i]); };
    EXPECT_LANES(V::gather(p, indices), [&](std::size_t i) { return p[place(i)]; });
    expect_stored("scatter", a, all_on<N>(), room, origin, [&](T* to) { v.scatter(to, indices); }, place);
    const auto on = random_bools<N>();
    const auto m = mask_of<N, lf::native_isa>(on);
    EXPECT_LANES(V::gather(p, indices, m), [&](std::size_t i) { return on[i] ? p[place(i)] : T(0); });
    expect_stored("scatter under a mask", a, on, room, origin, [&](T* to) { v.scatter(to, indices, m); }, place);
  }
}

template <class T, class I>
void expect_gathers() {
  expect_gather<T, I, 4>();
  if constexpr (lf::detail::has_registers<T>)
    expect_gather<T, I, 16>();
  if constexpr (thorough && sizeof(T) >= 4 && lf::detail::has_registers<T>) {
    expect_gather<T, I, 1>();
    expect_gather<T, I, 2>();
    expect_gather<T, I, 8>();
    expect_gather<T, I, 64>();
  }
}

TYPED_TEST_P(memory_gather, by_32_bits) {
  expect_gathers<TypeParam, int>();
  expect_gathers<TypeParam, unsigned>();
}
TYPED_TEST_P(memory_gather, by_64_bits) {
  expect_gathers<TypeParam, std::ptrdiff_t>();
  expect_gather<TypeParam, std::size_t, 8>();
  if constexpr (std::is_same_v<TypeParam, float>)
    expect_gather<TypeParam, std::size_t, 256>();
}
TYPED_TEST_P(memory_gather, by_small_integers) {
  if constexpr (lf::detail::has_registers<TypeParam>) {
    expect_gather<TypeParam, signed char, 16>();
    expect_gather<TypeParam, char16_t, 8>();
  }
  expect_gather<TypeParam, unsigned char, 4>();
  if constexpr (thorough && sizeof(TypeParam) == 4)
    expect_gather<TypeParam, short, 64>();
}

/// Indices of which gathers and scatters that look for runs take some for runs, and some that differ from these in one
/// lane.
template <class T, class I, std::size_t N>
void expect_runs() {
  using V = lf::varying<T, N>;
  using X = lf::varying<I, N>;
  constexpr std::size_t room = 4 * N + 80, origin = std::is_signed_v<I> ? 40 : 0;
  const auto from = numbered<T>(room);
  const T* const p = from.data() + origin;
  const auto expect = [&](const std::string& pattern, auto index_of) {
    const auto a = make_lanes<T, N>(moderate_value<T>);
    const auto on = random_bools<N>();
    const auto m = mask_of<N, lf::native_isa>(on);
    std::array<I, N> index{};
    for (std::size_t i = 0; i < N; ++i)
      index[i] = static_cast<I>(index_of(i, on));
    const V v = V::load(a.at);
    const X indices = X::load(index.data());
    const auto place = [&](std::size_t i) { return static_cast<std::ptrdiff_t>(index[i]); };
    SCOPED_TRACE(pattern);
    EXPECT_LANES(V::gather_runs(p, indices), [&](std::size_t i) { return p[place(i)]; });
    EXPECT_LANES(V::gather_table(p, indices), [&](std::size_t i) { return p[place(i)]; });
    EXPECT_LANES(V::gather_runs(p, indices, m), [&](std::size_t i) { return on[i] ? p[place(i)] : T(0); });
    expect_stored("scatter_runs", a, all_on<N>(), room, origin, [&](T* to) { v.scatter_runs(to, indices); }, place);
    expect_stored("under a mask", a, on, room, origin, [&](T* to) { v.scatter_runs(to, indices, m); }, place);
  };
  const int first = std::is_signed_v<I> ? -37 : 3;
  for (const std::size_t odd_lane : {N, N - 1, N / 2, std::size_t(1), std::size_t(0)}) { // N: none
    const auto expect_all_but = [&](const std::string& pattern, auto index_of) {
      expect(pattern + ", all lanes but " + std::to_string(odd_lane), [=](std::size_t i, const auto& on) {
        return first + static_cast<int>(index_of(i, on)) + (i == odd_lane ? 1 : 0);
      });
    };
    expect_all_but("consecutive", [](std::size_t i, const auto&) { return i; });
    expect_all_but("packed", [](std::size_t i, const auto& on) {
      return static_cast<std::size_t>(std::count(on.begin(), on.begin() + static_cast<std::ptrdiff_t>(i), true));
    });
    for (const std::size_t run : {1, 2, 3, 4, 6, 8, 16}) {
      const std::string length = std::to_string(run);
      expect_all_but("runs of " + length, [=](std::size_t i, const auto&) { return 2 * i - i % run; });
      expect_all_but("behind runs of " + length, [=](std::size_t i, const auto&) { return 2 * i - i % run + run; });
      expect_all_but("longer gaps behind " + length, [=](std::size_t i, const auto&) { return 3 * i - i % run * 2; });
      expect_all_but("again after " + length, [=](std::size_t i, const auto&) { return i % run; });
    }
    for (const std::size_t distance : {2, 3, 4}) {
      expect_all_but(std::to_string(distance) + " apart", [=](std::size_t i, const auto&) { return distance * i; });
    }
    expect_all_but("bits of 5", [](std::size_t i, const auto&) { return i + (i & 5); });
    expect_all_but("backwards", [](std::size_t i, const auto&) { return N - i; });
  }
}

TYPED_TEST_P(memory_gather, of_runs) {
  if constexpr (lf::detail::has_registers<TypeParam>) {
    expect_runs<TypeParam, unsigned, 16>();
    expect_runs<TypeParam, std::ptrdiff_t, 16>();
    if constexpr (thorough || std::is_same_v<TypeParam, float>) {
      expect_runs<TypeParam, int, 32>();
      expect_runs<TypeParam, std::size_t, 4>();
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(memory_gather, by_32_bits, by_64_bits, by_small_integers, of_runs);

} // namespace lane_testing
