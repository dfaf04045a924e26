// SPDX-License-Identifier: Apache-2.0
// Tests what queues on OpenCL devices refuse, and what becomes of failures.
#include "queue_commands.hpp"

#include <stdexcept>
#include <string>

namespace {

using namespace gpu_testing;

class gpu_command_errors : public gpu_testing::gpu_command {};
INSTANTIATE_TEST_SUITE_P(, gpu_command_errors, testing::Bool(), name_of_order);

TEST_P(gpu_command_errors, kernels_in_cpp_are_refused) {
  on_each_device([](lf::queue& q) {
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.parallel_for(lf::range<1>(4), [](lf::id<1>) {}); }, &text),
              errc::kernel_not_supported);
    EXPECT_NE(text.find("launch("), std::string::npos) << text;
    EXPECT_EQ(code_thrown_by([&] { q.single_task([] {}); }), errc::kernel_not_supported);
    EXPECT_EQ(code_thrown_by([&] { q.parallel_for(nd_range<1>(4, 4), [](lf::nd_item<1>) {}); }),
              errc::kernel_not_supported);
  });
}

TEST(gpu_commands, opencl_kernels_do_not_run_on_the_cpu) {
  lf::buffer<int> x{lf::range<1>(4)};
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { lf::queue().launch(the("times"), nd_range<1>(4, 4), x, 1); }, &text),
            errc::kernel_not_supported);
  EXPECT_NE(text.find("gpu_selector_v"), std::string::npos) << text;
}

TEST_P(gpu_command_errors, bad_arguments_are_refused_before_anything_runs) {
  on_each_device([](lf::queue& q) {
    lf::buffer<int> x{lf::range<1>(64)};
    lf::buffer<float> wrong{lf::range<1>(64)};
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.launch(the("times"), nd_range<1>(64, 64), x); }, &text), errc::kernel_argument);
    EXPECT_EQ(code_thrown_by([&] { q.launch(the("times"), nd_range<1>(64, 64), wrong, 1); }), errc::kernel_argument);
    EXPECT_EQ(code_thrown_by([&] { q.launch(the("times"), nd_range<1>(64, 64), x, 1.f); }), errc::kernel_argument);
    EXPECT_EQ(code_thrown_by([&] { q.launch(the("times"), nd_range<1>(64, 48), x, 1); }), errc::nd_range);
    EXPECT_EQ(code_thrown_by(
                  [&] {
                    q.submit([&](lf::handler& h) {
                      h.launch(the("times"), nd_range<1>(64, 64), lf::accessor(x, h, lf::read_only), 1);
                    });
                  },
                  &text),
              errc::kernel_argument);
    EXPECT_NE(text.find("only reads"), std::string::npos) << text;
    lf::accessor<int, 1, lf::access_mode::read_write, lf::target::device, lf::access::placeholder::true_t> later(x);
    EXPECT_EQ(code_thrown_by(
                  [&] { q.submit([&](lf::handler& h) { h.launch(the("times"), nd_range<1>(64, 64), later, 1); }); }),
              errc::accessor);
    EXPECT_EQ(code_thrown_by([&] {
                q.submit([&](lf::handler& h) {
                  lf::accessor a(x, h);
                  h.launch(the("times"), nd_range<1>(64, 64), a, 1);
                  h.launch(the("times"), nd_range<1>(64, 64), a, 1);
                });
              }),
              errc::invalid);
    // Together these have no bytes.
    const gpu::kernel full("kernel void full(local char* a, local char* b, global int* x) { x[0] = a[0] + b[0]; }",
                           "full");
    const gpu::local<char> half{std::size_t(1) << 63};
    EXPECT_EQ(code_thrown_by([&] { q.launch(full, nd_range<1>(64, 64), half, half, x); }), errc::memory_allocation);
    const gpu::kernel broken("kernel void broken(global int* x) { x[0] = nothing; }", "broken");
    EXPECT_EQ(code_thrown_by([&] { q.launch(broken, nd_range<1>(64, 64), x); }), errc::build);
    q.launch(the("times"), nd_range<1>(64, 64), x, 1); // and the queue goes on
    q.wait_and_throw();
  });
}

TEST_P(gpu_command_errors, a_failed_host_task_fails_what_depends_on_it) {
  on_each_device([](lf::queue& q) {
    lf::buffer<int> x{lf::range<1>(4)};
    q.submit([&](lf::handler& h) {
      lf::accessor a(x, h, lf::read_write_host_task);
      h.host_task([a] { throw std::runtime_error("on purpose"); });
    });
    q.launch(the("times"), nd_range<1>(4, 4), x, 1);
    try {
      q.wait_and_throw();
      ADD_FAILURE() << "the error is lost";
    } catch (const std::runtime_error& error) { // as it was thrown
      EXPECT_STREQ(error.what(), "on purpose");
    }
    q.launch(the("times"), nd_range<1>(4, 4), x, 1);
    q.wait_and_throw();
  });
}

TEST(gpu_commands, contexts_have_one_device) {
  for (const lf::platform& p : lf::platform::get_platforms())
    if (p.get_backend() == lf::backend::opencl && p.get_devices().size() > 1) {
      EXPECT_EQ(code_thrown_by([&] { lf::context c(p); }), errc::feature_not_supported);
    }
  LANEFOLD_NEED_OPENCL();
  const lf::device device = gpu::devices().front();
  EXPECT_EQ(code_thrown_by([&] { lf::queue q(lf::context(), device); }), errc::invalid);
}

} // namespace
