// SPDX-License-Identifier: Apache-2.0
/// The name by which Intel's headers for migrated programs (syclcompat) include what they use of their own compiler.
#pragma once

#include <sycl/sycl.hpp>

/// Inlines the function in all its callers.
#define __SYCL_ALWAYS_INLINE LANEFOLD_ALWAYS_INLINE
/// Says on std::cerr which exception a destructor caught.
#define __SYCL_REPORT_EXCEPTION_TO_STREAM(where, exception) (std::cerr << (where) << ": " << (exception).what() << '\n')

namespace sycl::detail {
/// The name of kernels that have none.
using auto_name = lanefold::detail::unnamed;
} // namespace sycl::detail
