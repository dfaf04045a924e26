// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/buffer_state.hpp>

#include "buffer_places.hpp"
#include "command.hpp"
#include "queue_account.hpp"

#include <lanefold/execution/buffer_allocator.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <unordered_map>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The buffers that there are, by their id. Never destroyed: buffers may be static objects.
struct live_buffers {
  std::mutex guard;
  std::uint64_t last_id = 0;
  std::unordered_map<std::uint64_t, buffer_state*> states;

  static live_buffers& get() {
    static live_buffers& all = *new live_buffers;
    return all;
  }
};

std::uint64_t make_id() {
  live_buffers& all = live_buffers::get();
  const std::lock_guard lock(all.guard);
  return ++all.last_id;
}

} // namespace

buffer_state::buffer_state(std::shared_ptr<void> memory, std::size_t bytes, bool in_place)
    : m_id(make_id()), m_bytes(bytes), m_memory(std::move(memory)), m_in_place(in_place) {
  live_buffers& all = live_buffers::get();
  const std::lock_guard lock(all.guard);
  all.states.emplace(m_id, this);
}

buffer_state::~buffer_state() {
  if (!is_closed()) { // its making has failed
    close();
  }
}

std::shared_ptr<buffer_state> buffer_state::find(std::uint64_t id) {
  live_buffers& all = live_buffers::get();
  const std::lock_guard lock(all.guard);
  const auto found = all.states.find(id);
  return found == all.states.end() ? nullptr : found->second->shared_from_this();
}

// ---- where its contents are

void buffer_state::fill() {
  std::call_once(m_filled, [this] { m_first_contents(fresh_memory()); });
}

void buffer_state::make_places() {
  if (!m_places) {
    m_places = std::make_unique<buffer_places>(memory(), m_bytes);
    m_has_places.store(true, std::memory_order_release);
  }
}

device_memory& buffer_state::memory_on(const device_backend& device) { return m_places->on(device); }

// ---- who uses it

namespace {

/// Returns whether nothing that comes later needs to know of the command.
bool is_over(const command& c) noexcept { return c.is_complete() && (!c.error() || c.error()->is_known()); }

} // namespace

bool buffer_state::use::is_beside(const command& entering) const noexcept {
  return by.get() == &entering || by->is_held_with(entering);
}

void buffer_state::make_room(std::size_t uses) {
  for (std::vector<use>* const list : {&m_writers, &m_readers}) {
    if (list->capacity() - list->size() < uses) {
      list->reserve(2 * list->size() + uses);
    }
  }
}

std::size_t buffer_state::count_before(const command& entering, const buffer_requirement& r) const noexcept {
  std::size_t found = 0;
  for (const use& u : m_writers) {
    found += !is_over(*u.by) && u.is_in_the_way(entering, r) ? 1 : 0;
  }
  if (r.kind.writes) {
    for (const use& u : m_readers) {
      found += !u.by->is_complete() && u.is_in_the_way(entering, r) ? 1 : 0;
    }
  }
  return found;
}

void buffer_state::enter(const command_ptr& command, const buffer_requirement& r,
                         std::vector<dependency>& found) noexcept {
  // The last write need not have succeeded if this one does not read it, nor need other readers.
  const dependency_kind on_writer = r.kind.needs_old ? dependency_kind::required_unless_known : dependency_kind::order;
  std::erase_if(m_writers, [&](const use& u) {
    const bool finished = is_over(*u.by);
    if (!finished && u.is_in_the_way(*command, r)) {
      found.push_back({u.by, u.overlaps(r) ? on_writer : dependency_kind::order});
    }
    return finished || (r.kind.writes && !u.is_beside(*command) && u.is_within(r));
  });
  if (r.kind.writes && !command->runs_on_device()) {
    ++m_host_writes;
  }
  if (!r.kind.writes) {
    if (m_readers.size() >= m_readers_to_look_at) {
      forget_finished_readers();
    }
    m_readers.emplace_back(command, r);
    return;
  }
  std::erase_if(m_readers, [&](const use& u) {
    if (!u.by->is_complete() && u.is_in_the_way(*command, r)) {
      found.push_back({u.by, dependency_kind::order});
    }
    return !u.is_beside(*command) && u.is_within(r);
  });
  m_writers.emplace_back(command, r);
}

namespace {

/// Returns whether a device has the command that does its commands one behind the other.
bool is_on_device_in_order(const command& c) noexcept {
  return c.current_stage() == stage::on_device && c.queue()->device()->is_in_order();
}

} // namespace

/// So that readers without a writer do not pile up: each looks at a fixed number of others on average. On the device of
/// an in-order queue the last one stands for those before; to ask for the state of a command costs more than a launch.
void buffer_state::forget_finished_readers() {
  const auto last =
      std::find_if(m_readers.rbegin(), m_readers.rend(), [](const use& u) { return is_on_device_in_order(*u.by); });
  if (last != m_readers.rend()) {
    const use later = *last;
    std::erase_if(m_readers, [&](const use& u) {
      return u.by != later.by && u.by->queue() == later.by->queue() && is_on_device_in_order(*u.by) &&
             u.is_within(later);
    });
  }
  if (m_readers.size() >= m_readers_to_look_at) {
    std::erase_if(m_readers, [](const use& u) { return u.by->is_finished(); });
  }
  m_readers_to_look_at = std::max<std::size_t>(32, 2 * m_readers.size());
}

std::uint64_t buffer_state::host_version() {
  const std::lock_guard lock(m_guard);
  // A command that its device was given comes after no command of the host that is not complete.
  const bool settled = std::all_of(m_writers.begin(), m_writers.end(), [](const use& u) {
    const stage now = u.by->current_stage();
    return now == stage::complete || now == stage::on_device;
  });
  return settled ? m_host_writes + (has_places() ? m_places->fetches() : 0) : 0;
}

std::vector<command_ptr> buffer_state::users() {
  const std::lock_guard lock(m_guard);
  std::vector<command_ptr> all;
  for (const std::vector<use>* uses : {&m_writers, &m_readers}) {
    for (const use& u : *uses) {
      if (!u.by->is_complete()) {
        all.push_back(u.by);
      }
    }
  }
  return all;
}

command_ptr buffer_state::user() {
  const std::lock_guard lock(m_guard);
  for (const std::vector<use>* uses : {&m_writers, &m_readers}) {
    for (const use& u : *uses) {
      if (!u.by->is_complete()) {
        return u.by;
      }
    }
  }
  return {};
}

// ---- the end

void buffer_state::leave_host_memory() {
  if (m_in_place && !m_used.load(std::memory_order_relaxed) && m_bytes != 0) {
    buffer_allocator<std::byte> allocator;
    const std::shared_ptr<std::byte> own(allocator.allocate(m_bytes), [bytes = m_bytes](std::byte* memory) {
      buffer_allocator<std::byte>().deallocate(memory, bytes);
    });
    std::memcpy(own.get(), m_memory.get(), m_bytes);
    m_left = m_memory;
    // If write-backs are enabled again, it is to where it would have been.
    if (!m_write_back) {
      m_write_back = [this](const std::byte* from) { std::memcpy(m_left.get(), from, m_bytes); };
    }
    m_memory = own;
    m_in_place = false;
  }
}

void buffer_state::update_host() const {
  if (m_host_copy) {
    m_host_copy(fresh_memory());
  } else if (m_left) {
    std::memcpy(m_left.get(), fresh_memory(), m_bytes);
  }
}

void buffer_state::set_write_back(std::function<void(const std::byte*)> to) {
  const std::lock_guard lock(m_guard);
  leave_host_memory();
  m_write_back = std::move(to);
  m_writes_back = true;
}

void buffer_state::enable_write_back(bool enabled) {
  const std::lock_guard lock(m_guard);
  if (!enabled) {
    leave_host_memory();
  }
  m_writes_back = enabled;
}

void buffer_state::write_back() noexcept {
  try {
    if (m_writes_back && (m_write_back || m_host_copy || m_in_place) && has_places()) {
      const auto fetch = [this] { m_places->bring_to_host({0, m_bytes}, {false, true}); };
      try {
        fetch();
      } catch (const std::exception&) { // a fault that passes is to cost no data
        fetch();
      }
    }
    if (m_writes_back && m_write_back) {
      m_write_back(memory());
    } else if (m_writes_back && m_host_copy && m_used.load(std::memory_order_relaxed)) {
      m_host_copy(fresh_memory());
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lanefold: the contents of a buffer could not be written back: %s\n", e.what());
  } catch (...) {
    std::fputs("lanefold: the contents of a buffer could not be written back\n", stderr);
  }
}

void buffer_state::close() noexcept {
  m_closed.store(true);
  live_buffers& all = live_buffers::get();
  const std::lock_guard lock(all.guard);
  all.states.erase(m_id);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
