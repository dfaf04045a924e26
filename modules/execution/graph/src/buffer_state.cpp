// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/buffer_state.hpp>

#include "buffer_places.hpp"
#include "executor.hpp"
#include "requirements_lock.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/buffer.hpp>
#include <lanefold/execution/detail/capture.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>
#include <lanefold/execution/environment.hpp>
#include <lanefold/execution/launch.hpp>

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

/// The name of what happens in the end, in messages.
struct buffer_write_back;

/// The end of a buffer whose last handle went inside a kernel.
class closing_launch final : public launch {
public:
  explicit closing_launch(std::function<void()> what)
      : launch(1, 1, launch_settings(), typeid(buffer_write_back*)), m_what(std::move(what)) {}
  void run(std::size_t, std::size_t) override { m_what(); }

private:
  std::function<void()> m_what;
};

/// Host accessors and the ends of buffers belong to no queue of the program.
const std::shared_ptr<queue_state>& host_queue() {
  static const auto& queue = *new std::shared_ptr<queue_state>(
      std::make_shared<queue_state>(executor::get(environment::read().threads), async_handler(), false));
  return queue;
}

} // namespace

buffer_state::buffer_state(std::shared_ptr<void> memory, std::size_t bytes, bool in_place)
    : m_id(make_id()), m_bytes(bytes), m_memory(std::move(memory)), m_in_place(in_place) {
  live_buffers& all = live_buffers::get();
  const std::lock_guard lock(all.guard);
  all.states.emplace(m_id, this);
}

buffer_state::~buffer_state() = default;

std::shared_ptr<buffer_state> buffer_state::find(std::uint64_t id) {
  live_buffers& all = live_buffers::get();
  const std::lock_guard lock(all.guard);
  const auto found = all.states.find(id);
  return found == all.states.end() ? nullptr : found->second->shared_from_this();
}

// ---- where its contents are

void buffer_state::make_places() {
  if (!m_places) {
    m_places = std::make_unique<buffer_places>(memory(), m_bytes);
    m_has_places.store(true, std::memory_order_release);
  }
}

device_memory& buffer_state::memory_on(const device_backend& device) { return m_places->on(device); }

// ---- who uses it

void buffer_state::enter(const command_ptr& command, const buffer_requirement& r, std::vector<dependency>& found) {
  const auto in_the_way = [&](const use& u) { return u.by != command && u.overlaps(r); };
  // What a write does not read need not have succeeded, nor need other readers.
  const dependency_kind on_writer = r.kind.needs_old ? dependency_kind::required_unless_known : dependency_kind::order;
  std::erase_if(m_writers, [&](const use& u) {
    const bool finished = u.by->is_complete() && (!u.by->error() || u.by->error()->is_known());
    if (!finished && in_the_way(u)) {
      found.push_back({u.by, on_writer});
    }
    return finished || (r.kind.writes && u.by != command && u.is_within(r));
  });
  if (!r.kind.writes) {
    if (m_readers.size() >= m_readers_to_look_at) {
      forget_finished_readers();
    }
    m_readers.push_back({command, r.begin, r.end});
    return;
  }
  std::erase_if(m_readers, [&](const use& u) {
    if (in_the_way(u) && !u.by->is_complete()) {
      found.push_back({u.by, dependency_kind::order});
    }
    return u.by != command && u.is_within(r);
  });
  m_writers.push_back({command, r.begin, r.end});
}

/// So that readers without a writer do not pile up: each looks at a fixed number of others on average.
void buffer_state::forget_finished_readers() {
  std::erase_if(m_readers, [](const use& u) { return executor::is_finished(*u.by); });
  m_readers_to_look_at = std::max<std::size_t>(32, 2 * m_readers.size());
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

// ---- the end

void buffer_state::leave_host_memory() {
  if (m_in_place && !m_used.load(std::memory_order_relaxed) && m_bytes != 0) {
    buffer_allocator<std::byte> allocator;
    const std::shared_ptr<std::byte> own(allocator.allocate(m_bytes), [bytes = m_bytes](std::byte* memory) {
      buffer_allocator<std::byte>().deallocate(memory, bytes);
    });
    std::memcpy(own.get(), m_memory.get(), m_bytes);
    // If write-backs are enabled again, it is to where it would have been.
    if (!m_write_back) {
      m_write_back = [host = m_memory, bytes = m_bytes](const std::byte* from) {
        std::memcpy(host.get(), from, bytes);
      };
    }
    m_memory = own;
    m_in_place = false;
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
    if (m_writes_back && (m_write_back || m_in_place) && has_places()) {
      m_places->bring_to_host({0, m_bytes}, {false, true});
    }
    if (m_writes_back && m_write_back) {
      m_write_back(fresh_memory());
    }
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lanefold: the contents of a buffer could not be written back: %s\n", e.what());
  } catch (...) {
    std::fputs("lanefold: the contents of a buffer could not be written back\n", stderr);
  }
}

void buffer_state::close() noexcept {
  m_closed.store(true);
  {
    live_buffers& all = live_buffers::get();
    const std::lock_guard lock(all.guard);
    all.states.erase(m_id);
  }
  try {
    if (kernel_scope::is_inside()) {
      close_later();
      return;
    }
    // Kernels may still submit commands that use it.
    for (std::vector<command_ptr> open = users(); !open.empty(); open = users()) {
      for (const command_ptr& user : open) {
        executor::wait(user);
      }
    }
  } catch (const exception&) { // this thread holds a host_accessor that one of them waits for
    close_later();
    return;
  }
  write_back();
}

void buffer_state::close_later() {
  const std::shared_ptr<queue_state>& queue = host_queue();
  submission end;
  end.work = std::make_unique<closing_launch>([self = shared_from_this()] { self->write_back(); });
  for (command_ptr& user : users()) {
    end.after.push_back({std::move(user), dependency_kind::order});
  }
  queue->submit(queue, std::move(end));
}

// ---- entering

requirements_lock::requirements_lock(std::vector<buffer_requirement>& requirements) : m_requirements(requirements) {
  if (requirements.size() > 1) {
    std::sort(requirements.begin(), requirements.end(),
              [](const buffer_requirement& a, const buffer_requirement& b) { return a.buffer.get() < b.buffer.get(); });
  }
  for (const buffer_requirement& r : requirements) {
    if (r.buffer->is_closed()) {
      throw exception(errc::accessor, "a buffer was destroyed before the command that uses it was submitted: it must "
                                      "live until the command group function has returned");
    }
  }
  const buffer_state* last = nullptr;
  for (const buffer_requirement& r : requirements) {
    if (r.buffer.get() != last) {
      r.buffer->m_guard.lock();
    }
    last = r.buffer.get();
  }
}

requirements_lock::~requirements_lock() {
  const buffer_state* last = nullptr;
  for (const buffer_requirement& r : m_requirements) {
    if (r.buffer.get() != last) {
      r.buffer->m_guard.unlock();
    }
    last = r.buffer.get();
  }
}

bool requirements_lock::enter(const command_ptr& command, bool elsewhere, std::vector<dependency>& found) {
  bool places = false;
  for (const buffer_requirement& r : m_requirements) {
    if (elsewhere) {
      r.buffer->make_places();
    }
    places = places || r.buffer->has_places();
    r.buffer->enter(command, r, found);
  }
  return places;
}

void check_captured(std::uint64_t buffer, const void* begin, const void* end, bool writes) {
  const auto covers = [&](const buffer_requirement& r) {
    const std::byte* const memory = r.buffer->memory();
    return r.buffer->id() == buffer && memory + r.begin <= begin && end <= memory + r.end && (r.kind.writes || !writes);
  };
  if (buffer != 0 && begin != end && std::none_of(capturing->begin(), capturing->end(), covers)) {
    throw exception(errc::accessor, "the kernel captures an accessor that is not of its command: accessors are made "
                                    "with the handler of the command group, or given to handler::require");
  }
}

// ---- the host's accessors

host_use::host_use(const buffer_requirement& r) {
  kernel_scope::refuse_inside();
  std::vector<buffer_requirement> requirements{r};
  std::vector<dependency> before;
  m_command = host_queue()->hold(host_queue());
  {
    requirements_lock lock(requirements);
    lock.enter(m_command, false, before);
  }
  try {
    for (const dependency& d : before) {
      executor::wait(d.on);
    }
    if (r.buffer->has_places()) {
      r.buffer->places().bring_to_host({r.begin, r.end}, r.kind);
    }
  } catch (...) {
    executor::release(m_command);
    throw;
  }
}

host_use::~host_use() { executor::release(m_command); }

} // namespace detail
LANEFOLD_END_NAMESPACE
