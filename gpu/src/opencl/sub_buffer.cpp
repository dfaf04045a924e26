// SPDX-License-Identifier: Apache-2.0
#include "sub_buffer.hpp"

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

std::size_t sub_buffer_alignment(const device_state& on) {
  return std::max<std::size_t>(on.handle.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8, 1);
}

cl::Buffer make_sub_buffer(const memory_state& of, std::size_t offset, std::size_t bytes, const char* doing,
                           errc otherwise) {
  const cl_buffer_region region{offset, bytes};
  cl_int code = CL_SUCCESS;
  cl::Buffer part(clCreateSubBuffer(of.handle(), CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code));
  check(code, doing, otherwise);
  return part;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
