// SPDX-License-Identifier: Apache-2.0
/// Local and private memory of scoped groups.
#include "testing.hpp"

namespace {

template <class Strategy>
class memory_of : public ::testing::Test {};
TYPED_TEST_SUITE(memory_of, strategies, strategy_names);

TYPED_TEST(memory_of, tree_reduction_in_local_memory) {
  lf::queue q;
  constexpr std::size_t size = 128, groups = 5;
  std::vector<double> in(size * groups), out(groups);
  for (std::size_t i = 0; i < in.size(); ++i) {
    in[i] = static_cast<double>(mixed(i) % 100);
  }
  const lf::view<const double> x(in.data(), in.size());
  const lf::view<double> y(out.data(), out.size());
  q.parallel(lf::range<1>(groups), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
     lf::memory_environment(group, lf::require_local_mem<double[size]>(), [&](auto& sums) {
       lf::distribute_items_and_wait(
           group, [&](auto it) { sums[it.get_local_id(group, lf::dim<0>)] = x[it.get_global_id(lf::dim<0>)]; });
       for (std::size_t half = size / 2; half > 0; half /= 2) {
         lf::distribute_items_and_wait(group, [&](auto it) {
           const auto l = it.get_innermost_local_id(lf::dim<0>);
           it.if_(l < half, [&] { sums[l] += sums[l + half]; });
         });
       }
       lf::single_item(group, [&] { y[group.get_group_id(0)] = sums[0]; });
     });
   }).wait();
  for (std::size_t g = 0; g < groups; ++g) {
    double right = 0;
    for (std::size_t i = 0; i < size; ++i) {
      right += in[g * size + i];
    }
    EXPECT_EQ(out[g], right);
  }
}

TYPED_TEST(memory_of, private_memory_lasts_between_calls) {
  lf::queue q;
  for (const std::size_t size : {1, 7, 32, 65, 256}) {
    std::vector<int> out(3 * size);
    const lf::view<int> y(out.data(), out.size());
    q.parallel(lf::range<1>(3), lf::range<1>(size), how<TypeParam>(), [=](auto group) {
       lf::memory_environment(
           group, lf::require_private_mem<int>(7), lf::require_private_mem<float>(), lf::require_local_mem<int>(2),
           [&](auto& count, auto& half, int& factor) {
             lf::distribute_items(group, [&](auto it) {
               half(it) = lf::convert<float>(it.get_local_id(group, 0)) * 0.5F;
               count(it) += factor;
             });
             lf::distribute_groups(group, lf::range<1>(16), [&](auto tile) {
               lf::distribute_items(tile, [&](auto it) { count(it) += lf::convert<int>(it.get_local_id(tile, 0)); });
             });
             lf::distribute_items(group, [&](auto it) {
               auto value = it.var(count(it));
               it.if_(it.get_local_id(group, 0) != 3, [&] { value *= 2; });
               count(it) = value;
             });
             lf::distribute_items(
                 group, [&](auto it) { y[it.get_global_id(0)] = count(it) + lf::convert<int>(half(it) * 1000.F); });
           });
     }).wait();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto l = static_cast<int>(i % size);
      ASSERT_EQ(out[i], (9 + l % 16) * (l == 3 ? 1 : 2) + l * 500) << size << ' ' << i;
    }
  }
}

TYPED_TEST(memory_of, private_memory_of_static_tiles) {
  lf::queue q;
  std::vector<float> out(16 * 32);
  const lf::view<float, 2> y(out.data(), {16, 32});
  q.parallel(lf::range<2>(1, 1), lf::static_range<16, 32>(), how<TypeParam>(), [=](auto group) {
     lf::distribute_groups(group, lf::static_range<4, 16>(), [&](auto tile) {
       lf::memory_environment(tile, lf::require_private_mem<float>(0.F), [&](auto& sum) {
         for (std::size_t k = 0; k < 10; ++k) {
           lf::distribute_items(tile, [&](auto it) {
             const auto [row, column] = it.get_global_id();
             sum(it) += lf::convert<float>(row * 100 + column) * static_cast<float>(k);
           });
         }
         lf::distribute_items(tile, [&](auto it) {
           const auto [row, column] = it.get_global_id();
           y[row][column] = sum(it);
         });
       });
     });
   }).wait();
  for (std::size_t i = 0; i < out.size(); ++i) {
    ASSERT_EQ(out[i], static_cast<float>(i / 32 * 100 + i % 32) * 45.F) << i;
  }
}

TYPED_TEST(memory_of, wrappers_are_handles) {
  lf::queue q;
  std::vector<int> out(4);
  int* const y = out.data();
  q.parallel(lf::range<1>(4), lf::range<1>(16), how<TypeParam>(), [=](auto group) {
     lf::scoped::local_memory<int[16], decltype(group)> shared(group);
     lf::local_memory<int[2][8]> square; // in the work-group that runs
     lf::scoped::private_memory<int, decltype(group)> own(group);
     lf::distribute_groups(group, [&](auto unit) {
       lf::distribute_items(unit, [=, &own](auto it) { // by value: still the same memory
         const auto l = it.get_local_id(group, lf::dim<0>);
         own(it) = 3;
         shared[l] = lf::convert<int>(l) * own(it);
       });
     });
     lf::group_barrier(group);
     lf::distribute_groups_and_wait(group, lf::range<1>(8), [&](auto row) {
       lf::distribute_items(row, [&](auto it) {
         square[row.get_group_id(0)][it.get_innermost_local_id(lf::dim<0>)] =
             shared[it.get_local_id(group, lf::dim<0>)];
       });
     });
     lf::single_item(group, [&] {
       int(&plain)[16] = shared;
       int total = plain[15];
       for (const int each : square) {
         total += each;
       }
       y[group.get_group_id(0)] = total + square()[1][7] + square[lf::id<2>(1, 0)];
     });
   }).wait();
  EXPECT_EQ(out, std::vector<int>(4, 45 + 360 + 45 + 24));
}

TEST(memory, of_user_types_in_work_item_kernels) {
  struct pair {
    int a;
    double b;
  };
  lf::queue q;
  std::vector<double> out(20);
  double* const y = out.data();
  q.parallel(lf::range<1>(2), lf::range<1>(10), [=](auto group) {
     lf::memory_environment(group, lf::require_private_mem<pair>({1, 2.0}),
                            lf::require_local_mem<pair[10]>(pair{3, 4.0}), [&](auto& own, auto& shared) {
                              lf::distribute_items(group, [&](lf::s_item<1> it) {
                                own(it).a += static_cast<int>(it.get_local_id(group, 0));
                                shared[it.get_local_id(group, 0)].b += own(it).b;
                              });
                              lf::distribute_items(group, [&](lf::s_item<1> it) {
                                y[it.get_global_id(0)] = own(it).a + shared[it.get_local_id(group, 0)].b;
                              });
                            });
   }).wait();
  for (std::size_t i = 0; i < out.size(); ++i) {
    EXPECT_EQ(out[i], 7.0 + static_cast<double>(i % 10));
  }
}

TEST(memory, environments_of_one_kind) {
  lf::queue q;
  std::vector<int> out(3 * 16);
  int* const y = out.data();
  q.parallel(lf::range<1>(3), lf::range<1>(16), [=](auto group) {
     lf::local_memory_environment<int[16]>(group, [&](auto& shared) {
       lf::private_memory_environment<int>(group, [&](auto& own) {
         lf::distribute_items_and_wait(group, [&](lf::s_item<1> it) {
           own(it) = static_cast<int>(it.get_global_id(0));
           shared[it.get_local_id(group, 0)] = 100 * own(it);
         });
         lf::distribute_items(group, [&](lf::s_item<1> it) {
           y[it.get_global_id(0)] = own(it) + shared[15 - it.get_local_id(group, 0)];
         });
       });
     });
   }).wait();
  for (int i = 0; i < 48; ++i) {
    EXPECT_EQ(out[static_cast<std::size_t>(i)], i + 100 * (i / 16 * 16 + 15 - i % 16));
  }
}

TEST(memory, is_free_again_after_its_environment) {
  lf::queue q;
  int rounds = 0;
  q.parallel(lf::range<1>(2), lf::range<1>(4096), [&rounds](auto group) {
     for (int i = 0; i < 100; ++i) {
       lf::memory_environment(group, lf::require_local_mem<std::byte[200 * 1024]>(), lf::require_private_mem<double>(),
                              [&](auto&, auto&) {
                                if (group.get_group_id(0) == 0) {
                                  ++rounds;
                                }
                              });
     }
   }).wait();
  EXPECT_EQ(rounds, 100);
}

TEST(memory, beyond_the_limits_is_refused) {
  lf::queue q;
  const auto run = [&](auto size, auto kernel) {
    return text_thrown_by([&] { q.parallel(lf::range<1>(1), lf::range<1>(size), kernel).wait(); });
  };
  const std::string local = run(16, [](auto group) {
    lf::memory_environment(group, lf::require_local_mem<std::byte[200 * 1024]>(),
                           lf::require_local_mem<std::byte[100 * 1024]>(), [](auto&, auto&) {});
  });
  expect_says(local, "more local memory than the 262144 bytes");
  expect_says(local, "work-group (0)");
  const std::string priv =
      run(8192, [](auto group) { lf::scoped::private_memory<std::array<double, 80>, decltype(group)> large(group); });
  expect_says(priv, "more private memory than the 4194304 bytes");
  const std::string hierarchical = text_thrown_by([&] {
    q.submit([](lf::handler& h) {
       h.parallel_for_work_group(lf::range<1>(1), lf::range<1>(8192),
                                 [](lf::group<1> group) { lf::private_memory<std::array<double, 80>> large(group); });
     }).wait();
  });
  expect_says(hierarchical, "more private memory than the 4194304 bytes");
  // with what local accessors take
  const std::string both = text_thrown_by([&] {
    q.submit([](lf::handler& h) {
       lf::local_accessor<std::byte> shared(100 * 1024, h);
       h.parallel(lf::range<1>(1), lf::range<1>(1), [=](auto group) {
         lf::memory_environment(group, lf::require_local_mem<std::byte[200 * 1024]>(), [](auto&) {});
       });
     }).wait();
  });
  expect_says(both, "in addition to 102400");
  // and the queue is as good as new
  int done = 0;
  q.parallel(lf::range<1>(1), lf::range<1>(1), [&done](auto) { done = 1; }).wait();
  EXPECT_EQ(done, 1);
}

TEST(memory, lives_in_kernels_only) {
  const auto outside = [] { lf::local_memory<int[4]> memory; };
  expect_says(text_thrown_by(outside), "hierarchical and scoped kernels");
}

} // namespace
