// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/memory_pool.hpp>

#include "graph_memory.hpp"
#include "graph_nodes.hpp"
#include "pool_state.hpp"
#include "queue_state.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace ext::oneapi::experimental {

using lanefold::detail::graph_block;
using lanefold::detail::graph_nodes;
using lanefold::detail::pool_state;

namespace {

[[noreturn]] void refuse(const std::string& why) { throw exception(make_error_code(errc::invalid), why); }

std::shared_ptr<pool_state> make_state(const context& where, const device& of, usm::alloc kind,
                                       const property_list& properties) {
  const std::vector<device> all = where.get_devices();
  if (std::find(all.begin(), all.end(), of) == all.end()) {
    refuse("memory_pool: the device is not one of the context");
  }
  pool_state::limits bounds;
  if (properties.has_property<property::memory_pool::initial_threshold>()) {
    bounds.threshold = properties.get_property<property::memory_pool::initial_threshold>().bytes;
  }
  if (properties.has_property<property::memory_pool::maximum_size>()) {
    bounds.most = properties.get_property<property::memory_pool::maximum_size>().bytes;
  }
  bounds.zero = properties.has_property<property::memory_pool::zero_init>();
  return std::make_shared<pool_state>(where, of, kind, bounds);
}

usm::alloc checked_kind(usm::alloc kind, bool is_of_device) {
  if (kind == usm::alloc::unknown || is_of_device == (kind == usm::alloc::host)) {
    refuse(is_of_device ? "memory_pool: of a device, memory is usm::alloc::device or usm::alloc::shared"
                        : "memory_pool: without a device, memory is usm::alloc::host");
  }
  return kind;
}

void check_place(const queue& q, const pool_state& pool) {
  if (q.get_context() != pool.where() || (pool.kind() != usm::alloc::host && q.get_device() != pool.of())) {
    refuse("async_malloc: the pool is of another context or device than the queue");
  }
}

bool records(const queue& q) { return q.ext_oneapi_get_state() == queue_state::recording; }

std::shared_ptr<graph_block> make_block(std::size_t bytes, const pool_state& like) {
  auto made = std::make_shared<graph_block>(bytes, like.kind(), like.where().usm_context());
  if (like.gives_zeros()) {
    lanefold::detail::kernel_scope::refuse_inside(); // nobody can wait there
    queue(like.where(), like.of()).memset(made->memory(), 0, bytes).wait();
  }
  return made;
}

/// Allocates for a queue that records. Returns null if another thread has ended that.
void* allocate_by_node(queue q, std::size_t bytes, const pool_state& like) {
  const std::shared_ptr<graph_nodes> to = graph_nodes::recorded_by(q);
  std::shared_ptr<graph_block> block = to && !like.gives_zeros() ? to->take_freed(q, bytes, like.kind()) : nullptr;
  if (to && !block) {
    block = make_block(bytes, like);
  }
  bool is_node = false;
  q.submit([&](handler& h) { is_node = block && graph_nodes::allocate(h, block); });
  return is_node ? block->memory() : nullptr;
}

} // namespace

memory_pool::memory_pool(const context& where, usm::alloc kind, const property_list& properties)
    : m_state(make_state(where, where.get_devices().front(), checked_kind(kind, false), properties)) {}
memory_pool::memory_pool(const context& where, const device& of, usm::alloc kind, const property_list& properties)
    : m_state(make_state(where, of, checked_kind(kind, true), properties)) {}
memory_pool::memory_pool(const queue& of, usm::alloc kind, const property_list& properties)
    : m_state(make_state(of.get_context(), of.get_device(), checked_kind(kind, kind != usm::alloc::host), properties)) {
}

context memory_pool::get_context() const { return m_state->where(); }
device memory_pool::get_device() const { return m_state->of(); }
usm::alloc memory_pool::get_alloc_kind() const noexcept { return m_state->kind(); }
std::size_t memory_pool::get_threshold() const noexcept { return m_state->threshold(); }
std::size_t memory_pool::get_reserved_size_current() const noexcept { return m_state->reserved(); }
std::size_t memory_pool::get_used_size_current() const noexcept { return m_state->used(); }
void memory_pool::increase_threshold_to(std::size_t threshold) noexcept { m_state->increase_threshold_to(threshold); }
memory_pool_statistics memory_pool::get_statistics() const noexcept { return m_state->statistics(); }
void memory_pool::trim_to(std::size_t bytes) { m_state->trim_to(bytes); }

namespace {

/// The pool that is known by a context, a device and a kind of memory, or a new one.
memory_pool known_or(const context& where, const device& of, usm::alloc kind,
                     memory_pool (*make)(const context&, const device&, usm::alloc)) {
  static std::mutex& guard = *new std::mutex;
  static auto& all = *new std::map<std::tuple<std::uint64_t, std::size_t, usm::alloc>, memory_pool>;
  const auto key = std::tuple(where.usm_context(), std::hash<device>()(of), kind);
  const std::lock_guard lock(guard);
  auto found = all.find(key);
  if (found == all.end()) {
    found = all.emplace(key, make(where, of, kind)).first;
  }
  return found->second;
}

} // namespace

memory_pool memory_pool::default_of(const context& where, const device& of, usm::alloc kind) {
  return known_or(where, of, kind,
                  [](const context& its, const device& on, usm::alloc what) { return memory_pool(its, on, what); });
}
memory_pool memory_pool::default_of(const context& where, usm::alloc kind) {
  return known_or(where, where.get_devices().front(), kind,
                  [](const context& its, const device&, usm::alloc what) { return memory_pool(its, what); });
}

void* async_malloc_from_pool(const queue& q, std::size_t bytes, const memory_pool& pool) {
  check_place(q, *pool.state());
  if (bytes != 0 && records(q)) {
    if (void* const memory = allocate_by_node(q, bytes, *pool.state())) {
      return memory;
    }
  }
  return pool.state()->allocate(bytes, q.commands().lock(), [&](void* memory, std::size_t reserved) {
    if (q.is_in_order()) {
      queue(q).memset(memory, 0, reserved);
    } else {
      lanefold::detail::kernel_scope::refuse_inside(); // nobody can wait there
      queue(q).memset(memory, 0, reserved).wait();
    }
  });
}

void* async_malloc_from_pool(handler& h, std::size_t bytes, const memory_pool& pool) {
  if (bytes != 0 && h.common_settings().is_node) {
    std::shared_ptr<graph_block> block = make_block(bytes, *pool.state());
    graph_nodes::allocate(h, block);
    return block->memory();
  }
  graph_nodes::keep_out(h);
  return pool.state()->allocate(bytes, nullptr,
                                [&](void* memory, std::size_t reserved) { h.memset(memory, 0, reserved); });
}

void* async_malloc(const queue& q, usm::alloc kind, std::size_t bytes) {
  const context where = q.get_context();
  return async_malloc_from_pool(q, bytes,
                                kind == usm::alloc::host ? memory_pool::default_of(where, kind)
                                                         : memory_pool::default_of(where, q.get_device(), kind));
}

void async_free(const queue& q, void* memory) {
  if (memory == nullptr) {
    return;
  }
  bool is_node = false;
  if (records(q)) {
    queue(q).submit([&](handler& h) { is_node = graph_nodes::free(h, memory); });
  }
  if (!is_node) {
    pool_state::take(memory, &q).give_back(q.commands().lock());
  }
}

void async_free(handler& h, void* memory) {
  if (memory == nullptr) {
    return;
  }
  if (graph_nodes::free(h, memory)) {
    return;
  }
  // The program still has it if the handler refuses the command, and if that never runs.
  auto freed = std::make_shared<lanefold::detail::freed_block>(pool_state::take(memory, nullptr));
  h.host_task([freed] { freed->give_back(nullptr); });
}

} // namespace ext::oneapi::experimental
LANEFOLD_END_NAMESPACE
