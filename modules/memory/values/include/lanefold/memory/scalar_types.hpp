// SPDX-License-Identifier: Apache-2.0
/// Names of scalar types, and the bits of one type as another. [sycl.4.14.1], [sycl.4.17.10]
#pragma once

#include <lanefold/memory/half.hpp>
#include <lanefold/memory/vec.hpp>

#include <bit>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE

/// Returns an object of type To with the bits of `from`: both trivially copyable and of the same size.
using std::bit_cast;

/// The byte of SYCL 1.2.1: a number (unlike std::byte).
using byte = std::uint8_t;

// The names of SYCL 1.2.1 for OpenCL's types, which programs for backends without OpenCL use, too. (cl_bool and cl_half
// are in namespace opencl only: OpenCL's own types of these names are others.)
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_float = float;
using cl_double = double;

#define LANEFOLD_DETAIL_CL_VECTORS(name)                                                                               \
  using name##2 = vec<name, 2>;                                                                                        \
  using name##3 = vec<name, 3>;                                                                                        \
  using name##4 = vec<name, 4>;                                                                                        \
  using name##8 = vec<name, 8>;                                                                                        \
  using name##16 = vec<name, 16>;
LANEFOLD_DETAIL_CL_VECTORS(cl_char)
LANEFOLD_DETAIL_CL_VECTORS(cl_uchar)
LANEFOLD_DETAIL_CL_VECTORS(cl_short)
LANEFOLD_DETAIL_CL_VECTORS(cl_ushort)
LANEFOLD_DETAIL_CL_VECTORS(cl_int)
LANEFOLD_DETAIL_CL_VECTORS(cl_uint)
LANEFOLD_DETAIL_CL_VECTORS(cl_long)
LANEFOLD_DETAIL_CL_VECTORS(cl_ulong)
LANEFOLD_DETAIL_CL_VECTORS(cl_float)
LANEFOLD_DETAIL_CL_VECTORS(cl_double)
using cl_half2 = vec<half, 2>;
using cl_half3 = vec<half, 3>;
using cl_half4 = vec<half, 4>;
using cl_half8 = vec<half, 8>;
using cl_half16 = vec<half, 16>;
#undef LANEFOLD_DETAIL_CL_VECTORS

namespace opencl {
using cl_bool = bool;
using cl_half = half;
using lanefold::cl_char;
using lanefold::cl_double;
using lanefold::cl_float;
using lanefold::cl_int;
using lanefold::cl_long;
using lanefold::cl_short;
using lanefold::cl_uchar;
using lanefold::cl_uint;
using lanefold::cl_ulong;
using lanefold::cl_ushort;
} // namespace opencl

LANEFOLD_END_NAMESPACE
