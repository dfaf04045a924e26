// SPDX-License-Identifier: Apache-2.0
/// A kernel on the frame that runs it.
#pragma once

#include <lanefold/memory/local_accessor.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A copy of a kernel whose local accessors have taken their addresses in the local memory of this thread. On the frame
/// that runs it, its captures can live in registers, also across barriers.
template <class Kernel>
struct bound_kernel {
  bound_kernel(const Kernel& kernel, std::byte* local_memory) : call((current_local_memory = local_memory, kernel)) {
    current_local_memory = nullptr;
  }

  Kernel call;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
