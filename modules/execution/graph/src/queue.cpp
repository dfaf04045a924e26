// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/queue.hpp>

#include "executable_graph.hpp"
#include "graph_recording.hpp"
#include "observers.hpp"
#include "queue_state.hpp"
#include "scheduler.hpp"
#include "whole_handler.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/context.hpp>
#include <lanefold/execution/detail/context_state.hpp>
#include <lanefold/execution/detail/environment.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>
#include <lanefold/execution/detail/platform_entry.hpp>
#include <lanefold/execution/nd_range.hpp>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <thread>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

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
      if (queue->device() != nullptr) { // a host task or kernel has made and destroyed it
        queue->close();
      }
      while (queue->has_open_commands() && !scheduler::holds_commands()) {
        std::this_thread::yield();
      }
    }
  }

  std::mutex m_guard;
  std::vector<std::shared_ptr<queue_state>> m_queues;
};

} // namespace

/// The handles of a queue share one.
class queue_owner {
public:
  queue_owner(context its_context, const device& its_device, executor& runs_on, async_handler handler,
              const property_list& given, const launch_settings& common)
      : where(std::move(its_context)), runs_kernels(its_device), properties(given), settings(common),
        settings_of_nodes(as_node(common)) {
    const bool in_order = given.has_property<property::in_order>();
    const bool profiles = given.has_property<property::queue::enable_profiling>();
    const observed_queue observed = observers_of_new_queue();
    std::unique_ptr<detail::device_queue> native;
    if (common.device != nullptr) {
      native = common.device->make_queue(in_order, profiles || observed.number != 0);
    }
    state = std::make_shared<queue_state>(runs_on, std::move(handler), in_order, profiles, std::move(native), observed);
  }
  queue_owner(const queue_owner&) = delete;
  queue_owner& operator=(const queue_owner&) = delete;
  ~queue_owner() {
    state->close();
    try {
      if (state->has_open_commands()) {
        abandoned_queues::add(state);
      }
    } catch (const std::bad_alloc&) {
      while (state->has_open_commands() && !kernel_scope::is_inside() && !scheduler::holds_commands()) {
        std::this_thread::yield();
      }
    }
  }

  const context where;
  const device runs_kernels;
  const property_list properties;
  const launch_settings settings;
  const launch_settings settings_of_nodes; // while it records
  std::shared_ptr<queue_state> state;
  const std::shared_ptr<graph_recording> records = std::make_shared<graph_recording>();
};

namespace {

launch_settings settings_of(const device& runs_on, const property_list& properties, const environment& environment) {
  launch_settings settings;
  settings.device = runs_on.entry()->native;
  settings.engine = properties.has_property<property::fiber_engine>()
                        ? properties.get_property<property::fiber_engine>().value
                        : environment.engine;
  settings.stack_bytes = environment.stack_bytes;
  settings.lenient_barriers = environment.lenient_barriers;
  settings.checks = environment.checks;
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

queue::queue(isa_id needed, const context* where, const device& runs_on, const async_handler* handler,
             const property_list& properties) {
  detail::require_isa(needed);
  const detail::launch_settings settings = detail::settings_of(runs_on, properties, detail::environment::read());
  const context home = where != nullptr ? *where : detail::default_context(runs_on);
  const std::vector<device>& devices = home.state()->devices;
  if (std::find(devices.begin(), devices.end(), runs_on) == devices.end()) {
    throw exception(make_error_code(errc::invalid), "the device of a queue must belong to its context");
  }
  m_owner = std::make_shared<detail::queue_owner>(home, runs_on, detail::scheduler::executor_for(settings.threads),
                                                  handler != nullptr && *handler ? *handler : home.state()->handler,
                                                  properties, settings);
}

detail::queue_owner& queue::owner() const {
  if (m_owner == nullptr) {
    detail::throw_moved_from("queue");
  }
  return *m_owner;
}

device queue::get_device() const { return owner().runs_kernels; }

context queue::get_context() const { return owner().where; }

detail::device_queue* queue::device_queue() const { return owner().state->device(); }

std::uint64_t queue::usm_context() const { return owner().where.usm_context(); }

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

event queue::submit(void (*group)(void*, handler&), void* argument) {
  detail::whole_handler h(settings());
  group(argument, h);
  const detail::queue_owner& home = owner();
  h.check_bundle(home.where);
  if (h.m_contents.source) [[unlikely]] {
    const std::shared_ptr<detail::command_recorder> recorder = home.records->recorder();
    if (std::optional<event> recorded = recorder ? recorder->record(h, *home.records, home.state) : join_recording(h)) {
      return *std::move(recorded);
    }
    if (h.m_contents.source->is_of_memory()) { // which only a graph keeps
      throw exception(make_error_code(errc::invalid), "the command allocates or frees memory of a graph, and the queue "
                                                      "does not record any more");
    }
  }
  detail::submission given{std::move(h.m_contents.work),
                           std::move(h.m_contents.dependencies),
                           std::move(h.m_contents.requirements),
                           {},
                           h.m_contents.is_barrier};
  if (h.m_contents.graph) {
    return event(
        detail::executable_graph::submit(h.m_contents.graph.share(), h.m_settings, home.state, std::move(given)));
  }
  if (const std::uint64_t place = home.state->submit_eventless(given); place != 0) {
    return {home.state, place};
  }
  return event(home.state->submit(home.state, std::move(given)));
}

std::optional<event> queue::start_eventless(detail::eventless_start& what) const {
  const detail::queue_owner& home = owner();
  if (home.records->recorder()) [[unlikely]] {
    return std::nullopt;
  }
  static const std::vector<event> no_dependencies;
  std::exception_ptr error; // the command is tried once more, and then has it
  const std::uint64_t place = home.state->start_eventless(what, no_dependencies, error);
  return place == 0 ? std::nullopt : std::optional<event>(event(home.state, place));
}

const std::shared_ptr<detail::graph_recording>& queue::recording() const { return owner().records; }

ext::oneapi::experimental::queue_state queue::ext_oneapi_get_state() const {
  using ext::oneapi::experimental::queue_state;
  return recording()->recorder() ? queue_state::recording : queue_state::executing;
}

void queue::refuse_to_wait_while_recording() const {
  if (recording()->recorder()) {
    throw exception(make_error_code(errc::invalid),
                    "the queue records its commands to a graph: there is nothing to wait for before end_recording");
  }
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

namespace {
void require_in_order(const queue& q, const char* function) {
  if (!q.is_in_order()) {
    throw exception(make_error_code(errc::invalid),
                    std::string(function) +
                        ": the queue has no property::queue::in_order, so no command is the last one");
  }
}
} // namespace

std::optional<event> queue::ext_oneapi_get_last_event() {
  require_in_order(*this, "ext_oneapi_get_last_event");
  return ext_oneapi_submit_barrier();
}

void queue::ext_oneapi_set_external_event(const event& external) {
  require_in_order(*this, "ext_oneapi_set_external_event");
  ext_oneapi_submit_barrier({external});
}

void queue::wait_before_free() const { owner().state->wait_before_free(); }

std::weak_ptr<detail::queue_state> queue::commands() const { return owner().state; }

bool queue::khr_empty() const { return owner().state->is_empty(); }

void queue::khr_flush() const { static_cast<void>(owner()); }

void queue::wait() {
  refuse_to_wait_while_recording();
  owner().state->wait();
  owner().state->throw_errors_without_handler();
}

void queue::wait_and_throw() {
  refuse_to_wait_while_recording();
  owner().state->wait();
  owner().state->deliver_errors();
}

void queue::throw_asynchronous() { owner().state->deliver_errors(); }

bool queue::is_in_order() const { return owner().state->is_in_order(); }

const detail::launch_settings& queue::settings() const {
  const detail::queue_owner& home = owner();
  return home.records->is_active() ? home.settings_of_nodes : home.settings;
}

const property_list& queue::properties() const { return owner().properties; }

LANEFOLD_END_NAMESPACE
