// SPDX-License-Identifier: Apache-2.0
/// The name that SYCL 1.2.1 programs include: `cl::sycl` beside `sycl`, and names that SYCL 2020 has no more.
/// [sycl.4.3]
#pragma once

// Programs open `cl::sycl` again, for specialisations and names of their own, and say `namespace sycl = cl::sycl;`:
// where `cl` is inline, g++ takes both, and `cl::sycl` and `sycl` are one namespace. Clang refuses the second; other
// declarations of a namespace `cl`, such as those of OpenCL's bindings for C++, must come later.
#if defined(__GNUC__) && !defined(__clang__) && !defined(LANEFOLD_DETAIL_NAMESPACE_SYCL) && !defined(CL_HPP_)
#define LANEFOLD_DETAIL_INLINE_CL 1
inline namespace cl {
namespace sycl {} // namespace sycl
} // namespace cl
#endif

#include <sycl/sycl.hpp>

#include <lanefold/detail/macros_of_programs_begin.hpp>

#if !defined(LANEFOLD_DETAIL_INLINE_CL)
namespace cl {
namespace sycl = ::sycl;
} // namespace cl
#endif

#include <sycl/names/oneapi_before_2020.hpp>
#include <sycl/names/program_1_2_1.hpp>
#include <sycl/names/sycl_1_2_1.hpp>

#include <lanefold/detail/macros_of_programs_end.hpp>
