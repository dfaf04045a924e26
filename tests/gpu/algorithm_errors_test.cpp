// SPDX-License-Identifier: Apache-2.0
// The device-wide algorithms refuse what is wrong, and throw what becomes of their commands.
#include "testing.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

#include <cstdint>
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

/// Sums segments of eight ones. In checked builds the call throws, with these words; in others the sums are these.
void expect_bad_offsets(const gpu::device& device, const std::vector<std::uint32_t>& offsets, const std::string& words,
                        const std::vector<int>& sums, bool is_short) {
  const std::size_t count = 8, room = is_short ? 8 : 65536, segments = sums.size();
  gpu::queue q(device);
  const gpu::buffer<int> in(device, room), out(device, segments);
  const gpu::buffer<std::uint32_t> places(device, offsets.size());
  q.fill(in, 1).wait();
  q.copy(offsets.data(), places, offsets.size()).wait();
  std::vector<int> found(segments);
  std::string text;
  const errc code = code_thrown_by(
      [&] {
        gpu::segmented_reduce(q, in, is_short ? count : room, places, segments, out, gpu::plus).wait();
        q.copy(out, found.data(), segments).wait();
      },
      &text);
#if defined(LANEFOLD_CHECKED)
  EXPECT_EQ(code, errc::invalid);
  EXPECT_NE(text.find(words), text.npos) << text;
#else
  EXPECT_EQ(code, errc::success) << text << words;
  EXPECT_EQ(found, sums);
#endif
}

TEST(gpu_algorithm_errors, offsets_of_segments_are_checked_in_checked_builds) {
  LANEFOLD_NEED_OPENCL();
  const std::uint32_t far = 4'000'000'000U;
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    expect_bad_offsets(device, {0, 5, 3, 8}, "offset 2 is 3, less than the one before, 5", {5, 0, 5}, true);
    expect_bad_offsets(device, {0, 4, far}, "offset 2 is 4000000000, and there are 8 elements", {4, 4}, true);
    expect_bad_offsets(device, {far, far}, "offset 1 is 4000000000, and there are 8 elements", {0}, true);
    expect_bad_offsets(device, {5, 3, 8}, "offset 1 is 3, less than the one before, 5", {0, 5}, false);
    expect_bad_offsets(device, {4, far}, "offset 1 is 4000000000, and there are 65536 elements", {65532}, false);
    expect_bad_offsets(device, {far, far}, "offset 1 is 4000000000, and there are 65536 elements", {0}, false);
  }
}

#if defined(LANEFOLD_CHECKED)
TEST(gpu_algorithm_errors, bad_offsets_in_buffers_and_usm_are_an_error_of_the_command) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    std::vector<std::uint32_t> offsets{0, 9};
    lf::buffer<int> in{lf::range<1>(8)}, out{lf::range<1>(1)};
    lf::buffer<std::uint32_t> places(offsets);
    auto* const usm = lf::malloc_device<std::uint32_t>(2, q);
    q.submit([&](lf::handler& h) { h.fill(lf::accessor(in, h, lf::write_only), 1); });
    q.memcpy(usm, offsets.data(), 2 * sizeof(std::uint32_t)).wait_and_throw();
    EXPECT_EQ(code_thrown_by([&] { gpu::segmented_reduce(q, in, 8, places, 1, out, gpu::plus).wait_and_throw(); }),
              errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { gpu::segmented_reduce(q, in, 8, usm, 1, out, gpu::plus).wait_and_throw(); }),
              errc::invalid);
    lf::free(usm, q);
  }
}
#endif

} // namespace
