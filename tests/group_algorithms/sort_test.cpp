// SPDX-License-Identifier: Apache-2.0
/// sort_over_group and joint_sort.
#include "joint_testing.hpp"

#include <algorithm>
#include <limits>

namespace {

template <class T>
class joint_sort : public seeded {};
TYPED_TEST_SUITE(joint_sort, joint_element_types);

TYPED_TEST(joint_sort, up_and_down) {
  using T = TypeParam;
  for (const std::size_t n : joint_lengths) {
    auto in = this->template values<T>(n, -100, 100);
    if (n > 3) {
      in[0] = std::numeric_limits<T>::max();
      in[1] = std::numeric_limits<T>::lowest();
      in[2] = std::numeric_limits<T>::has_infinity ? static_cast<T>(-std::numeric_limits<T>::infinity()) : T(0);
    }
    auto up = in, down = in, odd_first = in;
    const auto by_parity = [](T a, T b) {
      const auto key = [](T x) { return static_cast<long>(x < 100 ? x : T(100)) & 1; };
      return key(a) > key(b) || (key(a) == key(b) && a < b);
    };
    T *u = up.data(), *d = down.data(), *o = odd_first.data();
    in_group([=](const auto& g) {
      lf::joint_sort(g, u, u + n);
      lf::joint_sort(g, d, d + n, std::greater<>{});
      lf::joint_sort(g, o, o + n, by_parity);
    });
    std::sort(in.begin(), in.end());
    ASSERT_EQ(up, in) << n << " elements";
    std::reverse(in.begin(), in.end());
    ASSERT_EQ(down, in) << n << " elements";
    std::sort(in.begin(), in.end(), by_parity);
    ASSERT_EQ(odd_first, in) << n << " elements";
  }
}

template <class Strategy>
class sort_over_group : public seeded {};
TYPED_TEST_SUITE(sort_over_group, few_strategies, strategy_names);

TYPED_TEST(sort_over_group, work_group_and_sub_group) {
  for (const std::size_t local : group_sizes) {
    const std::size_t n = 3 * local;
    const auto in = this->template values<int>(n, -1000, 1000);
    std::vector<int> group(n), sub(n);
    const lf::view<const int> x(in.data(), n);
    const lf::view<int> y(group.data(), n), z(sub.data(), n);
    run_groups<TypeParam>(3, local, [=](auto it) {
      const auto i = it.get_global_id(0);
      y[i] = lf::sort_over_group(it.get_group(), x[i]);
      z[i] = lf::sort_over_group(it.get_sub_group(), x[i], std::greater<>{});
    });
    const std::size_t lanes = std::is_same_v<TypeParam, lf::scalar> ? lf::detail::native_lanes : TypeParam::size;
    auto right = in, right_sub = in;
    for (std::size_t first = 0; first < n; first += local) {
      std::sort(right.begin() + static_cast<long>(first), right.begin() + static_cast<long>(first + local));
      for (std::size_t k = 0; k < local; k += lanes) {
        std::sort(right_sub.begin() + static_cast<long>(first + k),
                  right_sub.begin() + static_cast<long>(first + std::min(k + lanes, local)), std::greater<>{});
      }
    }
    ASSERT_EQ(group, right) << "group size " << local;
    ASSERT_EQ(sub, right_sub) << "group size " << local;
  }
}

TEST(sort_over_group_work_items, structs) {
  struct entry {
    int key;
    double load[3];
  };
  std::vector<int> out(100);
  const lf::view<int> o(out.data(), out.size());
  run_groups<lf::scalar>(1, 100, [=](lf::nd_item<1> it) {
    const entry mine{static_cast<int>(it.get_local_id(0) * 37 % 100), {}};
    o[it.get_local_id(0)] =
        lf::sort_over_group(it.get_group(), mine, [](const entry& a, const entry& b) { return a.key < b.key; }).key;
  });
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(out[static_cast<std::size_t>(i)], i);
  }
}

} // namespace
