// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/queue.hpp>

#include "context_state.hpp"
#include "executor.hpp"
#include "executor_threads.hpp"
#include "requirements_lock.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>
#include <lanefold/execution/environment.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

// ---- what all handles and commands of a queue share

queue_state::queue_state(executor& runs_on, async_handler handler, bool in_order, bool profiles,
                         std::unique_ptr<device_queue> device)
    : m_executor(runs_on), m_handler(std::move(handler)), m_in_order(in_order),
      m_serial(in_order || (runs_on.threads() == 1 && !device)), m_profiles(profiles), m_device(std::move(device)) {}

command_ptr queue_state::submit(const std::shared_ptr<queue_state>& self, submission&& given) {
  const bool for_device = given.work != nullptr && given.work->on_device() != nullptr;
  command_ptr submitted = command_ptr::adopt(new command(m_executor, self, std::move(given.work)));
  if (m_profiles) {
    submitted->profile();
  }
  if (for_device) {
    submitted->make_device_share();
    complete_finished();
  }
  std::vector<dependency> all = std::move(given.after);
  for (const event& e : given.dependencies) {
    if (e.command() && !(e.command()->is_complete() && !e.command()->error())) {
      all.push_back({e.command(), dependency_kind::required});
    }
  }
  const bool waits_for_all = given.is_barrier && given.dependencies.empty();
  bool started = false;
  std::exception_ptr error;
  // Under m_guard, so that a device gets the commands of an in-order queue in their order.
  const auto order_and_start = [&] {
    order(submitted, waits_for_all, given.is_barrier, all);
    if (for_device && can_start(all)) {
      started = true;
      error = executor::start(*submitted, std::move(all));
    }
  };
  if (given.requirements.empty()) {
    const std::lock_guard lock(m_guard);
    order_and_start();
  } else {
    requirements_lock buffers(given.requirements);
    const std::lock_guard lock(m_guard);
    if (buffers.enter(submitted, for_device, all)) {
      submitted->make_device_share().uses = given.requirements;
    }
    order_and_start();
  }
  if (!started) {
    m_executor.submit(submitted, std::move(all));
  } else if (error) {
    executor::fail(submitted, std::move(error));
  }
  return submitted;
}

/// Returns whether the device can be left to wait for all of these.
bool queue_state::can_start(const std::vector<dependency>& found) const noexcept {
  return std::all_of(found.begin(), found.end(), [&](const dependency& d) {
    return d.on->current_stage() == stage::on_device && &d.on->queue()->device()->home() == &m_device->home();
  });
}

/// So that commands for which nobody waits do not pile up.
void queue_state::complete_finished() {
  std::vector<command_ptr> open;
  {
    const std::lock_guard lock(m_guard);
    if (m_open.size() < m_open_to_look_at) {
      return;
    }
    open = m_open;
  }
  for (const command_ptr& c : open) {
    if (!executor::poll(c) && m_in_order) {
      break;
    }
  }
}

/// Under m_guard: the command's position in the order of the queue.
void queue_state::order(const command_ptr& submitted, bool waits_for_all, bool is_barrier,
                        std::vector<dependency>& found) {
  m_pending.fetch_add(1);
  const auto add = [&](const command_ptr& before, dependency_kind kind) {
    if (before && !(before->is_complete() && !before->error())) {
      found.push_back({before, kind});
    }
  };
  if (m_serial) {
    add(m_last, m_in_order ? dependency_kind::required_unless_known : dependency_kind::order);
    m_last = submitted;
    if (!m_device) {
      return;
    }
  } else if (waits_for_all) {
    for (const command_ptr& before : m_open) {
      add(before, dependency_kind::order);
    }
  }
  add(m_barrier, dependency_kind::order);
  if (is_barrier) {
    m_barrier = submitted;
  }
  if (m_open.size() >= m_open_to_look_at) {
    std::erase_if(m_open, [](const command_ptr& c) { return c->is_complete(); });
    m_open_to_look_at = std::max<std::size_t>(64, 2 * m_open.size());
  }
  m_open.push_back(submitted);
}

command_ptr queue_state::hold(const std::shared_ptr<queue_state>& self) {
  m_pending.fetch_add(1);
  return executor::hold(m_executor, self);
}

void queue_state::wait() {
  if (m_pending.load() != 0) {
    executor::refuse_inside_kernel();
    if (m_device) {
      m_device->finish();
      wait_for_each();
    } else if (m_serial) {
      wait_serial();
    } else if (executor::holds_commands()) {
      wait_for_each();
    } else {
      wait_unordered();
    }
  }
  // All that was submitted is complete: what comes now does not depend on it.
  command_ptr last;
  command_ptr barrier;
  const std::lock_guard lock(m_guard);
  if (m_last && m_last->is_complete()) {
    std::swap(last, m_last);
  }
  if (m_barrier && m_barrier->is_complete()) {
    std::swap(barrier, m_barrier);
  }
  std::erase_if(m_open, [](const command_ptr& c) { return c->is_complete(); });
}

void queue_state::wait_serial() {
  // Kernels may submit commands, too.
  for (command_ptr waited_for;;) {
    command_ptr last;
    {
      const std::lock_guard lock(m_guard);
      last = m_last;
    }
    if (last == waited_for) {
      return;
    }
    executor::wait(last);
    waited_for = std::move(last);
  }
}

/// Finds out, other than wait_unordered(), when it waits for what the calling thread holds.
void queue_state::wait_for_each() {
  while (m_pending.load() != 0) {
    std::vector<command_ptr> open;
    {
      const std::lock_guard lock(m_guard);
      open = m_open;
    }
    // The newest first: what it came after on a device is complete, too.
    for (auto c = open.rbegin(); c != open.rend(); ++c) {
      executor::wait(*c);
    }
    if (m_pending.load() != 0) {
      std::this_thread::yield(); // another thread is completing one, or a kernel has submitted one
    }
  }
}

void queue_state::wait_unordered() {
  while (m_pending.load() != 0) {
    const std::uint32_t before = m_signal.load();
    m_sleepers.fetch_add(1);
    // Whoever makes something of this queue ready after this look sees the sleeper and changes m_signal.
    bool busy = m_executor.help(*this) || m_pending.load() == 0;
    for (int i = 0; !busy && i < 200; ++i) {
      std::this_thread::yield();
      busy = m_signal.load() != before || m_pending.load() == 0;
    }
    if (!busy) {
      m_signal.wait(before);
    }
    m_sleepers.fetch_sub(1);
  }
}

void queue_state::wake_sleepers() noexcept {
  m_signal.fetch_add(1);
  m_signal.notify_all();
}

void queue_state::command_complete() noexcept {
  if (m_pending.fetch_sub(1) != 1) {
    return;
  }
  if (has_sleepers()) {
    wake_sleepers();
  }
  if (m_closed.load()) {
    print_errors();
  }
}

void queue_state::close() noexcept {
  if (m_device && !executor::inside_kernel()) {
    try {
      wait();                    // nobody else would notice that the device has finished
    } catch (const exception&) { // this thread holds a host_accessor that a command waits for
    }
  }
  {
    // Nothing comes after these, and they must not keep their queue alive.
    command_ptr last;
    command_ptr barrier;
    std::vector<command_ptr> open;
    const std::lock_guard lock(m_guard);
    std::swap(last, m_last);
    std::swap(barrier, m_barrier);
    std::swap(open, m_open);
  }
  m_closed.store(true);
  if (!has_open_commands()) {
    print_errors();
  }
}

namespace {

/// Queues whose handles went before their commands were complete: the process waits for these before it ends.
class abandoned_queues {
public:
  static void add(const std::shared_ptr<queue_state>& queue) {
    static const int at_exit = std::atexit([] { get().wait(); });
    static_cast<void>(at_exit);
    abandoned_queues& all = get();
    const std::lock_guard lock(all.m_guard);
    std::erase_if(all.m_queues, [](const auto& q) { return !q->has_open_commands(); });
    all.m_queues.push_back(queue);
  }

private:
  static abandoned_queues& get() {
    static auto& all = *new abandoned_queues;
    return all;
  }

  void wait() noexcept {
    std::vector<std::shared_ptr<queue_state>> queues;
    {
      const std::lock_guard lock(m_guard);
      queues.swap(m_queues);
    }
    for (const std::shared_ptr<queue_state>& queue : queues) {
      while (queue->has_open_commands() && !executor::holds_commands()) {
        std::this_thread::yield();
      }
    }
  }

  std::mutex m_guard;
  std::vector<std::shared_ptr<queue_state>> m_queues;
};

} // namespace

// ---- errors

void queue_state::command_failed(const std::shared_ptr<failure>& error) {
  const std::lock_guard lock(m_guard);
  m_errors.push_back(error);
  m_has_errors.store(true, std::memory_order_release);
}

/// Undelivered errors, which count as delivered from now on. Commands that did not run because of one of them are left
/// out: its error stands for them.
std::vector<std::shared_ptr<failure>> queue_state::take_errors() {
  std::vector<std::shared_ptr<failure>> errors;
  if (m_has_errors.exchange(false, std::memory_order_acquire)) {
    const std::lock_guard lock(m_guard);
    errors.swap(m_errors);
  }
  std::vector<std::shared_ptr<failure>> taken;
  std::vector<const failure*> roots;
  for (const std::shared_ptr<failure>& e : errors) {
    if (!e->root() && !e->is_delivered()) {
      taken.push_back(e);
      roots.push_back(e.get());
    }
  }
  std::sort(roots.begin(), roots.end());
  for (const std::shared_ptr<failure>& e : errors) {
    if (e->root() && !e->is_delivered() && !std::binary_search(roots.begin(), roots.end(), e->root().get())) {
      taken.push_back(e);
    }
  }
  for (const std::shared_ptr<failure>& e : errors) {
    e->set_delivered();
  }
  return taken;
}

namespace {

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

std::error_code code_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const exception& e) {
    return e.code();
  } catch (...) {
    return errc::kernel;
  }
}

/// The error itself if it is one, else an exception that lists them.
[[noreturn]] void throw_all(const std::vector<std::shared_ptr<failure>>& errors) {
  if (errors.size() == 1) {
    std::rethrow_exception(errors.front()->error());
  }
  constexpr std::size_t most_listed = 8;
  std::string text = std::to_string(errors.size()) + " commands failed:";
  for (std::size_t i = 0; i < std::min(errors.size(), most_listed); ++i) {
    text += "\n  " + message_of(errors[i]->error());
  }
  if (errors.size() > most_listed) {
    text += "\n  and " + std::to_string(errors.size() - most_listed) + " more";
  }
  throw exception(code_of(errors.front()->error()), text);
}

} // namespace

void queue_state::deliver_errors() {
  const std::vector<std::shared_ptr<failure>> errors = take_errors();
  if (errors.empty()) {
    return;
  }
  if (!has_handler()) {
    throw_all(errors);
  }
  std::vector<std::exception_ptr> list;
  list.reserve(errors.size());
  for (const std::shared_ptr<failure>& e : errors) {
    list.push_back(e->error());
  }
  m_handler(exception_list(std::move(list)));
}

void queue_state::throw_errors_without_handler() {
  if (!has_handler()) {
    deliver_errors();
  }
}

void queue_state::print_errors() noexcept {
  try {
    for (const std::shared_ptr<failure>& e : take_errors()) {
      std::fprintf(stderr, "lanefold: a queue is destroyed with an error that nobody has asked for: %s\n",
                   message_of(e->error()).c_str());
    }
  } catch (...) {
    std::fputs("lanefold: a queue is destroyed with errors that nobody has asked for\n", stderr);
  }
}

/// The handles of a queue share one.
class queue_owner {
public:
  queue_owner(context its_context, const device& its_device, executor& runs_on, async_handler handler,
              const property_list& given, const launch_settings& common)
      : where(std::move(its_context)), runs_kernels(its_device), properties(given), settings(common) {
    const bool in_order = given.has_property<property::in_order>();
    const bool profiles = given.has_property<property::queue::enable_profiling>();
    state = std::make_shared<queue_state>(runs_on, std::move(handler), in_order, profiles,
                                          common.device == nullptr ? nullptr
                                                                   : common.device->make_queue(in_order, profiles));
  }
  queue_owner(const queue_owner&) = delete;
  queue_owner& operator=(const queue_owner&) = delete;
  ~queue_owner() {
    state->close();
    if (state->has_open_commands()) {
      abandoned_queues::add(state);
    }
  }

  const context where;
  const device runs_kernels;
  const property_list properties;
  const launch_settings settings;
  std::shared_ptr<queue_state> state;
};

namespace {

launch_settings settings_of(const device& runs_on, const property_list& properties, const environment& environment) {
  launch_settings settings;
  settings.device = runs_on.entry()->native;
  settings.engine = properties.has_property<property::fiber_engine>()
                        ? properties.get_property<property::fiber_engine>().value
                        : environment.engine;
  settings.stack_bytes = environment.stack_bytes;
  settings.max_work_group_size = device::max_work_group_size();
  settings.threads = properties.has_property<property::threads>() ? properties.get_property<property::threads>().count
                                                                  : environment.threads;
  if (settings.threads < 1 || settings.threads > environment::most_threads) {
    throw exception(make_error_code(errc::invalid), "property::threads(" + std::to_string(settings.threads) +
                                                        "): a queue runs on 1 to " +
                                                        std::to_string(environment::most_threads) + " threads");
  }
  return settings;
}

} // namespace

void require_isa(isa_id needed) {
  if (!supports(needed)) {
    throw exception(make_error_code(errc::platform), std::string("this program is compiled for ") + isa_name(needed) +
                                                         ", but this CPU can only run " + isa_name(cpu_isa()) +
                                                         ": compile it for this CPU");
  }
}

} // namespace detail

// ---- queue

queue::queue(isa_id needed, const context* where, const device& runs_on, const async_handler& handler,
             const property_list& properties) {
  detail::require_isa(needed);
  const detail::launch_settings settings = detail::settings_of(runs_on, properties, detail::environment::read());
  const context home = where != nullptr ? *where : detail::default_context(runs_on);
  const std::vector<device>& devices = home.state()->devices;
  if (std::find(devices.begin(), devices.end(), runs_on) == devices.end()) {
    throw exception(make_error_code(errc::invalid), "the device of a queue must belong to its context");
  }
  m_owner = std::make_shared<detail::queue_owner>(home, runs_on, detail::executor::get(settings.threads),
                                                  handler ? handler : home.state()->handler, properties, settings);
}

device queue::get_device() const noexcept { return m_owner->runs_kernels; }

context queue::get_context() const { return m_owner->where; }

detail::device_queue* queue::device_queue() const noexcept { return m_owner->state->device(); }

std::uint64_t queue::usm_context() const noexcept { return m_owner->where.usm_context(); }

template <class Query>
typename Query::return_type queue::answer() const {
  if constexpr (std::is_same_v<Query, info::queue::context>) {
    return get_context();
  } else if constexpr (std::is_same_v<Query, info::queue::device>) {
    return get_device();
  } else {
    return static_cast<std::uint32_t>(m_owner.use_count());
  }
}
template context queue::answer<info::queue::context>() const;
template device queue::answer<info::queue::device>() const;
template std::uint32_t queue::answer<info::queue::reference_count>() const;

event queue::submit(handler& h) {
  h.check_bundle(m_owner->where);
  return event(m_owner->state->submit(
      m_owner->state,
      {std::move(h.m_work), std::move(h.m_dependencies), std::move(h.m_requirements), {}, h.m_is_barrier}));
}

event queue::memcpy(void* to, const void* from, std::size_t bytes, const std::vector<event>& dependencies) {
  return submit([&](handler& h) {
    h.depends_on(dependencies);
    h.memcpy(to, from, bytes);
  });
}

event queue::memcpy(void* to, const void* from, std::size_t bytes, const event& dependency) {
  return submit([&](handler& h) {
    h.depends_on(dependency);
    h.memcpy(to, from, bytes);
  });
}

event queue::memset(void* to, int value, std::size_t bytes, const std::vector<event>& dependencies) {
  return submit([&](handler& h) {
    h.depends_on(dependencies);
    h.memset(to, value, bytes);
  });
}

event queue::memset(void* to, int value, std::size_t bytes, const event& dependency) {
  return submit([&](handler& h) {
    h.depends_on(dependency);
    h.memset(to, value, bytes);
  });
}

event queue::ext_oneapi_submit_barrier() {
  return submit([](handler& h) { h.ext_oneapi_barrier(); });
}

event queue::ext_oneapi_submit_barrier(const std::vector<event>& events) {
  return submit([&](handler& h) { h.ext_oneapi_barrier(events); });
}

void queue::wait() {
  m_owner->state->wait();
  m_owner->state->throw_errors_without_handler();
}

void queue::wait_and_throw() {
  m_owner->state->wait();
  m_owner->state->deliver_errors();
}

void queue::throw_asynchronous() { m_owner->state->deliver_errors(); }

bool queue::is_in_order() const noexcept { return m_owner->state->is_in_order(); }

const detail::launch_settings& queue::settings() const noexcept { return m_owner->settings; }

const property_list& queue::properties() const noexcept { return m_owner->properties; }

LANEFOLD_END_NAMESPACE
