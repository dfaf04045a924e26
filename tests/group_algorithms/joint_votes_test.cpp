// SPDX-License-Identifier: Apache-2.0
/// joint_any_of, joint_all_of, joint_none_of.
#include "joint_testing.hpp"

#include <algorithm>

namespace {

template <class T>
class joint_votes : public seeded {};
TYPED_TEST_SUITE(joint_votes, joint_element_types);

template <lf::algorithm A, class T, class Predicate>
void check_votes(const std::vector<T>& in, Predicate holds) {
  unsigned votes = 0, *v = &votes;
  const T *first = in.data(), *last = first + in.size();
  in_group([=](const auto& g) {
    *v = lf::joint_any_of<A>(g, first, last, holds) + 2 * lf::joint_all_of<A>(g, first, last, holds) +
         4 * lf::joint_none_of<A>(g, first, last, holds);
  });
  ASSERT_EQ(votes, std::any_of(first, last, holds) + 2 * std::all_of(first, last, holds) +
                       4 * std::none_of(first, last, holds))
      << to_string(A) << ", " << in.size() << " elements";
}

TYPED_TEST(joint_votes, votes) {
  using T = TypeParam;
  for (const std::size_t n : joint_lengths) {
    std::vector<T> in(n, T(1));
    for (int round = 0; round < 3; ++round) {
      const auto generic = [](const auto& x) { return x == T(2); };
      const auto plain = [](T x) { return x == T(2); };
      check_votes<lf::algorithm::automatic>(in, generic);
      check_votes<lf::algorithm::automatic>(in, plain);
      check_votes<lf::algorithm::serial>(in, plain);
      check_votes<lf::algorithm::omp_simd>(in, generic);
      if (n > 0) {
        round == 0 ? void(in[this->random() % n] = T(2)) : std::fill(in.begin(), in.end(), T(2));
      }
    }
  }
}

} // namespace
