// SPDX-License-Identifier: Apache-2.0
/// Tests what the library contains compiled: every instruction set that this CPU has, against loops.
#include "joint_testing.hpp"

#include <lanefold/group_algorithms/detail/compiled_joint.hpp>

#include <algorithm>

namespace {

using lf::detail::compiled_operator;

template <class T>
class compiled : public seeded {};
TYPED_TEST_SUITE(compiled, joint_element_types);

template <class T>
T combined(compiled_operator op, T a, T b) {
  switch (op) {
  case compiled_operator::plus: return static_cast<T>(a + b);
  case compiled_operator::multiplies: return static_cast<T>(a * b);
  case compiled_operator::minimum: return std::min(a, b);
  case compiled_operator::maximum: return std::max(a, b);
  default: break;
  }
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(op == compiled_operator::bit_and ? a & b : op == compiled_operator::bit_or ? a | b : a ^ b);
  }
  return a;
}

TYPED_TEST(compiled, agrees_with_loops) {
  using T = lf::detail::canonical_t<TypeParam>;
  for (const auto isa : {lf::isa_id::sse2, lf::isa_id::avx2, lf::isa_id::avx512, lf::isa_id::neon}) {
    if (!lf::supports(isa)) {
      continue;
    }
    const auto& functions = lf::detail::compiled<T>(isa);
    for (std::size_t o = 0; o < lf::detail::compiled_operators; ++o) {
      const auto op = static_cast<compiled_operator>(o);
      if (functions.reduce[o] == nullptr) {
        continue;
      }
      for (const std::size_t n : joint_lengths) {
        if (n == 0) {
          continue;
        }
        // Products stay whole and small, or wrap around without a sign.
        const bool product = op == compiled_operator::multiplies && !std::is_unsigned_v<T>;
        const auto in = product ? std::vector<T>(n, T(1)) : this->template values<T>(n);
        std::vector<T> inclusive(n), exclusive = in;
        functions.inclusive_scan[o](in.data(), inclusive.data(), n, T(3));
        functions.exclusive_scan[o](exclusive.data(), exclusive.data(), n, T(3));
        T total = in[0], prefix = 3;
        for (std::size_t i = 0; i < n; ++i) {
          total = i == 0 ? total : combined(op, total, in[i]);
          ASSERT_EQ(exclusive[i], prefix) << isa_name(isa) << ", operator " << o << ", " << i << " of " << n;
          prefix = combined(op, prefix, in[i]);
          ASSERT_EQ(inclusive[i], prefix) << isa_name(isa) << ", operator " << o << ", " << i << " of " << n;
        }
        ASSERT_EQ(functions.reduce[o](in.data(), n), total) << isa_name(isa) << ", operator " << o << ", " << n;
      }
    }
    for (const std::size_t n : joint_lengths) {
      if (n > lf::detail::largest_network) {
        continue;
      }
      auto up = this->template values<T>(n, -100, 100), right = up, down = up;
      functions.sort(up.data(), n, false);
      functions.sort(down.data(), n, true);
      std::sort(right.begin(), right.end());
      ASSERT_EQ(up, right) << isa_name(isa) << ", " << n;
      std::reverse(right.begin(), right.end());
      ASSERT_EQ(down, right) << isa_name(isa) << ", " << n;
    }
  }
}

} // namespace
