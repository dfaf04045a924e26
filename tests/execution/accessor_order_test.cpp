// SPDX-License-Identifier: Apache-2.0
// The order of commands whose accessors give access to different parts of one buffer.
#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <thread>

namespace lf = lanefold;

namespace {

/// A queue and a command that uses the first half of a buffer until it is told to end.
class first_half_in_use : public testing::Test {
protected:
  void hold(const lf::buffer<int>& of, const lf::property_list& properties = {}) {
    q.submit([&](lf::handler& h) {
      lf::accessor a(of, h, lf::range(4), lf::id(0), properties);
      h.host_task([this] {
        started = true;
        while (!done) {
        }
      });
    });
    while (!started) { // so that no wait of this thread runs it
    }
  }
  /// Submits a command with an accessor; it notes in `ran_behind` whether it runs behind the one that hold() submitted.
  template <class... Arguments>
  lf::event use(const lf::buffer<int>& b, std::atomic<int>& ran_behind, const Arguments&... arguments) {
    return q.submit([&](lf::handler& h) {
      lf::accessor a(b, h, arguments...);
      h.host_task([this, &ran_behind] { ran_behind = done; });
    });
  }
  /// Ends the first command, when others have had the time to run.
  void end() {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    done = true;
    q.wait();
  }
  void TearDown() override { end(); }

  std::atomic<bool> started{false};
  std::atomic<bool> done{false};
  lf::queue q{lf::property_list{lf::property::threads(2)}};
  lf::buffer<int> all{lf::range(8)};
};

TEST_F(first_half_in_use, orders_commands_on_the_other_half) {
  hold(all);
  std::atomic<int> writer{-1};
  std::atomic<int> reader{-1};
  use(all, writer, lf::range(4), lf::id(4));
  use(all, reader, lf::range(1), lf::id(7), lf::read_only);
  end();
  EXPECT_EQ(writer, 1);
  EXPECT_EQ(reader, 1);
}

TEST_F(first_half_in_use, does_not_order_sub_buffers_beside_it) {
  lf::buffer<int> left(all, lf::id(0), lf::range(4));
  lf::buffer<int> right(all, lf::id(4), lf::range(4));
  hold(left);
  std::atomic<int> beside{-1};
  std::atomic<int> same{-1};
  use(right, beside, lf::range(1)).wait(); // would never end
  use(left, same, lf::range(1), lf::id(2));
  end();
  EXPECT_EQ(beside, 0);
  EXPECT_EQ(same, 1);
}

TEST_F(first_half_in_use, does_not_order_other_parts_where_both_say_so) {
  const lf::property_list own_part{lf::property::own_part()};
  hold(all, own_part);
  std::atomic<int> beside{-1};
  std::atomic<int> overlapping{-1};
  std::atomic<int> plain{-1};
  use(all, beside, lf::range(2), lf::id(4), own_part).wait(); // would never end
  use(all, overlapping, lf::range(2), lf::id(3), own_part);
  use(all, plain, lf::range(2), lf::id(6));
  end();
  EXPECT_EQ(beside, 0);
  EXPECT_EQ(overlapping, 1);
  EXPECT_EQ(plain, 1);
}

TEST(accessor_order, host_accessors_of_one_thread_take_parts) {
  lf::buffer<int> b{lf::range(8)};
  const lf::host_accessor left(b, lf::range(4), lf::id(0));
  const lf::host_accessor right(b, lf::range(4), lf::id(4)); // would never return
  std::iota(left.begin(), left.end(), 0);
  std::iota(right.begin(), right.end(), 4);
  EXPECT_EQ(right[3], 7);
}

/// Order is not need: a command on one part runs although one on another part has failed.
TEST(accessor_order, failures_reach_those_who_need_the_part) {
  lf::queue q;
  lf::buffer<int> b{lf::range(8)};
  const auto submit = [&](lf::id<1> from, std::size_t count, auto action) {
    return q.submit([&](lf::handler& h) {
      lf::accessor a(b, h, lf::range(count), from);
      h.single_task([=] { action(a); });
    });
  };
  submit(0, 8, [](const auto& a) { std::fill(a.begin(), a.end(), 1); });
  submit(0, 4, [](const auto&) { throw std::runtime_error("thrown on purpose"); });
  submit(4, 4, [](const auto& a) { a[0] = 2; });
  bool ran = false;
  submit(0, 8, [&ran](const auto&) { ran = true; });
  EXPECT_THROW(q.wait_and_throw(), lf::exception);
  EXPECT_FALSE(ran);
  const lf::host_accessor right(b, lf::range(4), lf::id(4), lf::read_only);
  EXPECT_EQ(right[0], 2);
}

} // namespace
