// SPDX-License-Identifier: Apache-2.0
/// The name that SYCL 1.2.1 programs include: `cl::sycl` beside `sycl`, and names that SYCL 2020 has no more.
/// [sycl.4.3]
#pragma once

#include <sycl/sycl.hpp>

#include <lanefold/detail/macros_of_programs_begin.hpp>

namespace cl {
namespace sycl = ::sycl;
} // namespace cl

#include <sycl/names/oneapi_before_2020.hpp>
#include <sycl/names/program_1_2_1.hpp>
#include <sycl/names/sycl_1_2_1.hpp>

#include <lanefold/detail/macros_of_programs_end.hpp>
