// SPDX-License-Identifier: Apache-2.0
/// joint_reduce: every implementation, element type and operator.
#include "joint_testing.hpp"

#include <cmath>
#include <numeric>

namespace {

template <class T>
class joint_reduce : public seeded {};
TYPED_TEST_SUITE(joint_reduce, joint_element_types);

/// Reduces `in` in the order of the elements, and converts to T after each of them.
template <class T, class Op>
T reduced(const std::vector<T>& in, T init, Op op) {
  for (const T x : in) {
    init = static_cast<T>(op(init, x));
  }
  return init;
}

template <lf::algorithm A, class T, class Op>
void check_reduce(const std::vector<T>& in, Op op) {
  T plain{}, from_three{};
  T *p = &plain, *t = &from_three;
  const T *first = in.data(), *last = first + in.size();
  in_group([=](const auto& g) {
    *p = lf::joint_reduce<A>(g, first, last, op);
    *t = lf::joint_reduce<A>(g, first, last, T(3), op);
  });
  ASSERT_EQ(plain, reduced(in, lf::known_identity_v<Op, T>, op)) << to_string(A) << ", " << in.size() << " elements";
  ASSERT_EQ(from_three, reduced(in, T(3), op)) << to_string(A) << ", " << in.size() << " elements";
}

template <class T, class Op>
void check_reduces(const std::vector<T>& in, Op op) {
  check_reduce<lf::algorithm::automatic>(in, op);
  check_reduce<lf::algorithm::serial>(in, op);
  check_reduce<lf::algorithm::omp_simd>(in, op);
  check_reduce<lf::algorithm::simd>(in, op);
}

TYPED_TEST(joint_reduce, reduce) {
  for (const std::size_t n : joint_lengths) {
    const auto in = this->template values<TypeParam>(n);
    check_reduces(in, lf::plus<>{});
    check_reduces(in, lf::minimum<TypeParam>{});
    check_reduces(in, lf::maximum<>{});
    if constexpr (std::is_integral_v<TypeParam>) {
      check_reduces(in, lf::bit_and<>{});
      check_reduces(in, lf::bit_or<TypeParam>{});
      check_reduces(in, std::bit_xor<>{});
      if constexpr (std::is_unsigned_v<TypeParam>) {
        check_reduces(in, std::multiplies<TypeParam>{}); // modulo 2^bits
      }
    }
  }
}

/// Sums of floats: in the order of the elements bit by bit when asked for, else as near as a reordering must be.
TEST(joint_floats, rounding) {
  std::mt19937 random{42};
  std::uniform_real_distribution<float> distribution(0, 1);
  std::vector<float> in(50000);
  for (float& x : in) {
    x = distribution(random);
  }
  float serial = 0, automatic = 0, *s = &serial, *a = &automatic;
  const float *first = in.data(), *last = first + in.size();
  in_group([=](const auto& g) {
    *s = lf::joint_reduce<lf::algorithm::serial>(g, first, last, lf::plus<>{});
    *a = lf::joint_reduce(g, first, last, lf::plus<>{});
  });
  EXPECT_EQ(serial, std::accumulate(first, last, 0.f));
  const double exact = std::accumulate(first, last, 0.0);
  EXPECT_LE(std::abs(automatic - exact), std::abs(serial - exact) + 1e-7 * exact);
}

} // namespace
