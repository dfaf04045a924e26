// SPDX-License-Identifier: Apache-2.0
// Measures what a launch costs beside plain OpenCL, and how soon a second process has its program.
#include "sides.hpp"

#include <lanefold/execution/command_graph.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/gpu/command.hpp>
#include <lanefold/recorded.hpp>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace lanefold_gpu_benchmarks {
namespace {

constexpr const char* empty_source = "kernel void empty(uint unused) {}\n";
constexpr const char* sum_source = "kernel void sum(global float* a, global float* b, global float* c, global float* d,"
                                   "                global float* e) {\n"
                                   "  const size_t i = get_global_id(0);\n"
                                   "  a[i] = b[i] + c[i] + d[i] + e[i];\n"
                                   "}\n";
constexpr std::size_t sum_items = 64;
constexpr std::size_t groups = 1024, group = 256;

/// The first device of that name, with nothing between it and OpenCL.
class plain_opencl {
public:
  explicit plain_opencl(const std::string& name) {
    std::array<cl_platform_id, 16> platforms;
    cl_uint count = 0;
    clGetPlatformIDs(16, platforms.data(), &count);
    for (cl_uint p = 0; p < count && m_kernel == nullptr; ++p)
      try_platform(platforms[p], name);
  }
  bool is_there() const { return m_kernel != nullptr; }

  /// Returns whether the device has SVM.
  bool has_svm() const { return m_memory[0] != nullptr; }
  /// Seconds for launches with five pointers to SVM, one behind the other, and the wait for them.
  double launch_with_svm(int count) const {
    const std::size_t global = sum_items, local = sum_items;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
      for (cl_uint k = 0; k < 5; ++k)
        clSetKernelArgSVMPointer(m_sum, k, m_memory[k]);
      clEnqueueNDRangeKernel(m_queue, m_sum, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    }
    clFinish(m_queue);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Seconds for launches one behind the other, and the wait for them.
  double launch(int count) const {
    const cl_uint nothing = 0;
    const std::size_t global = groups * group, local = group;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) {
      clSetKernelArg(m_kernel, 0, sizeof(nothing), &nothing);
      clEnqueueNDRangeKernel(m_queue, m_kernel, 1, nullptr, &global, &local, 0, nullptr, nullptr);
    }
    clFinish(m_queue);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

private:
  void try_platform(cl_platform_id platform, const std::string& name) {
    std::array<cl_device_id, 16> devices;
    cl_uint count = 0;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 16, devices.data(), &count) != CL_SUCCESS)
      return;
    for (cl_uint d = 0; d < count; ++d) {
      std::array<char, 512> text{};
      clGetDeviceInfo(devices[d], CL_DEVICE_NAME, text.size(), text.data(), nullptr);
      if (name == text.data())
        return make(devices[d]);
    }
  }
  void make(cl_device_id device) {
    const cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    m_queue = clCreateCommandQueueWithProperties(context, device, nullptr, nullptr);
    const std::array<const char*, 2> sources = {empty_source, sum_source};
    const cl_program program =
        clCreateProgramWithSource(context, 2, const_cast<const char**>(sources.data()), nullptr, nullptr);
    clBuildProgram(program, 1, &device, "", nullptr, nullptr);
    m_kernel = clCreateKernel(program, "empty", nullptr);
    m_sum = clCreateKernel(program, "sum", nullptr);
    cl_device_svm_capabilities svm = 0;
    clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(svm), &svm, nullptr);
    if ((svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER) == 0)
      return;
    const float zero = 0;
    for (void*& memory : m_memory) {
      memory = clSVMAlloc(context, CL_MEM_READ_WRITE, sum_items * sizeof(float), 0);
      clEnqueueSVMMemFill(m_queue, memory, &zero, sizeof(zero), sum_items * sizeof(float), 0, nullptr, nullptr);
    }
    clFinish(m_queue);
  }

  cl_command_queue m_queue = nullptr;
  cl_kernel m_kernel = nullptr;
  cl_kernel m_sum = nullptr;
  std::array<void*, 5> m_memory{};
};

/// Makes a kernel as large as programs are: it reduces and scans.
gpu::kernel cached_kernel() {
  gpu::build_options options;
  options.work_group = {256, 1, 1};
  return {"kernel void cached(global const float* in, global float* out) {\n"
          "  LANEFOLD_SCRATCH(s);\n"
          "  const uint i = get_global_id(0);\n"
          "  const float sum = lf_reduce_plus_float(in[i], &s);\n"
          "  out[i] = lf_inclusive_scan_plus_float(in[i] / sum, &s) + lf_reduce_maximum_int((int)in[i], &s);\n"
          "}\n",
          "cached", options};
}

/// Launches of an empty kernel, one behind the other, and the wait for them.
template <class Queue>
double launch(Queue& q, const gpu::kernel& k, int count) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < count; ++i)
    q.launch(k, lanefold::nd_range<1>(groups * group, group), 0u);
  q.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Compares `count` launches and a wait, whose seconds `run` returns, with the same in plain OpenCL. In turns of many:
/// changing between two contexts costs more than a launch.
template <class Run, class Plain>
void compare_runs(const char* name, int count, const Run& run, const Plain& plain) {
  std::vector<double> mine, theirs;
  for (int turn = 0; turn < 20; ++turn) {
    for (int i = 0; i < 150 / count + 3; ++i)
      if (const double t = run(); i >= 50 / count + 1)
        mine.push_back(t / count);
    for (int i = 0; i < 150 / count + 3; ++i)
      if (const double t = plain(count); i >= 50 / count + 1)
        theirs.push_back(t / count);
  }
  note(std::string(name) + ": " + std::to_string(median(mine) * 1e6) + " us a launch, plain OpenCL " +
       std::to_string(median(theirs) * 1e6) + " us");
  say(name, median(mine) / median(theirs));
}

template <class Queue>
void compare_launches(const char* name, Queue& q, const plain_opencl& plain, int count) {
  const gpu::kernel k(empty_source, "empty");
  compare_runs(name, count, [&] { return launch(q, k, count); }, [&](int n) { return plain.launch(n); });
}

/// The launches are a graph, which was recorded once.
void compare_graph(const char* name, lanefold::queue& q, const plain_opencl& plain, int count) {
  const gpu::kernel k(empty_source, "empty");
  lanefold::graph::command_graph g(q);
  g.begin_recording(q);
  for (int i = 0; i < count; ++i)
    q.launch(k, lanefold::nd_range<1>(groups * group, group), 0u);
  g.end_recording();
  const auto recorded = g.finalize();
  const auto run = [&] {
    const auto begin = std::chrono::steady_clock::now();
    q.ext_oneapi_graph(recorded).wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  compare_runs(name, count, run, [&](int n) { return plain.launch(n); });
}

/// Compares launches of a recorded kernel that has captured five pointers to USM with plain OpenCL and SVM.
void compare_usm(const char* name, lanefold::queue& q, const plain_opencl& plain, int count) {
  if (!plain.has_svm() || !q.get_device().has(lanefold::aspect::usm_device_allocations))
    return say_skipped(name, "the device has no SVM");
  std::array<float*, 5> memory{};
  for (float*& m : memory) {
    m = lanefold::malloc_device<float>(sum_items, q);
    q.fill(m, 0.F, sum_items);
  }
  q.wait();
  using view = lanefold::view<float>;
  const view a(memory[0], sum_items), b(memory[1], sum_items), c(memory[2], sum_items), d(memory[3], sum_items),
      e(memory[4], sum_items);
  const auto run = [&] {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i)
      q.parallel_for(lanefold::nd_range<1>(sum_items, sum_items), [=](auto it) {
        const auto k = it.get_global_id(0);
        a[k] = b[k] + c[k] + d[k] + e[k];
      });
    q.wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  compare_runs(name, count, run, [&](int n) { return plain.launch_with_svm(n); });
  for (float* const m : memory)
    lanefold::free(m, q);
}

} // namespace

void measure_launch(const gpu::queue& given) {
  const plain_opencl plain(given.get_device().get_name());
  if (!plain.is_there())
    return say_skipped("launch/opencl", "the device is not found again");
  gpu::queue thin = given;
  lanefold::queue q(given.get_device(), lanefold::property::queue::in_order());
  compare_launches("launch/opencl", thin, plain, 1);
  compare_launches("launch/queue", q, plain, 1);
  compare_launches("launch/chain", q, plain, 100);
  compare_graph("launch/graph", q, plain, 100);
  compare_usm("launch/usm", q, plain, 100);
}

void start_with_cache() {
  gpu::queue q(gpu::default_selector_v);
  // The context is made by whatever comes first.
  const gpu::buffer<int> first(q, 1);
  const int number = 1;
  q.copy(&number, first, 1).wait();
  const gpu::kernel k = cached_kernel();
  const auto begin = std::chrono::steady_clock::now();
  q.build(k);
  std::printf("%g\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() * 1e3);
}

void measure_cache(const char* self) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("lanefold-cache-" + std::to_string(std::rand()));
  setenv("LANEFOLD_CACHE_DIR", folder.c_str(), 1);
  std::vector<double> starts;
  for (int i = 0; i < 4; ++i) {
    std::FILE* const child = popen(std::string("'").append(self).append("' --start-with-cache").c_str(), "r");
    double milliseconds = NAN;
    if (child == nullptr || std::fscanf(child, "%lf", &milliseconds) != 1)
      milliseconds = NAN;
    if (child != nullptr)
      pclose(child);
    starts.push_back(milliseconds);
  }
  std::filesystem::remove_all(folder);
  unsetenv("LANEFOLD_CACHE_DIR");
  note("program ready: first process " + std::to_string(starts[0]) + " ms");
  say("cache/second_process_ms", median({starts[1], starts[2], starts[3]}));
}

} // namespace lanefold_gpu_benchmarks
