// SPDX-License-Identifier: Apache-2.0
// Tests buffers, local memory, USM, copies and fills of queues on OpenCL devices.
#include "queue_commands.hpp"

#include <algorithm>
#include <vector>

namespace {

using namespace gpu_testing;

class gpu_command_memory : public gpu_testing::gpu_command {};
INSTANTIATE_TEST_SUITE_P(, gpu_command_memory, testing::Bool(), name_of_order);

TEST_P(gpu_command_memory, buffers_are_brought_to_the_device_and_back) {
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

TEST_P(gpu_command_memory, parts_of_a_buffer_may_be_in_different_places) {
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

TEST_P(gpu_command_memory, a_part_of_a_buffer_may_begin_anywhere) {
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

TEST_P(gpu_command_memory, local_memory_and_accessors_to_it) {
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

TEST_P(gpu_command_memory, copies_and_fills_of_accessors) {
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

TEST_P(gpu_command_memory, memory_operations_on_usm) {
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

TEST_P(gpu_command_memory, algorithms_over_buffers_and_usm) {
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
