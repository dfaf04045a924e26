// SPDX-License-Identifier: Apache-2.0
/// Pools of USM whose blocks are used again in the order of queues (sycl_ext_oneapi_async_memory_alloc).
#pragma once

#include <lanefold/execution/context.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/handler.hpp>
#include <lanefold/execution/property.hpp>
#include <lanefold/execution/queue.hpp>
#include <lanefold/memory/usm.hpp>

#include <cstddef>
#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class pool_state;

} // namespace detail

namespace ext::oneapi::experimental {

namespace property::memory_pool {

/// The bytes that the pool keeps when it must reserve more, see memory_pool.
struct initial_threshold : lanefold::detail::runtime_property {
  std::size_t bytes;
  constexpr explicit initial_threshold(std::size_t threshold) noexcept : bytes(threshold) {}
};
/// The most bytes that the pool may reserve.
struct maximum_size : lanefold::detail::runtime_property {
  std::size_t bytes;
  constexpr explicit maximum_size(std::size_t most) noexcept : bytes(most) {}
};
/// Kernels only read what is allocated: nothing follows from it.
struct read_only : lanefold::detail::runtime_property {};
/// Memory that the pool reserves is 0 when it is allocated for the first time; what is used again is as it was left.
struct zero_init : lanefold::detail::runtime_property {};

} // namespace property::memory_pool

/// Counts what a pool has done so far.
struct memory_pool_statistics {
  std::size_t allocations = 0;   ///< that were asked for
  std::size_t reused = 0;        ///< of these, those that got a block that had been used before
  std::size_t released = 0;      ///< blocks that went back to the device
  std::size_t used_high = 0;     ///< bytes, the most that were allocated at a time
  std::size_t reserved_high = 0; ///< bytes, the most that the pool had at a time
};

/// Memory of a device, or of the host, from which blocks are allocated and to which they return: without asking the
/// device, and without waiting. A cheap handle; copies stand for the same pool; all members may be called from any
/// thread. Allocations keep their pool.
///
/// A block that was freed in an in-order queue is given to who allocates next in that queue, whose commands come behind
/// those that used it. Elsewhere it is given away when its queue has no commands left. Blocks of up to twice the size
/// asked for are taken. Where none fits, more is reserved, up to the maximum size; then free blocks whose commands are
/// complete go back to the device, until the threshold is reached (default: 0, so that the pool has what is used at a
/// time, and what has not been used since the last reservation).
class memory_pool {
public:
  /// Makes a pool of the host. Errors: errc::invalid for another kind than usm::alloc::host.
  memory_pool(const context& where, usm::alloc kind, const property_list& properties = {});
  /// Makes a pool of a device. Errors: errc::invalid for another kind than device and shared, and if the device is not
  /// one of the context.
  memory_pool(const context& where, const device& of, usm::alloc kind, const property_list& properties = {});
  /// Makes a pool of the queue's context and device. Errors: errc::invalid for usm::alloc::unknown.
  memory_pool(const queue& of, usm::alloc kind, const property_list& properties = {});

  [[nodiscard]] context get_context() const;
  /// Of the host: the first one of the context.
  [[nodiscard]] device get_device() const;
  [[nodiscard]] usm::alloc get_alloc_kind() const noexcept;
  [[nodiscard]] std::size_t get_threshold() const noexcept;
  /// Bytes that the pool has, and of these the bytes that are allocated.
  [[nodiscard]] std::size_t get_reserved_size_current() const noexcept;
  [[nodiscard]] std::size_t get_used_size_current() const noexcept;
  /// Nothing for a threshold that is not larger.
  void increase_threshold_to(std::size_t threshold) noexcept;

  // Beyond the extension.

  [[nodiscard]] memory_pool_statistics get_statistics() const noexcept;
  /// Gives free blocks, whose commands are complete, back to the device until the pool has no more than that many
  /// bytes.
  void trim_to(std::size_t bytes);

  friend bool operator==(const memory_pool&, const memory_pool&) noexcept = default;

  /// Only the library calls these: the pool for those who name none, which lives until the program ends, and what
  /// handles share. Errors: errc::invalid as above.
  [[nodiscard]] static memory_pool default_of(const context& where, const device& of, usm::alloc kind);
  [[nodiscard]] static memory_pool default_of(const context& where, usm::alloc kind);
  [[nodiscard]] const lanefold::detail::shared_part<lanefold::detail::pool_state>& state() const noexcept {
    return m_state;
  }

private:
  lanefold::detail::shared_part<lanefold::detail::pool_state> m_state;
};

// Allocation and freeing in the order of commands. The pointer is USM of the pool's kind, aligned as that of malloc;
// null for 0 bytes. It is valid for the commands that the queue gets next, or, with a handler, that depend on the
// command group's command. It is freed by async_free, not by free. Host only. Errors: errc::invalid for a pool of
// another context or device; errc::memory_allocation at once, where the pool would have more than its maximum size or
// there is no memory left; errc::feature_not_supported for a kind that the device lacks.
//
// In graphs, and in queues that record, allocating and freeing are nodes. The memory belongs to the graph and what is
// finalized from it: a pointer is the same in all runs, and of use only to nodes between the two. The pool says what
// kind of memory it is, and whether it is zero at first (not in each run). What an in-order queue has freed, it gets
// again. Errors: errc::invalid for freeing what no node of the graph has allocated, or what was freed before.

[[nodiscard]] void* async_malloc_from_pool(const queue& q, std::size_t bytes, const memory_pool& pool);
/// The command group has no other action.
[[nodiscard]] void* async_malloc_from_pool(handler& h, std::size_t bytes, const memory_pool& pool);
/// From the default pool of the queue's context and device. Errors: errc::invalid also for usm::alloc::unknown.
[[nodiscard]] void* async_malloc(const queue& q, usm::alloc kind, std::size_t bytes);

/// The memory is free behind the commands that the queue has been given. Null: nothing. Errors: errc::invalid for what
/// was not allocated from a pool of the queue's context, or was freed before.
void async_free(const queue& q, void* memory);
/// The memory is free behind the commands that this one depends on. It is the action of the command group.
void async_free(handler& h, void* memory);

} // namespace ext::oneapi::experimental

using ext::oneapi::experimental::async_free;
using ext::oneapi::experimental::async_malloc;
using ext::oneapi::experimental::async_malloc_from_pool;
using ext::oneapi::experimental::memory_pool;
using ext::oneapi::experimental::memory_pool_statistics;
namespace property {
namespace memory_pool = ext::oneapi::experimental::property::memory_pool;
} // namespace property

LANEFOLD_END_NAMESPACE
