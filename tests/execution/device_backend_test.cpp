// SPDX-License-Identifier: Apache-2.0
// Devices with memory of their own that complete commands by themselves. (OpenCL devices have tests in tests/gpu.)
#include "toy_device.hpp"

#include <lanefold/execution.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace lf = lanefold;
namespace ld = lanefold::detail;
using namespace toy_devices;

namespace {

TEST_F(device_backend, is_one_of_the_platforms) {
  EXPECT_EQ(lf::platform::get_platforms().size(), 2u);
  EXPECT_EQ(lf::device::get_devices(lf::info::device_type::accelerator).size(), 2u);
  EXPECT_EQ(lf::queue(lf::accelerator_selector_v).get_device(), toy());
  EXPECT_EQ(toy().get_name(), "toy");
  EXPECT_EQ(toy().get_platform().get_info<lf::info::platform::name>(), "toys");
  EXPECT_EQ(code_thrown_by([] { (void)toy().get_info<lf::info::device::vendor_id>(); }),
            lf::errc::feature_not_supported);
  EXPECT_EQ(lf::queue(toy()).get_context(), lf::queue(toy()).get_context());
  EXPECT_NE(lf::queue(toy(0)).get_context(), lf::queue(toy(1)).get_context());
  EXPECT_EQ(code_thrown_by([] { const lf::context both(toy().get_platform()); }), lf::errc::feature_not_supported);
}

/// With LANEFOLD_SELECTOR=cpu every filter, and who asks for another kind of device, gets the CPU of this process: also
/// where there are devices of that backend and kind.
TEST_F(device_backend, gives_way_to_the_cpu_where_the_environment_says_so) {
  using lf::ext::oneapi::filter_selector;
  const std::vector<std::string> filters{"opencl",           "opencl:accelerator", "opencl:accelerator:1", "opencl:gpu",
                                         "accelerator:1",    "level_zero:gpu",     "cuda:gpu:3",           "1",
                                         "lanefold_cpu:cpu", "cuda,opencl:cpu"};
  EXPECT_EQ(lf::device(filter_selector("opencl:accelerator:1")), toy(1));
  EXPECT_EQ(lf::device(lf::aspect_selector<lf::aspect::accelerator>()), toy());
  setenv("LANEFOLD_SELECTOR", "cpu", 1);
  for (const std::string& text : filters) {
    EXPECT_EQ(lf::device(filter_selector(text)), lf::device()) << text;
  }
  EXPECT_EQ(lf::device(lf::accelerator_selector_v), lf::device());
  EXPECT_EQ(lf::device(lf::aspect_selector<lf::aspect::accelerator>()), lf::device());
  EXPECT_EQ(lf::device(lf::aspect_selector({lf::aspect::accelerator}, {lf::aspect::cpu})), toy());
  EXPECT_TRUE(lf::device(lf::aspect_selector({}, {lf::aspect::gpu})).is_cpu()); // what is denied is what it is
  unsetenv("LANEFOLD_SELECTOR");
}

/// Backends do not know of each other: each has platforms, devices, kernels, memory.
TEST_F(device_backend, is_one_of_several) {
  ld::add_platforms(&other_platforms);
  ld::add_platforms(&other_platforms); // changes nothing
  const std::vector<lf::platform> platforms = lf::platform::get_platforms();
  ASSERT_EQ(platforms.size(), 3u);
  EXPECT_EQ(platforms[1].get_info<lf::info::platform::name>(), "toys");
  EXPECT_EQ(platforms[2].get_info<lf::info::platform::name>(), "others");
  const std::vector<lf::device> customs = lf::device::get_devices(lf::info::device_type::custom);
  ASSERT_EQ(customs.size(), 1u);
  lf::queue first(toy()), second(customs.front());
  constexpr std::size_t n = 100;
  std::vector<int> host(n, 1);
  {
    lf::buffer<int> values(host);
    const auto run = [&](lf::queue& on, const auto& kernel) {
      on.submit([&](lf::handler& h) { h.launch(kernel, anywhere, lf::accessor(values, h)); });
    };
    for (int i = 0; i < 5; ++i) {
      run(first, change(n, 2, 0));
      run(second, other_kernel{n, 3});
    }
    std::string why;
    EXPECT_EQ(code_thrown_by([&] { run(first, other_kernel{n, 3}); }, &why), lf::errc::kernel_not_supported);
    EXPECT_EQ(why, "a kernel of another backend");
  }
  EXPECT_EQ(host, std::vector<int>(n, 32 + 3 * 31));
  int* const memory = lf::malloc_device<int>(n, second);
  second.fill(memory, 7, n);
  std::vector<int> copied(n);
  second.wait();
  second.memcpy(copied.data(), memory, n * sizeof(int)).wait();
  EXPECT_EQ(copied, std::vector<int>(n, 7));
  lf::free(memory, second);
  ld::remove_platforms(&other_platforms);
  EXPECT_EQ(lf::platform::get_platforms().size(), 2u);
  EXPECT_TRUE(lf::device::get_devices(lf::info::device_type::custom).empty());
}

TEST_F(device_backend, copies_only_what_is_not_there_yet) {
  constexpr std::size_t n = 100;
  std::vector<int> host(n, 1);
  const std::size_t before = backend().copied();
  {
    lf::queue q(toy());
    lf::buffer<int> values(host);
    for (int i = 0; i < 10; ++i) {
      q.submit([&](lf::handler& h) { h.launch(change(n, 2, 0), anywhere, lf::accessor(values, h)); });
    }
  }
  EXPECT_EQ(host, std::vector<int>(n, 1024));
  EXPECT_EQ(backend().copied() - before, 2u); // there, and back
}

TEST_F(device_backend, what_is_written_without_being_read_is_not_copied) {
  constexpr std::size_t n = 100;
  const std::size_t before = backend().copied();
  lf::queue q(toy());
  lf::buffer<int> values{lf::range<1>(n)};
  q.submit([&](lf::handler& h) {
    const lf::accessor x(values, h, lf::write_only, lf::no_init);
    h.launch([](const std::vector<int*>& p) { std::iota(p[0], p[0] + 100, 0); }, anywhere, x);
  });
  EXPECT_EQ(lf::host_accessor(values, lf::read_only)[99], 99);
  EXPECT_EQ(lf::host_accessor(values, lf::read_only)[98], 98);
  EXPECT_EQ(backend().copied() - before, 1u);
}

TEST_F(device_backend, a_chain_on_one_device_is_handed_over_at_once) {
  lf::queue q(toy());
  lf::buffer<int> value{lf::range<1>(1)};
  std::mutex gate;
  std::unique_lock closed(gate);
  q.submit([&](lf::handler& h) {
    h.launch(
        [&gate](const std::vector<int*>& p) {
          const std::lock_guard wait_for(gate);
          p[0][0] = 1;
        },
        anywhere, lf::accessor(value, h, lf::write_only, lf::no_init));
  });
  std::vector<lf::event> all;
  for (int i = 0; i < 200; ++i) {
    all.push_back(q.submit([&](lf::handler& h) { h.launch(change(1, 1, 1), anywhere, lf::accessor(value, h)); }));
  }
  // Given to the device already: "submitted" is what waits in the graph of the host.
  for (const lf::event& e : all) {
    EXPECT_EQ(e.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::running);
  }
  EXPECT_FALSE(all.back().get_wait_list().empty());
  closed.unlock();
  all[10].wait();
  all.back().wait();
  EXPECT_TRUE(all.back().get_wait_list().empty());
  EXPECT_EQ(lf::host_accessor(value)[0], 201);
}

TEST_F(device_backend, errors_reach_the_host_and_what_depends_on_them) {
  for (const bool in_order : {false, true}) {
    lf::queue q = in_order ? lf::queue(toy(), lf::property::queue::in_order()) : lf::queue(toy());
    lf::buffer<int> value{lf::range<1>(1)};
    const auto fail = [](const std::vector<int*>&) { throw std::runtime_error("on purpose"); };
    lf::event failed = q.submit([&](lf::handler& h) { h.launch(fail, anywhere, lf::accessor(value, h)); });
    lf::event later = q.submit([&](lf::handler& h) { h.launch(change(1, 1, 0), anywhere, lf::accessor(value, h)); });
    std::atomic<bool> ran{false};
    lf::queue cpu;
    lf::event host = cpu.submit([&](lf::handler& h) {
      h.depends_on(later);
      h.host_task([&] { ran.store(true); });
    });
    EXPECT_THROW(host.wait(), lf::exception);
    EXPECT_FALSE(ran.load());
    EXPECT_THROW(later.wait(), lf::exception);
    try {
      q.wait_and_throw();
    } catch (const std::exception& e) {
      EXPECT_NE(std::string(e.what()).find("on purpose"), std::string::npos);
    }
    try {
      cpu.wait();
    } catch (const lf::exception&) {
    }
    q.submit([&](lf::handler& h) { h.launch(change(1, 0, 5), anywhere, lf::accessor(value, h)); });
    EXPECT_EQ(lf::host_accessor(value)[0], 5);
    try {
      failed.wait();
    } catch (const std::exception&) {
    }
  }
}

TEST_F(device_backend, a_command_that_cannot_be_started_fails) {
  lf::queue q(toy());
  std::string text;
  lf::buffer<int> part{lf::range<1>(std::size_t{1} << 29)}; // of which no page is touched
  const lf::event e = q.submit([&](lf::handler& h) { h.launch(change(1, 1, 0), anywhere, lf::accessor(part, h)); });
  EXPECT_EQ(code_thrown_by([&] { q.wait_and_throw(); }, &text), lf::errc::memory_allocation);
  EXPECT_EQ(e.get_info<lf::info::event::command_execution_status>(), lf::info::event_command_status::complete);
}

TEST_F(device_backend, usm_is_the_devices) {
  lf::queue q(toy());
  int* const x = lf::malloc_device<int>(10, q);
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(lf::get_pointer_type(x, q), lf::usm::alloc::device);
  const std::vector<int> values(10, 3);
  std::vector<int> result(10);
  lf::event e = q.copy(values.data(), x, 5);
  e = q.fill(x + 5, 8, 5, e);
  q.copy(x, result.data(), 10, e).wait();
  EXPECT_EQ(result, (std::vector<int>{3, 3, 3, 3, 3, 8, 8, 8, 8, 8}));
  EXPECT_EQ(code_thrown_by([&] { (void)lf::malloc_shared<int>(1, q); }), lf::errc::feature_not_supported);
  EXPECT_EQ(code_thrown_by([&] { lf::free(x, lf::queue()); }), lf::errc::invalid);
  lf::free(x, q);
}

TEST_F(device_backend, profiling_is_that_of_the_device) {
  namespace profiling = lf::info::event_profiling;
  lf::queue q(toy(), lf::property::queue::enable_profiling());
  const lf::event e = q.submit([&](lf::handler& h) { h.launch([](const std::vector<int*>&) {}, anywhere); });
  const auto submitted = e.get_profiling_info<profiling::command_submit>();
  EXPECT_EQ(e.get_profiling_info<profiling::command_start>(), submitted + 100);
  EXPECT_EQ(e.get_profiling_info<profiling::command_end>(), submitted + 200);
}

TEST_F(device_backend, finished_commands_are_let_go_of) {
  lf::queue q(toy(), lf::property::queue::in_order());
  const auto kept = std::make_shared<int>(0);
  for (int i = 0; i < 2000; ++i) {
    q.submit([&](lf::handler& h) { h.launch([kept](const std::vector<int*>&) { ++*kept; }, anywhere); });
    if (i % 100 == 99) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  q.wait();
  EXPECT_EQ(*kept, 2000);
  for (int i = 0; i < 1000 && kept.use_count() > 1; ++i) { // the device's thread lets go of the last one
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(kept.use_count(), 1);
}

TEST_F(device_backend, many_threads_submit_and_wait) {
  lf::queue q(toy());
  lf::buffer<int> sum{lf::range<1>(1)};
  q.submit([&](lf::handler& h) { h.launch(change(1, 0, 0), anywhere, lf::accessor(sum, h)); });
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        lf::event e = q.submit([&](lf::handler& h) { h.launch(change(1, 1, 1), anywhere, lf::accessor(sum, h)); });
        if ((i + t) % 3 == 0) {
          e.wait();
        }
      }
      q.wait();
    });
  }
  for (std::thread& t : threads) {
    t.join();
  }
  EXPECT_EQ(lf::host_accessor(sum)[0], 400);
}

TEST_F(device_backend, random_graphs_are_as_if_one_after_the_other) {
  std::mt19937 random(20261121);
  constexpr std::size_t n = 64, part = 16, buffers = 3;
  std::vector<lf::queue> queues;
  queues.emplace_back();
  queues.emplace_back(toy(0));
  queues.emplace_back(toy(0), lf::property::queue::in_order());
  queues.emplace_back(toy(1));
  for (int graph = 0; graph < 60; ++graph) {
    std::vector<std::vector<int>> expected(buffers, std::vector<int>(n)), real;
    for (std::size_t b = 0; b < buffers; ++b) {
      std::iota(expected[b].begin(), expected[b].end(), static_cast<int>(100 * b));
    }
    real = expected;
    {
      std::vector<lf::buffer<int>> all;
      for (std::vector<int>& r : real) {
        all.emplace_back(r.data(), lf::range<1>(n));
      }
      for (int command = 0; command < 30; ++command) {
        const std::size_t from = random() % buffers;
        const std::size_t to = (from + 1 + random() % (buffers - 1)) % buffers;
        const std::size_t at = random() % (n / part);
        const std::size_t count = part * (1 + random() % (n / part - at));
        const lf::range<1> extent(count);
        const lf::id<1> first(at * part);
        const bool takes_all = random() % 2 == 0;
        lf::queue& q = queues[random() % queues.size()];
        q.submit([&](lf::handler& h) {
          const lf::accessor in(all[from], h, extent, first, lf::read_only);
          const lf::accessor out(all[to], h, extent, first, lf::read_write);
          const auto combine = [=](const int* a, int* b) {
            for (std::size_t i = 0; i < count; ++i) {
              b[i] = (takes_all ? b[i] : b[i] / 2) + a[i] % 1000;
            }
          };
          if (q.get_backend() == lf::backend::opencl) {
            h.launch([=](const std::vector<int*>& p) { combine(p[0], p[1]); }, anywhere, in, out);
          } else {
            h.single_task([=] { combine(&in[0], &out[0]); });
          }
        });
        for (std::size_t i = at * part; i < at * part + count; ++i) {
          expected[to][i] = (takes_all ? expected[to][i] : expected[to][i] / 2) + expected[from][i] % 1000;
        }
        if (random() % 8 == 0) {
          const lf::host_accessor look(all[to], lf::read_only);
          ASSERT_EQ(look[first[0]], expected[to][first[0]]);
        }
      }
    }
    ASSERT_EQ(real, expected) << "graph " << graph;
  }
}

} // namespace
