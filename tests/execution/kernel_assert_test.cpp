// SPDX-License-Identifier: Apache-2.0
/// assert in kernels, with <cassert> included before and behind the library.
#undef NDEBUG
#include <lanefold/execution/detail/kernel_assert.hpp>

#include <cassert> // again: it must not take the kernels' assert away

#include "strategies.hpp"
#include "thrown.hpp"

#include <functional>
#include <string>

namespace {

class asserting;

std::string thrown_by(const std::function<void(lf::queue&)>& work) {
  lf::queue q;
  std::string text;
  const lf::errc code = code_thrown_by(
      [&] {
        work(q);
        q.wait();
      },
      &text);
  EXPECT_TRUE(code == lf::errc::kernel || code == lf::errc::success) << text;
  return text;
}

void check_small(std::size_t i) { assert(i < 100 && "small"); }

TEST(kernel_assert, names_work_item_and_place) {
  const std::string text = thrown_by([](lf::queue& q) {
    q.parallel_for<asserting>(lf::nd_range<1>(128, 16), [](lf::nd_item<1> it) {
      if (it.get_global_id(0) == 117) {
        check_small(it.get_global_id(0));
      }
    });
  });
  EXPECT_MENTIONS(text, "kernel 'asserting', work-group (7), work-item (117) with local id (5): ");
  EXPECT_MENTIONS(text, "kernel_assert_test.cpp:31: ");
  EXPECT_MENTIONS(text, "check_small(");
  EXPECT_MENTIONS(text, "Assertion `i < 100 && \"small\"' failed.");
}

TEST(kernel_assert, of_a_range_and_behind_a_barrier) {
  EXPECT_MENTIONS(thrown_by([](lf::queue& q) {
                    q.parallel_for<asserting>(lf::range<2>(10, 20),
                                              [](lf::id<2> i) { assert(i[0] != 1 || i[1] != 19); });
                  }),
                  "work-item (1, 19): ");
  for (const lf::fiber_engine engine : engines) {
    EXPECT_MENTIONS(thrown_by([&](lf::queue& q) {
                      q.parallel_for<asserting>(lf::nd_range<1>(64, 32), lf::property::fiber_engine(engine),
                                                [](lf::nd_item<1> it) {
                                                  lf::group_barrier(it.get_group());
                                                  assert(it.get_local_id(0) != 9 || it.get_group(0) == 1);
                                                });
                    }),
                    "work-group (0), work-item (9) with local id (9): ");
  }
}

TEST(kernel_assert, that_holds_does_nothing) {
  EXPECT_EQ(thrown_by([](lf::queue& q) { q.parallel_for(lf::range<1>(1000), [](lf::id<1> i) { assert(i < 1000); }); }),
            "");
}

constexpr int checked(int i) {
  assert(i > 0);
  return i;
}
static_assert(checked(3) == 3);

TEST(kernel_assert_death_test, outside_of_kernels_aborts_as_ever) {
  GTEST_FLAG_SET(death_test_style, "threadsafe"); // the library has threads
  EXPECT_DEATH(check_small(100), "kernel_assert_test.cpp:31: .*check_small.*Assertion `i < 100 && \"small\"' failed.");
}

#define NDEBUG
#include <cassert>

TEST(kernel_assert, of_a_program_with_ndebug_is_nothing) {
  EXPECT_EQ(thrown_by([](lf::queue& q) { q.single_task([] { assert(false); }); }), "");
}

} // namespace
