// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include "launch_space.hpp"
#include "opencl_types.hpp"
#include "sub_buffer.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {
namespace {

using kind = kernel_argument::kind;
using address_space = kernel_parameter::space;

const char* given_as(kind what) {
  switch (what) {
  case kind::value: return "a value";
  case kind::memory: return "a gpu::buffer";
  case kind::pointer: return "a USM pointer";
  case kind::local: return "a gpu::local";
  }
  return "";
}

bool fits_place(kind what, address_space where, bool takes_addresses) {
  switch (where) {
  case address_space::value: return what == kind::value || (what == kind::pointer && takes_addresses);
  case address_space::global: return what == kind::memory || what == kind::pointer;
  case address_space::local: return what == kind::local;
  case address_space::other: return false;
  case address_space::unknown: return true;
  }
  return false;
}

/// Types of the source that are not OpenCL C's own are not known here.
bool fits_type(const kernel_argument& given, const kernel_parameter& parameter) {
  const std::string& wanted = parameter.type;
  if (parameter.where == address_space::unknown)
    return true;
  if (given.what == kind::pointer && parameter.where == address_space::value)
    return wanted == "ulong";
  if (given.type == wanted)
    return true;
  if (given.what == kind::value && parameter.bytes != 0)
    return given.bytes == parameter.bytes;
  const std::optional<opencl_type> type = find_opencl_type(wanted);
  if (!type || given.element_bytes == 0)
    return true;
  if (given.type.empty())
    return given.element_bytes == type->bytes();
  // An array of scalars may be read as vectors; the 16 bits of a half may be passed as an integer.
  const bool is_component = type->component == given.type || (type->component == "half" && given.element_bytes == 2);
  return is_component && (given.what != kind::value || type->width == 1);
}

std::string describe(const kernel_argument& given) {
  const std::string type =
      given.type.empty() ? "a class of " + std::to_string(given.element_bytes) + " bytes" : std::string(given.type);
  return std::string(given_as(given.what)) + (given.what == kind::value ? ", " : " of ") + type;
}

void check_argument(const device_state& on, const kernel_state& kernel, const built_kernel& built, std::size_t index,
                    const kernel_argument& given) {
  const kernel_parameter& wanted = built.parameters[index];
  if (fits_place(given.what, wanted.where, on.takes_addresses()) && fits_type(given, wanted))
    return;
  const std::string size = wanted.bytes == 0 ? "" : " of " + std::to_string(wanted.bytes) + " bytes";
  const char* const place = wanted.where == address_space::global  ? "global "
                            : wanted.where == address_space::local ? "local "
                                                                   : "";
  const char* const star = wanted.where == address_space::global || wanted.where == address_space::local ? "*" : "";
  throw exception(make_error_code(errc::kernel_argument), place_of(kernel, built, index) + ": " + place + wanted.type +
                                                              star + size + " is wanted, " + describe(given) +
                                                              " is given");
}

/// The buffer that a handle stands for; into the middle: a sub-buffer.
cl::Buffer buffer_behind(const device& on, const void* pointer, std::size_t index) {
  if (pointer == nullptr)
    return {};
  const auto refuse = [&](const std::string& what) {
    throw exception(make_error_code(errc::kernel_argument), "argument " + std::to_string(index) + ": " + what);
  };
  const usm_place place = place_of(on.state(), pointer);
  if (!place.memory)
    refuse("the pointer is of no live USM allocation of the device");
  const std::size_t bytes = place.memory->bytes - place.offset;
  if (bytes == 0) // an end, which nobody follows
    return {};
  if (place.offset == 0)
    return place.memory->handle;
  const std::size_t alignment = sub_buffer_alignment(on.state());
  if (place.offset % alignment != 0)
    refuse("the pointer is " + std::to_string(place.offset) +
           " bytes into an allocation; on this device, which has no " +
           "USM but handles, kernels take pointers to multiples of " + std::to_string(alignment) +
           " bytes (pass the whole and an index)");
  return make_sub_buffer(*place.memory, place.offset, bytes,
                         "making a buffer for a pointer into the middle of an allocation", errc::kernel_argument);
}

void check_arguments(const device& on, const kernel_state& kernel, const built_kernel& built,
                     const argument_list& arguments) {
  const std::size_t count = arguments.size();
  if (count != built.parameters.size())
    throw exception(make_error_code(errc::kernel_argument), "kernel '" + kernel.title() + "' takes " +
                                                                std::to_string(built.parameters.size()) +
                                                                " arguments, " + std::to_string(count) + " are given");
  std::size_t local_bytes = built.local_bytes;
  for (std::size_t i = 0; i < count; ++i) {
    check_argument(on.state(), kernel, built, i, arguments[i]);
    const memory_state* const memory = arguments[i].memory; // null: a buffer that is brought to the device
    if (memory != nullptr && memory->device.get() != &on.state())
      throw exception(make_error_code(errc::backend_mismatch),
                      place_of(kernel, built, i) + ": the gpu::buffer is of another device");
    if (arguments[i].what == kind::pointer)
      check_reached(on.state(), arguments[i].data, [&] { return place_of(kernel, built, i); });
    if (arguments[i].what == kind::local)
      local_bytes += std::min(arguments[i].bytes, std::numeric_limits<std::size_t>::max() - local_bytes);
  }
  if (local_bytes > on.local_memory_bytes()) // some drivers end the process there
    throw exception(make_error_code(errc::memory_allocation),
                    "kernel '" + kernel.title() + "' needs " + std::to_string(local_bytes) +
                        " bytes of local memory; the device has " + std::to_string(on.local_memory_bytes()));
}

} // namespace

std::string place_of(const kernel_state& kernel, const built_kernel& built, std::size_t index) {
  const std::string& name = built.parameters[index].name;
  return "kernel '" + kernel.title() + "', argument " + std::to_string(index) +
         (name.empty() ? "" : " ('" + name + "')");
}

built_kernel& checked_kernel(const device& on, kernel_state& kernel, const launch_space& space,
                             const argument_list& arguments) {
  built_kernel& built = kernel.on(on);
  check_arguments(on, kernel, built, arguments);
  check_space(on, kernel, built, space);
  return built;
}

prepared_kernel set_arguments(const device& on, const kernel_state& what, built_kernel& built,
                              const argument_list& arguments) {
  const std::size_t count = arguments.size();
  const device_state& state = on.state();
  const bool handles = state.usm_way == usm_support::handles;
  const auto is_address = [&](std::size_t i) { return built.parameters[i].where == address_space::value; };
  const auto is_set_as_pointer = [&](std::size_t i) {
    // NVIDIA's driver takes null for a pointer to SVM, and refuses the launch then: there it is a buffer that is none.
    return arguments[i].what == kind::pointer && !handles && !is_address(i) &&
           (arguments[i].data != nullptr || state.usm_way == usm_support::intel);
  };
  std::vector<bool>& pointers = built.pointers;
  pointers.clear();
  for (std::size_t i = 0; i < count; ++i) {
    if (is_set_as_pointer(i)) {
      pointers.resize(count);
      pointers[i] = true;
    }
  }
  prepared_kernel made{built.object_for(pointers), {}};
  const cl_kernel kernel = made.object.handle();
  for (std::size_t i = 0; i < count; ++i) {
    const kernel_argument& a = arguments[i];
    const auto index = static_cast<cl_uint>(i);
    cl_int code = CL_SUCCESS;
    switch (a.what) {
    case kind::value: code = made.object.set_value(i, a.data, a.bytes); break;
    case kind::local: code = made.object.set_local(i, a.bytes == 0 ? 1 : a.bytes); break;
    case kind::memory: code = made.object.set_memory(i, *a.memory); break;
    case kind::pointer:
      if (is_address(i)) {
        code = made.object.set_value(i, &a.data, sizeof(a.data));
      } else if (handles) {
        made.held.push_back(buffer_behind(on, a.data, i));
        code = made.object.set_memory(i, made.held.back()());
      } else if (!is_set_as_pointer(i)) {
        code = made.object.set_memory(i, cl_mem{});
      } else {
        code = state.usm_way == usm_support::intel ? state.usm.set_argument(kernel, index, a.data)
                                                   : clSetKernelArgSVMPointer(kernel, index, a.data);
      }
      break;
    }
    if (code != CL_SUCCESS)
      raise(code, "setting " + place_of(what, built, i), errc::kernel_argument);
  }
  return made;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
