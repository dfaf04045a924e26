// SPDX-License-Identifier: Apache-2.0
/// Few work-groups of heavy work-items, of which a chunk of some sub-groups meets: threads share no sub-group then.
#include "execution/group_scope.hpp"

#include <lanefold/lanefold.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t size = 256, sub_group = 32, chunk = 8;

/// Returns what the work-items have got: their own numbers, or in the chunk of each sub-group that meets, if it is one
/// of them, those of their neighbours.
std::vector<int> launch_with(std::size_t chunk_that_meets) {
  std::vector<int> in(size, 0), out(size, -1);
  lf::queue(lf::property::threads(4))
      .parallel_for(lf::nd_range<1>(size, size / 2), lf::properties{lf::property::sub_group_size{sub_group}},
                    [=, x = in.data(), y = out.data()](lf::nd_item<1> it) {
                      const auto own = it.get_global_linear_id();
                      std::this_thread::sleep_for(std::chrono::microseconds(10));
                      x[own] = static_cast<int>(own);
                      const auto part = lf::chunked_partition<chunk>(it.get_sub_group());
                      if (part.get_group_linear_id() == chunk_that_meets) {
                        lf::group_barrier(part);
                        y[own] = x[own ^ (chunk - 1)];
                      } else {
                        y[own] = x[own];
                      }
                    })
      .wait_and_throw();
  return out;
}

/// The first work-item of a sub-group does not tell whether its chunks meet.
TEST(divided_chunks, keep_sub_groups_on_threads) {
  EXPECT_TRUE(lf::detail::keeps_on_threads<lf::memory_scope::sub_group>);
  const group_scope_is_used as_in_this_program(false, true);
  for (int launches = 0; launches != 12; ++launches) {
    for (const std::size_t meets : {sub_group / chunk, std::size_t{1}}) { // none and the second one
      const std::vector<int> out = launch_with(meets);
      for (std::size_t i = 0; i < size; ++i) {
        ASSERT_EQ(out[i], static_cast<int>(i / chunk % (sub_group / chunk) == meets ? i ^ (chunk - 1) : i)) << meets;
      }
    }
  }
}

} // namespace
