// SPDX-License-Identifier: Apache-2.0
#include "opencl.hpp"

#include <map>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

// NVIDIA's driver reports this code once a kernel has accessed memory that is not there.
constexpr cl_int nvidia_illegal_access = -9999;
constexpr cl_int no_platform = -1001;

const std::map<cl_int, const char*>& names() {
  static const std::map<cl_int, const char*> all = {
      {-1, "CL_DEVICE_NOT_FOUND"},
      {-2, "CL_DEVICE_NOT_AVAILABLE"},
      {-3, "CL_COMPILER_NOT_AVAILABLE"},
      {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
      {-5, "CL_OUT_OF_RESOURCES"},
      {-6, "CL_OUT_OF_HOST_MEMORY"},
      {-7, "CL_PROFILING_INFO_NOT_AVAILABLE"},
      {-8, "CL_MEM_COPY_OVERLAP"},
      {-11, "CL_BUILD_PROGRAM_FAILURE"},
      {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
      {-30, "CL_INVALID_VALUE"},
      {-34, "CL_INVALID_CONTEXT"},
      {-36, "CL_INVALID_COMMAND_QUEUE"},
      {-38, "CL_INVALID_MEM_OBJECT"},
      {-42, "CL_INVALID_BINARY"},
      {-43, "CL_INVALID_BUILD_OPTIONS"},
      {-44, "CL_INVALID_PROGRAM"},
      {-45, "CL_INVALID_PROGRAM_EXECUTABLE"},
      {-46, "CL_INVALID_KERNEL_NAME"},
      {-48, "CL_INVALID_KERNEL"},
      {-49, "CL_INVALID_ARG_INDEX"},
      {-50, "CL_INVALID_ARG_VALUE"},
      {-51, "CL_INVALID_ARG_SIZE"},
      {-52, "CL_INVALID_KERNEL_ARGS"},
      {-54, "CL_INVALID_WORK_GROUP_SIZE"},
      {-55, "CL_INVALID_WORK_ITEM_SIZE"},
      {-56, "CL_INVALID_GLOBAL_OFFSET"},
      {-57, "CL_INVALID_EVENT_WAIT_LIST"},
      {-58, "CL_INVALID_EVENT"},
      {-59, "CL_INVALID_OPERATION"},
      {-61, "CL_INVALID_BUFFER_SIZE"},
      {-63, "CL_INVALID_GLOBAL_WORK_SIZE"},
      {no_platform, "no OpenCL platform is installed"},
      {nvidia_illegal_access, "illegal memory access"},
  };
  return all;
}

errc class_of(cl_int code, errc otherwise) {
  switch (code) {
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
  case CL_OUT_OF_RESOURCES:
  case CL_OUT_OF_HOST_MEMORY:
  case CL_INVALID_BUFFER_SIZE: return errc::memory_allocation;
  case CL_INVALID_WORK_GROUP_SIZE:
  case CL_INVALID_WORK_ITEM_SIZE:
  case CL_INVALID_GLOBAL_WORK_SIZE:
  case CL_INVALID_GLOBAL_OFFSET: return errc::nd_range;
  case CL_DEVICE_NOT_AVAILABLE:
  case CL_INVALID_CONTEXT:
  case CL_INVALID_COMMAND_QUEUE:
  case no_platform: return errc::platform;
  case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST:
  case nvidia_illegal_access: return errc::kernel;
  case CL_PROFILING_INFO_NOT_AVAILABLE: return errc::profiling;
  default: return otherwise;
  }
}

/// Says what a code means beyond its name.
const char* hint_for(cl_int code) {
  switch (code) {
  case CL_DEVICE_NOT_AVAILABLE:
  case CL_INVALID_CONTEXT:
  case CL_INVALID_COMMAND_QUEUE:
    return " (the device or its context was lost, perhaps by a failed kernel; this process cannot use it any more)";
  case CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST: return " (a command that this one depends on failed)";
  case nvidia_illegal_access: return " (a kernel accessed memory that is not there; the context is lost)";
  default: return "";
  }
}

} // namespace

std::string opencl_error_name(cl_int code) {
  const auto found = names().find(code);
  return found == names().end() ? "OpenCL error " + std::to_string(code) : found->second;
}

void raise(cl_int code, const std::string& doing, errc otherwise) {
  throw exception(make_error_code(class_of(code, otherwise)), doing + ": " + opencl_error_name(code) + hint_for(code));
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
