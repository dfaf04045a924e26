// SPDX-License-Identifier: Apache-2.0
/// What kernels do wrong with barriers and local accessors beyond a barrier that is missed: catching what unwinds them,
/// calling a barrier on a thread of their own, and local memory of another command.
#include "strategies.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

template <class Strategy>
class kernel_misuse : public ::testing::Test {};
using misusing_strategies = ::testing::Types<lf::scalar, lf::simd<16>>;
TYPED_TEST_SUITE(kernel_misuse, misusing_strategies, strategy_names);

template <class Work>
std::string message_of(Work work) {
  try {
    work();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}

/// Runs a kernel over a group of 64 work-items.
template <class Strategy, class Kernel>
std::string message_of_kernel(lf::fiber_engine engine, Kernel kernel) {
  lf::queue q;
  return message_of([&] { q.parallel_for(lf::nd_range<1>(64, 64), how<Strategy>(engine), kernel).wait_and_throw(); });
}

TYPED_TEST(kernel_misuse, catches_what_unwinds_it_and_goes_on) {
  for (const lf::fiber_engine engine : engines) {
    for (const std::size_t failing : {std::size_t(0), std::size_t(20), std::size_t(63)}) {
      const std::string text = message_of_kernel<TypeParam>(engine, [=](auto it) {
        const auto barrier = [&] {
          try {
            lf::group_barrier(it.get_group());
          } catch (...) { // NOLINT: swallows what unwinds the work-item
          }
        };
        barrier();
        it.if_(it.get_local_id(0) == failing, [&] { throw std::runtime_error("thrown on purpose"); });
        barrier();
        barrier();
        try {
          lf::group_barrier(it.get_sub_group());
        } catch (...) { // NOLINT
        }
      });
      EXPECT_NE(text.find("thrown on purpose"), std::string::npos) << text << ' ' << to_string(engine) << failing;
    }
  }
}

TYPED_TEST(kernel_misuse, tries_its_barrier_for_ever) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto kernel = [](auto it) {
    lf::group_barrier(it.get_group());
    it.if_(it.get_local_id(0) == std::size_t(63), [&] { throw std::runtime_error("thrown on purpose"); });
    for (bool passed = false; !passed;) {
      try {
        lf::group_barrier(it.get_group());
        passed = true;
      } catch (...) { // NOLINT: tries again
      }
    }
  };
  EXPECT_DEATH(message_of_kernel<TypeParam>(lf::fiber_engine::automatic, kernel),
               "thrown on purpose[^\n]*\n[^\n]*catches \\(...\\) what unwinds it");
}

TYPED_TEST(kernel_misuse, calls_a_barrier_on_another_thread) {
  for (const lf::fiber_engine engine : engines) {
    const std::string text = message_of_kernel<TypeParam>(engine, [=](auto it) {
      std::string wrong;
      std::thread([&] { wrong = message_of([&] { lf::group_barrier(it.get_group()); }); }).join();
      throw std::runtime_error(wrong);
    });
    EXPECT_NE(text.find("another thread"), std::string::npos) << text;
  }
}

TYPED_TEST(kernel_misuse, has_a_local_accessor_of_another_command) {
  lf::queue q;
  const auto own = lf::properties{lf::property::strategy<TypeParam>()};
  std::optional<lf::local_accessor<int>> kept;
  const auto submit = [&](bool first) {
    q.submit([&](lf::handler& h) {
       const lf::local_accessor<int> mine(64, h);
       if (first) {
         kept.emplace(mine);
       }
       h.parallel_for(lf::nd_range<1>(64, 64), own, [mine, tile = *kept](auto it) {
         mine[it.get_local_id(0)] = 1;
         tile[it.get_local_id(0)] = 1;
       });
     }).wait_and_throw();
  };
  EXPECT_EQ(message_of([&] { submit(true); }), "no error");
  const std::string text = message_of([&] { submit(false); });
  EXPECT_NE(text.find("a local accessor that is not of its command"), std::string::npos) << text;
  EXPECT_EQ(message_of([&] { submit(true); }), "no error");
}

} // namespace
