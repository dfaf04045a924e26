// SPDX-License-Identifier: Apache-2.0
/// Joint algorithms over vectors: every element type and number of elements.
#include "joint_testing.hpp"

namespace {

template <class T>
class joint_vec : public seeded {};
#if defined(LANEFOLD_TEST_THOROUGH)
using vec_element_types = joint_element_types;
#else
using vec_element_types = ::testing::Types<int>;
#endif
TYPED_TEST_SUITE(joint_vec, vec_element_types);

template <class V>
int first_wrong(const V& a, const V& b) {
  for (int i = 0; i < static_cast<int>(V::size()); ++i) {
    if (a[i] != b[i]) {
      return i;
    }
  }
  return -1;
}

[[gnu::noinline]] void expect_right(int wrong, const char* what, std::size_t elements, std::size_t of, std::size_t n) {
  ASSERT_EQ(wrong, -1) << what << " of " << n << " vectors of " << elements << ", element " << of;
}

template <lf::algorithm A, class V, class Op>
void check_reduce(const std::vector<V>& in, Op op) {
  V plain, from_two, *p = &plain, *t = &from_two;
  const V two(typename V::element_type(2)), *first = in.data(), *last = first + in.size();
  in_group([=](const joint_group& g) {
    *p = lf::joint_reduce<A>(g, first, last, op);
    *t = lf::joint_reduce<A>(g, first, last, two, op);
  });
  V right = lf::known_identity_v<Op, V>;
  for (const V& x : in) {
    right = op(right, x);
  }
  expect_right(first_wrong(plain, right), to_string(A), V::size(), 0, in.size());
  expect_right(first_wrong(from_two, V(op(two, right))), "with init", V::size(), 0, in.size());
}

template <class V, class Op>
void check_scans(const std::vector<V>& in, Op op) {
  const std::size_t n = in.size();
  std::vector<V> inclusive(n), exclusive = in, plain(n);
  const V two(typename V::element_type(2)), *first = in.data(), *last = first + n;
  V *i = inclusive.data(), *e = exclusive.data(), *p = plain.data();
  in_group([=](const joint_group& g) {
    lf::joint_inclusive_scan(g, first, last, i, op, two);
    lf::joint_exclusive_scan(g, e, e + n, e, two, op); // in place
    lf::joint_inclusive_scan(g, first, last, p, op);
  });
  V sum = two, without = lf::known_identity_v<Op, V>;
  for (std::size_t k = 0; k < n; ++k) {
    expect_right(first_wrong(exclusive[k], sum), "exclusive scan", V::size(), k, n);
    sum = op(sum, in[k]);
    without = op(without, in[k]);
    expect_right(first_wrong(inclusive[k], sum), "inclusive scan", V::size(), k, n);
    expect_right(first_wrong(plain[k], without), "scan without init", V::size(), k, n);
  }
}

TYPED_TEST(joint_vec, agree_with_loops) {
  [&]<int... N>(std::integer_sequence<int, N...>) {
    const auto check = [&]<int M>(std::integral_constant<int, M>) {
      using V = lf::vec<TypeParam, M>;
      for (const std::size_t n : {1, 2, 5, 16, 63, 130, 1001}) {
        const auto numbers = this->template values<TypeParam>(n * M, -1, 1); // sums stay within a byte
        std::vector<V> in(n);
        for (std::size_t i = 0; i < n; ++i) {
          in[i].load(i, numbers.data());
        }
        check_reduce<lf::algorithm::automatic>(in, lf::plus<>{});
        if constexpr (M == 3) {
          check_reduce<lf::algorithm::omp_simd>(in, lf::plus<V>{});
          check_reduce<lf::algorithm::serial>(in, lf::maximum<>{});
          check_reduce<lf::algorithm::simd>(in, lf::maximum<>{});
        }
        if constexpr (M == 3 || (std::is_same_v<TypeParam, int> && M != 2)) {
          check_scans(in, lf::plus<>{});
        }
      }
    };
    (check(std::integral_constant<int, N>{}), ...);
  }(std::integer_sequence<int, 1, 2, 3, 4, 8, 16>{});
}

} // namespace
