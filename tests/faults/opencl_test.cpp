// SPDX-License-Identifier: Apache-2.0
// Every OpenCL call in the life of commands fails once, and from there on: the program gets an error or the right
// results, nothing hangs, and devices work afterwards.
#include "failing_opencl.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/execution/accessor.hpp>
#include <lanefold/execution/host_accessor.hpp>
#include <lanefold/gpu.hpp>
#include <lanefold/memory/usm.hpp>

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

namespace {

namespace lf = lanefold;
namespace gpu = lanefold::gpu;

constexpr std::size_t size = 64;

struct wrong_result {
  const char* what;
};

void check(bool right, const char* what) {
  if (!right) {
    throw wrong_result{what};
  }
}

/// One that no cache has if `number` is new.
gpu::kernel adds(int number) {
  return gpu::kernel(
      "kernel void adds(global int* x) { x[get_global_id(0)] += 1; /* " + std::to_string(number) + "*/ }", "adds");
}

gpu::kernel known_adds() {
  static const gpu::kernel k = adds(-1);
  return k;
}

/// Memory that a device may still use which did not let the host wait.
std::array<int, size>& host_memory() {
  static std::array<int, size> memory;
  memory.fill(0);
  return memory;
}

void buffers(const gpu::device& device, const lf::property_list& properties, const gpu::kernel& k) {
  std::array<int, size>& host = host_memory();
  {
    lf::queue q(device, properties);
    lf::queue cpu;
    lf::buffer<int> a(host.data(), size);
    q.launch(k, lf::nd_range<1>(size, size), a);
    q.launch(k, lf::nd_range<1>(size, size), a);
    lf::event on_host = cpu.submit([&](lf::handler& h) {
      const lf::accessor x(a, h, lf::read_write);
      h.single_task([=] { x[0] *= 10; });
    });
    q.submit([&](lf::handler& h) {
      h.depends_on(on_host);
      h.launch(k, lf::nd_range<1>(size, size), a);
    });
    q.wait_and_throw();
    cpu.wait_and_throw();
    const lf::host_accessor seen(a, lf::read_only);
    check(seen[0] == 21 && seen[size - 1] == 3, "a buffer");
  }
  check(host[0] == 21 && host[size - 1] == 3, "host memory");
}

void copies(const gpu::device& device, const lf::property_list& properties, const gpu::kernel& k) {
  std::array<int, size>& host = host_memory();
  lf::queue q(device, properties);
  try {
    lf::buffer<int> a{lf::range<1>(size)};
    lf::buffer<int> b{lf::range<1>(size)};
    q.submit([&](lf::handler& h) { h.fill(lf::accessor(a, h, lf::write_only, lf::no_init), 4); });
    q.submit([&](lf::handler& h) {
      h.copy(lf::accessor(a, h, lf::read_only), lf::accessor(b, h, lf::write_only, lf::no_init));
    });
    lf::event last = q.launch(k, lf::nd_range<1>(size, size), b);
    last.wait_and_throw();
    q.submit([&](lf::handler& h) { h.copy(lf::accessor(b, h, lf::read_only), host.data()); });
    q.wait_and_throw();
  } catch (const std::exception&) {
    try {
      q.wait();
    } catch (const std::exception&) { // NOLINT: the first error counts
    }
    throw;
  }
  check(host[0] == 5 && host[size - 1] == 5, "copies");
}

void shared_memory(const gpu::device& device, const lf::property_list& properties, const gpu::kernel& k) {
  lf::queue q(device, properties);
  int* const memory = lf::malloc_device<int>(size, q);
  if (memory == nullptr) {
    throw lf::exception(lf::errc::memory_allocation, "malloc_device");
  }
  std::array<int, size>& host = host_memory();
  std::exception_ptr error;
  try {
    const lf::event filled = q.fill(memory, 1, size);
    q.submit([&](lf::handler& h) {
      h.depends_on(filled);
      h.launch(k, lf::nd_range<1>(size, size), memory);
    });
    q.wait_and_throw();
    q.memcpy(host.data(), memory, sizeof(host)).wait_and_throw();
  } catch (const std::exception&) {
    error = std::current_exception();
    try {
      q.wait();
    } catch (const std::exception&) { // NOLINT: the first error counts
    }
  }
  lf::free(memory, q);
  if (error) {
    std::rethrow_exception(error);
  }
  check(host[0] == 2 && host[size - 1] == 2, "shared memory");
}

struct program {
  const char* name;
  void (*run)(const gpu::device&, const lf::property_list&, const gpu::kernel&);
  bool builds;
};

constexpr std::array<program, 4> programs{{{"buffers", &buffers, false},
                                           {"copies", &copies, false},
                                           {"shared_memory", &shared_memory, false},
                                           {"builds", &buffers, true}}};

void PrintTo(const program& p, std::ostream* to) { *to << p.name; }

class opencl_calls : public ::testing::TestWithParam<program> {};

TEST_P(opencl_calls, may_fail) {
  const std::vector<gpu::device> devices = gpu::devices();
  if (devices.empty()) {
    GTEST_SKIP() << "there is no OpenCL device";
  }
  const program p = GetParam();
  std::vector<lf::property_list> kinds{lf::property_list()};
  if (!p.builds) { // that takes a tenth of a second each time
    kinds.emplace_back(lf::property::queue::in_order());
    kinds.emplace_back(lf::property::queue::in_order(), lf::property::queue::enable_profiling());
  }
  std::size_t faults = 0;
  int builds = 0;
  for (const gpu::device& device : devices) {
    for (const lf::property_list& properties : kinds) {
      const auto run = [&] { p.run(device, properties, p.builds ? adds(getpid() * 10000 + builds++) : known_adds()); };
      run();
      bool more = true;
      for (std::size_t n = 0; more && n < 1000; ++n) {
        failing_opencl::begin(n);
        alarm(60);
        std::string why;
        try {
          run();
        } catch (const wrong_result& e) {
          why = e.what;
        } catch (const std::exception&) { // NOLINT: as it should be
        }
        more = failing_opencl::end();
        ASSERT_EQ(why, "") << "call " << n << ", " << failing_opencl::failed_function();
        faults += more ? 1 : 0;
        try {
          run();
        } catch (const wrong_result& e) {
          why = e.what;
        } catch (const std::exception& e) {
          why = e.what();
        }
        ASSERT_EQ(why, "") << "after call " << n << ", " << failing_opencl::failed_function();
        alarm(0);
      }
    }
  }
  std::printf("%zu faults\n", faults);
  EXPECT_GT(faults, 20u);
}

INSTANTIATE_TEST_SUITE_P(, opencl_calls, ::testing::ValuesIn(programs),
                         [](const auto& of) { return std::string(of.param.name); });

} // namespace
