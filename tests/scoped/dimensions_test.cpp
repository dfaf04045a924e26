// SPDX-License-Identifier: Apache-2.0
/// Groups and tiles of four to six dimensions: every item once, with the right ids.
#include "testing.hpp"

namespace {

template <class Strategy>
class many_dimensions_of : public ::testing::Test {};
TYPED_TEST_SUITE(many_dimensions_of, strategies, strategy_names);

/// The row-major number of an id whose coordinates are values of lanes.
template <int D, class Item>
auto number_of(const Item& it, const lf::range<D>& extents) {
  return [&]<int... Dimension>(std::integer_sequence<int, Dimension...>) {
    std::array<std::uint32_t, D> weights{};
    std::uint32_t weight = 1;
    for (int d = D - 1; d >= 0; --d) {
      weights[static_cast<std::size_t>(d)] = weight;
      weight *= static_cast<std::uint32_t>(extents[d]);
    }
    return ((lf::convert<std::uint32_t>(it.get_global_id(lf::dim<Dimension>)) * weights[Dimension]) + ...);
  }(std::make_integer_sequence<int, D>());
}

template <class Strategy, int D, class Size>
void check_items(const lf::range<D>& groups, const Size& size) {
  lf::queue q;
  lf::range<D> all = groups;
  for (int d = 0; d < D; ++d) {
    all[d] *= size[d];
  }
  std::vector<std::uint32_t> seen(all.size());
  const lf::view<std::uint32_t> s(seen.data(), seen.size());
  q.parallel(groups, size, how<Strategy>(), [=](auto group) {
     lf::distribute_items_and_wait(group, [&](auto it) {
       const auto i = it.get_global_linear_id();
       s[i] += number_of(it, all) + std::uint32_t{1};
     });
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    ASSERT_EQ(seen[i], i + 1) << D;
  }
}

TYPED_TEST(many_dimensions_of, items) {
  check_items<TypeParam>(lf::range<4>(2, 1, 3, 2), lf::range<4>(2, 3, 2, 11));
  check_items<TypeParam>(lf::range<6>(2, 1, 1, 3, 1, 2), lf::range<6>(1, 2, 2, 1, 3, 5));
  check_items<TypeParam>(lf::range<4>(2, 3, 1, 2), lf::static_range<2, 2, 3, 8>());
}

TYPED_TEST(many_dimensions_of, tiles) {
  lf::queue q;
  const lf::range<5> groups(2, 1, 1, 2, 1);
  const lf::range<5> size(2, 3, 4, 5, 6);
  const lf::range<5> all(4, 3, 4, 10, 6);
  std::vector<std::uint32_t> by_tiles(all.size()), by_static_tiles(all.size()), by_library(all.size());
  const lf::view<std::uint32_t> t(by_tiles.data(), by_tiles.size()), c(by_static_tiles.data(), by_static_tiles.size()),
      l(by_library.data(), by_library.size());
  q.parallel(groups, size, how<TypeParam>(), [=](auto group) {
     const auto add_to = [&](const lf::view<std::uint32_t>& out) {
       return [&, out](auto tile) {
         lf::distribute_items(
             tile, [&](auto it) { out[it.get_global_linear_id()] += number_of(it, all) + std::uint32_t{1}; });
       };
     };
     lf::distribute_groups(group, lf::range<5>(2, 2, 3, 2, 4), add_to(t)); // some are cut off
     lf::distribute_groups(group, lf::static_range<1, 3, 2, 1, 3>(), add_to(c));
     lf::distribute_groups(group, add_to(l));
   }).wait();
  for (std::size_t i = 0; i < all.size(); ++i) {
    ASSERT_EQ(by_tiles[i], i + 1);
    ASSERT_EQ(by_static_tiles[i], i + 1);
    ASSERT_EQ(by_library[i], i + 1);
  }
}

TYPED_TEST(many_dimensions_of, private_memory_and_algorithms) {
  lf::queue q;
  std::vector<std::uint32_t> sums(6);
  const lf::view<std::uint32_t> s(sums.data(), sums.size());
  q.parallel(lf::range<4>(1, 2, 1, 3), lf::range<4>(2, 2, 3, 7), how<TypeParam>(), [=](auto group) {
     lf::scoped::private_memory<std::uint32_t, decltype(group)> mine(group);
     lf::distribute_items_and_wait(
         group, [&](auto it) { mine(it) = lf::convert<std::uint32_t>(it.get_local_linear_id(group)); });
     lf::distribute_items_and_wait(group, [&](auto it) { mine(it) = mine(it) + std::uint32_t{1}; });
     const std::uint32_t sum = lf::reduce_over_group(group, mine, lf::plus<>());
     lf::single_item(group, [&] { s[group.get_group_linear_id()] = sum; });
   }).wait();
  for (const std::uint32_t sum : sums) {
    EXPECT_EQ(sum, 84U * 85 / 2);
  }
}

TYPED_TEST(many_dimensions_of, hierarchical_kernels) {
  lf::queue q;
  std::vector<int> seen(4 * 2 * 4 * 8);
  const lf::view<int> s(seen.data(), seen.size());
  q.submit([&](lf::handler& h) {
     h.parallel_for_work_group(lf::range<4>(2, 1, 2, 1), lf::range<4>(2, 2, 2, 8), how<TypeParam>(), [=](auto group) {
       group.parallel_for_work_item([&](auto it) { s[it.get_global().get_linear_id()] += 1; });
     });
   }).wait();
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
}

} // namespace
