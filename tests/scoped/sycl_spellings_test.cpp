// SPDX-License-Identifier: Apache-2.0
/// Hierarchical kernels as SYCL programs spell them.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

namespace {

constexpr sycl::specialization_id<int> factor{2};

TEST(sycl_spellings, hierarchical_kernels_read_specialization_constants) {
  std::vector<int> seen(8);
  int* const out = seen.data();
  sycl::queue q;
  q.submit([&](sycl::handler& h) {
     h.set_specialization_constant<factor>(3);
     h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(4), [=](sycl::group<1> g, sycl::kernel_handler k) {
       const int by = k.get_specialization_constant<factor>();
       g.parallel_for_work_item([&](sycl::h_item<1> it) {
         const std::size_t i = it.get_global_id(0);
         out[i] = by * static_cast<int>(i);
       });
     });
   }).wait();
  EXPECT_EQ(seen[7], 21);
}

TEST(sycl_spellings, h_items_are_written_to_streams) {
  sycl::queue()
      .submit([](sycl::handler& h) {
        const sycl::stream out(1024, 256, h);
        h.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(1), [=](sycl::group<1> g) {
          g.parallel_for_work_item([&](sycl::h_item<1> it) { out << it << sycl::endl; });
        });
      })
      .wait();
}

} // namespace
