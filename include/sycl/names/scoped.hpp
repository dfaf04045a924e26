// SPDX-License-Identifier: Apache-2.0
/// SYCL's names for hierarchical parallelism [sycl.4.9.4.2.3], and AdaptiveCpp's for scoped parallelism.
#pragma once

#if __has_include(<lanefold/scoped.hpp>)
#include <lanefold/scoped.hpp>

namespace sycl {

using lanefold::distribute_groups;
using lanefold::distribute_groups_and_wait;
using lanefold::distribute_items;
using lanefold::distribute_items_and_wait;
using lanefold::h_item;
using lanefold::local_memory;
using lanefold::local_memory_environment;
using lanefold::memory_environment;
using lanefold::private_memory;
using lanefold::private_memory_environment;
using lanefold::require_local_mem;
using lanefold::require_private_mem;
using lanefold::s_group;
using lanefold::s_item;
using lanefold::s_private_memory;
using lanefold::single_item;
using lanefold::single_item_and_wait;

} // namespace sycl

#endif
