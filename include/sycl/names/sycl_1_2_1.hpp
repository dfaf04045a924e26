// SPDX-License-Identifier: Apache-2.0
/// Names of SYCL 1.2.1 that SYCL 2020 has no more, for programs that include <CL/sycl.hpp>.
#pragma once

#if __has_include(<lanefold/execution.hpp>)
#include <lanefold/execution.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace property {
using noinit = no_init; // its name before SYCL 2020
} // namespace property
LANEFOLD_END_NAMESPACE

namespace sycl {

// The standard library's classes.
using exception_ptr_class = std::exception_ptr;
template <class Signature>
using function_class = std::function<Signature>;
template <class T>
using hash_class = std::hash<T>;
using mutex_class = std::mutex;
template <class T>
using shared_ptr_class = std::shared_ptr<T>;
using string_class = std::string;
template <class T, class Deleter = std::default_delete<T>>
using unique_ptr_class = std::unique_ptr<T, Deleter>;
template <class T, class Allocator = std::allocator<T>>
using vector_class = std::vector<T, Allocator>;
template <class T>
using weak_ptr_class = std::weak_ptr<T>;

// The classes of errors. There is one now, whose code says more: a handler for one of these gets them all.
using accessor_error = exception;
using compile_program_error = exception;
using device_error = exception;
using event_error = exception;
using feature_not_supported = exception;
using invalid_object_error = exception;
using invalid_parameter_error = exception;
using kernel_error = exception;
using link_program_error = exception;
using memory_allocation_error = exception;
using nd_range_error = exception;
using platform_error = exception;
using profiling_error = exception;
using runtime_error = exception;

using lanefold::opencl::cl_bool;
using lanefold::opencl::cl_half;

// Names that ComputeCpp and DPC++ had before SYCL 2020.
using default_allocator = buffer_allocator<char>;
using lanefold::ext::intel::device_ptr;
using lanefold::ext::intel::host_ptr;
inline const property::no_init noinit;

} // namespace sycl

#endif
