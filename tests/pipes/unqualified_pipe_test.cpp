// SPDX-License-Identifier: Apache-2.0
/// LANEFOLD_UNQUALIFIED_PIPE: `pipe` behind `using namespace sycl`, where <unistd.h> has a function of that name.
#define LANEFOLD_UNQUALIFIED_PIPE
#include <CL/sycl/INTEL/fpga_extensions.hpp>

#include <gtest/gtest.h>

#include <type_traits>
#include <unistd.h>

namespace {

using namespace sycl;
using values = pipe<class unqualified_id, int, 8>;
static_assert(std::is_same_v<values, sycl::pipe<class unqualified_id, int, 8>> &&
              std::is_same_v<values, INTEL::pipe<class unqualified_id, int, 8>> &&
              std::is_same_v<values, ext::intel::pipe<class unqualified_id, int, 8>> &&
              std::is_base_of_v<values, ext::intel::experimental::pipe<class unqualified_id, int, 8>>);

TEST(pipe_without_namespace, takes_values) {
  queue q;
  int sum = 0;
  int* const s = &sum;
  q.single_task([=] { *s = values::read() + values::read(); });
  q.single_task([] {
    values::write(3);
    sycl::pipe<class unqualified_id, int, 8>::write(4);
  });
  q.wait();
  EXPECT_EQ(sum, 7);
}

} // namespace
