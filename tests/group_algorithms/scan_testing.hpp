// SPDX-License-Identifier: Apache-2.0
/// All scans by value in one kernel, compared with loops.
#pragma once

#include "testing.hpp"

/// The four scans of the work-group (or sub-group) in one kernel, compared with loops.
template <class Strategy, bool SubGroup, class T, class Op>
void check(const std::vector<T>& in, std::size_t local, T init, Op op, lf::fiber_engine engine) {
  const std::size_t n = in.size();
  std::vector<T> out[4];
  for (auto& each : out) {
    each.resize(n);
  }
  const lf::view<const T> x(in.data(), n);
  const lf::view<T> a(out[0].data(), n), b(out[1].data(), n), c(out[2].data(), n), d(out[3].data(), n);
  run_groups<Strategy>(
      n / local, local,
      [=](auto it) {
        const auto g = [&] {
          if constexpr (SubGroup) {
            return it.get_sub_group();
          } else {
            return it.get_group();
          }
        }();
        const auto i = it.get_global_id(0);
        a[i] = lf::inclusive_scan_over_group(g, x[i], op);
        b[i] = lf::inclusive_scan_over_group(g, x[i], op, init);
        c[i] = lf::exclusive_scan_over_group(g, x[i], init, op);
        if constexpr (lf::has_known_identity_v<Op, T>) {
          d[i] = lf::exclusive_scan_over_group(g, x[i], op);
        }
      },
      engine);
  const std::size_t lanes = std::is_same_v<Strategy, lf::scalar> ? lf::detail::native_lanes : Strategy::size;
  T plain{}, with_init{}, from_identity{};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t item = i % local;
    const bool first = SubGroup ? item % lanes == 0 : item == 0;
    const T before = first ? init : with_init;
    plain = first ? in[i] : static_cast<T>(op(plain, in[i]));
    with_init = static_cast<T>(op(before, in[i]));
    ASSERT_EQ(out[0][i], plain) << "group size " << local << ", item " << i << ", " << to_string(engine);
    ASSERT_EQ(out[1][i], with_init) << "group size " << local << ", item " << i << ", " << to_string(engine);
    ASSERT_EQ(out[2][i], before) << "group size " << local << ", item " << i << ", " << to_string(engine);
    if constexpr (lf::has_known_identity_v<Op, T>) {
      from_identity = first ? lf::known_identity_v<Op, T> : static_cast<T>(op(from_identity, in[i - 1]));
      ASSERT_EQ(out[3][i], from_identity) << "group size " << local << ", item " << i << ", " << to_string(engine);
    }
  }
}
