// SPDX-License-Identifier: Apache-2.0
/// joint_inclusive_scan and joint_exclusive_scan, in place and not.
#include "joint_testing.hpp"

namespace {

template <class T>
class joint_scan : public seeded {};
TYPED_TEST_SUITE(joint_scan, joint_element_types);

template <lf::algorithm A, class T, class Op>
void check_scan(const std::vector<T>& in, Op op, bool in_place) {
  const std::size_t n = in.size();
  std::vector<T> results[4];
  for (auto& each : results) {
    each = in_place ? in : std::vector<T>(n, T(77));
  }
  const T* from[4];
  T* to[4];
  for (int k = 0; k < 4; ++k) {
    to[k] = results[k].data();
    from[k] = in_place ? to[k] : in.data();
  }
  bool ends = false, *e = &ends;
  in_group([=](const auto& g) {
    const auto end0 = lf::joint_inclusive_scan<A>(g, from[0], from[0] + n, to[0], op);
    const auto end1 = lf::joint_inclusive_scan<A>(g, from[1], from[1] + n, to[1], op, T(5));
    const auto end2 = lf::joint_exclusive_scan<A>(g, from[2], from[2] + n, to[2], op);
    const auto end3 = lf::joint_exclusive_scan<A>(g, from[3], from[3] + n, to[3], T(5), op);
    *e = end0 == to[0] + n && end1 == to[1] + n && end2 == to[2] + n && end3 == to[3] + n;
  });
  ASSERT_TRUE(ends);
  T plain = lf::known_identity_v<Op, T>, from_five = 5;
  for (std::size_t i = 0; i < n; ++i) {
    const auto where = [&] {
      return to_string(A) + std::string(", element ") + std::to_string(i) + " of " + std::to_string(n);
    };
    ASSERT_EQ(results[2][i], plain) << where();
    ASSERT_EQ(results[3][i], from_five) << where();
    plain = static_cast<T>(op(plain, in[i]));
    from_five = static_cast<T>(op(from_five, in[i]));
    ASSERT_EQ(results[0][i], plain) << where();
    ASSERT_EQ(results[1][i], from_five) << where();
  }
}

TYPED_TEST(joint_scan, scans) {
  for (const std::size_t n : joint_lengths) {
    const auto in = this->template values<TypeParam>(n);
    for (const bool in_place : {false, true}) {
      check_scan<lf::algorithm::automatic>(in, lf::plus<>{}, in_place);
      check_scan<lf::algorithm::serial>(in, lf::plus<TypeParam>{}, in_place);
      check_scan<lf::algorithm::automatic>(in, lf::maximum<>{}, in_place);
      check_scan<lf::algorithm::automatic>(in, lf::minimum<TypeParam>{}, in_place);
    }
    if constexpr (std::is_unsigned_v<TypeParam>) {
      check_scan<lf::algorithm::simd>(in, lf::multiplies<>{}, true);
      check_scan<lf::algorithm::simd>(in, lf::bit_xor<>{}, false);
      check_scan<lf::algorithm::simd>(in, lf::bit_and<>{}, false);
      check_scan<lf::algorithm::simd>(in, lf::bit_or<>{}, true);
    }
  }
}

} // namespace
