// SPDX-License-Identifier: Apache-2.0
// Races of scoped and hierarchical kernels, which checked builds find, beside the kernels without them.
#include "testing.hpp"

namespace {

constexpr std::size_t size = 64;

class scoped_races : public ::testing::Test {};

template <class Strategy>
std::string failure_of_reversal(bool wait) {
  std::vector<int> memory(4 * size, 1);
  const lf::view<int> x(memory.data(), memory.size());
  lf::queue q;
  return text_thrown_by([&] {
    q.parallel(lf::range<1>(4), lf::range<1>(size), how<Strategy>(), [=](auto group) {
      lf::memory_environment(group, lf::require_local_mem<int[size]>(), [&](const auto& tile) {
        const auto fill = [&](auto it) { tile[it.get_local_id(group, 0)] = x[it.get_global_id(0)]; };
        if (wait) {
          lf::distribute_items_and_wait(group, fill);
        } else {
          lf::distribute_items(group, fill);
        }
        lf::distribute_items_and_wait(
            group, [&](auto it) { x[it.get_global_id(0)] = tile[size - 1 - it.get_local_id(group, 0)]; });
      });
    });
    q.wait_and_throw();
  });
}

TEST_F(scoped_races, items_that_do_not_wait) {
  EXPECT_EQ(failure_of_reversal<lf::scalar>(true), "");
  EXPECT_EQ(failure_of_reversal<lf::simd<16>>(true), "");
  EXPECT_NE(failure_of_reversal<lf::scalar>(false).find("a race: the item with global linear id"), std::string::npos);
  EXPECT_NE(failure_of_reversal<lf::simd<16>>(false).find("a race: the item with global linear id"), std::string::npos);
}

template <class Body>
std::string failure_of_hierarchical(Body body) {
  lf::queue q;
  return text_thrown_by([&] {
    q.submit([&](lf::handler& h) {
       const lf::local_accessor<int> tile(size, h);
       h.parallel_for_work_group(lf::range<1>(4), lf::range<1>(size), [=](lf::group<1> group) { body(group, tile); });
     }).wait_and_throw();
  });
}

TEST_F(scoped_races, work_items_of_one_loop) {
  EXPECT_EQ(failure_of_hierarchical([](lf::group<1> group, auto tile) {
              group.parallel_for_work_item([&](lf::h_item<1> it) { tile[it.get_local_id(0)] = 1; });
              group.parallel_for_work_item([&](lf::h_item<1> it) { tile[size - 1 - it.get_local_id(0)] = 2; });
            }),
            "");
  EXPECT_NE(failure_of_hierarchical([](lf::group<1> group, auto tile) {
              group.parallel_for_work_item([&](lf::h_item<1> it) {
                tile[it.get_local_id(0)] = 1;
                tile[size - 1 - it.get_local_id(0)] = 2;
              });
            }).find("a race: the work-item with local linear id"),
            std::string::npos);
}

template <class Strategy>
std::string failure_of_scoped(bool first_written) {
  std::vector<int> memory(4 * size);
  const lf::view<int> x(memory.data(), memory.size());
  lf::queue q;
  return text_thrown_by([&] {
    q.parallel(lf::range<1>(4), lf::range<1>(size), how<Strategy>(), [=](auto group) {
      lf::memory_environment(group, lf::require_local_mem<int[size]>(), [&](const auto& tile) {
        lf::distribute_items_and_wait(group, [&](auto it) {
          const auto l = it.get_local_id(group, 0);
          it.if_(l != 0 || first_written, [&] { tile[l] = 1; });
        });
        lf::distribute_items_and_wait(group,
                                      [&](auto it) { x[it.get_global_id(0)] = tile[it.get_local_id(group, 0)]; });
      });
    });
    q.wait_and_throw();
  });
}

TEST_F(scoped_races, local_memory_that_nobody_has_written) {
  const std::string uninitialised = "local memory that nobody has written";
  EXPECT_EQ(failure_of_scoped<lf::scalar>(true), "");
  EXPECT_EQ(failure_of_scoped<lf::simd<16>>(true), "");
  EXPECT_NE(failure_of_scoped<lf::scalar>(false).find(uninitialised), std::string::npos);
  EXPECT_NE(failure_of_scoped<lf::simd<16>>(false).find(uninitialised), std::string::npos);
  EXPECT_NE(failure_of_hierarchical([](lf::group<1> group, auto tile) {
              group.parallel_for_work_item([&](lf::h_item<1> it) {
                const std::size_t l = it.get_local_id(0);
                if (l != 5) {
                  tile[l] = 1;
                }
              });
              group.parallel_for_work_item([&](lf::h_item<1> it) {
                if (tile[it.get_local_id(0)] == 2) {
                  tile[it.get_local_id(0)] = 3;
                }
              });
            }).find(uninitialised),
            std::string::npos);
}

} // namespace
