// SPDX-License-Identifier: Apache-2.0
/// Local memory and views of several dimensions by every mixture of plain, affine and varying indices of any width.
#include "strategies.hpp"

#include <lanefold/simd/select.hpp>

#include <cstdint>
#include <numeric>
#include <vector>

namespace {

template <class Strategy>
class local_index : public ::testing::Test {};
TYPED_TEST_SUITE(local_index, index_strategies, strategy_names);

/// Stores every element of a local array of 5 × 3 × 64 through one mixture of indices and reads it through another.
template <class Strategy, class Index>
void move_through_local_memory() {
  constexpr std::size_t local = 64, planes = 5, rows = 3, n = 3 * local;
  std::vector<int> out(n * planes * rows, -1);
  lf::queue q;
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<int, 3> cube({planes, rows, local}, h);
     const lf::local_accessor<int, 2> page({local, planes}, h);
     const lf::view<int, 3> y(out.data(), {n, planes, rows});
     h.parallel_for(lf::nd_range<1>(n, local), how<Strategy>(), [=](auto it) {
       const auto l = it.get_local_id(0);
       const auto narrow = lf::convert<Index>(l);
       const auto g = it.get_global_id(0);
       const std::size_t group = it.get_group(0);
       for (std::size_t p = 0; p < planes; ++p) {
         page[narrow][p] = lf::convert<int>(g) * 100 + static_cast<int>(p); // varying, plain
         cube[p][0][narrow] = lf::convert<int>(l);                          // plain, plain, varying
         cube[static_cast<unsigned>(p)][1][l] = 7;                          // plain, plain, affine
       }
       lf::group_barrier(it.get_group());
       for (int p = 0; p < static_cast<int>(planes); ++p) {
         const auto turned = lf::convert<Index>((narrow + p) % 64);
         cube[p][2][l] = page[turned][p];
       }
       lf::group_barrier(it.get_group());
       for (std::size_t p = 0; p < planes; ++p) {
         const auto row = lf::convert<Index>(narrow % 3); // varying in the middle
         y[g][p][2] = cube[p][2][l];
         y[g][p][row] = cube[p][row][l];
         const auto plane = lf::convert<Index>((narrow + group) % 5);
         y[g][p][1] = cube[plane][0][p] + cube[plane][1][narrow] * 1000;
       }
     });
   }).wait();
  for (std::size_t g = 0; g < n; ++g) {
    for (std::size_t p = 0; p < planes; ++p) {
      const std::size_t l = g % local, moved = g - l + (l + p) % local;
      const auto paged = static_cast<int>(moved * 100 + p);
      const int* const found = out.data() + (g * planes + p) * rows;
      ASSERT_EQ(found[2], paged) << g << ", " << p;
      ASSERT_EQ(found[1], static_cast<int>(p) + 7000) << g << ", " << p;
      if (l % 3 == 0) {
        ASSERT_EQ(found[0], static_cast<int>(l)) << g << ", " << p;
      }
    }
  }
}

TYPED_TEST(local_index, unsigned_32_bits) { move_through_local_memory<TypeParam, std::uint32_t>(); }
TYPED_TEST(local_index, signed_32_bits) { move_through_local_memory<TypeParam, std::int32_t>(); }
TYPED_TEST(local_index, bytes) { move_through_local_memory<TypeParam, std::uint8_t>(); }
TYPED_TEST(local_index, unsigned_64_bits) { move_through_local_memory<TypeParam, std::uint64_t>(); }

} // namespace
