// SPDX-License-Identifier: Apache-2.0
// The device-wide algorithms refuse what is wrong, and throw what becomes of their commands.
#include "testing.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

#include <functional>
#include <string>
#include <vector>

namespace {

using namespace gpu_testing;
using lanefold::errc;
namespace lf = lanefold;

const gpu::predicate no_opencl_c{"odd", "int odd(int x) { return undeclared; }"};

TEST(gpu_algorithm_errors, of_a_result_for_the_host_are_thrown_there) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    for (const bool in_order : {false, true}) {
      const lf::property_list order =
          in_order ? lf::property_list(lf::property::queue::in_order()) : lf::property_list();
      lf::queue q(device, [](const lf::exception_list&) { ADD_FAILURE() << "the error was thrown already"; }, order);
      lf::buffer<int> x{lf::range<1>(100)};
      q.submit([&](lf::handler& h) { h.fill(lf::accessor(x, h, lf::write_only), 1); });
      EXPECT_EQ(code_thrown_by([&] { gpu::any_of(q, x, 100, no_opencl_c); }), errc::build);
      EXPECT_EQ(code_thrown_by([&] { gpu::count_if(q, x, 100, no_opencl_c); }), errc::build);
      q.wait_and_throw();
      EXPECT_EQ(gpu::count_if(q, x, 100, {"odd", "int odd(int x) { return x & 1; }"}), 100U);
    }
  }
}

TEST(gpu_algorithm_errors, a_queue_that_records_has_no_result) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    int* const x = lf::malloc_device<int>(100, q);
    lf::graph::command_graph g(q);
    g.begin_recording(q);
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { gpu::any_of(q, x, 100, {"odd", "int odd(int x) { return x & 1; }"}); }, &text),
              errc::invalid);
    EXPECT_NE(text.find("any_of: the queue records a graph"), text.npos) << text;
    g.end_recording();
    EXPECT_EQ(g.get_nodes().size(), 0U);
    lf::free(x, q);
  }
}

TEST(gpu_algorithm_errors, null_pointers_are_refused) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    gpu::queue thin(device);
    int* const x = lf::malloc_device<int>(100, q);
    int* const null = nullptr;
    const std::function<void()> calls[] = {
        [&] { gpu::reduce(q, null, 5, x, gpu::plus); },
        [&] { gpu::reduce(q, x, 5, null, gpu::plus); },
        [&] { gpu::inclusive_scan(q, x, 5, null, gpu::plus); },
        [&] { gpu::count_if(q, null, 5, {"odd", "int odd(int x) { return x & 1; }"}); },
        [&] { gpu::reduce(thin, null, 5, x, gpu::plus); },
        [&] { gpu::inclusive_scan(thin, x, 5, null, gpu::plus); },
    };
    for (const std::function<void()>& call : calls) {
      std::string text;
      EXPECT_EQ(code_thrown_by(call, &text), errc::invalid);
      EXPECT_NE(text.find("null pointer"), text.npos) << text;
    }
    // Of no elements.
    gpu::inclusive_scan(q, null, 0, null, gpu::plus).wait_and_throw();
    gpu::reduce(q, null, 0, x, gpu::plus).wait_and_throw();
    int sum = -1;
    q.memcpy(&sum, x, sizeof sum).wait();
    EXPECT_EQ(sum, 0);
    lf::free(x, q);
  }
}

} // namespace
