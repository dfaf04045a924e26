// SPDX-License-Identifier: Apache-2.0
/// Copies of a work-group between global and local memory.
#include "strategies.hpp"

#include <lanefold/memory/multi_ptr.hpp>

#include <numeric>
#include <random>

namespace {

using lf::decorated_global_ptr;
using lf::decorated_local_ptr;

/// Reverses each group's part of the input through local memory, with a stride on the side of the input.
template <class Item>
void reverse_groups(lf::queue& q, const auto& properties, const std::vector<int>& in, std::vector<int>& out,
                    std::size_t local, std::size_t stride) {
  const int* const from = in.data();
  int* const to = out.data();
  const std::size_t n = out.size();
  q.submit([&](lf::handler& h) {
     lf::local_accessor<int> tile(lf::range<1>(local), h), turned(lf::range<1>(local), h);
     h.parallel_for(lf::nd_range<1>(n, local), properties, [=](Item it) {
       const lf::group g = it.get_group();
       const std::size_t first = g.get_group_id(0) * local;
       const lf::device_event loaded =
           g.async_work_group_copy(decorated_local_ptr<int>(tile.get_pointer()),
                                   decorated_global_ptr<const int>(from + first * stride), local, stride);
       g.wait_for(loaded);
       const std::size_t l = it.get_local_id(0);
       turned[local - 1 - l] = tile[l];
       lf::group_barrier(g);
       it.wait_for(it.async_work_group_copy(decorated_global_ptr<int>(to + first),
                                            decorated_local_ptr<int>(turned.get_pointer()), local));
     });
   }).wait();
}

TEST(async_work_group_copy, there_and_back) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  lf::queue q;
  for (const lf::fiber_engine engine : engines) {
    for (const std::size_t local : {1UL, 5UL, 64UL}) {
      for (const std::size_t stride : {1UL, 3UL}) {
        const std::size_t groups = 7;
        std::vector<int> in(groups * local * stride), out(groups * local, -1);
        for (int& x : in) {
          x = static_cast<int>(random());
        }
        reverse_groups<lf::nd_item<1>>(q, lf::properties{lf::property::fiber_engine(engine)}, in, out, local, stride);
        for (std::size_t i = 0; i < out.size(); ++i) {
          const std::size_t mirrored = i / local * local + (local - 1 - i % local);
          ASSERT_EQ(out[i], in[mirrored * stride]) << "local " << local << " stride " << stride << " at " << i;
        }
      }
    }
  }
}

/// The stride of a copy to global memory is there.
TEST(async_work_group_copy, scatters_to_global_memory) {
  lf::queue q;
  std::vector<int> out(64 * 2, -1);
  int* const to = out.data();
  q.submit([&](lf::handler& h) {
     lf::local_accessor<int> tile(lf::range<1>(16), h);
     h.parallel_for(lf::nd_range<1>(64, 16), [=](lf::nd_item<1> it) {
       tile[it.get_local_id(0)] = static_cast<int>(it.get_global_id(0));
       lf::group_barrier(it.get_group());
       it.get_group()
           .async_work_group_copy(decorated_global_ptr<int>(to + it.get_group(0) * 32),
                                  decorated_local_ptr<int>(tile.get_pointer()), 16, 2)
           .wait();
     });
   }).wait();
  for (std::size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(out[2 * i], static_cast<int>(i));
    ASSERT_EQ(out[2 * i + 1], -1);
  }
}

/// Each sub-group of lanes calls it, and the copy happens once.
TEST(async_work_group_copy, in_lane_generic_kernels) {
  lf::queue q;
  std::vector<int> in(200), out(200, -1);
  std::iota(in.begin(), in.end(), 1);
  const int* const from = in.data();
  const lf::view<int> to(out.data(), out.size());
  q.submit([&](lf::handler& h) {
     lf::local_accessor<int> tile(lf::range<1>(40), h);
     h.parallel_for(lf::nd_range<1>(200, 40), lf::properties{lf::property::strategy<lf::simd<16>>{}}, [=](auto it) {
       const auto g = it.get_group();
       g.wait_for(g.async_work_group_copy(decorated_local_ptr<int>(tile.get_pointer()),
                                          decorated_global_ptr<const int>(from + g.get_group_id(0) * 40), 40));
       to[it.get_global_id(0)] = tile[it.get_local_id(0)];
     });
   }).wait();
  EXPECT_EQ(out, in);
}

} // namespace
