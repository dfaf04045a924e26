// SPDX-License-Identifier: Apache-2.0
/// Measures whether command buffers of OpenCL (cl_khr_command_buffer) pay for graphs: a chain of 100 kernels, enqueued
/// one by one, as one command buffer, and as one that is made anew each time, as an update of arguments needs it. In
/// plain OpenCL, for each device that has the extension: decision 059.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr int kernels = 100;
constexpr int turns = 41;
constexpr int repetitions = 5; // of a turn
const char* const source = "kernel void next(global int* x) { x[get_global_id(0)] += 1; }";

void check(cl_int status, const char* what) {
  if (status != CL_SUCCESS) {
    std::fprintf(stderr, "%s: error %d\n", what, status);
    std::exit(1);
  }
}

std::string text_of(cl_device_id device, cl_device_info what) {
  std::size_t bytes = 0;
  check(clGetDeviceInfo(device, what, 0, nullptr, &bytes), "clGetDeviceInfo");
  std::string text(bytes, '\0');
  check(clGetDeviceInfo(device, what, bytes, text.data(), nullptr), "clGetDeviceInfo");
  text.resize(bytes == 0 ? 0 : bytes - 1);
  return text;
}

struct times {
  std::vector<double> wall, processor; // microseconds a kernel
};

/// Adds a turn; the processor time is that of the calling thread.
void measure(times& to, const std::function<void()>& run) {
  const auto processor_now = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) * 1e-3;
  };
  const auto wall = std::chrono::steady_clock::now();
  const double processor = processor_now();
  for (int i = 0; i < repetitions; ++i) {
    run();
  }
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - wall;
  to.processor.push_back((processor_now() - processor) / (repetitions * kernels));
  to.wall.push_back(passed.count() / (repetitions * kernels));
}

double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(q * static_cast<double>(values.size() - 1))];
}

template <class Function>
Function function_of(cl_platform_id platform, const char* name) {
  return reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
}

/// In a queue without order each kernel names the one before.
void measure_queue(cl_platform_id platform, cl_device_id device, cl_context context, bool is_ordered,
                   std::size_t items) {
  cl_int status = CL_SUCCESS;
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES, is_ordered ? cl_queue_properties{0} : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &status);
  check(status, "clCreateCommandQueueWithProperties");
  const char* text = source;
  cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
  check(status, "clCreateProgramWithSource");
  check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
  cl_kernel kernel = clCreateKernel(program, "next", &status);
  check(status, "clCreateKernel");
  cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, items * sizeof(cl_int), nullptr, &status);
  check(status, "clCreateBuffer");
  check(clSetKernelArg(kernel, 0, sizeof(memory), &memory), "clSetKernelArg");
  const std::size_t local = 64;

  const auto enqueue = [&] {
    cl_event last = nullptr;
    for (int i = 0; i < kernels; ++i) {
      const bool waits = !is_ordered && last != nullptr;
      cl_event made = nullptr;
      check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, &local, waits ? 1 : 0, waits ? &last : nullptr,
                                   is_ordered ? nullptr : &made),
            "clEnqueueNDRangeKernel");
      if (last != nullptr) {
        clReleaseEvent(last);
      }
      last = made;
    }
    if (last != nullptr) {
      clReleaseEvent(last);
    }
    clFinish(queue);
  };

  const auto create = function_of<clCreateCommandBufferKHR_fn>(platform, "clCreateCommandBufferKHR");
  const auto add = function_of<clCommandNDRangeKernelKHR_fn>(platform, "clCommandNDRangeKernelKHR");
  const auto finalize = function_of<clFinalizeCommandBufferKHR_fn>(platform, "clFinalizeCommandBufferKHR");
  const auto start = function_of<clEnqueueCommandBufferKHR_fn>(platform, "clEnqueueCommandBufferKHR");
  const auto release = function_of<clReleaseCommandBufferKHR_fn>(platform, "clReleaseCommandBufferKHR");
  const auto make = [&] {
    cl_command_buffer_khr made = create(1, &queue, nullptr, &status);
    check(status, "clCreateCommandBufferKHR");
    cl_sync_point_khr last = 0;
    for (int i = 0; i < kernels; ++i) {
      const bool waits = !is_ordered && i != 0;
      cl_sync_point_khr point = 0;
      check(add(made, nullptr, nullptr, kernel, 1, nullptr, &items, &local, waits ? 1 : 0, waits ? &last : nullptr,
                is_ordered ? nullptr : &point, nullptr),
            "clCommandNDRangeKernelKHR");
      last = point;
    }
    check(finalize(made), "clFinalizeCommandBufferKHR");
    return made;
  };
  const auto run = [&](cl_command_buffer_khr buffer) {
    check(start(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
    clFinish(queue);
  };
  cl_command_buffer_khr kept = make();
  const std::pair<const char*, std::function<void()>> ways[] = {
      {"enqueued", enqueue}, {"command buffer", [&] { run(kept); }}, {"command buffer, made anew", [&] {
                                                                        cl_command_buffer_khr made = make();
                                                                        run(made);
                                                                        release(made);
                                                                      }}};
  times all[3];
  for (int turn = 0; turn <= turns; ++turn) {
    for (std::size_t w = 0; w < 3; ++w) {
      times first;
      measure(turn == 0 ? first : all[w], ways[w].second);
    }
  }
  for (std::size_t w = 0; w < 3; ++w) {
    std::printf("  %s, %zu work-items, %s: %.2f us a kernel (quartiles %.2f to %.2f), processor time %.2f us\n",
                is_ordered ? "in order" : "out of order", items, ways[w].first, quantile(all[w].wall, 0.5),
                quantile(all[w].wall, 0.25), quantile(all[w].wall, 0.75), quantile(all[w].processor, 0.5));
  }
  release(kept);
  clReleaseMemObject(memory);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
}

} // namespace

int main() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) {
    std::printf("there is no OpenCL platform\n");
    return 0;
  }
  std::vector<cl_platform_id> platforms(count);
  check(clGetPlatformIDs(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (const cl_platform_id platform : platforms) {
    cl_device_id device = nullptr;
    if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) {
      continue;
    }
    const bool has_buffers = text_of(device, CL_DEVICE_EXTENSIONS).find("cl_khr_command_buffer") != std::string::npos;
    std::printf("%s, driver %s%s\n", text_of(device, CL_DEVICE_NAME).c_str(),
                text_of(device, CL_DRIVER_VERSION).c_str(), has_buffers ? "" : ": no command buffers");
    if (!has_buffers) {
      continue;
    }
    cl_int status = CL_SUCCESS;
    cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    for (const bool is_ordered : {true, false}) {
      for (const std::size_t items : {std::size_t{256}, std::size_t{1} << 16}) {
        measure_queue(platform, device, context, is_ordered, items);
      }
    }
    clReleaseContext(context);
  }
}
