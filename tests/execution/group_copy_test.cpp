// SPDX-License-Identifier: Apache-2.0
// async_work_group_copy and the members of SYCL 1.2.1 that programs still use.
#include <lanefold/execution.hpp>
#include <lanefold/memory.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t n = 256;
constexpr std::size_t size = 32;

/// Each group turns its elements around in local memory.
template <class Launch>
std::vector<int> turned(Launch launch) {
  std::vector<int> in(n);
  std::iota(in.begin(), in.end(), 0);
  std::vector<int> out(n);
  lf::queue q;
  {
    lf::buffer from(in);
    lf::buffer to(out);
    q.submit([&](lf::handler& h) {
      lf::accessor x(from, h, lf::read_only);
      lf::accessor y(to, h, lf::write_only);
      lf::accessor<int, 1, lf::access_mode::read_write, lf::target::local> tile(lf::range<1>(size), h);
      launch(h, x, y, tile);
    });
  }
  return out;
}

std::vector<int> expected() {
  std::vector<int> v(n);
  for (std::size_t i = 0; i < n; ++i) {
    v[i] = static_cast<int>(i / size * size + (size - 1 - i % size));
  }
  return v;
}

TEST(group_copy, work_items) {
  EXPECT_EQ(turned([](lf::handler& h, auto x, auto y, auto tile) {
              h.parallel_for(lf::nd_range<1>(n, size), [=](lf::nd_item<1> it) {
                const std::size_t first = it.get_group(0) * size;
                const lf::device_event copy =
                    it.async_work_group_copy(tile.get_pointer(), x.get_pointer() + first, size);
                it.wait_for(copy);
                y[it.get_global_id(0)] = tile[size - 1 - it.get_local_id(0)];
                it.barrier(lf::access::fence_space::local_space);
                it.mem_fence();
              });
            }),
            expected());
}

TEST(group_copy, lanes) {
  EXPECT_EQ(turned([](lf::handler& h, auto x, auto y, auto tile) {
              h.parallel_for(lf::nd_range<1>(n, size), lf::property::strategy<lf::simd<8>>(), [=](auto it) {
                const std::size_t first = it.get_group(0) * size;
                it.wait_for(it.get_group().async_work_group_copy(tile.get_pointer(), x.get_pointer() + first, size));
                y[it.get_global_id(0)] = tile[size - 1 - it.get_local_id(0)];
              });
            }),
            expected());
}

TEST(group_copy, strides_are_of_the_global_side) {
  std::vector<int> in(n);
  std::iota(in.begin(), in.end(), 0);
  std::vector<int> out(n, -1);
  lf::queue q;
  {
    lf::buffer from(in);
    lf::buffer to(out);
    q.submit([&](lf::handler& h) {
      lf::accessor x(from, h, lf::read_only);
      lf::accessor y(to, h, lf::write_only);
      lf::local_accessor<int> tile(lf::range(8), h);
      h.parallel_for(lf::nd_range<1>(8, 8), [=](lf::nd_item<1> it) {
        const auto local = tile.get_multi_ptr<lf::access::decorated::yes>();
        it.wait_for(it.async_work_group_copy(local, x.get_multi_ptr<lf::access::decorated::yes>(), 8, 10));
        it.wait_for(it.async_work_group_copy(y.get_multi_ptr<lf::access::decorated::yes>(), local, 8, 3));
      });
    });
  }
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(out[i], i % 3 == 0 && i < 24 ? static_cast<int>(i / 3 * 10) : -1);
  }
}

} // namespace
