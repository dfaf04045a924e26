// SPDX-License-Identifier: Apache-2.0
/// Index spaces of four to six dimensions, which SYCL has not: ids, ranges, groups and barriers under all strategies.
#include "sanitized.hpp"
#include "strategies.hpp"
#include "thrown.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

/// A strategy, and a number of dimensions.
template <int D, class Strategy>
struct space_of {
  static constexpr int dimensions = D;
  using strategy = Strategy;
};
struct names {
  template <class Space>
  static std::string GetName(int) {
    return std::to_string(Space::dimensions) + "d_" + strategy_name<typename Space::strategy>();
  }
};

template <class Space>
class many_dimensions : public ::testing::Test {};
#if defined(LANEFOLD_TEST_THOROUGH)
using spaces = ::testing::Types<space_of<4, lf::scalar>, space_of<4, lf::omp_simd>, space_of<4, lf::simd<8>>,
                                space_of<5, lf::scalar>, space_of<5, lf::simd<4>>, space_of<5, lf::simd<16>>,
                                space_of<6, lf::scalar>, space_of<6, lf::omp_simd>, space_of<6, lf::simd<8>>>;
#else
using spaces = ::testing::Types<space_of<4, lf::simd<8>>, space_of<5, lf::omp_simd>, space_of<6, lf::scalar>,
                                space_of<6, lf::simd<4>>>;
#endif
TYPED_TEST_SUITE(many_dimensions, spaces, names);

template <int D>
lf::range<D> uneven_extents() {
  constexpr std::size_t all[] = {2, 3, 2, 4, 3, 11};
  lf::range<D> result;
  for (int d = 0; d < D; ++d) {
    result[d] = all[6 - D + d];
  }
  return result;
}

/// The place with the given row-major number.
template <int D>
lf::id<D> place_of(std::size_t number, const lf::range<D>& extents) {
  lf::id<D> at;
  for (int d = D - 1; d >= 0; --d) {
    at[d] = number % extents[d];
    number /= extents[d];
  }
  return at;
}

/// Reads an id as digits: all of them count.
template <int D>
std::uint64_t digits_of(const lf::id<D>& at) {
  std::uint64_t result = 0;
  for (int d = 0; d < D; ++d) {
    result = result * 100 + at[d];
  }
  return result;
}
template <int D, class Get>
auto digits_of_lanes(const Get& get) {
  return [&]<int... Dimension>(std::integer_sequence<int, Dimension...>) {
    constexpr std::uint64_t weights[] = {10'000'000'000, 100'000'000, 1'000'000, 10'000, 100, 1};
    return ((lf::convert<std::uint64_t>(get(lf::dim<Dimension>)) * weights[6 - D + Dimension]) + ...);
  }(std::make_integer_sequence<int, D>());
}

TYPED_TEST(many_dimensions, every_item_of_a_range_runs_once) {
  constexpr int D = TypeParam::dimensions;
  lf::queue q;
  const lf::range<D> extents = uneven_extents<D>();
  std::vector<std::uint64_t> seen(extents.size());
  const lf::view<std::uint64_t> s(seen.data(), seen.size());
  q.parallel_for(extents, how<typename TypeParam::strategy>(), [=](auto it) {
     s[it.get_linear_id()] += digits_of_lanes<D>([&](auto d) { return it.get_id(d); }) + std::uint64_t{1};
   }).wait();
  for (std::size_t i = 0; i < seen.size(); ++i) {
    const lf::id<D> at = place_of(i, extents);
    ASSERT_EQ(seen[i], digits_of(at) + 1) << i;
  }
}

TYPED_TEST(many_dimensions, every_item_of_groups_runs_once_in_any_order) {
  constexpr int D = TypeParam::dimensions;
  lf::queue q;
  const lf::range<D> local = uneven_extents<D>();
  lf::range<D> global = local;
  lf::range<D> groups;
  for (int d = 0; d < D; ++d) {
#if defined(LANEFOLD_TEST_SANITIZED) // a quarter of a minute otherwise
    groups[d] = d % 2 == 0 ? 2 : 1;
#else
    groups[d] = d % 2 == 0 ? 3 : 2;
#endif
    global[d] = local[d] * groups[d];
  }
  std::vector<std::uint64_t> places(global.size()), group(global.size()), inside(global.size());
  const lf::view<std::uint64_t> p(places.data(), places.size()), g(group.data(), group.size()),
      l(inside.data(), inside.size());
  for (const lf::walk_order order : {lf::walk_order::linear, lf::walk_order::columns, lf::walk_order::blocked}) {
    std::fill(places.begin(), places.end(), 0);
    q.parallel_for(lf::nd_range<D>(global, local),
                   lf::properties{lf::property::strategy<typename TypeParam::strategy>{}, lf::property::walk{order}},
                   [=](auto it) {
                     const auto i = it.get_global_linear_id();
                     p[i] += digits_of_lanes<D>([&](auto d) { return it.get_global_id(d); }) + std::uint64_t{1};
                     g[i] = std::uint64_t{it.get_group_linear_id()};
                     l[i] = lf::convert<std::uint64_t>(it.get_local_linear_id());
                   })
        .wait();
    for (std::size_t i = 0; i < places.size(); ++i) {
      const lf::id<D> at = place_of(i, global);
      std::size_t of_group = 0;
      std::size_t of_item = 0;
      for (int d = 0; d < D; ++d) {
        of_group = of_group * groups[d] + at[d] / local[d];
        of_item = of_item * local[d] + at[d] % local[d];
      }
      ASSERT_EQ(places[i], digits_of(at) + 1) << i;
      ASSERT_EQ(group[i], of_group) << i;
      ASSERT_EQ(inside[i], of_item) << i;
    }
  }
}

TYPED_TEST(many_dimensions, barriers_and_local_memory) {
  constexpr int D = TypeParam::dimensions;
  lf::queue q;
  const lf::range<D> local = uneven_extents<D>();
  lf::range<D> global = local;
  global[0] *= 3;
  global[D - 2] *= 2;
  const std::size_t items = local.size();
  std::vector<std::uint32_t> mirrored(global.size());
  const lf::view<std::uint32_t> m(mirrored.data(), mirrored.size());
  q.submit([&](lf::handler& h) {
     lf::local_accessor<std::uint32_t> shared(items, h);
     h.parallel_for(lf::nd_range<D>(global, local), how<typename TypeParam::strategy>(), [=](auto it) {
       const auto i = it.get_local_linear_id();
       shared[i] = lf::convert<std::uint32_t>(it.get_global_linear_id());
       lf::group_barrier(it.get_group());
       m[it.get_global_linear_id()] = shared[items - std::size_t{1} - i];
     });
   }).wait();
  for (std::size_t i = 0; i < mirrored.size(); ++i) {
    const lf::id<D> at = place_of(i, global);
    std::size_t other = 0;
    for (int d = 0; d < D; ++d) {
      other = other * global[d] + at[d] / local[d] * local[d] + (local[d] - 1 - at[d] % local[d]);
    }
    ASSERT_EQ(mirrored[i], other) << i;
  }
}

TYPED_TEST(many_dimensions, views_and_local_accessors_of_as_many) {
  constexpr int D = TypeParam::dimensions;
  lf::queue q;
  const lf::range<D> extents = uneven_extents<D>();
  std::vector<std::uint32_t> whole(extents.size()), by_brackets(extents.size()), of_group(extents.size());
  const lf::view<std::uint32_t, D> w(whole.data(), extents), b(by_brackets.data(), extents),
      o(of_group.data(), extents);
  q.submit([&](lf::handler& h) {
     lf::local_accessor<std::uint32_t, D> shared(extents, h);
     h.parallel_for(lf::nd_range<D>(extents, extents), how<typename TypeParam::strategy>(), [=](auto it) {
       const auto number = lf::convert<std::uint32_t>(it.get_global_linear_id());
       w[it.get_global_id()] = number;
       if constexpr (D == 4) {
         b[it.get_global_id(0)][it.get_global_id(1)][it.get_global_id(2)][it.get_global_id(3)] = number;
       } else {
         b[it.get_global_id()] = number;
       }
       shared[it.get_local_id()] = number;
       lf::group_barrier(it.get_group());
       o[it.get_global_id()] = shared[it.get_local_id()] + w[it.get_global_id()];
     });
   }).wait();
  for (std::size_t i = 0; i < whole.size(); ++i) {
    ASSERT_EQ(whole[i], i);
    ASSERT_EQ(by_brackets[i], i);
    ASSERT_EQ(of_group[i], 2 * i);
    ASSERT_EQ(&w[place_of(i, extents)], &whole[i]);
  }
}

TYPED_TEST(many_dimensions, reductions) {
  constexpr int D = TypeParam::dimensions;
  lf::queue q;
  std::uint64_t sum = 0;
  const lf::range<D> extents = uneven_extents<D>();
  q.parallel_for(extents, how<typename TypeParam::strategy>(), lf::reduction(&sum, lf::plus<std::uint64_t>()),
                 [=](auto it, auto& total) { total += lf::convert<std::uint64_t>(it.get_linear_id()); })
      .wait();
  EXPECT_EQ(sum, extents.size() * (extents.size() - 1) / 2);
}

TEST(many_dimensions, sizes_known_at_compile_time) {
  lf::queue q;
  const lf::range<4> global(4, 2, 4, 8);
  std::vector<std::uint32_t> mirrored(global.size());
  const lf::view<std::uint32_t> m(mirrored.data(), mirrored.size());
  q.submit([&](lf::handler& h) {
     lf::local_accessor<std::uint32_t, 4> shared({2, 2, 2, 8}, h);
     h.parallel_for(lf::nd_range<4>(global, {2, 2, 2, 8}), lf::properties{lf::property::work_group_size<2, 2, 2, 8>{}},
                    [=](auto it) {
                      shared[it.get_local_id()] = lf::convert<std::uint32_t>(it.get_global_linear_id());
                      lf::group_barrier(it.get_group());
                      m[it.get_global_linear_id()] = shared[0][1][0][it.get_local_id(3)];
                    });
   }).wait();
  for (std::size_t i = 0; i < mirrored.size(); ++i) {
    const lf::id<4> at = place_of(i, global);
    ASSERT_EQ(mirrored[i], ((at[0] / 2 * 2 * 2 + 1) * 4 + at[2] / 2 * 2) * 8 + at[3]) << i;
  }
  EXPECT_THROW(q.parallel_for(lf::nd_range<4>(global, {2, 2, 4, 8}),
                              lf::properties{lf::property::work_group_size<2, 2, 2, 8>{}}, [](auto) {}),
               lf::exception);
  const auto sizes = lf::detail::sizes_asked_for(lf::properties{lf::property::work_group_size<2, 3, 4, 5, 6>{}});
  EXPECT_TRUE(sizes.work_group == (lf::range<3>(24, 5, 6)));
}

TEST(many_dimensions, messages_name_all_coordinates) {
  lf::queue q;
  EXPECT_NE(text_thrown_by([&] {
              q.parallel_for(lf::nd_range<4>({4, 4, 4, 4}, {2, 2, 2, 3}), [](lf::nd_item<4>) {});
            }).find("(2, 2, 2, 3)"),
            std::string::npos);
  std::string said;
  lf::queue listening([&](lf::exception_list all) {
    for (const std::exception_ptr& each : all) {
      said += text_thrown_by([&] { std::rethrow_exception(each); });
    }
  });
  listening.parallel_for(lf::range<5>(2, 2, 2, 2, 2), lf::properties{lf::property::strategy<lf::scalar>{}},
                         [](lf::item<5> it) {
                           if (it.get_linear_id() == 13) {
                             throw lf::exception(lf::make_error_code(lf::errc::invalid), "thirteen");
                           }
                         });
  listening.wait_and_throw();
  EXPECT_NE(said.find("(0, 1, 1, 0, 1)"), std::string::npos) << said;
}

} // namespace
