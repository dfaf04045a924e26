// SPDX-License-Identifier: Apache-2.0
// lanefold::queue on OpenCL devices: the command graph, buffers, USM, errors.
#include "testing.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>
#include <tuple>

namespace {

using namespace gpu_testing;
namespace lf = lanefold;
using lf::errc;
using lf::nd_range;

constexpr const char* source = R"(
kernel void add(global const int* a, global const int* b, global int* out) {
  const size_t i = get_global_id(0);
  out[i] = a[i] + b[i];
}
kernel void times(global int* x, int factor) { x[get_global_id(0)] *= factor; }
kernel void iota(global int* x, int first) { x[get_global_id(0)] = first + (int)get_global_id(0); }
kernel void reverse_groups(global const int* in, global int* out, local int* t) {
  t[get_local_id(0)] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = t[get_local_size(0) - 1 - get_local_id(0)];
}
kernel void slow(global int* x, int rounds) {
  int v = x[0];
  for (int i = 0; i < rounds; ++i)
    v = v * 1664525 + 1013904223;
  x[0] = v;
}
)";

gpu::kernel the(const char* name) { return {source, name}; }

std::vector<int> numbers(std::size_t count, int first) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), first);
  return all;
}

/// Each OpenCL device, with an in-order and an out-of-order queue.
class gpu_command : public testing::TestWithParam<bool> {
protected:
  template <class Test>
  void on_each_device(Test test) {
    LANEFOLD_NEED_OPENCL();
    for (const gpu::device& device : gpu::devices()) {
      SCOPED_TRACE(device.get_platform_name());
      lf::queue q = GetParam() ? lf::queue(device, lf::property::queue::in_order()) : lf::queue(device);
      test(q);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(, gpu_command, testing::Bool(),
                         [](const auto& order) { return order.param ? "in_order" : "out_of_order"; });

TEST(gpu_platforms, are_platforms_beside_the_cpu) {
  LANEFOLD_NEED_OPENCL();
  std::size_t found = 0;
  for (const lf::device& d : lf::device::get_devices()) {
    if (d.get_backend() != lf::backend::opencl)
      continue;
    ++found;
    EXPECT_FALSE(d.get_info<lf::info::device::name>().empty());
    EXPECT_GT(d.get_info<lf::info::device::max_compute_units>(), 0u);
    EXPECT_GT(d.get_info<lf::info::device::global_mem_size>(), 0u);
    EXPECT_EQ(d.get_platform().get_backend(), lf::backend::opencl);
    EXPECT_FALSE(d.get_platform().get_info<lf::info::platform::name>().empty());
    EXPECT_EQ(d.get_info<lf::info::device::platform>(), d.get_platform());
    EXPECT_EQ(d.has(lf::aspect::fp64), !d.get_info<lf::info::device::double_fp_config>().empty());
    EXPECT_EQ(lf::queue(d).get_device(), d);
    EXPECT_EQ(lf::queue(d).get_backend(), lf::backend::opencl);
    EXPECT_EQ(lf::context(d).get_devices(), std::vector{d});
  }
  EXPECT_EQ(found, gpu::devices().size());
  EXPECT_EQ(lf::queue().get_backend(), lf::backend::lanefold_cpu);
  EXPECT_EQ(lf::queue(lf::default_selector_v).get_backend(), lf::backend::lanefold_cpu);
}

TEST(gpu_platforms, every_query_has_an_answer) {
  LANEFOLD_NEED_OPENCL();
  namespace ask = lf::info::device;
  const auto answers = []<class... Query>(const lf::device& d, std::tuple<Query...>*) {
    (static_cast<void>(d.get_info<Query>()), ...);
  };
  using all = std::tuple<
      ask::device_type, ask::vendor_id, ask::max_compute_units, ask::max_work_item_dimensions,
      ask::max_work_item_sizes<1>, ask::max_work_item_sizes<2>, ask::max_work_item_sizes<3>, ask::max_work_group_size,
      ask::max_num_sub_groups, ask::sub_group_independent_forward_progress, ask::sub_group_sizes,
      ask::preferred_vector_width_char, ask::preferred_vector_width_short, ask::preferred_vector_width_int,
      ask::preferred_vector_width_long, ask::preferred_vector_width_float, ask::preferred_vector_width_double,
      ask::preferred_vector_width_half, ask::native_vector_width_char, ask::native_vector_width_short,
      ask::native_vector_width_int, ask::native_vector_width_long, ask::native_vector_width_float,
      ask::native_vector_width_double, ask::native_vector_width_half, ask::max_clock_frequency, ask::address_bits,
      ask::max_mem_alloc_size, ask::image_support, ask::max_read_image_args, ask::max_write_image_args,
      ask::image2d_max_height, ask::image2d_max_width, ask::image3d_max_height, ask::image3d_max_width,
      ask::image3d_max_depth, ask::image_max_buffer_size, ask::max_samplers, ask::max_parameter_size,
      ask::mem_base_addr_align, ask::half_fp_config, ask::single_fp_config, ask::double_fp_config,
      ask::global_mem_cache_type, ask::global_mem_cache_line_size, ask::global_mem_cache_size, ask::global_mem_size,
      ask::max_constant_buffer_size, ask::max_constant_args, ask::local_mem_type, ask::local_mem_size,
      ask::error_correction_support, ask::host_unified_memory, ask::atomic_memory_order_capabilities,
      ask::atomic_fence_order_capabilities, ask::atomic_memory_scope_capabilities, ask::atomic_fence_scope_capabilities,
      ask::profiling_timer_resolution, ask::is_endian_little, ask::is_available, ask::is_compiler_available,
      ask::is_linker_available, ask::execution_capabilities, ask::queue_profiling, ask::built_in_kernel_ids,
      ask::built_in_kernels, ask::platform, ask::name, ask::vendor, ask::driver_version, ask::profile, ask::version,
      ask::backend_version, ask::opencl_c_version, ask::aspects, ask::extensions, ask::printf_buffer_size,
      ask::preferred_interop_user_sync, ask::partition_max_sub_devices, ask::partition_properties,
      ask::partition_affinity_domains, ask::partition_type_property, ask::partition_type_affinity_domain,
      ask::reference_count>;
  for (const gpu::device& device : gpu::devices()) {
    const lf::device d = device;
    answers(d, static_cast<all*>(nullptr));
    EXPECT_EQ(code_thrown_by([&] { (void)d.get_info<ask::parent_device>(); }), errc::invalid);
  }
}

TEST(gpu_platforms, a_gpu_is_selected_or_missed) {
  const std::vector<gpu::device> all = gpu::devices();
  if (std::any_of(all.begin(), all.end(), [](const gpu::device& d) { return d.is_gpu(); })) {
    EXPECT_TRUE(lf::queue(lf::gpu_selector_v).get_device().is_gpu());
  } else {
    std::string text;
    EXPECT_EQ(code_thrown_by([] { lf::queue q(lf::gpu_selector_v); }, &text), errc::runtime);
    EXPECT_NE(text.find("no GPU"), std::string::npos) << text;
  }
}

TEST_P(gpu_command, buffers_are_brought_to_the_device_and_back) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t n = 1000;
    std::vector<int> a = numbers(n, 0), b = numbers(n, 5), c(n);
    {
      lf::buffer<int> in_a(a), in_b(b), out(c);
      q.submit([&](lf::handler& h) {
        lf::accessor x(in_a, h, lf::read_only);
        lf::accessor y(in_b, h, lf::read_only);
        lf::accessor z(out, h, lf::write_only, lf::no_init);
        h.launch(the("add"), nd_range<1>(n, 100), x, y, z);
      });
      q.launch(the("times"), nd_range<1>(n, 50), out, 2);
    }
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(c[i], 2 * (a[i] + b[i])) << i;
  });
}

TEST_P(gpu_command, cpu_and_device_take_turns) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t n = 64;
    lf::queue cpu;
    lf::buffer<int> values{lf::range<1>(n)};
    q.launch(the("iota"), nd_range<1>(n, 16), values, 1);
    for (int round = 0; round < 5; ++round) {
      cpu.submit([&](lf::handler& h) {
        lf::accessor x(values, h);
        h.parallel_for(lf::range<1>(n), [=](lf::id<1> i) { x[i] += 1; });
      });
      q.launch(the("times"), nd_range<1>(n, 32), values, 3);
    }
    lf::host_accessor result(values, lf::read_only);
    for (std::size_t i = 0; i < n; ++i) {
      int expected = 1 + static_cast<int>(i);
      for (int round = 0; round < 5; ++round)
        expected = (expected + 1) * 3;
      ASSERT_EQ(result[i], expected) << i;
    }
  });
}

TEST_P(gpu_command, parts_of_a_buffer_may_be_in_different_places) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t n = 4096, half = n / 2;
    lf::queue cpu;
    std::vector<int> host = numbers(n, 0);
    {
      lf::buffer<int> values(host);
      lf::buffer<int> upper(values, lf::id<1>(half), lf::range<1>(half));
      for (int round = 0; round < 3; ++round) {
        q.launch(the("times"), nd_range<1>(half, 64), upper, 2);
        cpu.submit([&](lf::handler& h) {
          lf::accessor x(values, h, lf::range<1>(half));
          h.parallel_for(lf::range<1>(half), [=](lf::id<1> i) { x[i] += 7; });
        });
      }
      q.launch(the("times"), nd_range<1>(n, 64), values, -1);
    }
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(host[i], -(i < half ? static_cast<int>(i) + 21 : static_cast<int>(i) * 8)) << i;
  });
}

TEST_P(gpu_command, a_part_of_a_buffer_may_begin_anywhere) {
  on_each_device([](lf::queue& q) {
    std::vector<int> host = numbers(100, 0);
    {
      lf::buffer<int> values(host);
      q.submit([&](lf::handler& h) {
        const lf::accessor part(values, h, lf::range<1>(32), lf::id<1>(7));
        h.launch(the("times"), nd_range<1>(32, 32), part, 10);
      });
      q.submit([&](lf::handler& h) { // two parts, one of which is written
        const lf::accessor from(values, h, lf::range<1>(10), lf::id<1>(11), lf::read_only);
        const lf::accessor to(values, h, lf::range<1>(10), lf::id<1>(51), lf::write_only);
        h.launch(the("add"), nd_range<1>(10, 10), from, from, to);
      });
    }
    EXPECT_EQ(host[6], 6);
    EXPECT_EQ(host[7], 70);
    EXPECT_EQ(host[38], 380);
    EXPECT_EQ(host[39], 39);
    EXPECT_EQ(host[50], 50);
    EXPECT_EQ(host[51], 2 * 110);
    EXPECT_EQ(host[60], 2 * 200);
    EXPECT_EQ(host[61], 61);
  });
}

TEST_P(gpu_command, local_memory_and_accessors_to_it) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t n = 256, group = 32;
    const std::vector<int> values = numbers(n, 0);
    lf::buffer<int> in(values.data(), lf::range<1>(n)), out{lf::range<1>(n)};
    const auto check = [&] {
      lf::host_accessor result(out, lf::read_only);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(result[i], static_cast<int>(i - i % group + group - 1 - i % group)) << i;
    };
    q.launch(the("reverse_groups"), nd_range<1>(n, group), in, out, gpu::local<int>{group});
    check();
    q.submit([&](lf::handler& h) {
      lf::accessor x(in, h, lf::read_only);
      lf::accessor y(out, h, lf::write_only);
      lf::local_accessor<int> t(lf::range<1>(group), h);
      h.launch(the("reverse_groups"), nd_range<1>(n, group), x, y, t);
    });
    check();
  });
}

TEST_P(gpu_command, copies_and_fills_of_accessors) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t n = 300;
    lf::buffer<int> a{lf::range<1>(n)}, b{lf::range<1>(n)};
    lf::buffer<int, 2> grid{lf::range<2>(10, 30)};
    const std::vector<int> values = numbers(n, 10);
    std::vector<int> result(n), block(6);
    q.submit([&](lf::handler& h) { h.copy(values.data(), lf::accessor(a, h, lf::write_only, lf::no_init)); });
    q.submit([&](lf::handler& h) {
      lf::accessor from(a, h, lf::read_only);
      lf::accessor to(b, h, lf::write_only);
      h.copy(from, to);
    });
    q.launch(the("times"), nd_range<1>(n, 30), b, 2);
    q.submit([&](lf::handler& h) { h.copy(lf::accessor(b, h, lf::read_only), result.data()); }).wait();
    for (std::size_t i = 0; i < n; ++i)
      ASSERT_EQ(result[i], 2 * values[i]);
    // A part of rows, which is not contiguous, and elements of a size that OpenCL has no pattern for.
    q.submit([&](lf::handler& h) { h.fill(lf::accessor(grid, h, lf::write_only, lf::no_init), 4); });
    q.submit(
        [&](lf::handler& h) { h.fill(lf::accessor(grid, h, lf::range<2>(2, 3), lf::id<2>(4, 5), lf::write_only), 9); });
    q.submit([&](lf::handler& h) {
       h.copy(lf::accessor(grid, h, lf::range<2>(2, 3), lf::id<2>(5, 5), lf::read_only), block.data());
     }).wait();
    EXPECT_EQ(block, (std::vector<int>{9, 9, 9, 4, 4, 4}));
    struct three {
      std::uint8_t x, y, z;
    };
    lf::buffer<three> odd{lf::range<1>(50)};
    q.submit([&](lf::handler& h) { h.fill(lf::accessor(odd, h, lf::write_only, lf::no_init), three{1, 2, 3}); });
    lf::host_accessor seen(odd, lf::read_only);
    EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](three t) { return t.x == 1 && t.y == 2 && t.z == 3; }));
  });
}

TEST_P(gpu_command, host_tasks_stand_in_the_graph) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t n = 100;
    lf::buffer<int> values{lf::range<1>(n)};
    q.launch(the("iota"), nd_range<1>(n, 10), values, 0);
    q.submit([&](lf::handler& h) {
      lf::accessor x(values, h, lf::read_write_host_task);
      h.host_task([=] {
        for (std::size_t i = 0; i < n; ++i)
          x[i] += 1000;
      });
    });
    q.launch(the("times"), nd_range<1>(n, 10), values, 2);
    lf::host_accessor result(values, lf::read_only);
    EXPECT_EQ(result[0], 2000);
    EXPECT_EQ(result[n - 1], 2 * (1000 + 99));
  });
}

TEST_P(gpu_command, events_order_commands_across_queues) {
  on_each_device([](lf::queue& q) {
    LANEFOLD_NEED_OPENCL();
    if (!q.get_device().has(lf::aspect::usm_shared_allocations))
      return;
    lf::queue cpu;
    int* const x = lf::malloc_shared<int>(64, q);
    ASSERT_NE(x, nullptr);
    std::fill(x, x + 64, 1);
    lf::event last;
    for (int round = 0; round < 20; ++round) {
      last = q.launch(the("times"), nd_range<1>(64, 64), {last}, x, 2);
      last = cpu.parallel_for(lf::range<1>(64), last, [=](lf::id<1> i) { x[i[0]] -= 1; });
    }
    last.wait();
    EXPECT_TRUE(std::all_of(x, x + 64, [](int v) { return v == 1; }));
    lf::free(x, q);
  });
}

TEST_P(gpu_command, memory_operations_on_usm) {
  on_each_device([](lf::queue& q) {
    if (!q.get_device().has(lf::aspect::usm_device_allocations)) {
      EXPECT_EQ(code_thrown_by([&] { (void)lf::malloc_device<int>(4, q); }), errc::feature_not_supported);
      return;
    }
    constexpr std::size_t n = 90;
    int* const x = lf::malloc_device<int>(n, q);
    std::vector<int> result(n), values = numbers(n, 3);
    lf::event e = q.copy(values.data(), x, n);
    e = q.launch(the("times"), nd_range<1>(n, 30), {e}, x, 2);
    q.memcpy(result.data(), x, n * sizeof(int), e).wait();
    EXPECT_EQ(result[n - 1], 2 * values[n - 1]);
    struct three {
      int x, y, z;
    };
    e = q.fill(x, three{1, 2, 3}, n / 3);
    e = q.memset(x, 0, 4, e);
    q.memcpy(result.data(), x, n * sizeof(int), e).wait();
    EXPECT_EQ(result[0], 0);
    EXPECT_EQ(result[1], 2);
    EXPECT_EQ(result[n - 1], 3);
    EXPECT_EQ(lf::get_pointer_type(x, q), lf::usm::alloc::device);
    EXPECT_EQ(lf::get_pointer_type(x, lf::queue()), lf::usm::alloc::unknown);
    EXPECT_EQ(code_thrown_by([&] { lf::free(x, lf::queue()); }), errc::invalid);
    lf::free(x, q);
    EXPECT_EQ(code_thrown_by([&] { lf::free(x, q); }), errc::invalid);
  });
}

TEST(gpu_usm_of_queues, kinds_that_a_device_lacks_are_refused) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device);
    if (!device.has_usm_shared()) {
      EXPECT_EQ(code_thrown_by([&] { (void)lf::malloc_shared<int>(4, q); }), errc::feature_not_supported);
    }
    if (device.has_usm_device()) { // more than there is
      EXPECT_EQ(lf::malloc_device<char>(std::size_t{1} << 52, q), nullptr);
    }
  }
}

TEST_P(gpu_command, independent_and_dependent_chains) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t chains = 8, length = 40;
    std::vector<lf::buffer<int>> values;
    for (std::size_t c = 0; c < chains; ++c)
      values.emplace_back(lf::range<1>(16));
    for (std::size_t c = 0; c < chains; ++c)
      q.launch(the("iota"), nd_range<1>(16, 16), values[c], static_cast<int>(c));
    for (std::size_t i = 0; i < length; ++i)
      for (std::size_t c = 0; c < chains; ++c)
        q.launch(the("times"), nd_range<1>(16, 16), values[c], -1);
    q.wait();
    for (std::size_t c = 0; c < chains; ++c)
      EXPECT_EQ(lf::host_accessor(values[c], lf::read_only)[3], static_cast<int>(c) + 3);
  });
}

TEST_P(gpu_command, status_wait_list_and_barrier) {
  on_each_device([](lf::queue& q) {
    lf::buffer<int> x{lf::range<1>(1)}, y{lf::range<1>(1)};
    const lf::event first = q.launch(the("slow"), nd_range<1>(1, 1), x, 20'000'000);
    lf::event second = q.launch(the("times"), nd_range<1>(1, 1), x, 2);
    EXPECT_EQ(first.get_backend(), lf::backend::opencl);
    for (const lf::event& e : second.get_wait_list())
      EXPECT_EQ(e, first);
    const lf::event barrier = q.ext_oneapi_submit_barrier();
    lf::event behind = q.launch(the("iota"), nd_range<1>(1, 1), y, 2);
    behind.wait();
    for (const lf::event& e : {first, second, barrier, behind})
      EXPECT_EQ(e.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::complete);
    EXPECT_TRUE(second.get_wait_list().empty());
  });
}

TEST(gpu_commands, complete_without_anybody_waiting_for_them) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    lf::queue q(device), cpu;
    lf::buffer<int> values{lf::range<1>(10)};
    std::atomic<int> seen{0};
    q.launch(the("iota"), nd_range<1>(10, 10), values, 1);
    cpu.submit([&](lf::handler& h) {
      lf::accessor x(values, h, lf::read_only_host_task);
      h.host_task([&seen, x] { seen.store(x[9]); });
    });
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (seen.load() == 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(seen.load(), 10);
  }
}

TEST(gpu_commands, profiling_tells_when_the_device_was_at_work) {
  LANEFOLD_NEED_OPENCL();
  namespace profiling = lf::info::event_profiling;
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    lf::queue q(device, lf::property::queue::enable_profiling());
    lf::buffer<int> x{lf::range<1>(1)};
    const lf::event e = q.launch(the("slow"), nd_range<1>(1, 1), x, 1'000'000);
    const auto submitted = e.get_profiling_info<profiling::command_submit>();
    const auto started = e.get_profiling_info<profiling::command_start>();
    const auto ended = e.get_profiling_info<profiling::command_end>();
    EXPECT_LE(submitted, started);
    EXPECT_LT(started, ended);
    EXPECT_EQ(code_thrown_by([&] { // not kept unless asked for
                lf::queue plain(device);
                (void)plain.launch(the("slow"), nd_range<1>(1, 1), x, 1).get_profiling_info<profiling::command_end>();
              }),
              errc::invalid);
  }
}

TEST(gpu_commands, several_devices_share_a_buffer) {
  const std::vector<gpu::device> devices = gpu::devices();
  if (devices.size() < 2)
    GTEST_SKIP() << "there are not two OpenCL devices";
  constexpr std::size_t n = 128;
  std::vector<int> host = numbers(n, 0);
  {
    lf::buffer<int> values(host);
    std::vector<lf::queue> queues(devices.begin(), devices.end());
    for (int round = 0; round < 4; ++round)
      for (lf::queue& q : queues)
        q.launch(the("times"), nd_range<1>(n, 32), values, 3);
  }
  int factor = 1;
  for (std::size_t i = 0; i < 4 * devices.size(); ++i)
    factor *= 3;
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(host[i], factor * static_cast<int>(i));
}

TEST(gpu_commands, random_graphs_are_as_if_one_after_the_other) {
  LANEFOLD_NEED_OPENCL();
  std::mt19937 random(seed());
  SCOPED_TRACE("LANEFOLD_TEST_SEED=" + std::to_string(seed()));
  constexpr std::size_t n = 2048, part = 512, buffers = 3;
  std::vector<lf::queue> queues;
  queues.emplace_back();
  for (const gpu::device& device : gpu::devices()) {
    if (is_simulator(device))
      GTEST_SKIP() << "too slow in a simulator";
    queues.emplace_back(device);
    queues.emplace_back(device, lf::property::queue::in_order());
  }
  const gpu::kernel accumulate("kernel void accumulate(global const int* in, global int* out, int f) {\n"
                               "  const size_t i = get_global_id(0);\n"
                               "  out[i] = out[i] * f + in[i];\n"
                               "}\n",
                               "accumulate");
  for (int graph = 0; graph < 40; ++graph) {
    std::vector<std::vector<unsigned>> expected(buffers), real(buffers);
    for (std::size_t b = 0; b < buffers; ++b) {
      expected[b].resize(n);
      std::iota(expected[b].begin(), expected[b].end(), static_cast<unsigned>(1000 * b));
      real[b] = expected[b];
    }
    {
      std::vector<lf::buffer<int>> all;
      for (std::vector<unsigned>& r : real)
        all.emplace_back(reinterpret_cast<int*>(r.data()), lf::range<1>(n));
      for (int command = 0; command < 25; ++command) {
        const std::size_t from = random() % buffers, to = (from + 1 + random() % (buffers - 1)) % buffers;
        const std::size_t parts = n / part, at = random() % parts, count = 1 + random() % (parts - at);
        const int factor = static_cast<int>(random() % 7);
        const lf::range<1> extent(count * part);
        const lf::id<1> first(at * part);
        lf::queue& q = queues[random() % queues.size()];
        q.submit([&](lf::handler& h) {
          lf::accessor in(all[from], h, extent, first, lf::read_only);
          lf::accessor out(all[to], h, extent, first, lf::read_write);
          if (q.get_backend() == lf::backend::opencl)
            h.launch(accumulate, nd_range<1>(extent, lf::range<1>(64)), in, out, factor);
          else
            h.parallel_for(extent, [=](lf::id<1> i) {
              out[i] = static_cast<int>(static_cast<unsigned>(out[i]) * static_cast<unsigned>(factor) +
                                        static_cast<unsigned>(in[i]));
            });
        });
        for (std::size_t i = at * part; i < (at + count) * part; ++i)
          expected[to][i] = expected[to][i] * static_cast<unsigned>(factor) + expected[from][i];
        if (random() % 16 == 0) {
          lf::host_accessor look(all[to], lf::read_only);
          ASSERT_EQ(static_cast<unsigned>(look[first[0]]), expected[to][first[0]]);
        }
      }
    }
    ASSERT_EQ(real, expected);
  }
}

TEST_P(gpu_command, algorithms_over_buffers_and_usm) {
  on_each_device([](lf::queue& q) {
    constexpr std::size_t n = 10'000, segments = 10;
    std::vector<int> host = numbers(n, 0), scanned(n), sums(segments);
    std::vector<std::uint32_t> offsets(segments + 1);
    for (std::size_t i = 0; i <= segments; ++i)
      offsets[i] = static_cast<std::uint32_t>(i * (n / segments));
    const gpu::predicate is_large{"is_large", "int is_large(int x) { return x >= 9000; }"};
    lf::buffer<int> in(host), out(scanned), total{lf::range<1>(1)}, parts(sums);
    lf::buffer<std::uint32_t> where(offsets);
    q.launch(the("times"), nd_range<1>(n, 100), in, 2);
    gpu::reduce(q, in, n, total, gpu::plus);
    gpu::inclusive_scan(q, in, n, out, gpu::plus);
    gpu::segmented_reduce(q, in, n, where, segments, parts, gpu::maximum);
    EXPECT_EQ(gpu::count_if(q, in, n, is_large), n - 4500);
    EXPECT_TRUE(gpu::any_of(q, in, n, is_large));
    EXPECT_FALSE(gpu::all_of(q, in, n, is_large));
    EXPECT_EQ(lf::host_accessor(total)[0], static_cast<int>(n * (n - 1)));
    {
      const lf::host_accessor result(out, lf::read_only);
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_EQ(result[i], static_cast<int>(i * (i + 1))) << i;
      const lf::host_accessor largest(parts, lf::read_only);
      for (std::size_t s = 0; s < segments; ++s)
        EXPECT_EQ(largest[s], 2 * (static_cast<int>(offsets[s + 1]) - 1));
    }
    gpu::exclusive_scan(q, in, n, out, 7, gpu::plus);
    EXPECT_EQ(lf::host_accessor(out)[2], 7 + 2);
    EXPECT_EQ(code_thrown_by([&] { gpu::reduce(q, total, 2, out, gpu::plus); }), errc::invalid);
    lf::queue cpu;
    EXPECT_EQ(code_thrown_by([&] { gpu::reduce(cpu, in, n, total, gpu::plus); }), errc::backend_mismatch);
    if (q.get_device().has(lf::aspect::usm_device_allocations)) {
      constexpr std::size_t place = (n + 1023) / 1024 * 1024; // handles into the middle are aligned
      int* const x = lf::malloc_device<int>(place + 1, q);
      const lf::event filled = q.fill(x, 3, n);
      gpu::reduce(q, x, n, x + place, gpu::plus, {filled}).wait();
      int sum = 0;
      q.memcpy(&sum, x + place, sizeof(int)).wait();
      EXPECT_EQ(sum, static_cast<int>(3 * n));
      lf::free(x, q);
    }
  });
}

// ---- what is refused

TEST_P(gpu_command, kernels_in_cpp_are_refused) {
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

TEST_P(gpu_command, bad_arguments_are_refused_before_anything_runs) {
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

TEST_P(gpu_command, a_failed_host_task_fails_what_depends_on_it) {
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

TEST(gpu_commands, the_opencl_queue_beneath) {
  LANEFOLD_NEED_OPENCL();
  lf::queue q(gpu::devices().front(), lf::property::queue::in_order());
  EXPECT_EQ(gpu::get_native(q).get_device(), gpu::devices().front());
  EXPECT_EQ(code_thrown_by([] { (void)gpu::get_native(lf::queue()); }), errc::backend_mismatch);
}

TEST(gpu_commands, what_one_branch_of_the_preprocessor_writes_comes_back) {
  LANEFOLD_NEED_OPENCL();
  const gpu::kernel branches(R"(
constant char quote = '"';
#ifdef CHECK_ONLY
kernel void f(global const int* x) {}
#else
kernel void f(global int* x) { x[get_global_id(0)] = quote; }
#endif
)",
                             "f");
  std::vector<int> result(4);
  {
    lf::queue q(gpu::devices().front());
    lf::buffer<int> b(result.data(), lf::range(4));
    q.launch(branches, nd_range<1>(4, 4), b);
  }
  EXPECT_EQ(result, std::vector<int>(4, '"'));
}

TEST(gpu_commands, fills_begin_anywhere) {
  LANEFOLD_NEED_OPENCL();
  struct two {
    int a, b;
  };
  lf::queue q(gpu::devices().front());
  int* const memory = lf::malloc_device<int>(8, q);
  q.fill(memory, 0, 8).wait();
  q.fill(reinterpret_cast<two*>(memory + 1), two{3, 4}, 2).wait();
  std::vector<int> result(8);
  q.memcpy(result.data(), memory, sizeof(int) * 8).wait();
  lf::free(memory, q);
  EXPECT_EQ(result, (std::vector<int>{0, 3, 4, 3, 4, 0, 0, 0}));
}

} // namespace
