// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of the common vocabulary. Each module declares what belongs to it.
#pragma once

#include <lanefold/version.hpp>

/// Is part of the name of vec in what g++ compiles, which passes it in other registers than clang: a program of objects
/// of both that pass a vec by value gets undefined references, not wrong values.
#if defined(__GNUC__) && !defined(__clang__)
#define LANEFOLD_DETAIL_VEC_ABI [[gnu::abi_tag("gnu")]]
#else
#define LANEFOLD_DETAIL_VEC_ABI
#endif

LANEFOLD_BEGIN_NAMESPACE

enum class errc : int;
class exception;

template <int Dimensions = 1>
class range;
template <int Dimensions = 1>
class id;
template <class T, int N>
class LANEFOLD_DETAIL_VEC_ABI vec;

namespace detail {

/// The dimensions of an index space. SYCL has three of them, OpenCL too; kernels on the CPU may have more.
inline constexpr int most_dimensions = 6;

} // namespace detail

LANEFOLD_END_NAMESPACE
