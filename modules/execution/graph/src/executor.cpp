// SPDX-License-Identifier: Apache-2.0
#include "executor.hpp"

#include "buffer_places.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <thread>
#include <typeinfo>

#if defined(__x86_64__) || defined(__i386__)
#include <immintrin.h>
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

/// A launch that is expected to take no longer than this runs on one thread: calling another one costs about as much.
constexpr auto worth_one_thread = 6us;
/// A worker without work looks for some for this long before it goes to sleep, because waking it costs several
/// microseconds.
constexpr auto worker_patience = 50us;
/// A worker leaves a ready command for this long to the thread that has submitted it, which often waits for it at once.
constexpr auto worker_politeness = 500ns;
/// A thread that waits, and cannot help, spins for this long before it sleeps.
constexpr auto waiter_patience = 20us;

/// Commands made by executor::hold that the calling thread has not released yet.
thread_local unsigned commands_held = 0;

inline void relax() noexcept {
#if defined(__x86_64__) || defined(__i386__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#else
  std::this_thread::yield();
#endif
}

/// Spins until `done()`, at most for `patience`; says whether it is done.
template <class Done>
bool spin(steady_clock::duration patience, Done done) {
  const auto end = steady_clock::now() + patience;
  do {
    for (int i = 0; i < 8; ++i) {
      if (done()) {
        return true;
      }
      relax();
    }
  } while (steady_clock::now() < end);
  return done();
}

} // namespace

// ---- command

void command_ptr::retain() const noexcept {
  if (m_command != nullptr) {
    m_command->m_references.fetch_add(1, std::memory_order_relaxed);
  }
}

void command_ptr::release() const noexcept {
  if (m_command->m_references.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete m_command;
  }
}

std::uint32_t command_ptr::use_count() const noexcept {
  return m_command == nullptr ? 0 : m_command->m_references.load(std::memory_order_relaxed);
}

command::link* command::closed() noexcept {
  static constinit link mark{{}, dependency_kind::order, nullptr, nullptr};
  return &mark;
}

bool command::add_successor(link& l) noexcept {
  link* first = m_successors.load(std::memory_order_acquire);
  do {
    if (first == closed()) {
      return false;
    }
    l.next = first;
  } while (!m_successors.compare_exchange_weak(first, &l, std::memory_order_seq_cst, std::memory_order_acquire));
  return true;
}

void command::note_failed_dependency(dependency_kind kind, const std::shared_ptr<failure>& error) {
  if (kind == dependency_kind::required || (kind == dependency_kind::required_unless_known && !error->is_known())) {
    const std::lock_guard lock(m_guard);
    if (!m_cause) {
      m_cause = error;
    }
  }
}

command_ptr command::open_dependency() const {
  const std::lock_guard lock(m_guard);
  command_ptr found;
  for (const link& l : m_dependencies) {
    const stage s = l.on->current_stage();
    if (s == stage::waiting || s == stage::ready) {
      return l.on;
    }
    if ((s == stage::running || s == stage::on_device) && !found) {
      found = l.on;
    }
  }
  return found;
}

std::vector<command_ptr> command::open_dependencies() const {
  const std::lock_guard lock(m_guard);
  std::vector<command_ptr> found;
  const auto add = [&](const command_ptr& on, dependency_kind kind) {
    const bool known = std::find(found.begin(), found.end(), on) != found.end();
    if (kind != dependency_kind::order && !known && !on->is_complete()) {
      found.push_back(on);
    }
  };
  for (const link& l : m_dependencies) {
    add(l.on, l.kind);
  }
  if (m_device) {
    for (const dependency& d : m_device->before) {
      add(d.on, d.kind);
    }
  }
  return found;
}

std::uint64_t command_times::now() noexcept {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(steady_clock::now().time_since_epoch()).count());
}

// ---- failure

std::exception_ptr failure::error() const {
  if (!m_root) {
    return m_error;
  }
  std::error_code code = make_error_code(errc::kernel);
  std::string why;
  try {
    std::rethrow_exception(m_root->m_error);
  } catch (const exception& e) {
    code = e.code();
    why = e.what();
  } catch (const std::exception& e) {
    why = e.what();
  } catch (...) {
    why = "an exception of unknown type";
  }
  return std::make_exception_ptr(exception(
      code, "command '" + m_kernel + "' did not run, because a command that it depends on has failed: " + why));
}

// ---- what a group of a kernel costs

/// The entry of one type of launch. Threads may overwrite each other's hints.
class executor::cost_hint {
public:
  cost_hint(executor& home, const launch& work) noexcept
      : m_tag(reinterpret_cast<std::uintptr_t>(&typeid(work)) >> 3),
        m_entry(home.m_costs[(m_tag ^ m_tag >> 8) % home.m_costs.size()]) {}

  /// Nothing known: a very long time.
  [[nodiscard]] steady_clock::duration expected(std::size_t groups) const noexcept {
    const std::uint64_t word = m_entry.load(std::memory_order_relaxed);
    if (word >> 32 != (m_tag & 0xffffffff)) {
      return steady_clock::duration::max();
    }
    const double nanoseconds = static_cast<double>(word & 0xffffffff) / 16 * static_cast<double>(groups);
    return nanoseconds > 1e12 ? steady_clock::duration::max()
                              : std::chrono::duration_cast<steady_clock::duration>(
                                    std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds)));
  }

  void learn(std::size_t groups, steady_clock::duration time) noexcept {
    if (groups == 0) {
      return;
    }
    const double nanoseconds = std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(groups);
    const auto cost = static_cast<std::uint64_t>(std::clamp(nanoseconds * 16, 1.0, 4e9));
    const std::uint64_t old = m_entry.load(std::memory_order_relaxed);
    const std::uint64_t old_cost = old & 0xffffffff;
    if (old >> 32 != (m_tag & 0xffffffff) || cost > old_cost + old_cost / 4 || cost + old_cost / 4 < old_cost) {
      m_entry.store((m_tag & 0xffffffff) << 32 | cost, std::memory_order_relaxed);
    }
  }

private:
  std::uint64_t m_tag;
  std::atomic<std::uint64_t>& m_entry;
};

// ---- executor

namespace {
/// The only thing that orders the making of an executor before its first use by a worker: the pointer comes through
/// oneTBB, see executor_threads.hpp.
constinit std::atomic<unsigned> executors_made{0};
} // namespace

executor& executor::get(std::size_t threads) {
  static std::mutex guard;
  // Never destroyed: workers may still look for work when the process ends.
  static auto& executors = *new std::map<std::size_t, executor*>();
  const std::lock_guard lock(guard);
  executor*& found = executors[threads];
  if (found == nullptr) {
    found = new executor(threads);
    executors_made.fetch_add(1, std::memory_order_release);
  }
  return *found;
}

executor::executor(std::size_t threads)
    : m_threads(threads), m_workers(std::max<std::size_t>(threads - 1, 1)), m_pool(threads) {}

void executor::submit(command_ptr submitted, std::vector<dependency> dependencies) {
  command& c = *submitted;
  std::uint32_t settled = 1; // the submission itself, and what is complete already
  if (!dependencies.empty()) {
    std::vector<std::pair<dependency_kind, command_ptr>> complete_already;
    c.m_unfinished.store(static_cast<std::uint32_t>(dependencies.size() + 1), std::memory_order_relaxed);
    {
      const std::lock_guard lock(c.m_guard);
      c.m_dependencies.reserve(dependencies.size()); // the links must not move
      for (dependency& d : dependencies) {
        command::link& l = c.m_dependencies.emplace_back(command::link{std::move(d.on), d.kind, &c, nullptr});
        command_ptr kept_by_link(&c);
        if (l.on->add_successor(l)) {
          kept_by_link.detach();
        } else {
          complete_already.emplace_back(l.kind, l.on);
        }
      }
    }
    // Either this sees that the device has the dependency, or start() sees that it has a successor. Not under a lock: a
    // device that has finished it tells so at once. The links stay, because the submission itself is not settled.
    for (const command::link& l : c.m_dependencies) {
      if (l.on->m_stage.load(std::memory_order_seq_cst) == stage::on_device) {
        watch(*l.on);
      }
    }
    for (const auto& [kind, on] : complete_already) {
      ++settled;
      if (on->error()) {
        c.note_failed_dependency(kind, on->error());
      }
    }
  }
  if (c.m_unfinished.fetch_sub(settled, std::memory_order_acq_rel) == settled) {
    if (c.m_cause) {
      complete(std::move(submitted), nullptr, &c);
    } else {
      make_ready(std::move(submitted));
    }
  }
}

command_ptr executor::hold(executor& home, std::shared_ptr<queue_state> queue) {
  command_ptr held = command_ptr::adopt(new command(home, std::move(queue), nullptr));
  held->m_holder = std::this_thread::get_id();
  held->m_stage.store(stage::running, std::memory_order_relaxed);
  ++commands_held;
  return held;
}

void executor::release(const command_ptr& held) {
  if (held->m_holder == std::this_thread::get_id()) {
    --commands_held;
  }
  complete(held, nullptr, held.get());
}

bool executor::holds_commands() noexcept { return commands_held != 0; }

// ---- the list of ready commands

void executor::make_ready(command_ptr ready) {
  std::size_t missing = 0;
  std::shared_ptr<queue_state> sleeping;
  {
    const std::lock_guard lock(m_guard);
    command& c = *ready.detach(); // the list owns a reference
    c.m_previous = m_last_ready;
    c.m_next = nullptr;
    (m_last_ready != nullptr ? m_last_ready->m_next : m_first_ready) = &c;
    m_last_ready = &c;
    c.m_stage.store(stage::ready, std::memory_order_release);
    m_ready_count.fetch_add(1, std::memory_order_relaxed);
    missing = invitations();
    if (c.m_queue->has_sleepers()) {
      sleeping = c.m_queue; // the command may be gone in a moment
    }
  }
  invite(missing);
  if (sleeping) {
    sleeping->wake_sleepers();
  }
}

/// Under m_guard: takes a command out of the list.
command_ptr executor::claim_listed(command& listed) noexcept {
  (listed.m_previous != nullptr ? listed.m_previous->m_next : m_first_ready) = listed.m_next;
  (listed.m_next != nullptr ? listed.m_next->m_previous : m_last_ready) = listed.m_previous;
  listed.m_stage.store(stage::running, std::memory_order_release);
  m_ready_count.fetch_sub(1, std::memory_order_relaxed);
  return command_ptr::adopt(&listed);
}

/// Null if somebody else was faster.
command_ptr executor::claim(command& wanted) {
  const std::lock_guard lock(m_guard);
  return wanted.current_stage() == stage::ready ? claim_listed(wanted) : command_ptr();
}

command_ptr executor::claim_first() {
  const std::lock_guard lock(m_guard);
  return m_first_ready != nullptr ? claim_listed(*m_first_ready) : command_ptr();
}

// ---- running

command_ptr executor::run(command_ptr running, const command* preferred) {
  launch* const work = running->m_work.get();
  if (running->m_times) {
    running->m_times->started.store(command_times::now(), std::memory_order_relaxed);
  }
  if (running->m_device) [[unlikely]] {
    std::exception_ptr error;
    if (work != nullptr && work->on_device() != nullptr) {
      error = start(*running, {});
      return error ? complete(std::move(running), std::move(error), preferred) : command_ptr();
    }
    try {
      for (const buffer_requirement& use : running->m_device->uses) {
        if (use.buffer->has_places()) {
          use.buffer->places().bring_to_host({use.begin, use.end}, use.kind);
        }
      }
    } catch (...) {
      return complete(std::move(running), std::current_exception(), preferred);
    }
  }
  if (work == nullptr || work->size() == 0) {
    return complete(std::move(running), nullptr, preferred);
  }
  if (m_threads == 1 || work->size() < 2 * work->grain()) {
    std::exception_ptr error;
    try {
      const kernel_scope inside;
      work->run(0, work->size());
    } catch (...) {
      error = std::current_exception();
    }
    return complete(std::move(running), std::move(error), preferred);
  }
  if (cost_hint(*this, *work).expected(work->size()) <= worth_one_thread) {
    return run_here(std::move(running), preferred);
  }
  return run_shared(std::move(running), 0, preferred);
}

/// Runs a launch that is expected to be short on this thread, but calls others if it turns out to be long.
command_ptr executor::run_here(command_ptr running, const command* preferred) {
  launch& work = *running->m_work;
  cost_hint hint(*this, work);
  const std::size_t groups = work.size();
  const std::size_t probe = std::max(work.grain(), groups / 4);
  std::exception_ptr error;
  bool finished = true;
  try {
    const kernel_scope inside;
    const auto begin = clock::now();
    work.run(0, probe);
    const auto time = clock::now() - begin;
    hint.learn(probe, time);
    finished = time * (groups / probe) <= 2 * worth_one_thread;
    if (finished) {
      work.run(probe, groups);
    }
  } catch (...) {
    finished = true;
    error = std::current_exception();
  }
  return finished ? complete(std::move(running), std::move(error), preferred)
                  : run_shared(std::move(running), probe, preferred);
}

command_ptr executor::run_shared(command_ptr running, std::size_t first, const command* preferred) {
  launch& work = *running->m_work;
  cost_hint hint(*this, work); // now: when others have finished the launch, it is gone
  const auto shared = std::make_shared<distribution>(work, first, work.size(), m_threads);
  const std::size_t seats = shared->shares() - 1;
  if (seats > 0) {
    std::size_t missing = 0;
    std::shared_ptr<queue_state> sleeping;
    {
      const std::lock_guard lock(m_guard);
      m_open.push_back({running, shared, seats});
      m_open_wanted.fetch_add(seats, std::memory_order_relaxed);
      running->m_opened.store(true, std::memory_order_release);
      missing = invitations();
      if (running->m_queue->has_sleepers()) {
        sleeping = running->m_queue;
      }
    }
    invite(missing);
    if (sleeping) {
      sleeping->wake_sleepers();
    }
  }
  return participate(std::move(running), *shared, preferred, &hint);
}

/// `hint` learns what a group costs.
command_ptr executor::participate(command_ptr owner, distribution& work, const command* preferred, cost_hint* hint) {
  std::size_t groups = 0;
  bool last = false;
  const auto begin = clock::now();
  {
    const kernel_scope inside;
    last = work.participate(current_worker(), groups);
  }
  if (hint != nullptr) {
    hint->learn(groups, clock::now() - begin);
  }
  if (last || !work.has_work()) {
    close(work);
  }
  return last ? complete(std::move(owner), work.take_error(), preferred) : command_ptr();
}

template <class Predicate>
bool executor::take_seat(open_launch& taken, Predicate wanted) {
  const std::lock_guard lock(m_guard);
  for (open_launch& open : m_open) {
    if (open.wanted > 0 && wanted(*open.owner)) {
      --open.wanted;
      m_open_wanted.fetch_sub(1, std::memory_order_relaxed);
      taken = open;
      return true;
    }
  }
  return false;
}

/// Nobody can join any more.
void executor::close(const distribution& finished) {
  open_launch closed; // released outside the lock
  const std::lock_guard lock(m_guard);
  const auto found =
      std::find_if(m_open.begin(), m_open.end(), [&](const open_launch& open) { return open.work.get() == &finished; });
  if (found != m_open.end()) {
    m_open_wanted.fetch_sub(found->wanted, std::memory_order_relaxed);
    closed = std::move(*found);
    m_open.erase(found);
  }
}

command_ptr executor::complete(command_ptr finished, std::exception_ptr error, const command* preferred) {
  command_ptr next;
  std::vector<command_ptr> not_to_run; // a loop instead of a recursion, because chains can be long
  for (;;) {
    command& c = *finished;
    std::shared_ptr<failure> failed;
    if (error || c.m_cause) {
      std::string name = c.m_work ? c.m_work->kernel_name() : "command group without an action";
      failed = error ? std::make_shared<failure>(std::move(name), std::exchange(error, nullptr))
                     : std::make_shared<failure>(std::move(name), c.m_cause);
      c.m_failure = failed;
      c.m_queue->command_failed(failed);
    }
    {
      const kernel_scope inside; // a destructor that waits for this command would wait forever
      c.m_work.reset();          // what the kernel holds is released before anybody learns that the command is complete
    }
    if (!c.m_dependencies.empty()) {
      std::vector<command::link> released;
      const std::lock_guard lock(c.m_guard);
      released.swap(c.m_dependencies);
    }
    if (c.m_device) [[unlikely]] {
      std::vector<dependency> released;
      const std::lock_guard lock(c.m_guard);
      released.swap(c.m_device->before);
      c.m_device->uses.clear();
    }
    if (c.m_times) {
      const std::uint64_t end = command_times::now();
      std::uint64_t never = 0; // not known from the device
      c.m_times->ended.compare_exchange_strong(never, end, std::memory_order_relaxed);
      never = 0; // it did not run
      c.m_times->started.compare_exchange_strong(never, end, std::memory_order_relaxed);
    }
    c.m_stage.store(stage::complete, std::memory_order_release);
    command::link* newest = c.m_successors.exchange(command::closed(), std::memory_order_acq_rel);
    c.m_stage.notify_all();
    c.m_queue->command_complete();

    command::link* oldest = nullptr;
    while (newest != nullptr) {
      command::link* const following = std::exchange(newest->next, oldest);
      oldest = std::exchange(newest, following);
    }
    for (command::link* l = oldest; l != nullptr;) {
      command_ptr dependent = command_ptr::adopt(l->dependent);
      if (failed) {
        dependent->note_failed_dependency(l->kind, failed);
      }
      l = l->next;
      // From here on the link may be gone.
      if (dependent->m_unfinished.fetch_sub(1, std::memory_order_acq_rel) != 1) {
        continue;
      }
      if (dependent->m_cause) {
        not_to_run.push_back(std::move(dependent));
      } else if (!next && (preferred == nullptr ? &dependent->m_home == &c.m_home : dependent.get() == preferred)) {
        dependent->m_stage.store(stage::running, std::memory_order_release);
        next = std::move(dependent);
      } else {
        executor& home = dependent->m_home;
        home.make_ready(std::move(dependent));
      }
    }
    if (not_to_run.empty()) {
      return next;
    }
    finished = std::move(not_to_run.back());
    not_to_run.pop_back();
  }
}

// ---- commands of devices

std::exception_ptr executor::start(command& c, std::vector<dependency> before) {
  device_share& share = *c.m_device;
  device_queue& queue = *c.m_queue->device();
  try {
    std::vector<device_event_ptr> after;
    after.reserve(before.size() + 1);
    for (const dependency& d : before) {
      after.push_back(d.on->m_device->event);
    }
    for (const buffer_requirement& use : share.uses) {
      use.buffer->places().bring_to(queue, {use.begin, use.end}, use.kind, after);
    }
    share.event = c.m_work->on_device()->start(queue, after);
  } catch (...) {
    return std::current_exception();
  }
  {
    const std::lock_guard lock(c.m_guard);
    share.before = std::move(before);
  }
  c.m_stage.store(stage::on_device, std::memory_order_seq_cst);
  c.m_stage.notify_all();
  if (c.m_successors.load(std::memory_order_seq_cst) != nullptr) {
    watch(c);
  }
  return nullptr;
}

void executor::fail(command_ptr not_started, std::exception_ptr error) {
  const command* const none = not_started.get();
  complete(std::move(not_started), std::move(error), none);
}

void executor::finish(const command_ptr& finished) {
  // The commands that it came after are finished, too, and are completed first: the error of one is the cause of this
  // one's.
  struct step {
    command_ptr on;
    std::size_t next; // of what it came after
  };
  std::vector<step> path;
  const auto enter = [&path](const command_ptr& c) {
    if (c->is_complete()) {
      return;
    }
    if (c->m_device->is_finishing.exchange(true)) { // another thread is about to complete it
      c->m_stage.wait(stage::on_device, std::memory_order_acquire);
      return;
    }
    path.push_back({c, 0});
  };
  for (enter(finished); !path.empty();) {
    command& c = *path.back().on;
    device_share& share = *c.m_device;
    if (path.back().next < share.before.size()) {
      const command_ptr before = share.before[path.back().next++].on;
      enter(before);
      continue;
    }
    for (const dependency& d : share.before) {
      if (d.on->error()) {
        c.note_failed_dependency(d.kind, d.on->error());
      }
    }
    if (c.m_times) {
      const device_event::times device = share.event->profile();
      const std::uint64_t submitted = c.m_times->submitted.load(std::memory_order_relaxed);
      c.m_times->started.store(submitted + (device.started - device.submitted), std::memory_order_relaxed);
      c.m_times->ended.store(submitted + (device.ended - device.submitted), std::memory_order_relaxed);
    }
    std::exception_ptr error = c.m_cause ? nullptr : share.event->error();
    command_ptr done = std::move(path.back().on);
    path.pop_back();
    complete(std::move(done), std::move(error), &c);
  }
}

bool executor::poll(const command_ptr& asked) {
  if (!is_finished(*asked)) {
    return false;
  }
  finish(asked);
  return true;
}

bool executor::is_finished(const command& asked) noexcept {
  return asked.is_complete() || (asked.current_stage() == stage::on_device &&
                                 asked.m_device->event->status() == info::event_command_status::complete);
}

void executor::watch(command& c) {
  if (!c.m_device->is_watched.exchange(true)) {
    c.m_device->event->when_complete(&device_has_finished, command_ptr(&c).detach());
  }
}

void executor::device_has_finished(void* command) {
  finish(command_ptr::adopt(static_cast<detail::command*>(command)));
}

// ---- host threads that wait

void executor::wait(const command_ptr& target) {
  if (!target || target->is_complete()) {
    return;
  }
  kernel_scope::refuse_inside();
  // Most often the command is ready, and this thread runs it as if it had called it.
  if (target->current_stage() == stage::ready) {
    if (command_ptr mine = target->m_home.claim(*target)) {
      target->m_home.run(std::move(mine), target.get());
    }
  }
  // From the target to a command that can be run now: each waits for the one behind it.
  std::vector<command_ptr> path;
  while (!target->is_complete()) {
    if (path.empty()) {
      path.push_back(target);
    }
    wait_step(path);
  }
}

bool executor::help(const queue_state& queue) {
  command_ptr mine;
  {
    // The list may be long, and the commands of other queues are none of our business.
    constexpr int most_looked_at = 64;
    const std::lock_guard lock(m_guard);
    int looked_at = 0;
    for (command* c = m_first_ready; c != nullptr && !mine && looked_at < most_looked_at; ++looked_at) {
      command* const following = c->m_next;
      if (c->m_queue.get() == &queue) {
        mine = claim_listed(*c);
      }
      c = following;
    }
  }
  if (mine) {
    const command* const none = mine.get();
    run(std::move(mine), none);
    return true;
  }
  open_launch open;
  if (take_seat(open, [&](const command& owner) { return owner.m_queue.get() == &queue; })) {
    const command* const none = open.owner.get();
    participate(std::move(open.owner), *open.work, none);
    return true;
  }
  return false;
}

// ---- workers

void executor::invite(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    m_pool.invite(&work_entry, this);
  }
}

/// Under m_guard: how many workers to call now. Those who come call further ones.
std::size_t executor::invitations() noexcept {
  const std::size_t wanted =
      m_ready_count.load(std::memory_order_relaxed) + m_open_wanted.load(std::memory_order_relaxed);
  const std::size_t coming = m_idle + m_invited;
  const std::size_t absent = m_workers - std::min(m_workers, coming + m_busy);
  const std::size_t missing = std::min({wanted - std::min(wanted, coming), absent, std::size_t{2}});
  m_invited += missing;
  return missing;
}

void executor::work_entry(void* self) {
  executors_made.load(std::memory_order_acquire);
  static_cast<executor*>(self)->work();
}

void executor::work() {
  {
    const std::lock_guard lock(m_guard);
    --m_invited;
    ++m_busy;
  }
  do {
    while (work_once()) {
    }
  } while (look_for_work());
}

bool executor::work_once() {
  command_ptr mine = claim_first();
  open_launch open;
  if (!mine && !take_seat(open, [](const command&) { return true; })) {
    return false;
  }
  std::size_t missing = 0;
  {
    const std::lock_guard lock(m_guard);
    missing = invitations();
  }
  invite(missing);
  if (!mine) {
    mine = participate(std::move(open.owner), *open.work, nullptr);
  }
  while (mine) {
    mine = run(std::move(mine), nullptr);
  }
  return true;
}

/// A worker has nothing to do. False if it should go to sleep.
bool executor::look_for_work() {
  const auto anything = [this] {
    return m_ready_count.load(std::memory_order_relaxed) + m_open_wanted.load(std::memory_order_relaxed) != 0;
  };
  const auto nothing_urgent = [this] { return m_open_wanted.load(std::memory_order_relaxed) == 0; };
  {
    const std::lock_guard lock(m_guard);
    --m_busy;
    ++m_idle;
  }
  const auto end = clock::now() + worker_patience;
  while (clock::now() < end) {
    if (spin(1us, anything)) {
      if (nothing_urgent()) {
        spin(worker_politeness, [&] { return !anything() || !nothing_urgent(); });
      }
      if (anything()) {
        break;
      }
    }
  }
  const std::lock_guard lock(m_guard);
  --m_idle;
  if (!anything()) {
    return false;
  }
  ++m_busy;
  return true;
}

// ---- waiting, step by step

void executor::wait_step(std::vector<command_ptr>& path) {
  command& top = *path.back();
  // With what this thread goes on, after it has run the last command of the path.
  const auto preferred = [&path] { return path.size() > 1 ? path[path.size() - 2].get() : path.back().get(); };
  const auto go_on = [&](command_ptr next) {
    while (next) {
      path.pop_back(); // `next` is the last one now
      executor& home = next->m_home;
      next = home.run(std::move(next), preferred());
    }
  };
  switch (top.current_stage()) {
  case stage::complete: path.pop_back(); break;
  case stage::ready:
    if (command_ptr mine = top.m_home.claim(top)) {
      go_on(top.m_home.run(std::move(mine), preferred()));
    }
    break;
  case stage::running: {
    open_launch open;
    if (top.m_opened.load(std::memory_order_acquire) &&
        top.m_home.take_seat(open, [&](const command& owner) { return &owner == &top; })) {
      go_on(top.m_home.participate(std::move(open.owner), *open.work, preferred()));
    } else if (top.m_holder == std::this_thread::get_id()) {
      throw exception(make_error_code(errc::invalid),
                      "wait would never return: this thread has a host_accessor that the command waits for");
    } else {
      rest(top);
    }
    break;
  }
  case stage::on_device: {
    const command_ptr waited_for = path.back();
    top.m_device->event->wait();
    finish(waited_for);
    break;
  }
  case stage::waiting:
    if (command_ptr dependency = top.open_dependency()) {
      path.push_back(std::move(dependency));
    } else {
      relax(); // another thread is about to make it ready
    }
    break;
  }
}

/// Nothing to do for this thread until the command is complete, or is opened.
void executor::rest(const command& running) {
  const bool opened = running.m_opened.load(std::memory_order_relaxed);
  const auto changed = [&] {
    return running.current_stage() != stage::running || running.m_opened.load(std::memory_order_relaxed) != opened;
  };
  if (!spin(waiter_patience, changed)) {
    running.m_stage.wait(stage::running, std::memory_order_acquire);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
