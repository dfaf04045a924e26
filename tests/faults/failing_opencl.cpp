// SPDX-License-Identifier: Apache-2.0
#include "failing_opencl.hpp"

#include <CL/cl.h>

#include <atomic>

#include <dlfcn.h>

namespace {

constinit std::atomic<bool> counts{false};
constinit std::atomic<std::size_t> left{0};
constinit std::atomic<const char*> failed{nullptr};

bool fails(const char* function) noexcept {
  if (!counts || failed != nullptr || left.fetch_sub(1) != 0) {
    return false;
  }
  failed = function;
  return true;
}

/// The function of libOpenCL.
template <class Function>
Function* next(Function*, const char* name) noexcept {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace

namespace failing_opencl {

void begin(std::size_t n) noexcept {
  left = n;
  failed = nullptr;
  counts = true;
}

bool end() noexcept {
  counts = false;
  return failed != nullptr;
}

std::string failed_function() {
  const char* const name = failed;
  return name != nullptr ? name : "";
}

} // namespace failing_opencl

// Functions that return a code, and those that make something.
#define RETURNS_CODE(name, parameters, arguments)                                                                      \
  extern "C" CL_API_ENTRY cl_int CL_API_CALL name parameters {                                                         \
    static auto* const real = next(&name, #name);                                                                      \
    return fails(#name) ? CL_OUT_OF_RESOURCES : real arguments;                                                        \
  }
#define MAKES(type, name, parameters, arguments, code)                                                                 \
  extern "C" CL_API_ENTRY type CL_API_CALL name parameters {                                                           \
    static auto* const real = next(&name, #name);                                                                      \
    if (!fails(#name)) {                                                                                               \
      return real arguments;                                                                                           \
    }                                                                                                                  \
    if ((code) != nullptr) {                                                                                           \
      *(code) = CL_OUT_OF_RESOURCES;                                                                                   \
    }                                                                                                                  \
    return nullptr;                                                                                                    \
  }

RETURNS_CODE(clFinish, (cl_command_queue a), (a))
RETURNS_CODE(clFlush, (cl_command_queue a), (a))
RETURNS_CODE(clWaitForEvents, (cl_uint a, const cl_event* b), (a, b))
RETURNS_CODE(clBuildProgram,
             (cl_program a, cl_uint b, const cl_device_id* c, const char* d, void(CL_CALLBACK* e)(cl_program, void*),
              void* f),
             (a, b, c, d, e, f))
RETURNS_CODE(clSetKernelArg, (cl_kernel a, cl_uint b, size_t c, const void* d), (a, b, c, d))
RETURNS_CODE(clSetKernelArgSVMPointer, (cl_kernel a, cl_uint b, const void* c), (a, b, c))
RETURNS_CODE(clSetEventCallback, (cl_event a, cl_int b, void(CL_CALLBACK* c)(cl_event, cl_int, void*), void* d),
             (a, b, c, d))
RETURNS_CODE(clGetCommandQueueInfo, (cl_command_queue a, cl_command_queue_info b, size_t c, void* d, size_t* e),
             (a, b, c, d, e))
RETURNS_CODE(clGetDeviceInfo, (cl_device_id a, cl_device_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))
RETURNS_CODE(clGetEventInfo, (cl_event a, cl_event_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))
RETURNS_CODE(clGetEventProfilingInfo, (cl_event a, cl_profiling_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))
RETURNS_CODE(clGetKernelInfo, (cl_kernel a, cl_kernel_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))
RETURNS_CODE(clGetKernelWorkGroupInfo,
             (cl_kernel a, cl_device_id b, cl_kernel_work_group_info c, size_t d, void* e, size_t* f),
             (a, b, c, d, e, f))
RETURNS_CODE(clGetProgramInfo, (cl_program a, cl_program_info b, size_t c, void* d, size_t* e), (a, b, c, d, e))
RETURNS_CODE(clGetProgramBuildInfo,
             (cl_program a, cl_device_id b, cl_program_build_info c, size_t d, void* e, size_t* f), (a, b, c, d, e, f))
RETURNS_CODE(clEnqueueBarrierWithWaitList, (cl_command_queue a, cl_uint b, const cl_event* c, cl_event* d),
             (a, b, c, d))
RETURNS_CODE(clEnqueueMarkerWithWaitList, (cl_command_queue a, cl_uint b, const cl_event* c, cl_event* d), (a, b, c, d))
RETURNS_CODE(clEnqueueCopyBuffer,
             (cl_command_queue a, cl_mem b, cl_mem c, size_t d, size_t e, size_t f, cl_uint g, const cl_event* h,
              cl_event* i),
             (a, b, c, d, e, f, g, h, i))
RETURNS_CODE(clEnqueueFillBuffer,
             (cl_command_queue a, cl_mem b, const void* c, size_t d, size_t e, size_t f, cl_uint g, const cl_event* h,
              cl_event* i),
             (a, b, c, d, e, f, g, h, i))
RETURNS_CODE(clEnqueueReadBuffer,
             (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, void* f, cl_uint g, const cl_event* h,
              cl_event* i),
             (a, b, c, d, e, f, g, h, i))
RETURNS_CODE(clEnqueueWriteBuffer,
             (cl_command_queue a, cl_mem b, cl_bool c, size_t d, size_t e, const void* f, cl_uint g, const cl_event* h,
              cl_event* i),
             (a, b, c, d, e, f, g, h, i))
RETURNS_CODE(clEnqueueSVMMemFill,
             (cl_command_queue a, void* b, const void* c, size_t d, size_t e, cl_uint g, const cl_event* h,
              cl_event* i),
             (a, b, c, d, e, g, h, i))
RETURNS_CODE(clEnqueueSVMMemcpy,
             (cl_command_queue a, cl_bool b, void* c, const void* d, size_t e, cl_uint g, const cl_event* h,
              cl_event* i),
             (a, b, c, d, e, g, h, i))
RETURNS_CODE(clEnqueueNDRangeKernel,
             (cl_command_queue a, cl_kernel b, cl_uint c, const size_t* d, const size_t* e, const size_t* f, cl_uint g,
              const cl_event* h, cl_event* i),
             (a, b, c, d, e, f, g, h, i))

MAKES(cl_mem, clCreateBuffer, (cl_context a, cl_mem_flags b, size_t c, void* d, cl_int* e), (a, b, c, d, e), e)
MAKES(cl_mem, clCreateSubBuffer, (cl_mem a, cl_mem_flags b, cl_buffer_create_type c, const void* d, cl_int* e),
      (a, b, c, d, e), e)
MAKES(cl_command_queue, clCreateCommandQueueWithProperties,
      (cl_context a, cl_device_id b, const cl_queue_properties* c, cl_int* d), (a, b, c, d), d)
MAKES(cl_kernel, clCreateKernel, (cl_program a, const char* b, cl_int* c), (a, b, c), c)
MAKES(cl_program, clCreateProgramWithSource, (cl_context a, cl_uint b, const char** c, const size_t* d, cl_int* e),
      (a, b, c, d, e), e)
MAKES(cl_program, clCreateProgramWithBinary,
      (cl_context a, cl_uint b, const cl_device_id* c, const size_t* d, const unsigned char** e, cl_int* f, cl_int* g),
      (a, b, c, d, e, f, g), g)
MAKES(cl_context, clCreateContext,
      (const cl_context_properties* a, cl_uint b, const cl_device_id* c,
       void(CL_CALLBACK* d)(const char*, const void*, size_t, void*), void* e, cl_int* f),
      (a, b, c, d, e, f), f)

extern "C" CL_API_ENTRY void* CL_API_CALL clSVMAlloc(cl_context a, cl_svm_mem_flags b, size_t c, cl_uint d) {
  static auto* const real = next(&clSVMAlloc, "clSVMAlloc");
  return fails("clSVMAlloc") ? nullptr : real(a, b, c, d);
}
