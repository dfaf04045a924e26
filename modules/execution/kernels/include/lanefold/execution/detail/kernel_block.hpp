// SPDX-License-Identifier: Apache-2.0
/// Declares what a work-item kernel keeps beside its work-items. Internal.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Serves kernels that keep nothing from one work-item to the next.
struct no_block {
  static constexpr std::size_t width = 0;
  template <class Kernel>
  LANEFOLD_ALWAYS_INLINE explicit no_block(const Kernel&) {}
  LANEFOLD_ALWAYS_INLINE void close() {}
};
/// Holds what a work-item kernel keeps for each of `width` neighbouring work-items as long as no barrier is met: its
/// reductions (reduction_launch.hpp); most kernels keep nothing.
template <class Kernel>
struct kernel_block : no_block {
  using no_block::no_block;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
