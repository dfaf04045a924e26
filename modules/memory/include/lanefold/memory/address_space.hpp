// SPDX-License-Identifier: Apache-2.0
/// The address spaces of SYCL, which on a CPU are all the same memory. [sycl.4.7.7.1]
#pragma once

#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace access {

/// Says where a pointer points to.
enum class address_space : int {
  global_space,   ///< buffers and USM
  local_space,    ///< the memory of a work-group
  constant_space, ///< the same as global_space, for accessors of SYCL 1.2.1
  private_space,  ///< the memory of a work-item
  generic_space,  ///< any of them
  // The parts of global memory that DPC++ knows are the same here. (sycl_ext_intel_usm_address_spaces)
  ext_intel_global_device_space = global_space,
  ext_intel_global_host_space = global_space,
  ext_intel_host_device_space = global_space, // its older name
};

/// Says whether the element type of a multi_ptr names its address space. No compiler here has such types: `yes` and
/// `no` are different classes with the same members.
enum class decorated : int { no, yes, legacy };

} // namespace access
LANEFOLD_END_NAMESPACE
