// SPDX-License-Identifier: Apache-2.0
/// Reductions of each kind, against a loop.
#pragma once

#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <random>
#include <type_traits>

namespace lf = lanefold;

/// Operands with which every operator is exact in any order: small whole numbers, signs for products.
template <class T, class Op>
std::unique_ptr<T[]> operands(std::size_t n, const Op&) {
  std::mt19937 random(static_cast<unsigned>(n) + 1);
  auto v = std::make_unique<T[]>(n);
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (std::is_same_v<Op, lf::multiplies<T>> && std::is_floating_point_v<T>) {
      v[i] = random() % 2 == 0 ? T(-1) : T(1);
    } else {
      v[i] = static_cast<T>(random() % 13);
    }
  }
  return v;
}

/// Op under a type of which no identity is known.
template <class T, class Op>
struct without_identity {
  Op op;
  T operator()(const T& a, const T& b) const { return static_cast<T>(op(a, b)); }
};

template <class T, class Op>
struct problem {
  using value_type = T;
  using operation = Op;
};

template <class Problem>
class reductions : public ::testing::Test {
protected:
  using T = typename Problem::value_type;
  using Op = typename Problem::operation;
  Op op;
  lf::queue q;

  T expected(const T* v, std::size_t n, T start) const {
    for (std::size_t i = 0; i < n; ++i) {
      start = static_cast<T>(op(start, v[i]));
    }
    return start;
  }
  /// Runs `launch(reduction, pointer to the operands)` for reductions of each kind.
  template <class Launch>
  void check(std::size_t n, Launch launch) {
    const std::unique_ptr<T[]> v = operands<T>(n, op);
    const T* p = v.get();
    T known = T(3);
    launch(lf::reduction(&known, op), p);
    EXPECT_EQ(known, expected(p, n, T(3))) << n;
    T unknown = T(3);
    launch(lf::reduction(&unknown, without_identity<T, Op>{op}), p);
    EXPECT_EQ(unknown, expected(p, n, T(3))) << n << " without identity";
    T given = T(5);
    launch(lf::reduction(&given, lf::known_identity_v<Op, T>, without_identity<T, Op>{op},
                         lf::property::reduction::initialize_to_identity{}),
           p);
    EXPECT_EQ(given, expected(p, n, lf::known_identity_v<Op, T>)) << n << " initialised";
  }
};
