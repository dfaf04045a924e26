// SPDX-License-Identifier: Apache-2.0
// Tests platforms of OpenCL, and the order of commands in queues on their devices.
#include "queue_commands.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

namespace {

using namespace gpu_testing;

INSTANTIATE_TEST_SUITE_P(, gpu_command, testing::Bool(), name_of_order);

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

TEST(gpu_commands, the_opencl_queue_beneath) {
  LANEFOLD_NEED_OPENCL();
  lf::queue q(gpu::devices().front(), lf::property::queue::in_order());
  EXPECT_EQ(gpu::get_native(q).get_device(), gpu::devices().front());
  EXPECT_EQ(code_thrown_by([] { (void)gpu::get_native(lf::queue()); }), errc::backend_mismatch);
}

} // namespace
