// SPDX-License-Identifier: Apache-2.0
/// Serves plain SYCL 2020 programs: `namespace sycl` has SYCL's names for what Lanefold declares. See docs/sycl.md for
/// what is there.
#pragma once

/// All kernels are work-item kernels, those with an `auto` parameter, too, unless a launch asks for a strategy. Other
/// source files of the program may include <lanefold/lanefold.hpp> instead, and launch the same kernels in their way.
#define LANEFOLD_PLAIN_SYCL 1

#include <lanefold/detail/macros_of_programs_begin.hpp>

// Not <lanefold/gpu.hpp>: namespace sycl names nothing of it, and its devices are there without it. It is 0.22e9 of the
// 7.60e9 instructions that g++ 12 needs for a program of one kernel.
#include <lanefold/detail/host_modules.hpp>

// Programs rely on what other implementations' headers include.
#include <algorithm>
#include <array>
#include <atomic>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>
// libstdc++'s <mutex> brings clocks and durations. The rest of <chrono> took 0.37 of 1.0 s that g++ 14 needs for all of
// these headers.
#if !defined(__GLIBCXX__)
#include <chrono>
#endif

/// `assert` in kernels names the work-item. LANEFOLD_PLAIN_ASSERT leaves it as it is, for programs whose other headers
/// declare the C library's __assert_fail again.
#if !defined(LANEFOLD_PLAIN_ASSERT) && __has_include(<lanefold/execution/detail/kernel_assert.hpp>)
#include <lanefold/execution/detail/kernel_assert.hpp>
#endif

/// The version of the specification [sycl.5.6].
#define SYCL_LANGUAGE_VERSION 202012L
/// Types for which is_device_copyable is specialised may be shared with kernels [sycl.3.13.1].
#define SYCL_DEVICE_COPYABLE 1
/// Functions of other source files need no mark to be called in kernels.
#define SYCL_EXTERNAL

/// Extensions, see docs/sycl.md.
#define SYCL_KHR_DEFAULT_CONTEXT 1
#define SYCL_KHR_FREE_FUNCTION_COMMANDS 1
#define SYCL_KHR_GROUP_INTERFACE 1
#define SYCL_KHR_MAX_WORK_GROUP_QUERIES 1
#define SYCL_KHR_QUEUE_EMPTY_QUERY 1
#define SYCL_KHR_QUEUE_FLUSH 1
#define SYCL_KHR_STATIC_ADDRSPACE_CAST 1
#define SYCL_KHR_WORK_ITEM_QUERIES 1
#define SYCL_EXT_INTEL_USM_ADDRESS_SPACES 2
#define SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS 1
#define SYCL_EXT_ONEAPI_COMPLEX_ALGORITHMS 1
#define SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE 1
#define SYCL_EXT_ONEAPI_DEVICE_GLOBAL 1
#define SYCL_EXT_ONEAPI_DOT_ACCUMULATE 1
#define SYCL_EXT_ONEAPI_ENQUEUE_BARRIER 1
#define SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS 1
#define SYCL_EXT_ONEAPI_FREE_FUNCTION_QUERIES 1
#define SYCL_EXT_ONEAPI_GROUP_SORT 1
#define SYCL_EXT_ONEAPI_LOCAL_MEMORY 1
#define SYCL_EXT_ONEAPI_MEMCPY2D 1
#define SYCL_EXT_ONEAPI_NATIVE_MATH 1
#define SYCL_EXT_ONEAPI_PEER_ACCESS 1
#define SYCL_EXT_ONEAPI_QUEUE_PRIORITY 1
#define SYCL_EXT_ONEAPI_SUB_GROUP_MASK 1
#define SYCL_EXT_ONEAPI_USER_DEFINED_REDUCTIONS 1
#define SYCL_EXT_ONEAPI_WORK_GROUP_MEMORY 1
#define SYCL_EXT_ONEAPI_WORK_GROUP_SCRATCH_MEMORY 1

// Namespace sycl has SYCL's names and no others, so that `using namespace sycl` brings none of Lanefold's own: those of
// the modules that the program sees.
namespace sycl {} // namespace sycl
#include <sycl/names/data.hpp>
#include <sycl/names/functions.hpp>
#include <sycl/names/group_algorithms.hpp>
#include <sycl/names/oneapi.hpp>
#include <sycl/names/platform.hpp>
#include <sycl/names/scoped.hpp>

#include <lanefold/detail/macros_of_programs_end.hpp>
