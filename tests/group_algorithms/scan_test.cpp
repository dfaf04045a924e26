// SPDX-License-Identifier: Apache-2.0
/// Scans of work-groups by value for every strategy, engine and group size.
#include "scan_testing.hpp"

namespace {

template <class Strategy>
class scan : public seeded {};
TYPED_TEST_SUITE(scan, few_strategies, strategy_names);

TYPED_TEST(scan, work_group_plus) {
  for (const std::size_t local : group_sizes) {
    for (const auto engine : engines) {
      check<TypeParam, false>(this->template values<int>(3 * local), local, 17, lf::plus<>{}, engine);
    }
  }
}

TYPED_TEST(scan, types_and_operators) {
  for (const std::size_t local : {7, 33, 1000}) {
    check<TypeParam, false>(this->template values<float>(2 * local), local, 5.f, lf::plus<float>{}, engines[0]);
    check<TypeParam, false>(this->template values<double>(2 * local), local, 5., lf::maximum<>{}, engines[0]);
    check<TypeParam, false>(this->template values<std::uint8_t>(2 * local), local, std::uint8_t(200),
                            lf::minimum<std::uint8_t>{}, engines[0]);
  }
}

/// An operator that is associative, but does not commute, and has no identity: of the pairs it sees, the last one
/// that is not 0 stays.
TYPED_TEST(scan, order_is_kept) {
  const auto last_set = [](int a, int b) { return b != 0 ? b : a; };
  for (const std::size_t local : {7, 33, 1000}) {
    auto in = this->template values<int>(2 * local, 0, 40);
    for (int& value : in) {
      value = value > 4 ? 0 : value;
    }
    check<TypeParam, false>(in, local, 3, last_set, engines[0]);
  }
}

} // namespace
