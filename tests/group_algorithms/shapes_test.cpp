// SPDX-License-Identifier: Apache-2.0
/// Groups of two and three dimensions, lanes in rows and columns: algorithms follow the linear order of work-items.
#include "testing.hpp"

#include <algorithm>

namespace {

template <class Strategy>
class shapes : public seeded {};
#if defined(LANEFOLD_TEST_THOROUGH)
using shape_strategies = ::testing::Types<lf::scalar, lf::simd<4>, lf::simd<16>, lf::simd<2, 16>, lf::simd<8, 16>>;
#else
using shape_strategies = ::testing::Types<lf::scalar, lf::simd<2, 16>>;
#endif
TYPED_TEST_SUITE(shapes, shape_strategies, strategy_names);

template <class Strategy, int D>
void check(const std::vector<int>& in, lf::range<D> groups, lf::range<D> local) {
  lf::queue q;
  lf::range<D> global = groups;
  for (int d = 0; d < D; ++d) {
    global[d] *= local[d];
  }
  const std::size_t size = local.size(), n = global.size();
  const auto last_set = [](int a, int b) { return b != 0 ? b : a; };
  // Work-item l of group g has in[g * size + l].
  std::vector<int> results[5];
  for (auto& each : results) {
    each.resize(n);
  }
  const lf::view<const int> x(in.data(), n);
  int* r[5];
  std::transform(results, results + 5, r, [](auto& each) { return each.data(); });
  const std::size_t chosen = size * 2 / 3;
  q.parallel_for(lf::nd_range<D>(global, local), how<Strategy>(), [=](auto it) {
     const auto g = it.get_group();
     const auto i = it.get_local_linear_id() + g.get_group_linear_id() * size;
     const auto out = [&](int k) { return lf::view<int>(r[k], n); };
     out(0)[i] = lf::reduce_over_group(g, x[i], lf::plus<>{});
     out(1)[i] = lf::inclusive_scan_over_group(g, x[i], last_set);
     out(2)[i] = lf::exclusive_scan_over_group(g, x[i], lf::plus<>{});
     out(3)[i] = lf::group_broadcast(g, x[i], chosen);
     out(4)[i] = lf::sort_over_group(g, x[i]);
   }).wait();
  for (std::size_t first = 0; first < n; first += size) {
    std::vector<int> sorted(in.begin() + static_cast<long>(first), in.begin() + static_cast<long>(first + size));
    std::sort(sorted.begin(), sorted.end());
    int total = 0, last = in[first], before = 0;
    for (std::size_t l = 0; l < size; ++l) {
      total += in[first + l];
    }
    for (std::size_t l = 0; l < size; ++l) {
      last = last_set(last, in[first + l]);
      ASSERT_EQ(results[0][first + l], total) << l;
      ASSERT_EQ(results[1][first + l], last) << l;
      ASSERT_EQ(results[2][first + l], before) << l;
      ASSERT_EQ(results[3][first + l], in[first + chosen]) << l;
      ASSERT_EQ(results[4][first + l], sorted[l]) << l;
      before += in[first + l];
    }
  }
}

TYPED_TEST(shapes, two_dimensions) {
  for (const std::size_t rows : {1, 3, 8, 13}) {
    check<TypeParam>(this->template values<int>(4 * rows * 16, -2, 2), lf::range<2>(2, 2), lf::range<2>(rows, 16));
  }
  if constexpr (TypeParam::rows == 1) {
    check<TypeParam>(this->template values<int>(2 * 5 * 19, -2, 2), lf::range<2>(1, 2), lf::range<2>(5, 19));
  }
}

TYPED_TEST(shapes, three_dimensions) {
  check<TypeParam>(this->template values<int>(4 * 2 * 3 * 16, -2, 2), lf::range<3>(1, 2, 2), lf::range<3>(2, 3, 16));
}

} // namespace
