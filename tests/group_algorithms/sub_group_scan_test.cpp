// SPDX-License-Identifier: Apache-2.0
/// Scans of sub-groups by value for every strategy, engine and group size.
#include "scan_testing.hpp"

namespace {

template <class Strategy>
class sub_group_scan : public seeded {};
TYPED_TEST_SUITE(sub_group_scan, few_strategies, strategy_names);

TYPED_TEST(sub_group_scan, plus) {
  for (const std::size_t local : group_sizes) {
    for (const auto engine : engines) {
      check<TypeParam, true>(this->template values<int>(2 * local), local, 17, lf::plus<>{}, engine);
    }
  }
}

TYPED_TEST(sub_group_scan, order_is_kept) {
  auto in = this->template values<int>(66, 0, 40);
  for (int& value : in) {
    value = value > 4 ? 0 : value;
  }
  check<TypeParam, true>(in, 33, 3, [](int a, int b) { return b != 0 ? b : a; }, engines[0]);
}

} // namespace
