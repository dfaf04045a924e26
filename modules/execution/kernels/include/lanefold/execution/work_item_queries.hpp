// SPDX-License-Identifier: Apache-2.0
/// The work-item that runs, for functions that are not given it: sycl_khr_work_item_queries and oneAPI's
/// sycl_ext_oneapi_free_function_queries.
///
/// A program that calls one of these anywhere runs all its work-item kernels over ND-ranges with a stack for each
/// work-item of a group, as if each met a barrier: that is how they are told apart. Programs that call none pay
/// nothing.
#pragma once

#include <lanefold/execution/detail/running_group.hpp>
#include <lanefold/execution/detail/unit_layout.hpp>
#include <lanefold/execution/nd_item.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is initialised before main in programs that use it.
template <int Query>
inline const bool asks_for_work_items = (work_items_are_asked_for.store(true, std::memory_order_relaxed), true);

/// The group of an ND-range of `dimensions` that runs on this thread. Errors: errc::invalid if none does; 0 stands for
/// any number of dimensions.
const running_group& group_that_runs(const worker& asked, int dimensions);

template <int D>
nd_item<D> item_that_runs() {
  static_cast<void>(&asks_for_work_items<D>);
  worker& owner = this_worker();
  const auto& group = static_cast<const running_group_of<D>&>(group_that_runs(owner, D));
  unit_state& state = owner.running_unit();
  const id<D> local = unit_layout<D>(group.space->get_local_range(), 1, 1).origin(state.unit).local;
  return nd_item<D>(group_place<D, scalar>(*group.space, group.cursor.get(), local, group.sub_group_size, &state,
                                           nullptr, true, false));
}

template <int Any = 0>
sub_group sub_group_that_runs() {
  static_cast<void>(&asks_for_work_items<Any>);
  worker& owner = this_worker();
  const unsigned size = group_that_runs(owner, Any).sub_group_size;
  return sub_group(&owner.running_unit(), nullptr, size);
}

} // namespace detail

namespace khr {

/// Returns the calling work-item of a work-item kernel over an ND-range of D dimensions. Errors: errc::invalid
/// elsewhere.
template <int D>
nd_item<D> this_nd_item() {
  return lanefold::detail::item_that_runs<D>();
}
/// Returns its work-group. Errors as above.
template <int D>
lanefold::group<D> this_group() {
  return lanefold::detail::item_that_runs<D>().get_group();
}
/// Returns its sub-group. Errors: errc::invalid where no work-item kernel over an ND-range runs.
template <int Any = 0>
lanefold::sub_group this_sub_group() {
  return lanefold::detail::sub_group_that_runs<Any>();
}

} // namespace khr

namespace ext::oneapi::this_work_item {

/// Returns what khr::this_nd_item returns.
template <int D>
nd_item<D> get_nd_item() {
  return lanefold::khr::this_nd_item<D>();
}
/// Returns what khr::this_group returns.
template <int D>
lanefold::group<D> get_work_group() {
  return lanefold::khr::this_group<D>();
}
/// Returns what khr::this_sub_group returns.
template <int Any = 0>
lanefold::sub_group get_sub_group() {
  return lanefold::khr::this_sub_group<Any>();
}

} // namespace ext::oneapi::this_work_item

namespace ext::oneapi::experimental {
using khr::this_group;
using khr::this_nd_item;
using khr::this_sub_group;
} // namespace ext::oneapi::experimental

LANEFOLD_END_NAMESPACE
