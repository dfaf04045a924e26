// SPDX-License-Identifier: Apache-2.0
/// Forward declarations of the common vocabulary. Each module declares what belongs to it.
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

enum class errc : int;
class exception;

template <int Dimensions = 1>
class range;
template <int Dimensions = 1>
class id;

namespace detail {

/// The dimensions of an index space. SYCL has three of them, OpenCL too; kernels on the CPU may have more.
inline constexpr int most_dimensions = 6;

} // namespace detail

LANEFOLD_END_NAMESPACE
