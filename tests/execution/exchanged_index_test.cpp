// SPDX-License-Identifier: Apache-2.0
/// x[i ^ m] for consecutive indices i: loads and stores, whole sub-groups and parts of them.
#include "index_patterns.hpp"

#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/simd/exchanged_index.hpp>

#include <cstdint>

namespace {

template <class Strategy>
class exchanged_index : public index_patterns<Strategy> {};
TYPED_TEST_SUITE(exchanged_index, index_strategies, strategy_names);

template <class T, class Test>
void exchange_each(Test& test) {
  for (const std::size_t m : {0, 1, 2, 3, 5, 8, 15, 16, 31, 32, 37, 64, 127, 128, 511, 1000}) {
    SCOPED_TRACE(m);
    test.template compare<T>(
        1024, [=](auto, auto x, auto y, auto i) { y[i] = x[i ^ m]; }, [=](std::size_t k) { return (k ^ m) + 1; });
    test.template compare<T>(
        1024, [=](auto, auto x, auto y, auto i) { y[m ^ i] = x[i]; }, [=](std::size_t k) { return (k ^ m) + 1; });
    // Not consecutive from a multiple of the lanes on.
    test.template compare<T>(
        1000, [=](auto, auto x, auto y, auto i) { y[(i + 3) ^ m] = x[i]; },
        [=](std::size_t k) { return (k ^ m) >= 3 && (k ^ m) < 1003 ? (k ^ m) - 3 + 1 : 100; });
    // A part of the last sub-group, and divergent code.
    test.template compare<T>(
        333, [=](auto, auto x, auto y, auto i) { y[i ^ m] = x[i ^ m] + T(1); },
        [=](std::size_t k) { return (k ^ m) < 333 ? k + 2 : 100; });
    test.template compare<T>(
        1024,
        [=](auto it, auto x, auto y, auto i) {
          const auto partner = i ^ m;
          it.if_(i < partner, [&] {
            y[i] = x[partner];
            y[partner] = x[i];
          });
        },
        [=](std::size_t k) { return m == 0 ? 100 : (k ^ m) + 1; });
    test.template compare<T>(
        1024, [=](auto it, auto, auto y, auto i) { it.if_(i % 3 == 0, [&] { y[i ^ m] += T(1); }); },
        [=](std::size_t k) { return (k ^ m) % 3 == 0 ? 101 : 100; });
  }
}

TYPED_TEST(exchanged_index, of_words) { exchange_each<float>(*this); }
TYPED_TEST(exchanged_index, of_bytes) { exchange_each<std::uint8_t>(*this); }
TYPED_TEST(exchanged_index, of_doubles) { exchange_each<double>(*this); }

/// The value is what it was before there was a way of its own to memory.
TYPED_TEST(exchanged_index, is_a_value) {
  this->template compare<std::uint64_t>(
      1024, [](auto it, auto, auto y, auto i) { y[i] = (i ^ 12) * 2 + it.var(i ^ 3) + (5 ^ i); },
      [](std::size_t k) { return (k ^ 12) * 2 + (k ^ 3) + (5 ^ k); });
}

TYPED_TEST(exchanged_index, of_atomic_elements) {
  this->template compare<int>(
      999, [](auto, auto x, auto y, auto i) { lf::atomic_ref(y[i ^ 21]).fetch_add(x[i]); },
      [](std::size_t k) { return 100 + ((k ^ 21) < 999 ? (k ^ 21) + 1 : 0); });
}

} // namespace
