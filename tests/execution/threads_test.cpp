// SPDX-License-Identifier: Apache-2.0
/// Threads: how many there may be, LANEFOLD_PIN, and kernels beside the program's own threads of oneTBB and OpenMP.
#include "sanitized.hpp"

#include <lanefold/execution/detail/machine.hpp>
#include <lanefold/execution/detail/processors.hpp>
#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

// ThreadSanitizer does not see how oneTBB hands work to its threads.
#if defined(__SANITIZE_THREAD__)
#define LANEFOLD_TEST_WITH_ONETBB 0
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LANEFOLD_TEST_WITH_ONETBB 0
#endif
#endif
#if !defined(LANEFOLD_TEST_WITH_ONETBB) && __has_include(<tbb/parallel_for.h>)
#define LANEFOLD_TEST_WITH_ONETBB 1
#include <tbb/parallel_for.h>
#endif

namespace lf = lanefold;
using lf::detail::processors_of_control_group;

namespace {

/// A folder with files, gone at the end.
class files {
public:
  files() : m_root(std::filesystem::temp_directory_path() / ("lanefold_threads_" + std::to_string(getpid()))) {
    std::filesystem::remove_all(m_root);
  }
  ~files() { std::filesystem::remove_all(m_root); }
  files(const files&) = delete;
  files& operator=(const files&) = delete;

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories((m_root / path).parent_path());
    std::ofstream(m_root / path) << text;
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (m_root / name).string(); }
  [[nodiscard]] std::optional<std::size_t> limit(const std::string& groups) const {
    write("groups", groups);
    return processors_of_control_group(path("groups"), path("root"));
  }

private:
  std::filesystem::path m_root;
};

TEST(threads, follow_the_limits_of_control_groups) {
  const files of;
  of.write("root/cgroup.procs", "");
  EXPECT_EQ(of.limit("0::/\n"), std::nullopt) << "no limit is set";
  of.write("root/a/cpu.max", "max 100000\n");
  EXPECT_EQ(of.limit("0::/a\n"), std::nullopt);
  of.write("root/a/b/cpu.max", "200000 100000\n");
  EXPECT_EQ(of.limit("0::/a/b\n"), 2u);
  EXPECT_EQ(of.limit("0::/a\n"), std::nullopt) << "limits of groups below count for these alone";
  of.write("root/a/b/c/cpu.max", "800000 100000\n");
  EXPECT_EQ(of.limit("0::/a/b/c\n"), 2u) << "the limit of the group around it is stricter";
  of.write("root/a/b/c/cpu.max", "150000 100000\n");
  EXPECT_EQ(of.limit("0::/a/b/c\n"), 2u) << "a part of a processor counts as one";
  of.write("root/a/b/c/cpu.max", "100001 100000\n");
  EXPECT_EQ(of.limit("0::/a/b/c\n"), 2u);
  of.write("root/a/b/c/cpu.max", "5000 100000\n");
  EXPECT_EQ(of.limit("0::/a/b/c\n"), 1u);
  of.write("root/cpu.max", "300000 100000\n");
  EXPECT_EQ(of.limit("0::/not/seen/from/inside\n"), 3u) << "a container finds its group in the root";
}

TEST(threads, follow_control_groups_of_version_1) {
  const files of;
  of.write("root/cpu/x/cpu.cfs_quota_us", "-1\n");
  of.write("root/cpu/x/cpu.cfs_period_us", "100000\n");
  const std::string groups = "5:cpuset:/y\n4:cpu,cpuacct:/x\n0::/\n";
  EXPECT_EQ(of.limit(groups), std::nullopt);
  of.write("root/cpu/x/cpu.cfs_quota_us", "400000\n");
  EXPECT_EQ(of.limit(groups), 4u);
  EXPECT_EQ(of.limit("4:cpuacct,cpu:/x\n"), 4u);
  EXPECT_EQ(of.limit("4:cpuacct,cpuset:/x\n"), std::nullopt) << "the controller is not this one";
}

TEST(threads, ignore_what_cannot_be_read) {
  const files of;
  for (const char* nonsense : {"", "much\n", "0 0\n", "100000 0\n", "1e5 100000\n", "-5 100000\n"}) {
    of.write("root/cpu.max", nonsense);
    EXPECT_EQ(of.limit("0::/\n"), std::nullopt) << nonsense;
  }
  for (const char* nonsense : {"", "no colons\n", "one:colon\n", ":::\n"}) {
    EXPECT_EQ(of.limit(nonsense), std::nullopt) << nonsense;
  }
  EXPECT_EQ(processors_of_control_group(of.path("absent"), of.path("absent")), std::nullopt);
}

TEST(threads, are_as_many_as_this_process_may_use) {
  const std::optional<std::size_t> limit = processors_of_control_group();
  EXPECT_LE(lf::detail::available_cores(), limit.value_or(lf::detail::available_cores()));
  EXPECT_LE(lf::detail::available_cores(), lf::detail::processors_to_pin().size());
}

TEST(threads, are_pinned_to_cores_before_their_siblings) {
  const files of;
  const auto siblings = [&](int cpu, const char* list) {
    of.write("cpu" + std::to_string(cpu) + "/topology/thread_siblings_list", list);
  };
  siblings(0, "0,2\n");
  siblings(1, "1,3\n");
  siblings(2, "0,2\n");
  siblings(3, "1,3\n");
  EXPECT_EQ(lf::detail::cores_first({0, 1, 2, 3}, of.path("")), (std::vector{0, 1, 2, 3}));
  siblings(0, "0-1\n");
  siblings(1, "0-1\n");
  siblings(2, "2-3\n");
  siblings(3, "2-3\n");
  EXPECT_EQ(lf::detail::cores_first({0, 1, 2, 3}, of.path("")), (std::vector{0, 2, 1, 3}));
  EXPECT_EQ(lf::detail::cores_first({1, 2, 3}, of.path("")), (std::vector{1, 2, 3})) << "0 may not be used";
  EXPECT_EQ(lf::detail::cores_first({4, 5}, of.path("")), (std::vector{4, 5})) << "nothing is known";
}

int processors_of_this_thread() {
  cpu_set_t allowed;
  return sched_getaffinity(0, sizeof(allowed), &allowed) == 0 ? CPU_COUNT(&allowed) : -1;
}

/// Runs a launch of two groups that wait for each other on two threads; returns the processors that each may use, in
/// the order of their number.
std::vector<int> processors_of_two_threads(lf::queue& q) {
  std::mutex guard;
  std::vector<int> found;
  std::atomic<int> arrived{0};
  q.parallel_for(lf::range<1>(2), [&](lf::id<1>) {
     {
       const std::lock_guard lock(guard);
       found.push_back(processors_of_this_thread());
     }
     ++arrived;
     const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
     while (arrived < 2 && std::chrono::steady_clock::now() < end) {
       std::this_thread::yield();
     }
   }).wait_and_throw();
  std::sort(found.begin(), found.end());
  return found;
}

TEST(threads, are_pinned_on_request) {
  const int all = processors_of_this_thread();
  if (all < 2) {
    GTEST_SKIP() << "this process may use one processor only";
  }
  ::setenv("LANEFOLD_PIN", "on", 1);
  lf::queue pinned{lf::property::threads(7)}; // of 7 threads there is no queue yet
  ::unsetenv("LANEFOLD_PIN");
  // The host's thread and a worker, or two workers.
  const std::vector<int> found = processors_of_two_threads(pinned);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], 1);
  EXPECT_EQ(processors_of_this_thread(), all) << "the thread that waits is the program's";

  lf::queue free{lf::property::threads(6)};
  EXPECT_EQ(processors_of_two_threads(free), (std::vector{all, all}));
#if LANEFOLD_TEST_WITH_ONETBB
  // oneTBB's threads that have worked for the queue are as free as before.
  std::atomic<int> bound{0};
  tbb::parallel_for(0, 1000, [&](int) { bound += processors_of_this_thread() != all; });
  EXPECT_EQ(bound, 0);
#endif
}

#if LANEFOLD_TEST_WITH_ONETBB

#if defined(LANEFOLD_TEST_SANITIZED)
[[maybe_unused]] constexpr int rounds = 18;
#else
[[maybe_unused]] constexpr int rounds = 64;
#endif

/// Sums by a kernel with a barrier what is 2 n in all.
[[maybe_unused]] std::size_t sum_by_kernel(lf::queue& q, std::size_t n) {
  std::vector<std::size_t> twos(n, 1);
  const lf::view<std::size_t> x(twos.data(), n);
  q.parallel_for(lf::nd_range<1>(n, 64), [=](lf::nd_item<1> it) {
     x[it.get_global_id(0)] *= 2;
     lf::group_barrier(it.get_group());
   }).wait_and_throw();
  std::size_t sum = 0;
  for (const std::size_t each : twos) {
    sum += each;
  }
  return sum;
}

TEST(threads, of_onetbb_submit_kernels_and_wait) {
  lf::queue shared;
  std::atomic<int> wrong{0};
  tbb::parallel_for(0, rounds, [&](int i) {
    lf::queue own{lf::property::threads(1 + static_cast<std::size_t>(i) % 3)};
    tbb::parallel_for(0, 4, [&](int) { wrong += sum_by_kernel(shared, 256) != 512; });
    wrong += sum_by_kernel(own, 192) != 384;
  });
  EXPECT_EQ(wrong, 0);
}
#endif

#if defined(_OPENMP) && LANEFOLD_TEST_WITH_ONETBB
TEST(threads, of_openmp_submit_kernels_and_wait) {
  lf::queue shared;
  int wrong = 0;
#pragma omp parallel num_threads(4) reduction(+ : wrong)
  {
    lf::queue own;
    for (int i = 0; i < rounds / 3; ++i) {
      wrong += sum_by_kernel(shared, 256) != 512;
      wrong += sum_by_kernel(own, 192) != 384;
#pragma omp barrier
    }
  }
  EXPECT_EQ(wrong, 0);

  // All three kinds of threads at once.
  std::atomic<int> also_wrong{0};
  std::thread with_onetbb(
      [&] { tbb::parallel_for(0, 40, [&](int) { also_wrong += sum_by_kernel(shared, 256) != 512; }); });
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 40; ++i) {
    also_wrong += sum_by_kernel(shared, 192) != 384;
  }
  with_onetbb.join();
  EXPECT_EQ(also_wrong, 0);
}
#endif

} // namespace
