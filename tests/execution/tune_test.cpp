// SPDX-License-Identifier: Apache-2.0
#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

/// Groups of the size `slow` take long.
template <class Queue>
auto launch_with_slow(Queue& q, std::size_t slow, std::vector<std::size_t>& called) {
  return [&q, slow, &called](auto how, lf::range<1> local) {
    called.push_back(local[0]);
    const bool sleeps = local[0] == slow;
    return q.parallel_for(lf::nd_range<1>(64, local), how, [=](auto) {
      if (sleeps) {
        std::this_thread::sleep_for(std::chrono::microseconds(300));
      }
    });
  };
}

TEST(tune, takes_the_fastest_and_remembers_it) {
  lf::queue q;
  std::vector<std::size_t> called;
  const auto launch = launch_with_slow(q, 8, called);
  const auto tuned = [&] { return lf::tune(q, launch, lf::candidate<lf::scalar>(8), lf::candidate<lf::scalar>(16)); };
  EXPECT_EQ(tuned().index(), 1U);
  EXPECT_GT(called.size(), 4U);
  called.clear();
  const auto best = tuned();
  EXPECT_TRUE(called.empty()); // it was known
  best(launch).wait();
  EXPECT_EQ(called, std::vector<std::size_t>{16});
}

TEST(tune, chooses_shapes_in_two_dimensions) {
  lf::queue q;
  std::vector<int> data(64 * 64);
  const lf::view<int, 2> v(data.data(), lf::range<2>(64, 64));
  const auto launch = [&](auto how, lf::range<2> local) {
    return q.parallel_for(lf::nd_range<2>({64, 64}, local), how, [=](auto it) {
      v[it.get_global_id(0)][it.get_global_id(1)] = lf::convert<int>(it.get_global_id(1));
    });
  };
  const auto best = lf::tune(q, launch, lf::candidate<lf::simd<4, 8>>(8, 8), lf::candidate<lf::simd<16>>(1, 64));
  best(launch).wait();
  EXPECT_EQ(data[64 * 63 + 5], 5);
}

TEST(tune, leaves_out_what_does_not_fit) {
  lf::queue q;
  std::vector<std::size_t> called;
  const auto launch = launch_with_slow(q, 0, called);
  EXPECT_EQ(lf::tune(q, launch, lf::candidate<lf::scalar>(7), lf::candidate<lf::scalar>(32)).index(), 1U);
  EXPECT_EQ(code_thrown_by([&] { lf::tune(q, launch, lf::candidate<lf::scalar>(7), lf::candidate<lf::scalar>(9)); }),
            lf::errc::nd_range);
}

TEST(tune, throws_what_the_kernel_throws) {
  lf::queue q;
  const auto launch = [&](auto how, lf::range<1> local) {
    return q.parallel_for(lf::nd_range<1>(8, local), how, [=](auto) { throw std::runtime_error("no"); });
  };
  EXPECT_EQ(code_thrown_by([&] { lf::tune(q, launch, lf::candidate<lf::scalar>(8)); }), lf::errc::kernel);
}

TEST(tune, keeps_choices_in_a_file) {
  const std::string path = testing::TempDir() + "lanefold_tune_test.txt";
  std::ofstream(path) << "no choice\nx\ty\n\tz\n99999999999999999999999\tz\n"; // is not read
  setenv("LANEFOLD_TUNE_FILE", path.c_str(), 1);
  lf::queue q;
  std::vector<std::size_t> called;
  const auto launch = launch_with_slow(q, 4, called);
  EXPECT_EQ(lf::tune(q, launch, lf::candidate<lf::scalar>(4), lf::candidate<lf::scalar>(64)).index(), 1U);
  std::ifstream file(path);
  std::string last;
  for (std::string line; std::getline(file, line);) {
    last = line;
  }
  EXPECT_TRUE(last.starts_with("1\t")) << last;
  // Another process has found something else: the file is read when its name is new.
  const std::string other = path + ".other";
  std::ofstream(other) << "0" << last.substr(1) << '\n';
  setenv("LANEFOLD_TUNE_FILE", other.c_str(), 1);
  EXPECT_EQ(lf::tune(q, launch, lf::candidate<lf::scalar>(4), lf::candidate<lf::scalar>(64)).index(), 0U);
  unsetenv("LANEFOLD_TUNE_FILE");
  std::filesystem::remove(path);
  std::filesystem::remove(other);
}

TEST(tune, goes_on_without_a_file_that_cannot_be_written) {
  setenv("LANEFOLD_TUNE_FILE", "/nowhere/choices", 1);
  lf::queue q;
  std::vector<std::size_t> called;
  const auto launch = launch_with_slow(q, 2, called);
  testing::internal::CaptureStderr();
  EXPECT_EQ(lf::tune(q, launch, lf::candidate<lf::scalar>(2), lf::candidate<lf::scalar>(64)).index(), 1U);
  const std::string said = testing::internal::GetCapturedStderr();
  unsetenv("LANEFOLD_TUNE_FILE");
  EXPECT_EQ(said, "lanefold: LANEFOLD_TUNE_FILE cannot be written: /nowhere/choices: No such file or directory\n");
}

} // namespace
