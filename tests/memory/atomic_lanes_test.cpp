// SPDX-License-Identifier: Apache-2.0
/// atomic_ref of the elements of lanes that meet, with all lanes active and with some, against one lane after the
/// other.
#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/memory/view.hpp>
#include <lanefold/simd/variable.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace lf = lanefold;
using order = lf::memory_order;
using scope = lf::memory_scope;

template <class T>
struct lanes_of_atomics : ::testing::Test {};
using lane_numbers = ::testing::Types<std::uint8_t, int, double>;
TYPED_TEST_SUITE(lanes_of_atomics, lane_numbers);

template <class T, std::size_t N>
struct lane_case {
  using lanes = lf::simd<N>;
  using V = lf::varying<T, N>;
  using I = lf::varying<int, N>;
  using M = lf::mask<N>;
  static constexpr std::size_t room = 300, met = 16;

  std::mt19937& random;
  std::array<bool, N> on{};
  std::array<int, N> place{};
  std::array<T, N> operand{};
  std::vector<T> memory = std::vector<T>(room), expected;

  explicit lane_case(std::mt19937& r, bool all) : random(r) {
    for (std::size_t l = 0; l < N; ++l) {
      on[l] = all || random() % 3 != 0;
      place[l] = static_cast<int>(random() % (l % 2 == 0 ? met : 3)); // many meet
      operand[l] = static_cast<T>(random() % 50);
    }
    for (T& x : memory) {
      x = static_cast<T>(random() % 100);
    }
    expected = memory;
  }

  M active() const {
    std::uint64_t words[M::words] = {};
    for (std::size_t l = 0; l < N; ++l) {
      words[l / 64] |= static_cast<std::uint64_t>(on[l]) << (l % 64);
    }
    return M::from_words(words);
  }

  /// `act` on the elements of a view with the index `i` of all lanes does what `model(element, operand)`, which returns
  /// what a lane gets, does for each active lane at `place_of(lane)`.
  template <class Index, class PlaceOf, class Act, class Model>
  void compare(const Index& i, PlaceOf place_of, Act act, Model model) {
    const lf::view<T> x(memory.data(), room);
    const auto got = act(x[i], V::load(operand.data())).to_array();
    for (std::size_t l = 0; l < N; ++l) {
      const T right = on[l] ? model(expected[place_of(l)], operand[l]) : T(0);
      ASSERT_EQ(got[l], right) << "lane " << l << " of " << N;
    }
    ASSERT_EQ(memory, expected);
  }

  template <class Index, class PlaceOf>
  void all_operations(const Index& i, PlaceOf place_of, scope s) {
#define LANEFOLD_TEST_OPERATION(function, ...)                                                                         \
  compare(                                                                                                             \
      i, place_of, [&](auto&& x, const V& v) { return lf::atomic_ref(x).function(v, order::acq_rel, s); },             \
      [](T& x, T v) {                                                                                                  \
        const T old = x;                                                                                               \
        x = static_cast<T>(__VA_ARGS__);                                                                               \
        return old;                                                                                                    \
      });
    LANEFOLD_TEST_OPERATION(fetch_add, x + v)
    LANEFOLD_TEST_OPERATION(fetch_sub, x - v)
    LANEFOLD_TEST_OPERATION(fetch_min, v < x ? v : x)
    LANEFOLD_TEST_OPERATION(fetch_max, v > x ? v : x)
    LANEFOLD_TEST_OPERATION(exchange, v)
    if constexpr (std::is_integral_v<T>) {
      LANEFOLD_TEST_OPERATION(fetch_and, x & v)
      LANEFOLD_TEST_OPERATION(fetch_or, x | v)
      LANEFOLD_TEST_OPERATION(fetch_xor, x ^ v)
    }
#undef LANEFOLD_TEST_OPERATION
    compare(
        i, place_of, [](auto&& x, const V&) { return lf::make_atomic_ref<order::relaxed, scope::work_group>(x)++; },
        [](T& x, T) { return x++; });
    compare(
        i, place_of, [s](auto&& x, const V&) { return lf::atomic_ref(x).fetch_add(3, order::relaxed, s); },
        [](T& x, T) { return std::exchange(x, static_cast<T>(x + 3)); });
  }
};

/// f(N) for some numbers of lanes.
template <class F>
void for_lanes(F f) {
  [&]<std::size_t... N>(std::index_sequence<N...>) {
    (f(std::integral_constant<std::size_t, N>{}), ...);
  }(std::index_sequence<8, 128>{});
}

struct seeded {
  std::uint32_t seed = std::random_device{}();
  std::mt19937 random{seed};
  ::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed)};
};

TYPED_TEST(lanes_of_atomics, varying_index) {
  seeded s;
  for_lanes([&](auto n) {
    for (const bool all : {true, false}) {
      for (const scope each : {scope::work_group, scope::device}) {
        lane_case<TypeParam, n()> c(s.random, all);
        const lf::detail::lane_context<lf::simd<n()>> context{c.active(), all, !all};
        if (!all) {
          lf::detail::announce_divergence(context);
        }
        c.all_operations(lf::varying<int, n()>::load(c.place.data()), [&](std::size_t l) { return c.place[l]; }, each);
        lf::detail::announce_convergence();
      }
    }
  });
}

TYPED_TEST(lanes_of_atomics, lane_index) {
  seeded s;
  for_lanes([&](auto n) {
    for (const bool all : {true, false}) {
      lane_case<TypeParam, n()> c(s.random, all);
      lf::detail::lane_context<lf::simd<n()>> context{c.active(), all, !all};
      using index = lf::lane_index<lf::simd<n()>, lf::stride::zero, lf::stride::one>;
      c.all_operations(index(&context, 2, 0, 1), [](std::size_t l) { return l + 2; }, scope::device);
      using same = lf::lane_index<lf::simd<n()>, lf::stride::zero, lf::stride::zero>; // all lanes meet
      c.all_operations(same(&context, 5, 0, 0), [](std::size_t) { return 5U; }, scope::device);
    }
  });
}

TYPED_TEST(lanes_of_atomics, uniform_element) {
  using T = TypeParam;
  seeded s;
  for_lanes([&](auto n) {
    using V = lf::varying<T, n()>;
    for (const bool all : {true, false}) {
      for (const scope each : {scope::work_group, scope::device}) {
        lane_case<T, n()> c(s.random, all);
        const lf::detail::lane_context<lf::simd<n()>> context{c.active(), all, !all};
        if (!all) {
          lf::detail::announce_divergence(context);
        }
        const auto operation = [&](auto act, auto model) {
          c.compare(std::size_t{7}, [](std::size_t) { return 7U; }, act, model);
        };
        operation([&](T& x, const V& v) { return lf::atomic_ref(x).fetch_add(v, order::relaxed, each); },
                  [](T& x, T v) { return std::exchange(x, static_cast<T>(x + v)); });
        operation([&](T& x, const V& v) { return lf::atomic_ref(x).fetch_sub(v, order::relaxed, each); },
                  [](T& x, T v) { return std::exchange(x, static_cast<T>(x - v)); });
        operation([&](T& x, const V& v) { return lf::atomic_ref(x).fetch_min(v, order::acq_rel, each); },
                  [](T& x, T v) { return std::exchange(x, v < x ? v : x); });
        operation([&](T& x, const V& v) { return lf::atomic_ref(x).fetch_max(v, order::relaxed, each); },
                  [](T& x, T v) { return std::exchange(x, v > x ? v : x); });
        if constexpr (std::is_integral_v<T>) {
          operation([&](T& x, const V& v) { return lf::atomic_ref(x).fetch_xor(v, order::relaxed, each); },
                    [](T& x, T v) { return std::exchange(x, static_cast<T>(x ^ v)); });
          operation([&](T& x, const V& v) { return lf::atomic_ref(x).fetch_or(v, order::relaxed, each); },
                    [](T& x, T v) { return std::exchange(x, static_cast<T>(x | v)); });
          operation([&](T& x, const V& v) { return lf::atomic_ref(x).fetch_and(v, order::relaxed, each); },
                    [](T& x, T v) { return std::exchange(x, static_cast<T>(x & v)); });
        }
        lf::detail::announce_convergence();
      }
    }
  });
}

TYPED_TEST(lanes_of_atomics, compare_exchange) {
  using T = TypeParam;
  seeded s;
  for_lanes([&](auto n) {
    constexpr std::size_t lanes = n();
    lane_case<T, lanes> c(s.random, false);
    lf::detail::lane_context<lf::simd<lanes>> context{c.active(), false, true};
    lf::detail::announce_divergence(context);
    const lf::view<T> x(c.memory.data(), c.room);
    const auto i = lf::varying<int, lanes>::load(c.place.data());
    lf::variable<T, lf::simd<lanes>> expected(&context, x[i]); // right for the first lane of those that meet
    const auto found = expected.to_array();
    const auto done = lf::atomic_ref(x[i]).compare_exchange_strong(expected, T(200));
    const auto after = expected.to_array();
    for (std::size_t l = 0; l < lanes; ++l) {
      T& element = c.expected[c.place[l]];
      const bool stored = c.on[l] && element == found[l];
      ASSERT_EQ(done[l], stored) << l;
      ASSERT_EQ(after[l], stored || !c.on[l] ? found[l] : element) << l;
      if (stored) {
        element = T(200);
      }
    }
    ASSERT_EQ(c.memory, c.expected);
    lf::detail::announce_convergence();
  });
}

} // namespace
