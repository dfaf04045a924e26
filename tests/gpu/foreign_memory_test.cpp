// SPDX-License-Identifier: Apache-2.0
// Memory that a device, or the host, does not reach is refused before a command is given to anybody.
#include "testing.hpp"

#include <lanefold/execution.hpp>
#include <lanefold/gpu.hpp>

#include <string>
#include <utility>
#include <vector>

namespace {

using namespace gpu_testing;
using lanefold::errc;
using lanefold::nd_range;
namespace lf = lanefold;

gpu::kernel twice() { return {"kernel void twice(global int* x) { x[get_global_id(0)] *= 2; }", "twice"}; }

/// The USM of all devices consists of handles, until this is gone.
class handles_everywhere {
public:
  handles_everywhere() {
    for (const gpu::device& device : gpu::devices())
      m_before.push_back(std::exchange(device.state().usm_way, gpu::usm_support::handles));
  }
  ~handles_everywhere() {
    for (std::size_t i = 0; i < m_before.size(); ++i)
      gpu::devices()[i].state().usm_way = m_before[i];
  }
  handles_everywhere(const handles_everywhere&) = delete;
  handles_everywhere& operator=(const handles_everywhere&) = delete;

private:
  std::vector<gpu::usm_support> m_before;
};

template <class Call>
void expect_refused(errc code, const std::string& words, const Call& call) {
  std::string text;
  EXPECT_EQ(code_thrown_by(call, &text), code) << text;
  EXPECT_NE(text.find(words), text.npos) << text;
}

TEST(gpu_foreign_memory, usm_of_another_device_is_no_argument) {
  LANEFOLD_NEED_OPENCL();
  if (gpu::devices().size() < 2)
    GTEST_SKIP() << "one OpenCL device only";
  const gpu::device here = gpu::devices()[0], there = gpu::devices()[1];
  for_each_usm_support(there, [&] {
    lf::queue q(here), other(there);
    gpu::queue thin(here), thin_there(there);
    int* const x = lf::malloc_device<int>(64, other);
    int* const y = gpu::malloc_device<int>(64, thin_there);
    for (int* const foreign : {x, x + 1, y}) {
      const std::string words = "argument 0 ('x'): the pointer is USM of another device";
      expect_refused(errc::backend_mismatch, words, [&] { q.launch(twice(), nd_range<1>(32, 8), foreign); });
      expect_refused(errc::backend_mismatch, words,
                     [&] { q.submit([&](lf::handler& h) { h.launch(twice(), nd_range<1>(32, 8), foreign); }); });
      expect_refused(errc::backend_mismatch, words, [&] { thin.launch(twice(), nd_range<1>(32, 8), foreign); });
      int* const out = lf::malloc_device<int>(1, q);
      expect_refused(errc::backend_mismatch, "the pointer is USM of another device",
                     [&] { gpu::reduce(q, foreign, 32, out, gpu::plus); });
      lf::free(out, q);
    }
    q.wait_and_throw();
    lf::free(x, other);
    gpu::free(y, thin_there);
  });
}

/// Runs kernels on memory of the host, which the device reaches or refuses.
void expect_memory_of_the_host(const gpu::device& device, bool reached) {
  lf::queue q(device), cpu;
  std::vector<int> numbers(64, 1);
  int* const shared = lf::malloc_shared<int>(64, cpu);
  for (int* const memory : {numbers.data(), shared}) {
    memory[0] = 1;
    if (reached) {
      q.launch(twice(), nd_range<1>(32, 8), memory).wait_and_throw();
      EXPECT_EQ(memory[0], 2);
    } else {
      expect_refused(errc::kernel_argument, "kernel 'twice', argument 0 ('x'): the pointer is of no live USM",
                     [&] { q.launch(twice(), nd_range<1>(32, 8), memory); });
    }
  }
  lf::free(shared, cpu);
}

TEST(gpu_foreign_memory, of_the_host_is_an_argument_where_the_device_reaches_it) {
  LANEFOLD_NEED_OPENCL();
  for (const gpu::device& device : gpu::devices()) {
    for_each_usm_support(device, [&] {
      const bool by_svm = (device.state().svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0;
      const bool by_intel = device.get_usm_support() == gpu::usm_support::intel && device.state().intel_system_usm;
      expect_memory_of_the_host(device, (by_svm || by_intel) && device.get_usm_support() != gpu::usm_support::handles);
    });
  }
}

TEST(gpu_foreign_memory, of_the_host_is_reached_by_the_system_usm_of_intel_alone) {
  LANEFOLD_NEED_OPENCL();
  bool found = false;
  for (const gpu::device& device : gpu::devices()) {
    if (device.get_usm_support() != gpu::usm_support::intel || !device.state().intel_system_usm)
      continue;
    found = true;
    const for_now without_svm(device.state().svm, cl_device_svm_capabilities{0});
    expect_memory_of_the_host(device, true);
    const for_now without_intel(device.state().intel_system_usm, false);
    expect_memory_of_the_host(device, false);
  }
  if (!found)
    GTEST_SKIP() << "no device has such USM";
}

TEST(gpu_foreign_memory, pointers_to_an_end_and_null_are_arguments) {
  LANEFOLD_NEED_OPENCL();
  const gpu::kernel nothing("kernel void nothing(global int* x, global int* y) { if (x != 0 && y != 0) return; }",
                            "nothing");
  for (const gpu::device& device : gpu::devices()) {
    for_each_usm_support(device, [&] {
      lf::queue q(device);
      int* const x = lf::malloc_device<int>(64, q);
      int* const null = nullptr;
      for (int* const y : {null, x, null, x}) { // by turns, as each is an argument of its own kind
        q.launch(nothing, nd_range<1>(32, 8), x + 64, y).wait_and_throw();
        q.launch(nothing, nd_range<1>(32, 8), y, x).wait_and_throw();
      }
      lf::free(x, q);
    });
  }
}

TEST(gpu_foreign_memory, handles_are_no_memory_of_the_host) {
  LANEFOLD_NEED_OPENCL();
  const handles_everywhere handles;
  for (const gpu::device& device : gpu::devices()) {
    lf::queue q(device), cpu;
    gpu::queue thin(device);
    int* const x = lf::malloc_device<int>(64, q);
    int* const y = gpu::malloc_device<int>(64, thin);
    std::vector<int> numbers(64, 3);
    lf::buffer<int> b{lf::range<1>(64)};
    const std::string words = "a pointer is memory of a device (malloc_device), which the host cannot access";
    const auto expect_invalid = [&](const auto& call) { expect_refused(errc::invalid, words, call); };
    for (int* const handle : {x, x + 5, y}) {
      expect_invalid([&] { cpu.memcpy(handle, numbers.data(), 4); });
      expect_invalid([&] { cpu.memcpy(numbers.data(), handle, 4); });
      expect_invalid([&] { cpu.copy(handle, numbers.data(), 2); });
      expect_invalid([&] { cpu.fill(handle, 1, 2); });
      expect_invalid([&] { cpu.memset(handle, 0, 2); });
      expect_invalid([&] { cpu.ext_oneapi_memcpy2d(handle, 8, numbers.data(), 16, 4, 2); });
      for (lf::queue* const each : {&cpu, &q}) {
        expect_invalid([&] { each->submit([&](lf::handler& h) { h.copy(lf::accessor(b, h), handle); }); });
        expect_invalid([&] { each->submit([&](lf::handler& h) { h.copy(handle, lf::accessor(b, h)); }); });
      }
      const gpu::buffer<int> g(thin, 64);
      expect_invalid([&] { thin.copy(handle, g, 2); });
      expect_invalid([&] { thin.copy(g, handle, 2); });
    }
    // Its own device copies it, also by rows that follow each other.
    q.ext_oneapi_memcpy2d(x, 32, numbers.data(), 32, 32, 8).wait_and_throw();
    q.ext_oneapi_memset2d(x, 16, 0, 16, 2).wait_and_throw();
    std::vector<int> out(64);
    q.memcpy(out.data(), x, 64 * sizeof(int)).wait_and_throw();
    EXPECT_EQ(out[7], 0);
    EXPECT_EQ(out[8], 3);
    cpu.memcpy(x, numbers.data(), 0).wait_and_throw();
    lf::free(x, q);
    gpu::free(y, thin);
  }
}

TEST(gpu_foreign_memory, handles_of_another_device_are_not_copied) {
  LANEFOLD_NEED_OPENCL();
  if (gpu::devices().size() < 2)
    GTEST_SKIP() << "one OpenCL device only";
  const gpu::device here = gpu::devices()[0], there = gpu::devices()[1];
  for_each_usm_support(here, [&] {
    const auto usual = std::exchange(there.state().usm_way, gpu::usm_support::handles);
    lf::queue q(here), other(there);
    gpu::queue thin(here);
    int* const x = lf::malloc_device<int>(64, other);
    int* const y = lf::malloc_device<int>(64, q);
    const auto expect_foreign = [&](const auto& call) {
      expect_refused(errc::backend_mismatch, "the pointer is USM of another device", call);
    };
    expect_foreign([&] { q.memcpy(y, x, 8); });
    expect_foreign([&] { q.memcpy(x, y, 8); });
    expect_foreign([&] { q.fill(x, 1, 8); });
    expect_foreign([&] { thin.memcpy(y, x, 8); });
    expect_foreign([&] { thin.memset(x, 1, 8); });
    q.wait_and_throw();
    lf::free(x, other);
    lf::free(y, q);
    there.state().usm_way = usual;
  });
}

} // namespace
