// SPDX-License-Identifier: Apache-2.0
// Devices, queues, kernels, memory, errors.
#include "testing.hpp"

#include "opencl.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace {

using namespace gpu_testing;
using lanefold::errc;
using lanefold::nd_range;

constexpr const char* scale_source = "kernel void scale(global const float* in, global float* out, float factor,\n"
                                     "                  local float* shared) {\n"
                                     "  const uint i = get_global_id(0), l = get_local_id(0);\n"
                                     "  shared[l] = in[i] * factor;\n"
                                     "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                                     "  out[i] = shared[get_local_size(0) - 1 - l];\n"
                                     "}\n";

gpu::device any_device() { return gpu::devices().front(); }

TEST(gpu_devices, no_such_device_is_an_error_that_helps) {
  std::string text;
  EXPECT_EQ(code_thrown_by([] { gpu::select_device("no such device"); }, &text), errc::runtime);
  EXPECT_NE(text.find("no such device"), std::string::npos) << text;
  EXPECT_EQ(code_thrown_by([] { gpu::select_device([](const gpu::device&) { return -1; }); }), errc::runtime);
}

TEST(gpu_devices, are_selected_by_words_and_environment) {
  LANEFOLD_NEED_OPENCL();
  const gpu::device device = any_device();
  EXPECT_TRUE(gpu::matches(device, ""));
  EXPECT_TRUE(gpu::matches(device, device.get_name()));
  EXPECT_FALSE(gpu::matches(device, "no such device"));
  EXPECT_EQ(gpu::matches(device, "cpu"), device.is_cpu());
  const std::vector<gpu::device> all = gpu::devices();
  EXPECT_EQ(gpu::select_device(gpu::default_selector_v).is_gpu(),
            std::any_of(all.begin(), all.end(), [](const gpu::device& d) { return d.is_gpu(); }));
  const char* const before = std::getenv("LANEFOLD_GPU_DEVICE");
  const std::string kept = before == nullptr ? "" : before;
  setenv("LANEFOLD_GPU_DEVICE", "no such device", 1);
  EXPECT_TRUE(gpu::devices().empty());
  std::string text;
  EXPECT_EQ(code_thrown_by([] { gpu::queue q(gpu::default_selector_v); }, &text), errc::runtime);
  EXPECT_NE(text.find("LANEFOLD_GPU_DEVICE"), std::string::npos) << text;
  before == nullptr ? unsetenv("LANEFOLD_GPU_DEVICE") : setenv("LANEFOLD_GPU_DEVICE", kept.c_str(), 1);
}

void check_scaling(gpu::queue q) {
  constexpr std::size_t n = 96, group = 32;
  std::vector<float> values(n), result(n);
  std::iota(values.begin(), values.end(), 0.f);
  const gpu::buffer<float> in(q, n), out(q, n);
  const gpu::kernel scale(scale_source, "scale");
  const gpu::event written = q.copy(values.data(), in, n);
  const gpu::event scaled = q.launch(scale, nd_range<1>(n, group), {written}, in, out, 2.5f, gpu::local<float>{group});
  q.copy(out, result.data(), n, 0, {scaled}).wait();
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(result[i], values[i - i % group + group - 1 - i % group] * 2.5f) << i;
  scaled.wait();
  EXPECT_EQ(scaled.get_status(), lanefold::info::event_command_status::complete);
}

TEST(gpu_queue, commands_run_in_order_and_behind_events) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    check_scaling(gpu::queue(device));
    check_scaling(gpu::queue(device, lanefold::property::queue::in_order()));
    check_scaling(gpu::queue(device, gpu::property::enable_profiling()));
  }
}

TEST(gpu_queue, waits_for_commands_of_another_queue) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue first(any_device(), lanefold::property::queue::in_order()), second(any_device());
  const gpu::buffer<int> memory(first, 1000);
  std::vector<int> values(1000, 7), result(1000);
  const gpu::event written = first.copy(values.data(), memory, values.size());
  second.copy(memory, result.data(), result.size(), 0, {written}).wait();
  EXPECT_EQ(result, values);
}

TEST(gpu_queue, two_dimensions_are_rows_and_columns) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(any_device());
  const gpu::buffer<std::uint32_t> out(q, 6 * 4);
  const gpu::kernel k("kernel void place(global uint* out) {\n"
                      "  out[get_global_id(1) * 4 + get_global_id(0)] = 100 * get_global_id(1) + get_global_id(0);\n"
                      "}\n",
                      "place");
  q.launch(k, nd_range<2>({6, 4}, {3, 2}), out).wait();
  std::vector<std::uint32_t> result(24);
  q.copy(out, result.data(), 24).wait();
  for (std::uint32_t i = 0; i < 24; ++i)
    EXPECT_EQ(result[i], 100 * (i / 4) + i % 4);
}

TEST(gpu_queue, profiling_only_when_asked_for) {
  LANEFOLD_NEED_OPENCL();
  const gpu::buffer<int> memory(any_device(), 100);
  gpu::queue timed(any_device(), gpu::property::enable_profiling()), plain(any_device());
  const gpu::event e = timed.fill(memory, 3);
  EXPECT_LE(e.profiling_submit(), e.profiling_start());
  EXPECT_LE(e.profiling_start(), e.profiling_end());
  EXPECT_EQ(code_thrown_by([&] { (void)plain.fill(memory, 3).profiling_end(); }), errc::profiling);
  EXPECT_EQ(code_thrown_by([&] { (void)gpu::event().profiling_end(); }), errc::profiling);
}

TEST(gpu_queue, nothing_to_do) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(any_device());
  const gpu::buffer<float> none(q, 0);
  q.copy(static_cast<const float*>(nullptr), none, 0).wait();
  q.fill(none, 1.f).wait();
  const gpu::kernel k("kernel void nothing(uint n) {}\n", "nothing");
  q.launch(k, nd_range<1>(0, 16), 1u).wait();
}

TEST(gpu_kernel, arguments_are_checked) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(any_device());
  const gpu::buffer<float> in(q, 32), out(q, 32);
  const gpu::buffer<int> numbers(q, 32);
  const gpu::kernel k(scale_source, "scale");
  const nd_range<1> space(32, 32);
  const gpu::local<float> shared{32};
  const auto refused = [&](const char* part, const auto&... arguments) {
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.launch(k, space, arguments...); }, &text), errc::kernel_argument);
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  refused("takes 4 arguments, 3 are given", in, out, 1.f);
  refused("argument 2 ('factor'): float is wanted, a value, double", in, out, 1., shared);
  refused("argument 0 ('in'): global float* is wanted, a gpu::buffer of int", numbers, out, 1.f, shared);
  refused("argument 1 ('out')", in, 3.f, 1.f, shared);
  refused("argument 3 ('shared'): local float* is wanted", in, out, 1.f, out);
  q.launch(k, space, in, out, 1.f, shared).wait(); // and the queue goes on
}

TEST(gpu_kernel, ranges_are_checked) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(any_device());
  const gpu::kernel k("kernel void nothing(uint n) {}\n", "nothing");
  EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(100, 32), 1u); }), errc::nd_range);
  EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(100, 0), 1u); }), errc::nd_range);
  const std::size_t large = any_device().max_work_group_size() * 2;
  EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(large, large), 1u); }), errc::nd_range);
  gpu::build_options options;
  options.work_group = {64, 1, 1};
  const gpu::kernel known("kernel void ids(global uint* out) { out[0] = lf_local_id(); }\n", "ids", options);
  const gpu::buffer<std::uint32_t> out(q, 1);
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { q.launch(known, nd_range<1>(32, 32), out); }, &text), errc::nd_range);
  EXPECT_NE(text.find("options.work_group = {64, 1, 1}"), text.npos) << text;
}

TEST(gpu_kernel, sizes_that_the_source_requires) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    gpu::queue q(device);
    const gpu::kernel k("kernel __attribute__((reqd_work_group_size(8, 4, 1))) void f(global int* out) { *out = 3; }",
                        "f");
    const gpu::buffer<int> out(q, 1);
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<2>({8, 8}, {8, 4}), out); }, &text), errc::nd_range);
    EXPECT_NE(text.find("reqd_work_group_size(8, 4, 1)"), text.npos) << device.get_platform_name() << text;
    q.launch(k, nd_range<2>({8, 8}, {4, 8}), out).wait();
  }
}

TEST(gpu_kernel, too_much_local_memory) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(any_device());
  const gpu::buffer<float> in(q, 32), out(q, 32);
  const gpu::kernel k(scale_source, "scale");
  const gpu::local<float> huge{any_device().local_memory_bytes() / sizeof(float) + 1};
  EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(32, 32), in, out, 1.f, huge); }), errc::memory_allocation);
}

// In variables of the kernel: some compilers refuse it, others say how much they take.
TEST(gpu_kernel, too_much_local_memory_of_its_own) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    // PoCL 5.0 does not tell what a kernel needs, and ends the process.
    if (device.get_platform_name() == "Portable Computing Language" && device.get_driver_version().starts_with("5"))
      continue;
    gpu::queue q(device);
    gpu::build_options options;
    options.definitions["COUNT"] = std::to_string(2 * device.local_memory_bytes() / sizeof(float));
    const gpu::kernel k("kernel void k(global float* out) {\n"
                        "  local float x[COUNT];\n"
                        "  for (uint i = get_local_id(0); i < COUNT; i += get_local_size(0)) x[i] = i;\n"
                        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "  out[get_global_id(0)] = x[COUNT - 1 - get_local_id(0)];\n"
                        "}\n",
                        "k", options);
    const gpu::buffer<float> out(q, 32);
    std::string text;
    const errc code = code_thrown_by([&] { q.launch(k, nd_range<1>(32, 32), out).wait(); }, &text);
    EXPECT_TRUE(code == errc::memory_allocation || code == errc::build) << text;
  }
}

TEST(gpu_kernel, definitions_may_have_spaces) {
  LANEFOLD_NEED_OPENCL();
  gpu::build_options options;
  options.definitions = {{"SUM", "1 + 2 * 3"}, {"TWICE(x)", "((x) + (x))"}, {"NOTHING", ""}};
  const char* const source = "kernel void k(global int* out) { NOTHING out[0] = TWICE(SUM); }";
  const gpu::kernel k(source, "k", options);
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    gpu::queue q(device);
    const gpu::buffer<int> out(q, 1);
    q.launch(k, nd_range<1>(1, 1), out).wait();
    int found = 0;
    q.copy(out, &found, 1).wait();
    EXPECT_EQ(found, 14);
  }
  for (const char* const lines : {"1\n2", "1\r2", "1\\"}) {
    options.definitions["SUM"] = lines;
    EXPECT_EQ(code_thrown_by([&] { gpu::kernel(source, "k", options); }), errc::invalid);
  }
}

TEST(gpu_kernel, build_errors_show_log_and_source) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(any_device());
  const gpu::kernel k("kernel void broken(global int* out) {\n  out[0] = undeclared_name;\n}\n", "broken");
  std::string text;
  EXPECT_EQ(code_thrown_by([&] { q.build(k); }, &text), errc::build);
  EXPECT_NE(text.find("undeclared_name;"), std::string::npos) << text;
  EXPECT_NE(text.find("    2 |   out[0]"), std::string::npos) << text;
  EXPECT_EQ(code_thrown_by([] { gpu::kernel("kernel void a() {}", "b"); }), errc::invalid);
}

TEST(gpu_memory, is_checked) {
  LANEFOLD_NEED_OPENCL();
  gpu::queue q(any_device());
  const gpu::buffer<int> memory(q, 10);
  std::vector<int> host(20);
  EXPECT_EQ(code_thrown_by([&] { q.copy(host.data(), memory, 11); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { q.copy(memory, host.data(), 5, 6); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { q.copy(static_cast<const int*>(nullptr), memory, 5); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { gpu::buffer<int>(q, static_cast<std::size_t>(-1)); }), errc::memory_allocation);
  EXPECT_EQ(code_thrown_by([&] { gpu::buffer<int>(q, std::size_t{1} << 50); }), errc::memory_allocation);
}

TEST(gpu_memory, of_another_device_is_refused) {
  const std::vector<gpu::device> devices = gpu::devices();
  if (devices.size() < 2)
    GTEST_SKIP() << "there are not two OpenCL devices";
  gpu::queue q(devices[0]);
  const gpu::buffer<std::uint32_t> foreign(devices[1], 4);
  const gpu::kernel k("kernel void k(global uint* out) { out[0] = 1; }\n", "k");
  EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(1, 1), foreign); }), errc::backend_mismatch);
  EXPECT_EQ(code_thrown_by([&] { q.fill(foreign, 1u); }), errc::backend_mismatch);
  gpu::queue other(devices[1]);
  const gpu::event there = other.fill(foreign, 1u);
  const gpu::buffer<std::uint32_t> mine(devices[0], 1);
  EXPECT_EQ(code_thrown_by([&] { q.fill(mine, 1u, {there}); }),
            errc::backend_mismatch); // Intel's runtime crashed later
  there.wait();
  // Each device runs the same kernel.
  for (const gpu::device& device : devices) {
    gpu::queue own(device);
    const gpu::buffer<std::uint32_t> out(device, 1);
    own.launch(k, nd_range<1>(1, 1), out).wait();
    std::uint32_t result = 0;
    own.copy(out, &result, 1).wait();
    EXPECT_EQ(result, 1u) << device.get_platform_name();
  }
}

// Not static: drivers may be gone when static objects go.
gpu::kernel twice() { return {"kernel void twice(global int* x) { x[get_global_id(0)] *= 2; }\n", "twice"}; }

void check_device_memory(const gpu::device& device) {
  using lanefold::usm::alloc;
  constexpr std::size_t n = 1024, middle = 512;
  gpu::queue q(device, lanefold::property::queue::in_order());
  int* const memory = gpu::malloc_device<int>(n, q);
  int* const other = gpu::malloc_device<int>(n, q);
  std::vector<int> values(n), result(n, -1);
  std::iota(values.begin(), values.end(), 1);
  // From the host, between allocations, to the host; from and to the middle, aligned or not.
  q.memcpy(memory, values.data(), n * sizeof(int));
  q.launch(twice(), nd_range<1>(4, 4), memory);
  q.launch(twice(), nd_range<1>(n - middle, 64), memory + middle);
  q.memcpy(other + 1, memory, (n - 1) * sizeof(int));
  q.memset(other, 0, sizeof(int));
  q.memset(other + n - 3, 0x11, 2 * sizeof(int));
  q.memcpy(result.data(), other, n * sizeof(int)).wait();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t from = i - 1;
    const int copied = i == 0 ? 0 : values[from] * (from < 4 || from >= middle ? 2 : 1);
    ASSERT_EQ(result[i], i == n - 3 || i == n - 2 ? 0x11111111 : copied) << i;
  }
  std::vector<int> copy(n);
  q.memcpy(copy.data(), result.data(), n * sizeof(int)).wait();
  EXPECT_EQ(copy, result);

  EXPECT_EQ(gpu::get_pointer_type(memory, q), alloc::device);
  EXPECT_EQ(gpu::get_pointer_type(memory + n - 1, q), alloc::device);
  EXPECT_NE(gpu::get_pointer_type(result.data(), q), alloc::device);
  gpu::free(memory, q);
  EXPECT_EQ(gpu::get_pointer_type(memory, q), alloc::unknown);
  EXPECT_EQ(code_thrown_by([&] { gpu::free(memory, q); }), errc::invalid);
  EXPECT_EQ(code_thrown_by([&] { gpu::free(other + 1, q); }), errc::invalid);
  gpu::free(other, q);
  gpu::free(nullptr, q);
  EXPECT_EQ(gpu::malloc_device<int>(0, q), nullptr);
  EXPECT_EQ(code_thrown_by([&] { (void)gpu::malloc_device<int>(std::size_t{1} << 50, q); }), errc::memory_allocation);
}

TEST(gpu_usm, is_the_best_or_what_the_environment_asks_for) {
  LANEFOLD_NEED_OPENCL();
  const char* const variable = std::getenv("LANEFOLD_GPU_USM");
  const std::string asked = variable == nullptr ? "" : variable;
  for (const gpu::device& device : gpu::devices()) {
    const bool intel = device.has_extension("cl_intel_unified_shared_memory");
    const bool svm = (device.state().svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) != 0;
    const std::string best = intel ? "intel" : svm ? "svm" : "handles", way = asked.empty() ? best : asked;
    const gpu::usm_support wanted = way == "handles"          ? gpu::usm_support::handles
                                    : way == "svm" && svm     ? gpu::usm_support::svm
                                    : way == "intel" && intel ? gpu::usm_support::intel
                                                              : gpu::usm_support::none;
    EXPECT_EQ(device.get_usm_support(), wanted) << device.get_platform_name() << ", " << way;
  }
}

TEST(gpu_usm, of_devices) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices())
    for_each_usm_support(device, [&] { check_device_memory(device); });
}

TEST(gpu_usm, of_hosts_and_shared_where_the_device_has_it) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices())
    for_each_usm_support(device, [&] {
      gpu::queue q(device);
      if (!device.has_usm_shared()) {
        EXPECT_EQ(code_thrown_by([&] { (void)gpu::malloc_shared<int>(4, q); }), errc::feature_not_supported);
        EXPECT_EQ(code_thrown_by([&] { (void)gpu::malloc_host<int>(4, q); }), errc::feature_not_supported);
        return;
      }
      int* const shared = gpu::malloc_shared<int>(4, q);
      int* const host = gpu::malloc_host<int>(4, q);
      std::iota(shared, shared + 4, 1);
      std::iota(host, host + 4, 10);
      q.launch(twice(), nd_range<1>(4, 4), shared).wait();
      q.launch(twice(), nd_range<1>(4, 4), host).wait();
      EXPECT_EQ(std::vector<int>(shared, shared + 4), (std::vector<int>{2, 4, 6, 8}));
      EXPECT_EQ(std::vector<int>(host, host + 4), (std::vector<int>{20, 22, 24, 26}));
      EXPECT_EQ(gpu::get_pointer_type(shared + 1, q), lanefold::usm::alloc::shared);
      EXPECT_EQ(gpu::get_pointer_type(host, q), lanefold::usm::alloc::host);
      gpu::free(shared, q);
      gpu::free(host, q);
    });
}

/// Where OpenCL lets a kernel reach all SVM, a parameter may be the address.
TEST(gpu_usm, addresses_are_numbers) {
  LANEFOLD_NEED_OPENCL();
  const gpu::kernel k("kernel void k(ulong address) { global int* x = (global int*)address; "
                      "x[get_global_id(0)] += 5; }\n",
                      "k");
  for (const gpu::device& device : gpu::devices())
    for_each_usm_support(device, [&] {
      gpu::queue q(device, lanefold::property::queue::in_order());
      int* const memory = gpu::malloc_device<int>(4, q);
      const std::vector<int> in = {1, 2, 3, 4};
      std::vector<int> out(4);
      q.memcpy(memory, in.data(), 4 * sizeof(int));
      if (device.state().takes_addresses()) {
        q.launch(k, nd_range<1>(3, 3), memory + 1);
        q.memcpy(out.data(), memory, 4 * sizeof(int)).wait();
        EXPECT_EQ(out, (std::vector<int>{1, 7, 8, 9}));
      } else {
        EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(4, 4), memory); }), errc::kernel_argument);
      }
      const gpu::buffer<int> buffer(q, 4);
      EXPECT_EQ(code_thrown_by([&] { q.launch(k, nd_range<1>(4, 4), buffer); }), errc::kernel_argument);
      gpu::free(memory, q);
    });
}

TEST(gpu_usm, misuse_of_handles) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    const gpu::usm_support usual = std::exchange(device.state().usm_way, gpu::usm_support::handles);
    SCOPED_TRACE(device.get_platform_name());
    gpu::queue q(device);
    int* const memory = gpu::malloc_device<int>(256, q);
    std::vector<int> host(300, 7);
    std::string text;
    EXPECT_EQ(code_thrown_by([&] { q.launch(twice(), nd_range<1>(4, 4), memory + 1); }, &text), errc::kernel_argument);
    EXPECT_NE(text.find("4 bytes into an allocation"), std::string::npos) << text;
    EXPECT_EQ(code_thrown_by([&] { q.launch(twice(), nd_range<1>(4, 4), host.data()); }), errc::kernel_argument);
    EXPECT_EQ(code_thrown_by([&] { q.memcpy(memory, host.data(), 300 * sizeof(int)); }), errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { q.memcpy(host.data(), memory + 200, 100 * sizeof(int)); }), errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { q.memset(memory + 255, 0, 5); }), errc::invalid);
    EXPECT_EQ(code_thrown_by([&] { q.memset(host.data(), 0, 5); }), errc::invalid);
    // An end and null, which nobody follows.
    const gpu::kernel k("kernel void k(global int* none, global int* x) { if (x) x[0] = 5; }\n", "k");
    q.launch(k, nd_range<1>(1, 1), memory + 256, memory).wait();
    q.launch(k, nd_range<1>(1, 1), memory, static_cast<int*>(nullptr)).wait();
    q.memcpy(host.data(), memory, sizeof(int)).wait();
    EXPECT_EQ(host[0], 5);
    // LANEFOLD_GPU_USM may ask for what the device lacks.
    device.state().usm_way = gpu::usm_support::none;
    EXPECT_FALSE(device.has_usm_device());
    EXPECT_EQ(code_thrown_by([&] { (void)gpu::malloc_device<int>(4, q); }), errc::feature_not_supported);
    EXPECT_EQ(code_thrown_by([&] { q.memcpy(memory, host.data(), 4); }), errc::feature_not_supported);
    gpu::free(memory, q); // it is freed as what it was made
    device.state().usm_way = usual;
  }
}

// Codes that drivers report of a lost device become an exception that says so.
TEST(gpu_errors, a_lost_device_is_named) {
  std::string text;
  for (const cl_int code : {CL_DEVICE_NOT_AVAILABLE, CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT})
    EXPECT_EQ(code_thrown_by([&] { gpu::opencl::raise(code, "waiting"); }, &text), errc::platform);
  EXPECT_NE(text.find("was lost"), std::string::npos) << text;
  EXPECT_EQ(code_thrown_by([&] { gpu::opencl::raise(-9999, "waiting"); }, &text), errc::kernel);
  EXPECT_NE(text.find("illegal memory access"), std::string::npos) << text;
}

// A queue that OpenCL does not know any more stands for a device that disappeared.
TEST(gpu_errors, commands_of_a_lost_device) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    gpu::queue q(device);
    const gpu::buffer<int> memory(q, 4);
    std::vector<int> host = {1, 2, 3, 4};
    q.copy(host.data(), memory, 4).wait();
    q.build(twice());
    std::string text;
    const cl::CommandQueue alive = std::exchange(q.state().native->handle, cl::CommandQueue());
    EXPECT_EQ(code_thrown_by([&] { q.launch(twice(), nd_range<1>(4, 4), memory); }, &text), errc::platform);
    EXPECT_NE(text.find("kernel 'twice'"), std::string::npos) << text;
    EXPECT_NE(text.find("was lost"), std::string::npos) << text;
    EXPECT_EQ(code_thrown_by([&] { q.copy(memory, host.data(), 4); }), errc::platform);
    EXPECT_EQ(code_thrown_by([&] { q.copy(host.data(), memory, 4); }), errc::platform);
    EXPECT_EQ(code_thrown_by([&] { q.fill(memory, 1); }), errc::platform);
    EXPECT_EQ(code_thrown_by([&] { q.wait(); }), errc::platform);
    EXPECT_EQ(code_thrown_by([&] { gpu::reduce(q, memory, 4, memory, gpu::plus); }), errc::platform);
    // Nothing has changed what there was.
    q.state().native->handle = alive;
    q.launch(twice(), nd_range<1>(4, 4), memory).wait();
    q.copy(memory, host.data(), 4).wait();
    EXPECT_EQ(host, (std::vector<int>{2, 4, 6, 8}));
    gpu::reduce(q, memory, 4, memory, gpu::plus).wait();
    q.copy(memory, host.data(), 1).wait();
    EXPECT_EQ(host[0], 20);
  }
}

} // namespace
