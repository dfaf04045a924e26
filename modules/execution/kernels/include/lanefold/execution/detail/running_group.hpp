// SPDX-License-Identifier: Apache-2.0
/// Declares what a thread says of the work-group that it runs to those who ask for the running work-item.
#pragma once

#include <lanefold/execution/nd_range.hpp>
#include <lanefold/execution/walk.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The work-group of a work-item kernel that runs on a thread.
struct running_group {
  int dimensions;
  unsigned sub_group_size;
};

/// Its index space and its place there.
template <int D>
struct running_group_of : running_group {
  const nd_range<D>* space;
  group_cursor<D> cursor;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
