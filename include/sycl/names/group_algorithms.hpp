// SPDX-License-Identifier: Apache-2.0
/// SYCL's names for group functions and group algorithms. [sycl.4.17.3] [sycl.4.17.4]
#pragma once

#if __has_include(<lanefold/group_algorithms.hpp>)
#include <lanefold/group_algorithms.hpp>

namespace sycl {

using lanefold::all_of_group;
using lanefold::any_of_group;
using lanefold::exclusive_scan_over_group;
using lanefold::group_broadcast;
using lanefold::group_local_memory;
using lanefold::group_local_memory_for_overwrite;
using lanefold::inclusive_scan_over_group;
using lanefold::is_group;
using lanefold::is_group_v;
using lanefold::joint_all_of;
using lanefold::joint_any_of;
using lanefold::joint_exclusive_scan;
using lanefold::joint_inclusive_scan;
using lanefold::joint_none_of;
using lanefold::joint_reduce;
using lanefold::none_of_group;
using lanefold::permute_group_by_xor;
using lanefold::reduce_over_group;
using lanefold::select_from_group;
using lanefold::shift_group_left;
using lanefold::shift_group_right;

} // namespace sycl

#endif
