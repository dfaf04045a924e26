// SPDX-License-Identifier: Apache-2.0
#include "completion.hpp"

#include "executor.hpp"
#include "observers.hpp"
#include "queue_account.hpp"

#include <lanefold/execution/detail/kernel_scope.hpp>

#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

void take_end(command_times& times) noexcept {
  const std::uint64_t end = command_times::now();
  std::uint64_t never = 0; // not known from the device
  times.ended.compare_exchange_strong(never, end, std::memory_order_relaxed);
  never = 0; // it did not run
  times.started.compare_exchange_strong(never, end, std::memory_order_relaxed);
}

} // namespace

// Nothing here may need memory: what is complete must be known as complete.
command_ptr completion::complete(command_ptr finished, std::exception_ptr error, const command* preferred) noexcept {
  command_ptr next;
  command* not_to_run = nullptr; // a list instead of a recursion, because chains can be long
  for (;;) {
    command& c = *finished;
    std::shared_ptr<failure> failed;
    if (c.m_times) {
      take_end(*c.m_times);
      if (c.m_times->observed) {
        tell_observers(c, error, c.m_cause.get());
      }
    }
    if (error || c.m_cause) {
      failed = failure::make(c.m_work.get(), std::exchange(error, nullptr), c.m_cause);
      c.m_failure = failed;
      c.m_queue->command_failed(failed);
    }
    if (!c.m_dependencies.empty()) {
      std::vector<dependency> released;
      const std::lock_guard lock(c.m_guard);
      released.swap(c.m_dependencies);
    }
    {
      const kernel_scope inside; // a destructor that waits for this command would wait forever
      c.m_work.reset();          // what the kernel holds is released before anybody learns that the command is complete
    }
    if (c.m_device) [[unlikely]] {
      if (!c.m_device->before.empty()) {
        std::vector<dependency> released;
        const std::lock_guard lock(c.m_guard);
        released.swap(c.m_device->before);
      }
      c.m_device->uses.clear();
    }
    const bool counts_first = c.m_queue->waits_for_stages();
    if (counts_first) {
      c.m_queue->command_complete();
    }
    c.m_stage.store(stage::complete, std::memory_order_release);
    dependency* newest = c.m_successors.exchange(command::closed(), std::memory_order_acq_rel);
    c.m_stage.notify_all();
    if (!counts_first) {
      c.m_queue->command_complete();
    }

    dependency* oldest = nullptr;
    while (newest != nullptr) {
      dependency* const following = std::exchange(newest->next, oldest);
      oldest = std::exchange(newest, following);
    }
    for (dependency* l = oldest; l != nullptr;) {
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
        dependent->m_next = std::exchange(not_to_run, dependent.get());
        dependent.detach();
      } else if (!next && (preferred == nullptr ? &dependent->m_home == &c.m_home : dependent.get() == preferred)) {
        dependent->m_stage.store(stage::running, std::memory_order_release);
        next = std::move(dependent);
      } else {
        executor& home = dependent->m_home;
        home.make_ready(std::move(dependent));
      }
    }
    if (not_to_run == nullptr) {
      return next;
    }
    finished = command_ptr::adopt(not_to_run);
    not_to_run = std::exchange(finished->m_next, nullptr);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
