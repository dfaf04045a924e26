// SPDX-License-Identifier: Apache-2.0
/// Kernels while the program ends: exit handlers and destructors of static objects run behind what the main thread had
/// of its own.
#include <lanefold/execution.hpp>
#include <lanefold/scoped.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdlib>

namespace lf = lanefold;

namespace {

constexpr std::size_t groups = 4, size = 64;
using values = std::array<int, groups * size>;

// Suspends work-items at a barrier, with local memory.
bool reverses_groups() {
  values out{};
  const lf::view<int> y(out.data(), out.size());
  lf::queue q;
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<int> tile(size, h);
     h.parallel_for(lf::nd_range<1>{groups * size, size}, [=](lf::nd_item<1> it) {
       const std::size_t l = it.get_local_id(0);
       tile[l] = static_cast<int>(l);
       lf::group_barrier(it.get_group());
       y[it.get_global_id(0)] = tile[size - 1 - l];
     });
   }).wait();
  return out.front() == int{size} - 1 && out.back() == 0;
}

// Has private memory.
bool counts() {
  values out{};
  const lf::view<int> y(out.data(), out.size());
  lf::queue q;
  q.parallel(lf::range<1>(groups), lf::static_range<size>(), [=](auto group) {
     lf::memory_environment(group, lf::require_private_mem<int>(3), [&](auto& memory) {
       lf::distribute_items_and_wait(group, [&](auto it) { memory(it) += 1; });
       lf::distribute_items_and_wait(group, [&](auto it) { y[it.get_global_id(0)] = memory(it); });
     });
   }).wait();
  return out.front() == 4 && out.back() == 4;
}

void run_late() {
  if (reverses_groups() && counts()) {
    std::_Exit(7);
  }
}

[[noreturn]] void end_program() {
  if (!reverses_groups() || !counts()) {
    std::_Exit(1);
  }
  std::atexit(run_late);
  std::exit(2);
}

TEST(late_kernel, runs_in_an_exit_handler) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(end_program(), testing::ExitedWithCode(7), "");
}

} // namespace
