// SPDX-License-Identifier: Apache-2.0
/// What kernels do wrong with barriers and local accessors beyond a barrier that is missed: catching what unwinds them,
/// calling a barrier on a thread of their own, and local memory of another command.
#include "strategies.hpp"
#include "thrown.hpp"

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

/// Runs a kernel over a group of 64 work-items.
template <class Strategy, class Kernel>
std::string message_of_kernel(lf::fiber_engine engine, Kernel kernel) {
  lf::queue q;
  return text_thrown_by(
      [&] { q.parallel_for(lf::nd_range<1>(64, 64), how<Strategy>(engine), kernel).wait_and_throw(); });
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
      std::thread([&] { wrong = text_thrown_by([&] { lf::group_barrier(it.get_group()); }); }).join();
      throw std::runtime_error(wrong);
    });
    EXPECT_NE(text.find("another thread"), std::string::npos) << text;
  }
}

TYPED_TEST(kernel_misuse, takes_steps_of_0) {
#if defined(LANEFOLD_CHECKED)
  const auto with = [](auto first, auto step_of) {
    return message_of_kernel<TypeParam>(lf::fiber_engine::automatic, [=](auto it) {
      auto rounds = it.var(0);
      it.for_(first, decltype(first)(50), step_of(it), [&](auto) { ++rounds; });
    });
  };
  for (const std::string& text : {with(0, [](auto) { return 0; }), with(0U, [](auto) { return 0U; }),
                                  with(0, [](auto it) { return lf::select(it.get_local_id(0) == 20U, 0, 9); }),
                                  with(0, [](auto it) { return lf::convert<int>(it.get_local_id(0)); })}) {
    EXPECT_NE(text.find("its step is 0"), std::string::npos) << text;
    EXPECT_NE(text.find("work-group (0)"), std::string::npos) << text;
  }
  const auto not_in_the_loop = [](auto it) { return lf::convert<int>(it.get_local_id(0)); };
  EXPECT_EQ(with(50, not_in_the_loop), "");
  EXPECT_EQ(with(0, [](auto) { return 7; }), "");
#else
  GTEST_SKIP() << "not a checked build";
#endif
}

/// Indices of each kind, each once beyond the end.
TYPED_TEST(kernel_misuse, indexes_beyond_the_end) {
#if defined(LANEFOLD_CHECKED)
  std::vector<int> memory(64 * 2);
  const lf::view<int> x(memory.data(), 64);
  const lf::view<int, 2> rows(memory.data(), {2, 64});
  const auto with = [&](auto access) {
    lf::queue q;
    return text_thrown_by([&] {
      q.submit([&](lf::handler& h) {
         const lf::local_accessor<int> tile(64, h);
         const lf::local_accessor<int, 2> tiles({2, 64}, h);
         h.parallel_for(lf::nd_range<1>(64, 64), how<TypeParam>(lf::fiber_engine::automatic), [=](auto it) {
           it.if_(it.get_local_id(0) == std::size_t(17), [&] { access(it, x, rows, tile, tiles); });
         });
       }).wait_and_throw();
    });
  };
  for (const std::string& text : {with([](auto, auto v, auto, auto, auto) { v[64] = 1; }),
                                  with([](auto it, auto v, auto, auto, auto) { v[it.get_local_id(0) + 64] = 1; }),
                                  with([](auto, auto v, auto, auto, auto) { v[lf::id<1>(64)] = 1; }),
                                  with([](auto, auto, auto r, auto, auto) { r[lf::id<2>(1, 64)] = 1; }),
                                  with([](auto, auto, auto r, auto, auto) { r[0][64] = 1; }),
                                  with([](auto, auto, auto, auto t, auto) { t[64] = 1; }),
                                  with([](auto, auto, auto, auto t, auto) { t[lf::id<1>(64)] = 1; }),
                                  with([](auto, auto, auto, auto, auto t) { t[lf::id<2>(0, 64)] = 1; })}) {
    EXPECT_NE(text.find("is outside of an extent of 64"), std::string::npos) << text;
  }
  EXPECT_EQ(with([](auto, auto v, auto r, auto, auto t) { v[lf::id<1>(63)] = r[lf::id<2>(1, 63)] = t[1][63] = 1; }),
            "");
#else
  GTEST_SKIP() << "not a checked build";
#endif
}

/// The reference dangles; that of a checked build shows what is wrong as long as nobody has written over the accessor.
TYPED_TEST(kernel_misuse, captures_a_local_accessor_by_reference) {
#if defined(LANEFOLD_CHECKED)
  lf::queue q;
  std::optional<lf::local_accessor<int>> tile;
  const std::string text = text_thrown_by([&] {
    q.submit([&](lf::handler& h) {
       tile.emplace(64, h);
       h.parallel_for(lf::nd_range<1>(64, 64), how<TypeParam>(lf::fiber_engine::automatic),
                      [&by_reference = *tile](auto it) { by_reference[it.get_local_id(0)] = 1; });
     }).wait_and_throw();
  });
  EXPECT_NE(text.find("captures it by value"), std::string::npos) << text;
#else
  GTEST_SKIP() << "not a checked build";
#endif
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
  EXPECT_EQ(text_thrown_by([&] { submit(true); }), "");
  const std::string text = text_thrown_by([&] { submit(false); });
  EXPECT_NE(text.find("a local accessor that is not of its command"), std::string::npos) << text;
  EXPECT_EQ(text_thrown_by([&] { submit(true); }), "");
}

} // namespace
