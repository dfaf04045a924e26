// SPDX-License-Identifier: Apache-2.0
/// Few work-groups of heavy work-items: threads share the work-items of a group, unless they meet.

#include "group_scope.hpp"
#include "thrown.hpp"

#include <lanefold/execution/detail/divided_groups.hpp>
#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;
using lf::detail::divided_groups;
using lf::detail::group_grid;
using lf::detail::group_part;

namespace {

// ---- how groups are divided

/// A launch that runs nothing by itself.
struct no_launch final : lf::detail::launch {
  explicit no_launch(std::size_t groups) : launch(groups, 1, 0, lf::fiber_engine::automatic, typeid(no_launch)) {}
  void run(std::size_t, std::size_t) override {}
};

std::vector<group_part> parts_run;
std::vector<unsigned> ends;

bool note_part(lf::detail::launch&, std::size_t, const group_part& part, unsigned units) {
  parts_run.push_back(part);
  ends.push_back(units);
  return false;
}

using lf::detail::part_grain;

/// Expects that parts together are the group, and that each sub-group but the first lies in one of them, or has its
/// first work-item run before the others if parts are smaller.
void expect_whole(const group_grid& grid, std::size_t pieces, part_grain grain) {
  const std::string what = std::to_string(grid.rows) + " rows of " + std::to_string(grid.width) + ", sub-groups of " +
                           std::to_string(grid.sub_group) + ", " + std::to_string(pieces) + " pieces, grain " +
                           std::to_string(static_cast<int>(grain));
  lf::detail::kernel_findings kernel;
  kernel.grain = grain;
  const auto divided = divided_groups::divide(1, grid, pieces, true, kernel);
  const bool one_sub_group = grid.size() <= grid.sub_group;
  if (divided == nullptr) {
    EXPECT_TRUE(one_sub_group && (grain != part_grain::work_items || grid.size() == 1)) << what;
    return;
  }
  parts_run.clear();
  ends.clear();
  no_launch work(1);
  EXPECT_TRUE(divided->parts() > 1 || (one_sub_group && grain == part_grain::unknown)) << what;
  if (grain == part_grain::work_items) {
    EXPECT_GE(divided->parts(), std::min(pieces, grid.size())) << what;
  }
  divided->run(work, 0, divided->parts(), &note_part);
  EXPECT_FALSE(kernel.units_meet);
  std::vector<std::size_t> order; // of the work-items
  for (std::size_t p = 0; p < parts_run.size(); ++p) {
    const group_part& part = parts_run[p];
    EXPECT_TRUE(part.row_end == part.row_begin + 1 || (part.begin == 0 && part.end == grid.width)) << what;
    const std::size_t before = order.size();
    for (std::size_t row = part.row_begin; row < part.row_end; ++row) {
      for (std::size_t x = part.begin; x < part.end; ++x) {
        order.push_back(row * grid.width + x);
      }
    }
    ASSERT_LT(before, order.size()) << what;
    const bool begins = order[before] == 0;
    EXPECT_EQ(begins, ends[p] == grid.size() && p == 0) << what; // the first one may find that all units meet
    EXPECT_TRUE(grain == part_grain::work_items || ends[p] % grid.sub_group == 0 || ends[p] == grid.size()) << what;
    if (!begins && order[before] % grid.sub_group == 0) { // and the first one of a sub-group that those of that meet
      EXPECT_GE(ends[p], std::min(order[before] + grid.sub_group, grid.size())) << what;
    }
  }
  std::vector<std::size_t> all(grid.size());
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(order, all) << what;
}

TEST(divided_groups, are_whole_together) {
  for (const std::size_t width : {1, 5, 8, 10, 32, 33, 64, 256, 1000}) {
    for (const std::size_t rows : {1, 2, 3, 8, 40}) {
      for (const std::size_t pieces : {2, 3, 8, 64, 1000}) {
        for (const part_grain grain :
             {part_grain::unknown, part_grain::sub_groups, part_grain::vectorised, part_grain::work_items}) {
          expect_whole({width, rows, 32}, pieces, grain);
          expect_whole({width, rows, 16}, pieces, grain);
        }
      }
    }
  }
}

TEST(divided_groups, that_are_many_have_small_parts_or_none) {
  for (const part_grain grain :
       {part_grain::unknown, part_grain::sub_groups, part_grain::vectorised, part_grain::work_items}) {
    lf::detail::kernel_findings kernel;
    kernel.grain = grain;
    const auto divided = divided_groups::divide(64, {256, 1, 32}, 1024, false, kernel);
    const std::size_t parts = divided == nullptr ? 0 : divided->parts();
    EXPECT_EQ(parts, grain == part_grain::work_items ? 16U : grain == part_grain::unknown ? 1U : 0U);
  }
}

// ---- kernels

class divided_groups_test : public testing::Test {
  const group_scope_is_used m_scopes{false};
};

lf::queue queue_of(std::size_t threads) { return lf::queue{lf::property::threads(threads)}; }

/// Waits in work-items until two threads run some.
class two_threads {
public:
  void wait() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    {
      const std::lock_guard lock(m_guard);
      m_threads.insert(std::this_thread::get_id());
      m_count = m_threads.size();
    }
    while (m_count < 2 && !m_late) {
      std::this_thread::yield();
      m_late = m_late || std::chrono::steady_clock::now() > end;
    }
  }
  [[nodiscard]] bool have_come() const { return m_count > 1; }

private:
  std::mutex m_guard;
  std::set<std::thread::id> m_threads;
  std::atomic<std::size_t> m_count{0};
  std::atomic<bool> m_late{false};
};

/// Each case has a kernel of its own: groups of one that was cheap are not divided.
template <int Case, int D>
void expect_shared(const lf::nd_range<D>& space) {
  two_threads threads;
  std::atomic<int> wrong{0};
  std::vector<std::atomic<int>> times(space.get_global_range().size());
  queue_of(4)
      .parallel_for(space,
                    [&](lf::nd_item<D> it) {
                      if (it.get_local_linear_id() != 0) {
                        threads.wait();
                      }
                      const auto s = it.get_sub_group();
                      const std::size_t size = s.get_max_local_range()[0];
                      const std::size_t sub_groups = (it.get_group().get_local_linear_range() + size - 1) / size;
                      wrong += s.get_group_linear_range() != sub_groups ? 1 : 0;
                      wrong += s.get_group_linear_id() != it.get_local_linear_id() / size ? 1 : 0;
                      ++times[it.get_global_linear_id()];
                    })
      .wait_and_throw();
  EXPECT_TRUE(threads.have_come());
  EXPECT_EQ(wrong, 0);
  for (const auto& one : times) {
    ASSERT_EQ(one, 1);
  }
}

TEST_F(divided_groups_test, threads_share_the_work_items_of_a_group) {
  if constexpr (lf::detail::checked_build) {
    GTEST_SKIP() << "checked builds look at groups as a whole";
  }
  expect_shared<1>(lf::nd_range<1>(256, 256));
  expect_shared<2>(lf::nd_range<1>(200, 100));
  expect_shared<3>(lf::nd_range<2>({16, 12}, {16, 12}));
  expect_shared<4>(lf::nd_range<2>({1, 256}, {1, 256}));
  expect_shared<5>(lf::nd_range<3>({1, 1, 256}, {1, 1, 128}));
  expect_shared<6>(lf::nd_range<3>({4, 8, 8}, {4, 8, 8}));
  expect_shared<7>(lf::nd_range<4>({2, 2, 8, 8}, {2, 2, 8, 8}));
}

/// Local memory is a thread's, and atomic operations with the scope of a group are plain.
TEST_F(divided_groups_test, stay_whole_for_local_memory_and_group_scope) {
  const auto threads_of = [](std::size_t local_elements) {
    std::vector<std::thread::id> ran(256);
    lf::queue q = queue_of(4);
    q.submit([&](lf::handler& h) {
       const lf::local_accessor<int> own(local_elements, h);
       h.parallel_for(lf::nd_range<1>(256, 256), [=, r = ran.data()](lf::nd_item<1> it) {
         static_cast<void>(own);
         std::this_thread::sleep_for(std::chrono::microseconds(20));
         r[it.get_local_id(0)] = std::this_thread::get_id();
       });
     }).wait_and_throw();
    return std::set<std::thread::id>(ran.begin(), ran.end()).size();
  };
  EXPECT_EQ(threads_of(16), 1U);
  const group_scope_is_used used(true);
  EXPECT_EQ(threads_of(0), 1U);
}

/// A capture decides whether work-items meet: what is known of one launch does not hold for the next.
TEST_F(divided_groups_test, stay_whole_where_work_items_meet) {
  constexpr std::size_t local = 128, groups = 3;
  lf::queue q = queue_of(4);
  std::vector<int> in(local * groups, 0), out(in);
  for (const int meets : {0, 1, 0, 1, 1, 2, 0, 2}) { // 2: the second group alone
    std::fill(in.begin(), in.end(), 0);
    std::fill(out.begin(), out.end(), 0);
    q.parallel_for(lf::nd_range<1>(in.size(), local), [=, x = in.data(), y = out.data()](lf::nd_item<1> it) {
       const std::size_t i = it.get_global_id(0);
       std::this_thread::sleep_for(std::chrono::microseconds(20));
       x[i] = static_cast<int>(i);
       if (meets == 1 || (meets == 2 && it.get_group(0) == 1)) {
         lf::group_barrier(it.get_group());
         y[i] = x[i / local * local + (i + 1) % local];
       } else {
         y[i] = -1;
       }
     }).wait_and_throw();
    for (std::size_t i = 0; i < out.size(); ++i) {
      const bool met = meets == 1 || (meets == 2 && i / local == 1);
      ASSERT_EQ(out[i], met ? static_cast<int>(i / local * local + (i + 1) % local) : -1) << meets << " at " << i;
    }
  }
}

/// Sub-groups may meet without each other, on the threads that their parts are run by.
TEST_F(divided_groups_test, keep_sub_groups_whole) {
  for (const bool first_meets : {false, true}) {
    constexpr std::size_t local = 256;
    std::vector<int> in(local, 0), out(local, -1);
    queue_of(4)
        .submit([&](lf::handler& h) {
          h.parallel_for(lf::nd_range<2>({8, local / 8}, {8, local / 8}),
                         lf::properties{lf::property::sub_group_size{32}},
                         [=, x = in.data(), y = out.data()](lf::nd_item<2> it) {
                           const auto s = it.get_sub_group();
                           std::this_thread::sleep_for(std::chrono::microseconds(20));
                           if (first_meets ? s.get_group_linear_id() == 0 : s.get_group_linear_id() % 2 == 1) {
                             const auto own = static_cast<int>(it.get_global_linear_id());
                             x[own] = own;
                             lf::group_barrier(s);
                             y[own] = x[own ^ 31];
                           }
                         });
        })
        .wait_and_throw();
    for (std::size_t i = 0; i < local; ++i) {
      const std::size_t number = i / 32;
      if (first_meets ? number != 0 : number % 2 == 0) {
        ASSERT_EQ(out[i], -1) << i;
      } else {
        ASSERT_EQ(out[i], static_cast<int>(i ^ 31)) << i;
      }
    }
  }
}

/// A stream prints what work-items write in their order, whatever threads they run on.
TEST_F(divided_groups_test, keep_the_order_of_streams) {
  lf::queue q = queue_of(4);
  testing::internal::CaptureStdout();
  q.submit([&](lf::handler& h) {
     const lf::stream out(4096, 64, h);
     h.parallel_for(lf::nd_range<1>(128, 128), [=](lf::nd_item<1> it) {
       std::this_thread::sleep_for(std::chrono::microseconds(20));
       out << it.get_global_id(0) << '\n';
     });
   }).wait_and_throw();
  std::string expected;
  for (int i = 0; i < 128; ++i) {
    expected += std::to_string(i) + '\n';
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

/// Atomic operations on memory of the device are those of several threads, also where a call names a smaller scope.
TEST_F(divided_groups_test, count_atomically) {
  constexpr std::size_t local = 256, rounds = 1000;
  std::vector<int> count(2, 0);
  queue_of(4)
      .parallel_for(lf::nd_range<1>(local, local),
                    [=, c = count.data()](lf::nd_item<1>) {
                      for (std::size_t i = 0; i < rounds; ++i) {
                        lf::atomic_ref<int>(c[0]).fetch_add(1);
                        lf::atomic_ref<int>(c[1]).fetch_add(1, lf::memory_order::relaxed, lf::memory_scope::work_group);
                      }
                    })
      .wait_and_throw();
  EXPECT_EQ(count, std::vector<int>(2, local * rounds));
}

TEST_F(divided_groups_test, refuse_a_barrier_that_the_first_work_item_has_not_reached) {
  const std::string message = text_thrown_by(
      [] {
        queue_of(4)
            .parallel_for(lf::nd_range<1>(256, 256),
                          [](lf::nd_item<1> it) {
                            std::this_thread::sleep_for(std::chrono::microseconds(20));
                            if (it.get_local_id(0) >= 128) {
                              lf::group_barrier(it.get_group());
                            }
                          })
            .wait_and_throw();
      },
      lf::errc::kernel);
  EXPECT_MENTIONS(message, "a barrier was not reached by every unit of the work-group");
}

TEST_F(divided_groups_test, name_the_work_item_that_fails) {
  for (const std::size_t failing : {std::size_t{0}, std::size_t{1}, std::size_t{77}, std::size_t{255}}) {
    std::string message;
    try {
      queue_of(4)
          .parallel_for(lf::nd_range<1>(512, 256),
                        [=](lf::nd_item<1> it) {
                          std::this_thread::sleep_for(std::chrono::microseconds(20));
                          if (it.get_global_id(0) == 256 + failing) {
                            throw std::runtime_error("of the kernel");
                          }
                        })
          .wait_and_throw();
    } catch (const std::exception& e) {
      message = e.what();
    }
    EXPECT_MENTIONS(message, "of the kernel");
    EXPECT_MENTIONS(message, "work-group (1), work-item (" + std::to_string(256 + failing) + ")");
  }
}

} // namespace
