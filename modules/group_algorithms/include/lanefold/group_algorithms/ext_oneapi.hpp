// SPDX-License-Identifier: Apache-2.0
/// The names that extensions gave to what SYCL 2020 has, and that older programs still use.
#pragma once

#include <lanefold/execution/reduction.hpp>
#include <lanefold/execution/sub_group.hpp>
#include <lanefold/group_algorithms/sub_group_mask.hpp>
#include <lanefold/memory/atomic_ref.hpp>
#include <lanefold/simd/functional.hpp>

#include <cstdio>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi {

using lanefold::atomic_fence;
using lanefold::atomic_ref;
using lanefold::bit_and;
using lanefold::bit_or;
using lanefold::bit_xor;
using lanefold::group_ballot;
using lanefold::maximum;
using lanefold::memory_order;
using lanefold::memory_scope;
using lanefold::minimum;
using lanefold::multiplies;
using lanefold::plus;
using lanefold::reduction;
using lanefold::sub_group;
using lanefold::sub_group_mask;

namespace experimental {

/// Prints as std::printf does, in kernels too: there is no other device whose formats could be restricted. The lines of
/// work-items that run at the same time come in any order. (sycl_ext_oneapi_printf)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-security" // the caller's format, which some distributions warn about
template <class... Arguments>
int printf(const char* format, Arguments... arguments) {
  return std::printf(format, arguments...);
}
#pragma GCC diagnostic pop

} // namespace experimental

} // namespace ext::oneapi
LANEFOLD_END_NAMESPACE
