// SPDX-License-Identifier: Apache-2.0
// Command graphs of recorded kernels on OpenCL devices: the results are those of the CPU.
#include "testing.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>

namespace {

using namespace recorded_testing;
namespace graph = lf::graph;

constexpr std::size_t n = 256;

/// Calls `check` with queues of all devices, in order and out of order.
void on_all_queues(const std::function<void(lf::queue&)>& check) {
  for (const gpu::device& device : gpu::devices()) {
    SCOPED_TRACE(device.get_platform_name());
    lf::queue unordered(device);
    check(unordered);
    lf::queue ordered(device, lf::property_list{lf::property::in_order()});
    check(ordered);
  }
}

/// x = 3 x + y; y = x / 2; z = sum of x, in three nodes of buffers.
std::vector<int> run_of(lf::queue& q, int runs) {
  std::vector<int> result(2 * n + 1);
  std::vector<int> ones(n, 1);
  lf::buffer<int> x(ones.data(), lf::range<1>(n)), y(lf::range<1>{n}), z(lf::range<1>{1});
  graph::command_graph g(q);
  g.add([&](lf::handler& h) { h.fill(lf::accessor(y, h, lf::write_only, lf::no_init), 7); });
  g.add([&](lf::handler& h) {
    const lf::accessor to(x, h, lf::read_write);
    const lf::accessor from(y, h, lf::read_only);
    h.parallel_for(lf::range<1>(n), [=](auto i) { to[i] = to[i] * 3 + from[i] + lf::convert<int>(i); });
  });
  g.add([&](lf::handler& h) {
    const lf::accessor to(y, h, lf::write_only);
    const lf::accessor from(x, h, lf::read_only);
    lf::local_accessor<int> shared(64, h);
    h.parallel_for(lf::nd_range<1>(n, 64), [=](auto it) {
      const auto l = it.get_local_id(0);
      shared[l] = from[it.get_global_id(0)];
      lf::group_barrier(it.get_group());
      to[it.get_global_id(0)] = shared[63U - l] / 2;
    });
  });
  g.add([&](lf::handler& h) {
    const lf::accessor from(y, h, lf::read_only);
    h.parallel_for(lf::range<1>(n), lf::reduction(z, h, lf::plus<int>()), [=](auto i, auto& sum) { sum += from[i]; });
  });
  auto exec = g.finalize();
  {
    const lf::host_accessor start(z);
    start[0] = 5;
  }
  for (int i = 0; i < runs; ++i) {
    q.ext_oneapi_graph(exec);
  }
  q.wait_and_throw();
  const lf::host_accessor a(x), b(y), c(z);
  for (std::size_t i = 0; i < n; ++i) {
    result[i] = a[i];
    result[n + i] = b[i];
  }
  result[2 * n] = c[0];
  return result;
}

TEST(recorded_graphs, replays_give_what_the_cpu_gives) {
  LANEFOLD_NEED_OPENCL();
  lf::queue cpu;
  const std::vector<int> expected = run_of(cpu, 4);
  on_all_queues([&](lf::queue& q) { EXPECT_EQ(run_of(q, 4), expected); });
}

TEST(recorded_graphs, a_queue_can_be_recorded) {
  LANEFOLD_NEED_OPENCL();
  on_all_queues([](lf::queue& q) {
    if (!q.get_device().has(lf::aspect::usm_device_allocations)) {
      return;
    }
    float* const x = lf::malloc_device<float>(n, q);
    std::vector<float> in(n, 2), out(n);
    q.memcpy(x, in.data(), n * sizeof(float)).wait();
    graph::command_graph g(q);
    g.begin_recording(q);
    const lf::view<float> v(x, n);
    lf::event first = q.parallel_for(lf::range<1>(n), [=](auto i) { v[i] = v[i] * 2.F; });
    lf::event second = q.parallel_for(lf::range<1>(n), first, [=](auto i) { v[i] = v[i] + 1.F; });
    q.submit([&](lf::handler& h) {
      h.depends_on(second);
      h.memcpy(out.data(), x, n * sizeof(float));
    });
    g.end_recording();
    auto exec = g.finalize();
    for (const float expected : {5.F, 11.F, 23.F}) {
      q.ext_oneapi_graph(exec).wait();
      EXPECT_EQ(out, std::vector<float>(n, expected));
    }
    lf::free(x, q);
  });
}

TEST(recorded_graphs, a_run_waits_for_other_queues_also_behind_a_node_that_does_nothing) {
  LANEFOLD_NEED_OPENCL();
  on_all_queues([](lf::queue& q) {
    lf::queue other(q.get_device());
    lf::buffer<int> x(lf::range<1>{n}), y(lf::range<1>{n});
    graph::command_graph g(q);
    graph::node nothing = g.add();
    g.add(
        [&](lf::handler& h) {
          const lf::accessor to(y, h, lf::write_only, lf::no_init);
          const lf::accessor from(x, h, lf::read_only);
          h.parallel_for(lf::range<1>(n), [=](auto i) { to[i] = from[i] + 1; });
        },
        graph::property::node::depends_on(nothing));
    auto exec = g.finalize();
    other.submit([&](lf::handler& h) { // long enough to be overtaken
      const lf::accessor to(x, h, lf::write_only, lf::no_init);
      h.parallel_for(lf::range<1>(n), [=](auto it) {
        auto sum = it.var(0);
        it.for_(0, 200000, [&](auto k) { sum = (sum + k) & 1023; });
        to[it] = sum;
      });
    });
    q.ext_oneapi_graph(exec);
    const lf::host_accessor<int> a(x), b(y);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(b[i], a[i] + 1) << i;
    }
  });
}

TEST(recorded_graphs, updates_and_one_of_several_commands) {
  LANEFOLD_NEED_OPENCL();
  on_all_queues([](lf::queue& q) {
    std::vector<int> values(n, 1);
    {
      lf::buffer<int> x(values.data(), lf::range<1>(n));
      const auto add = [&](int number) {
        return [&x, number](lf::handler& h) {
          const lf::accessor a(x, h, lf::read_write);
          h.parallel_for(lf::range<1>(n), [=](auto i) { a[i] = a[i] * 10 + number; });
        };
      };
      graph::command_graph g(q), other(q);
      g.add(add(2));
      other.add(add(3));
      auto exec = g.finalize(graph::property::graph::updatable());
      q.ext_oneapi_graph(exec);
      exec.update(other);
      q.ext_oneapi_graph(exec);
      graph::command_graph chooses(q);
      graph::dynamic_command_group either(chooses, {add(4), add(5)});
      graph::node node = chooses.add(either);
      auto chosen = chooses.finalize(graph::property::graph::updatable());
      either.set_active_index(1);
      chosen.update(node);
      q.ext_oneapi_graph(chosen);
      q.wait_and_throw();
    }
    EXPECT_EQ(values, std::vector<int>(n, 1235));
  });
}

/// A kernel's number, view and range change, and on devices the program stays the same.
TEST(recorded_graphs, parameters_and_ranges_change) {
  LANEFOLD_NEED_OPENCL();
  on_all_queues([](lf::queue& q) {
    if (!q.get_device().has(lf::aspect::usm_device_allocations)) {
      return;
    }
    float* const x = lf::malloc_device<float>(2 * n, q);
    std::vector<float> out(2 * n);
    q.fill(x, 1.F, 2 * n).wait();
    graph::command_graph g(q);
    graph::dynamic_parameter factor(g, 2.F);
    graph::dynamic_parameter memory(g, lf::view<float>(x, n));
    graph::node scale = g.add([&](lf::handler& h) {
      h.parallel_for(lf::range<1>(n), [=](auto i) { memory.get()[i] = memory.get()[i] * factor.get(); });
    });
    auto exec = g.finalize(graph::property::graph::updatable());
    q.ext_oneapi_graph(exec);
    factor.update(5.F);
    exec.update(scale);
    q.ext_oneapi_graph(exec); // 10
    memory.update(lf::view<float>(x + n, n));
    scale.update_range(lf::range<1>(n / 2));
    exec.update(scale);
    q.ext_oneapi_graph(exec); // 5 in half of the second part
    q.wait();
    q.memcpy(out.data(), x, 2 * n * sizeof(float)).wait();
    for (std::size_t i = 0; i < 2 * n; ++i) {
      ASSERT_EQ(out[i], i < n ? 10.F : i < n + n / 2 ? 5.F : 1.F) << i;
    }
    lf::free(x, q);
  });
}

/// They are commands of the device, and nothing more than hints.
TEST(recorded_graphs, prefetches_are_nodes_and_keep_their_place) {
  LANEFOLD_NEED_OPENCL();
  on_all_queues([](lf::queue& q) {
    if (!q.get_device().has(lf::aspect::usm_shared_allocations)) {
      return;
    }
    int* const x = lf::malloc_shared<int>(n, q);
    std::fill_n(x, n, 1);
    const lf::view<int> v(x, n);
    const lf::event fetched = q.prefetch(x, n * sizeof(int));
    const lf::event twice = q.parallel_for(lf::range<1>(n), fetched, [=](auto i) { v[i] = v[i] * 2; });
    q.prefetch(x + 1, sizeof(int), twice);
    q.prefetch(x, 2 * n * sizeof(int), twice); // more than there is
    std::vector<int> plain(n);
    q.prefetch(plain.data(), n * sizeof(int), twice); // no USM
    q.wait_and_throw();
    graph::command_graph g(q);
    graph::node hint = g.add([&](lf::handler& h) { h.prefetch(x, n * sizeof(int)); });
    g.add([&](lf::handler& h) { h.parallel_for(lf::range<1>(n), [=](auto i) { v[i] = v[i] + 1; }); },
          graph::property::node::depends_on(hint));
    auto exec = g.finalize();
    q.ext_oneapi_graph(exec);
    q.ext_oneapi_graph(exec);
    q.wait_and_throw();
    EXPECT_EQ(std::vector<int>(x, x + n), std::vector<int>(n, 4));
    lf::free(x, q);
  });
}

TEST(recorded_graphs, accessors_change) {
  LANEFOLD_NEED_OPENCL();
  on_all_queues([](lf::queue& q) {
    std::vector<int> a(n, 1), b(n, 10);
    {
      lf::buffer<int> first(a.data(), lf::range<1>(n)), second(b.data(), lf::range<1>(n));
      graph::command_graph g(q);
      graph::dynamic_parameter target(g, lf::accessor<int>(first));
      graph::node node = g.add([&](lf::handler& h) {
        h.require(target);
        lf::local_accessor<int> tile(64, h);
        h.parallel_for(lf::nd_range<1>(n, 64), [=](auto it) {
          const auto l = it.get_local_id(0);
          tile[l] = target.get()[it.get_global_id(0)];
          lf::group_barrier(it.get_group());
          target.get()[it.get_global_id(0)] = tile[63U - l] + 1;
        });
      });
      auto exec = g.finalize(graph::property::graph::updatable());
      q.ext_oneapi_graph(exec);
      target.update(lf::accessor<int>(second));
      node.update_nd_range(lf::nd_range<1>(n / 2, 64));
      exec.update(node);
      q.ext_oneapi_graph(exec);
      q.ext_oneapi_graph(exec);
      q.wait_and_throw();
    }
    EXPECT_EQ(a, std::vector<int>(n, 2));
    EXPECT_EQ(b[n / 2 - 1], 12);
    EXPECT_EQ(b[n / 2], 10);
  });
}

TEST(recorded_graphs, kernels_in_opencl_c_have_parameters) {
  LANEFOLD_NEED_OPENCL();
  const gpu::kernel add("kernel void add(global int* x, int value) { x[get_global_id(0)] += value; }", "add");
  on_all_queues([&](lf::queue& q) {
    std::vector<int> a(n, 1), b(n, 10);
    {
      lf::buffer<int> first(a.data(), lf::range<1>(n)), second(b.data(), lf::range<1>(n));
      graph::command_graph g(q);
      graph::dynamic_parameter target(g, lf::accessor<int>(first));
      graph::dynamic_parameter value(g, 1);
      graph::node node = g.add([&](lf::handler& h) {
        h.require(target);
        h.launch(add, lf::nd_range<1>(n, 64), target, value);
      });
      int* const recorded = lf::malloc_device<int>(n, q);
      q.fill(recorded, 100, n).wait();
      graph::command_graph of_queue(q);
      graph::dynamic_parameter more(of_queue, 1);
      of_queue.begin_recording(q);
      const lf::event launched = q.launch(add, lf::nd_range<1>(n, 64), recorded, more);
      of_queue.end_recording();
      graph::node of_launch = graph::node::get_node_from_event(launched);
      auto shortcut = of_queue.finalize(graph::property::graph::updatable());
      q.ext_oneapi_graph(shortcut).wait();
      more.update(7);
      shortcut.update(of_launch);
      q.ext_oneapi_graph(shortcut).wait();
      std::vector<int> summed(n);
      q.memcpy(summed.data(), recorded, n * sizeof(int)).wait();
      EXPECT_EQ(summed, std::vector<int>(n, 108));
      lf::free(recorded, q);
      auto exec = g.finalize(graph::property::graph::updatable());
      q.ext_oneapi_graph(exec);
      value.update(5);
      target.update(lf::accessor<int>(second));
      node.update_nd_range(lf::nd_range<1>(n / 2, 64));
      exec.update(node);
      q.ext_oneapi_graph(exec);
      q.wait_and_throw();
    }
    EXPECT_EQ(a, std::vector<int>(n, 2));
    EXPECT_EQ(b[0], 15);
    EXPECT_EQ(b[n / 2], 10);
  });
}

TEST(recorded_graphs, kernels_outside_of_graphs_have_the_present_value_of_a_parameter) {
  LANEFOLD_NEED_OPENCL();
  const gpu::kernel add("kernel void add(global int* x, int value) { x[get_global_id(0)] += value; }", "add");
  on_all_queues([&](lf::queue& q) {
    graph::command_graph g(q);
    graph::dynamic_parameter value(g, 1);
    auto copy = value;
    copy.update(5);
    lf::buffer<int> x(lf::range<1>{n});
    q.fill(lf::accessor(x, lf::write_only), 100);
    q.launch(add, lf::nd_range<1>(n, 64), x, value);
    q.submit([&](lf::handler& h) {
      const lf::accessor to(x, h, lf::read_write);
      h.parallel_for(lf::range<1>(n), [=](auto i) { to[i] = to[i] + value.get(); });
    });
    copy.update(1000); // these are launched
    EXPECT_EQ(lf::host_accessor(x)[n - 1], 110);
  });
}

TEST(recorded_graphs, may_be_parts_and_have_memory_of_their_own) {
  LANEFOLD_NEED_OPENCL();
  on_all_queues([](lf::queue& q) {
    if (!q.get_device().has(lf::aspect::usm_device_allocations)) {
      return;
    }
    std::vector<int> out(n);
    lf::queue ordered(q.get_context(), q.get_device(), lf::property_list{lf::property::in_order()});
    graph::command_graph part(q), whole(q);
    part.begin_recording(ordered);
    auto* const memory = static_cast<int*>(lf::async_malloc(ordered, lf::usm::alloc::device, n * sizeof(int)));
    const lf::view<int> x(memory, n);
    ordered.parallel_for(lf::range<1>(n), [=](auto i) { x[i] = lf::convert<int>(i) + 1; });
    ordered.memcpy(out.data(), memory, n * sizeof(int));
    lf::async_free(ordered, memory);
    part.end_recording();
    const auto inner = part.finalize();
    EXPECT_EQ(inner.get_required_mem_size(), n * sizeof(int));
    whole.add([&](lf::handler& h) { h.ext_oneapi_graph(inner); });
    const auto exec = whole.finalize();
    for (int run = 0; run < 2; ++run) {
      out.assign(n, 0);
      q.ext_oneapi_graph(exec).wait();
      ASSERT_EQ(out[n - 1], static_cast<int>(n));
    }
  });
}

} // namespace
