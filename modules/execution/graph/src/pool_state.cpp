// SPDX-License-Identifier: Apache-2.0
#include "pool_state.hpp"

#include "queue_state.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <unordered_map>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Blocks have sizes that are multiples of these, so that they fit more often.
constexpr std::size_t small_step = 256;
constexpr std::size_t large_step = std::size_t{64} << 10;

std::size_t rounded(std::size_t bytes) noexcept {
  const std::size_t step = bytes < 16 * large_step ? small_step : large_step;
  return bytes > std::numeric_limits<std::size_t>::max() - step ? bytes : (bytes + step - 1) / step * step;
}

/// The allocations of all pools.
class allocations {
public:
  struct allocation {
    std::shared_ptr<pool_state> home;
    std::size_t bytes;
  };

  void add(void* memory, allocation&& made) {
    const std::lock_guard lock(m_guard);
    m_all.insert_or_assign(memory, std::move(made));
  }
  /// Nothing unless `is_wanted(allocation)`.
  template <class IsWanted>
  allocation take(void* memory, const IsWanted& is_wanted) {
    const std::lock_guard lock(m_guard);
    const auto found = m_all.find(memory);
    if (found == m_all.end() || !is_wanted(found->second)) {
      return {};
    }
    allocation taken = std::move(found->second);
    m_all.erase(found);
    return taken;
  }
  static allocations& get() {
    static allocations& all = *new allocations;
    return all;
  }

private:
  std::mutex m_guard;
  std::unordered_map<void*, allocation> m_all;
};

template <class A, class B>
bool is_same_owner(const A& a, const B& b) noexcept {
  return !a.owner_before(b) && !b.owner_before(a);
}

} // namespace

pool_state::~pool_state() {
  for (const auto& [bytes, each] : m_free) {
    const std::shared_ptr<queue_state> in = each.freed_in.lock();
    if (in && kernel_scope::is_inside() && in->has_open_commands()) {
      continue; // nobody can wait there, and commands may use the block: it stays where it is
    }
    if (in) {
      in->wait_before_free();
    }
    release(each.memory);
  }
}

std::size_t pool_state::threshold() const noexcept {
  const std::lock_guard lock(m_guard);
  return m_limits.threshold;
}
std::size_t pool_state::reserved() const noexcept {
  const std::lock_guard lock(m_guard);
  return m_reserved;
}
std::size_t pool_state::used() const noexcept {
  const std::lock_guard lock(m_guard);
  return m_used;
}
ext::oneapi::experimental::memory_pool_statistics pool_state::statistics() const noexcept {
  const std::lock_guard lock(m_guard);
  return m_statistics;
}
void pool_state::increase_threshold_to(std::size_t threshold) noexcept {
  const std::lock_guard lock(m_guard);
  m_limits.threshold = std::max(m_limits.threshold, threshold);
}

// ---- allocating

void* pool_state::allocate(std::size_t bytes, const std::shared_ptr<queue_state>& by,
                           const std::function<void(void*, std::size_t)>& fill) {
  if (bytes == 0) {
    return nullptr;
  }
  allocations& all = allocations::get();
  const std::size_t wanted = rounded(bytes);
  block made = take_free(wanted, by);
  if (made.memory == nullptr) {
    find_complete();
    made = take_free(wanted, by);
  }
  if (made.memory == nullptr) {
    made = reserve(wanted, by);
  }
  try {
    all.add(made.memory, {shared_from_this(), made.bytes});
    if (made.is_new && m_limits.zero) {
      fill(made.memory, made.bytes);
    }
  } catch (...) {
    all.take(made.memory, [](const allocations::allocation&) { return true; });
    if (made.is_new) {
      discard(made);
    } else {
      give_back(made.memory, made.bytes, by);
    }
    throw;
  }
  note_use(made);
  return made.memory;
}

void pool_state::note_use(const block& made) noexcept {
  const std::lock_guard lock(m_guard);
  ++m_statistics.allocations;
  m_statistics.reused += made.is_new ? 0 : 1;
  m_statistics.used_high = std::max(m_statistics.used_high, m_used);
  m_statistics.reserved_high = std::max(m_statistics.reserved_high, m_reserved);
}

/// Frees a new block that nobody gets.
void pool_state::discard(const block& made) noexcept {
  {
    const std::lock_guard lock(m_guard);
    m_used -= made.bytes;
    m_reserved -= made.bytes;
  }
  release(made.memory);
}

/// A block that was used before; nothing where none fits.
pool_state::block pool_state::take_free(std::size_t bytes, const std::shared_ptr<queue_state>& by) {
  const bool is_ordered = by && by->is_in_order();
  const std::lock_guard lock(m_guard);
  const std::size_t largest = bytes > std::numeric_limits<std::size_t>::max() / 2 ? bytes : 2 * bytes;
  for (auto at = m_free.lower_bound(bytes); at != m_free.end() && at->first <= largest; ++at) {
    const std::weak_ptr<queue_state>& in = at->second.freed_in;
    if (in.expired() || (is_ordered && is_same_owner(in, by))) {
      const block found{at->second.memory, at->first, false};
      m_free.erase(at);
      m_used += found.bytes;
      return found;
    }
  }
  return {};
}

/// Finds out which queues have no commands left: blocks that were freed in these before are free for all.
void pool_state::find_complete() {
  std::vector<std::shared_ptr<queue_state>> queues;
  std::size_t last = 0;
  {
    const std::lock_guard lock(m_guard);
    last = m_number;
    for (const auto& [bytes, each] : m_free) {
      std::shared_ptr<queue_state> in = each.freed_in.lock();
      if (in && std::find(queues.begin(), queues.end(), in) == queues.end()) {
        queues.push_back(std::move(in));
      }
    }
  }
  std::erase_if(queues, [](const std::shared_ptr<queue_state>& q) { return !q->is_empty(); });
  if (queues.empty()) {
    return;
  }
  const std::lock_guard lock(m_guard);
  for (auto& [bytes, each] : m_free) {
    const auto is_its = [&, &in = each.freed_in](const auto& q) { return is_same_owner(in, q); };
    if (each.number <= last && std::any_of(queues.begin(), queues.end(), is_its)) {
      each.freed_in.reset();
    }
  }
}

/// Under the guard: takes free blocks, the largest ones first, until the pool has no more than `keep` bytes.
void pool_state::collect_complete(std::size_t keep, std::vector<void*>& to) {
  for (auto at = m_free.end(); at != m_free.begin() && m_reserved > keep;) {
    --at;
    if (at->second.freed_in.expired()) {
      to.push_back(at->second.memory);
      m_reserved -= at->first;
      ++m_statistics.released;
      at = m_free.erase(at);
    }
  }
}

void pool_state::release(void* memory) noexcept {
  try {
    usm_free(memory, m_where.usm_context());
  } catch (const std::exception&) { // NOLINT: the program has freed it
  }
}

void pool_state::release(const std::vector<void*>& blocks) noexcept {
  for (void* const each : blocks) {
    release(each);
  }
}

pool_state::block pool_state::reserve(std::size_t bytes, const std::shared_ptr<queue_state>& by) {
  std::vector<void*> released;
  bool fits = false;
  {
    const std::lock_guard lock(m_guard);
    const std::size_t room = m_limits.most >= bytes ? m_limits.most - bytes : 0;
    collect_complete(std::min(m_limits.threshold, room), released);
    fits = m_limits.most >= bytes && m_reserved <= room;
    if (fits) {
      m_reserved += bytes;
    }
  }
  release(released);
  if (!fits) {
    throw exception(make_error_code(errc::memory_allocation),
                    "async_malloc: " + std::to_string(bytes) + " bytes, beside the " + std::to_string(used()) +
                        " that are in use, are more than the maximum size of the memory pool, " +
                        std::to_string(m_limits.most));
  }
  const auto undo = [&] {
    const std::lock_guard lock(m_guard);
    m_reserved -= bytes;
  };
  void* memory = nullptr;
  try {
    memory = usm_allocate(bytes, 0, m_kind, m_where.usm_context());
    if (memory == nullptr) {
      if (by) {
        by->wait_before_free(); // what it has freed may go
      }
      trim_to(0);
      memory = usm_allocate(bytes, 0, m_kind, m_where.usm_context());
    }
  } catch (...) {
    undo();
    throw;
  }
  if (memory == nullptr) {
    undo();
    throw exception(make_error_code(errc::memory_allocation),
                    "async_malloc: there is no memory for " + std::to_string(bytes) + " bytes more");
  }
  const std::lock_guard lock(m_guard);
  m_used += bytes;
  return {memory, bytes, true};
}

void pool_state::trim_to(std::size_t bytes) {
  find_complete();
  std::vector<void*> released;
  {
    const std::lock_guard lock(m_guard);
    collect_complete(bytes, released);
  }
  release(released);
}

// ---- freeing

freed_block pool_state::take(void* memory, const queue* by) {
  const std::uint64_t context = by != nullptr ? by->usm_context() : 0;
  allocations::allocation taken = allocations::get().take(memory, [&](const allocations::allocation& each) {
    return context == 0 || each.home->where().usm_context() == context;
  });
  if (!taken.home) {
    throw exception(make_error_code(errc::invalid),
                    "async_free: the pointer is no live allocation of a memory pool of this context");
  }
  return {std::move(taken.home), memory, taken.bytes};
}

void pool_state::keep(void* memory, std::size_t bytes) noexcept {
  try {
    allocations::get().add(memory, {shared_from_this(), bytes});
  } catch (...) { // without memory for the note, the block stays reserved
  }
}

void pool_state::give_back(void* memory, std::size_t bytes, const std::shared_ptr<queue_state>& in) noexcept {
  const std::lock_guard lock(m_guard);
  m_used -= bytes;
  try {
    m_free.insert({bytes, {memory, in, ++m_number}});
  } catch (...) { // without memory for the note, the block stays reserved
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
