// SPDX-License-Identifier: Apache-2.0
/// Says what atomic operations and fences order, and for whom. [sycl.3.8.3] [sycl.4.15.1]
#pragma once

#include <lanefold/version.hpp>

#include <atomic>

LANEFOLD_BEGIN_NAMESPACE

/// Which accesses of memory around an operation keep their place, as in std::memory_order.
// [sycl.3.8.3.1]
enum class memory_order : int {
  relaxed = __ATOMIC_RELAXED, ///< none: the operation is atomic, no more
  acquire = __ATOMIC_ACQUIRE, ///< later accesses stay behind it
  release = __ATOMIC_RELEASE, ///< earlier accesses stay before it
  acq_rel = __ATOMIC_ACQ_REL, ///< both
  seq_cst = __ATOMIC_SEQ_CST, ///< both, and there is one order of all such operations
};
inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

/// Which work-items a barrier or an atomic orders memory for.
// [sycl.3.8.3.2]
enum class memory_scope { work_item, sub_group, work_group, device, system };
inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;

namespace detail {

/// Returns whether one thread runs all work-items of a scope, so that atomic operations are plain ones for it. A
/// work-group stays on its thread, and its work-items take turns at barriers only, in programs with an atomic_ref whose
/// default scope is work_group; in others several threads may share a group without barriers (decision 075). The same
/// holds for sub-groups.
constexpr bool runs_on_one_thread(memory_scope scope) { return scope <= memory_scope::work_group; }

/// Is true in programs that have an atomic_ref whose default scope is work_group.
inline std::atomic<bool> work_groups_stay_on_threads{false};
/// Is true in programs that have one whose default scope is sub_group, or parts of sub-groups that meet without the
/// other work-items of theirs.
inline std::atomic<bool> sub_groups_stay_on_threads{false};
/// Is initialised before main in programs that use it.
template <memory_scope Scope>
inline const bool keeps_on_threads =
    ((Scope == memory_scope::work_group ? work_groups_stay_on_threads : sub_groups_stay_on_threads)
         .store(true, std::memory_order_relaxed),
     true);

} // namespace detail

/// Orders the memory accesses of this work-item before and after it, for the work-items of `scope`. For a sub-group and
/// less it costs nothing; for more seq_cst is one instruction on x86-64 and the others are none.
// [sycl.4.15.1]
LANEFOLD_ALWAYS_INLINE void atomic_fence(memory_order order, memory_scope scope) {
  if (scope <= memory_scope::sub_group) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  } else {
    __atomic_thread_fence(static_cast<int>(order));
  }
}

LANEFOLD_END_NAMESPACE
