// SPDX-License-Identifier: Apache-2.0
// References that do not keep what they refer to.

#include "thrown.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <type_traits>
#include <vector>

namespace lf = lanefold;
using lf::ext::oneapi::owner_less;
using lf::ext::oneapi::weak_object;

namespace {

TEST(weak_object, finds_a_buffer_until_its_last_copy_is_gone) {
  std::vector<int> data(12, 0);
  weak_object<lf::buffer<int, 2>> weak;
  EXPECT_TRUE(weak.expired());
  EXPECT_FALSE(weak.try_lock());
  {
    lf::buffer<int, 2> first(data.data(), lf::range<2>(3, 4));
    std::optional<lf::buffer<int, 2>> copy(first);
    weak = first;
    EXPECT_FALSE(weak.expired());
    EXPECT_TRUE(weak.lock() == first);
    EXPECT_EQ(weak.lock().get_range(), (lf::range<2>(3, 4)));
    {
      lf::buffer<int, 2> found = weak.lock();
      const lf::host_accessor a(found);
      a[2][3] = 5;
    }
    copy.reset();
    EXPECT_FALSE(weak.expired());
  } // it writes back, though the weak object is still there
  EXPECT_EQ(data.back(), 5);
  EXPECT_TRUE(weak.expired());
  EXPECT_FALSE(weak.try_lock());
  EXPECT_EQ(code_thrown_by([&] { static_cast<void>(weak.lock()); }), lf::errc::invalid);
}

TEST(weak_object, refers_to_parts_of_buffers) {
  std::vector<int> data(8, 0);
  {
    lf::buffer<int> whole(data.data(), lf::range<1>(8));
    lf::buffer<int> part(whole, lf::id<1>(4), lf::range<1>(2));
    const weak_object<lf::buffer<int>> weak(part);
    lf::buffer<int> found = weak.lock();
    EXPECT_EQ(found.size(), 2U);
    const lf::host_accessor a(found);
    a[0] = 7;
  }
  EXPECT_EQ(data[4], 7);
}

TEST(weak_object, of_queues_contexts_and_bundles) {
  weak_object<lf::queue> queue;
  weak_object<lf::context> context;
  weak_object<lf::kernel_bundle<lf::bundle_state::executable>> bundle;
  {
    lf::queue q(lf::property_list{lf::property::queue::in_order()});
    lf::context c(q.get_device());
    auto b = lf::get_kernel_bundle<lf::bundle_state::executable>(c);
    queue = q;
    context = c;
    bundle = b;
    EXPECT_TRUE(queue.lock() == q);
    EXPECT_TRUE(queue.lock().is_in_order());
    EXPECT_TRUE(context.lock() == c);
    EXPECT_TRUE(bundle.lock() == b);
    int value = 0;
    queue.lock().single_task([&] { value = 1; }).wait();
    EXPECT_EQ(value, 1);
  }
  EXPECT_TRUE(queue.expired());
}

TEST(weak_object, orders_owners) {
  lf::buffer<int> a(lf::range<1>(1)), b(lf::range<1>(1));
  const lf::buffer<int> same = a;
  std::map<weak_object<lf::buffer<int>>, int, owner_less<lf::buffer<int>>> known;
  known[a] = 1;
  known[b] = 2;
  EXPECT_EQ(known.size(), 2U);
  EXPECT_EQ(known.at(same), 1);
  const owner_less<lf::buffer<int>> less;
  EXPECT_NE(less(a, b), less(b, a));
  EXPECT_FALSE(less(a, same) || less(same, a));
  weak_object<lf::buffer<int>> x(a), y(b);
  x.swap(y);
  EXPECT_TRUE(x.lock() == b);
  x.reset();
  EXPECT_TRUE(x.expired());
}

} // namespace
