// SPDX-License-Identifier: Apache-2.0
// Parts of sub-groups by the names of DPC++.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace {

namespace syclex = sycl::ext::oneapi::experimental;

static_assert(sycl::is_group_v<syclex::fixed_size_group<8, sycl::sub_group>>);
static_assert(syclex::is_user_constructed_group_v<syclex::ballot_group<sycl::sub_group>>);
static_assert(!syclex::is_user_constructed_group_v<sycl::sub_group>);

TEST(sycl_parts, have_the_names_of_the_extension) {
  constexpr std::size_t n = 64;
  std::vector<int> fixed(n), ballot(n), whole(n);
  int* const f = fixed.data();
  int* const b = ballot.data();
  int* const w = whole.data();
  sycl::queue q;
  q.parallel_for(sycl::nd_range<1>(n, n), [=](sycl::nd_item<1> it) {
     const std::size_t i = it.get_local_linear_id();
     const sycl::sub_group sg = it.get_sub_group();
     const auto eight = syclex::get_fixed_size_group<8>(sg);
     const bool is_right = eight.get_group_id()[0] == i % 32 / 8 && eight.get_group_range()[0] == 4 &&
                           eight.get_local_id()[0] == i % 8 && eight.get_local_range()[0] == 8;
     f[i] = is_right ? sycl::reduce_over_group(eight, static_cast<int>(i), sycl::plus<>()) : -1;
     const auto thirds = syclex::get_ballot_group(sg, i % 3 == 0);
     b[i] = sycl::reduce_over_group(thirds, 1, sycl::plus<>());
     const auto tangle = syclex::get_tangle_group(sg);
     sycl::group_barrier(tangle);
     w[i] = sycl::reduce_over_group(tangle, 1, sycl::plus<>());
   }).wait_and_throw();
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_EQ(f[i], static_cast<int>(8 * (i / 8 * 8) + 28)) << i;
    EXPECT_EQ(b[i], i % 3 != 0 ? 21 : 11) << i;
    EXPECT_EQ(w[i], 32) << i;
  }
}

/// A tangle is the whole sub-group here: where some of it are elsewhere that is an error, no silence.
TEST(sycl_parts, a_tangle_that_is_not_all_is_an_error) {
  sycl::queue q;
  EXPECT_THROW(q.parallel_for(sycl::nd_range<1>(32, 32),
                              [](sycl::nd_item<1> it) {
                                if (it.get_local_linear_id() % 2 == 0) {
                                  sycl::group_barrier(syclex::get_tangle_group(it.get_sub_group()));
                                }
                              })
                   .wait_and_throw(),
               sycl::exception);
}

} // namespace
