// SPDX-License-Identifier: Apache-2.0
/// Misuse at run time: clear errors with the place, and a queue that stays usable.
#include "testing.hpp"

#include <lanefold/execution/kernels.hpp>

#include <cstdlib>

namespace {

template <class Strategy>
class misuse_under : public ::testing::Test {
public:
  template <class Kernel>
  static std::string scoped(Kernel kernel) {
    lf::queue q;
    return text_thrown_by([&] { q.parallel(lf::range<1>(2), lf::range<1>(40), how<Strategy>(), kernel).wait(); });
  }
  template <class Kernel>
  static std::string hierarchical(Kernel kernel) {
    lf::queue q;
    return text_thrown_by([&] {
      q.submit([&](lf::handler& h) {
         h.parallel_for_work_group(lf::range<1>(2), lf::range<1>(40), how<Strategy>(), kernel);
       }).wait();
    });
  }
};
TYPED_TEST_SUITE(misuse_under, strategies, strategy_names);

TYPED_TEST(misuse_under, items_inside_of_items) {
  const std::string nested = this->scoped(
      [](auto group) { lf::distribute_items(group, [&](auto) { lf::distribute_items(group, [](auto) {}); }); });
  expect_says(nested, "distribute_items was called on the work-group inside of distribute_items");
  expect_says(nested, "work-group (");
  expect_says(
      this->scoped([](auto group) { lf::single_item(group, [&] { lf::distribute_groups(group, [](auto) {}); }); }),
      "distribute_groups was called on the work-group inside of");
  expect_says(this->scoped([](auto group) {
    lf::distribute_items(group,
                         [&](auto) { lf::memory_environment(group, lf::require_local_mem<int>(), [](int&) {}); });
  }),
              "memory_environment was called");
  expect_says(this->scoped([](auto group) {
    lf::distribute_items(group, [&](auto) { lf::local_memory<int, decltype(group)> memory(group); });
  }),
              "local_memory was called");
}

TYPED_TEST(misuse_under, barriers_inside_of_items) {
  expect_says(this->scoped([](auto group) { lf::distribute_items(group, [&](auto) { lf::group_barrier(group); }); }),
              "group_barrier was called on the work-group inside of distribute_items");
  expect_says(
      this->hierarchical([](auto group) { group.parallel_for_work_item([&](auto) { lf::group_barrier(group); }); }),
      "inside of parallel_for_work_item, where single items run and cannot meet");
}

TYPED_TEST(misuse_under, groups_that_are_not_the_innermost) {
  expect_says(this->scoped([](auto group) {
    lf::distribute_groups(group, lf::range<1>(8), [&](auto) { lf::distribute_items(group, [](auto) {}); });
  }),
              "while a group of nesting depth 1 runs: only the innermost group can be used");
  expect_says(this->scoped([](auto group) { lf::distribute_groups(group, [&](auto) { lf::group_barrier(group); }); }),
              "group_barrier was called on the work-group while");
}

TYPED_TEST(misuse_under, work_items_inside_of_work_items) {
  expect_says(this->hierarchical([](auto group) {
    group.parallel_for_work_item([&](auto) { group.parallel_for_work_item([](auto) {}); });
  }),
              "parallel_for_work_item was called");
  expect_says(this->hierarchical([](auto group) {
    group.parallel_for_work_item([&](auto) { lf::private_memory<int> memory(group); });
  }),
              "private_memory was called");
}

TYPED_TEST(misuse_under, exceptions_of_kernels_reach_the_host) {
  lf::queue q;
  const std::string thrown = text_thrown_by([&] {
    q.parallel(lf::range<1>(10), lf::range<1>(40), how<TypeParam>(), [](auto group) {
       lf::distribute_items(group, [&](auto) {
         if (group.get_group_id(0) == 7) {
           throw std::runtime_error("seven");
         }
       });
     }).wait();
  });
  expect_says(thrown, "work-group (7)");
  expect_says(thrown, "seven");
  int sum = 0;
  q.parallel(lf::range<1>(1), lf::range<1>(4), [&sum](auto group) { lf::single_item(group, [&] { sum = 3; }); }).wait();
  EXPECT_EQ(sum, 3);
}

TEST(misuse, caught_inside_of_the_kernel_leaves_the_group_usable) {
  lf::queue q;
  std::vector<int> out(16);
  int* const y = out.data();
  q.parallel(lf::range<1>(1), lf::range<1>(16), [=](auto group) {
     try {
       lf::distribute_items(group, [&](lf::s_item<1>) { lf::group_barrier(group); });
     } catch (const lf::exception&) {
       lf::distribute_items(group, [&](lf::s_item<1> it) { y[it.get_global_id(0)] = 1; });
     }
   }).wait();
  EXPECT_EQ(out, std::vector<int>(16, 1));
}

TEST(misuse, bad_ranges) {
  lf::queue q;
  const auto code_of = [&](auto run) {
    try {
      run();
    } catch (const lf::exception& e) {
      return e.code() == lf::make_error_code(lf::errc::nd_range);
    }
    return false;
  };
  const auto kernel = [](auto) {};
  EXPECT_TRUE(code_of([&] { q.parallel(lf::range<1>(4), lf::range<1>(0), kernel); }));
  EXPECT_TRUE(code_of([&] { q.parallel(lf::range<1>(4), lf::range<1>(8193), kernel); }));
  EXPECT_TRUE(code_of([&] { q.parallel(lf::range<2>(4, 4), lf::static_range<128, 128>(), kernel); }));
  EXPECT_TRUE(
      code_of([&] { q.parallel(lf::range<1>(4), lf::range<1>(8), lf::property::work_group_size<9>(), kernel); }));
  EXPECT_TRUE(code_of([&] {
    q.submit([&](lf::handler& h) { h.parallel_for_work_group(lf::range<1>(4), lf::range<1>(8193), kernel); });
  }));
  const std::string empty = text_thrown_by([&] {
    q.parallel(lf::range<2>(1, 1), lf::range<2>(4, 4), [](auto group) {
       lf::distribute_groups(group, lf::range<2>(2, 0), [](auto) {});
     }).wait();
  });
  expect_says(empty, "an extent of the tile is zero");
  q.parallel(lf::range<1>(0), lf::range<1>(8), kernel).wait(); // no groups: nothing to do
}

TEST(misuse, hierarchical_functions_elsewhere) {
  lf::queue q;
  expect_says(text_thrown_by([&] {
                q.parallel_for(lf::nd_range<1>(8, 8), [](lf::nd_item<1> it) {
                   it.get_group().parallel_for_work_item([](lf::h_item<1>) {});
                 }).wait();
              }),
              "for the groups of parallel_for_work_group");
  expect_says(text_thrown_by([&] {
                q.submit([](lf::handler& h) {
                   h.parallel_for_work_group(lf::range<1>(8),
                                             [](lf::group<1> group) { lf::private_memory<int> memory(group); });
                 }).wait();
              }),
              "give parallel_for_work_group a work-group size");
}

TEST(explanation, says_what_became_of_each_level) {
  ASSERT_EQ(setenv("LANEFOLD_EXPLAIN", "1", 1), 0);
  testing::internal::CaptureStderr();
  lf::queue q{lf::property_list{lf::property::threads{2}}};
  q.parallel<class explained>(lf::range<2>(3, 2), lf::range<2>(16, 20), how<lf::simd<8>>(), [](auto group) {
     for (int i = 0; i < 3; ++i) {
       lf::distribute_groups(group, lf::range<2>(8, 8), [](auto tile) { lf::distribute_items(tile, [](auto) {}); });
     }
     lf::distribute_items(group, [](lf::s_item<2>) {});
   }).wait();
  q.submit([](lf::handler& h) {
     h.parallel_for_work_group(lf::range<1>(5), lf::range<1>(32), [](auto group) {
       group.parallel_for_work_item(lf::range<1>(70), [](lf::h_item<1>) {});
     });
   }).wait();
  const std::string text = testing::internal::GetCapturedStderr();
  unsetenv("LANEFOLD_EXPLAIN");
  expect_says(text, "scoped kernel '");
  expect_says(text, "(3, 2) work-groups of (16, 20), shared by up to 2 threads\n");
  expect_says(text, "  6 tiles of (8, 8) in a group of (16, 20): one after the other on the thread of the group\n");
  expect_says(text, "    items of a group of (8, 8): N = 8 lanes at a time\n");
  expect_says(text, "  items of a group of (16, 20): one at a time (scalar)\n");
  expect_says(text, "hierarchical kernel '");
  expect_says(text, "  items of a group of (70): one at a time (scalar)");
  std::size_t lines = 0; // once per launch, each level once
  for (const char c : text) {
    lines += c == '\n' ? 1 : 0;
  }
  EXPECT_EQ(lines, 6U) << text;
}

TEST(explanation, refuses_other_values) {
  lf::queue q;
  ASSERT_EQ(setenv("LANEFOLD_EXPLAIN", "loudly", 1), 0);
  const std::string text = text_thrown_by([&] { q.parallel(lf::range<1>(1), lf::range<1>(1), [](auto) {}).wait(); });
  unsetenv("LANEFOLD_EXPLAIN");
  expect_says(text, "LANEFOLD_EXPLAIN is \"loudly\"");
}

} // namespace
