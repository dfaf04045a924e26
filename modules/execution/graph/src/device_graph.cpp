// SPDX-License-Identifier: Apache-2.0
#include "device_graph.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Stands for several commands of a device. Those behind which another one comes are complete when that is.
class events_of_steps final : public device_event {
public:
  /// `last`: those behind which none comes, which is one at least.
  events_of_steps(std::vector<device_event_ptr> all, std::vector<device_event_ptr> last)
      : m_all(std::move(all)), m_last(std::move(last)) {}

  info::event_command_status status() noexcept override {
    info::event_command_status least = info::event_command_status::complete;
    for (const device_event_ptr& e : m_last) {
      const info::event_command_status s = e->status();
      if (s == info::event_command_status::running) {
        return s;
      }
      least = s == info::event_command_status::complete ? least : s;
    }
    return least;
  }
  void wait() noexcept override {
    for (const device_event_ptr& e : m_last) {
      e->wait();
    }
  }
  void when_complete(void (*notify)(void*), void* argument) noexcept override {
    m_notify = notify;
    m_argument = argument;
    m_left.store(m_last.size(), std::memory_order_relaxed);
    const std::vector<device_event_ptr> last = m_last; // the command keeps this until it is told, and no longer
    for (const device_event_ptr& e : last) {
      e->when_complete(&one_is_complete, this);
    }
  }
  void add_to(std::vector<device_event_ptr>& list, const device_event_ptr& /*self*/) override {
    list.insert(list.end(), m_last.begin(), m_last.end());
  }
  /// That of the first step that has failed: those behind it fail because of it.
  std::exception_ptr error() noexcept override {
    for (const device_event_ptr& e : m_all) {
      if (std::exception_ptr why = e->error()) {
        return why;
      }
    }
    return nullptr;
  }
  times profile() override {
    times whole{std::numeric_limits<std::uint64_t>::max(), std::numeric_limits<std::uint64_t>::max(), 0};
    for (const device_event_ptr& e : m_all) {
      const times of_step = e->profile();
      whole.submitted = std::min(whole.submitted, of_step.submitted);
      whole.started = std::min(whole.started, of_step.started);
      whole.ended = std::max(whole.ended, of_step.ended);
    }
    return whole;
  }

private:
  static void one_is_complete(void* self) {
    auto& events = *static_cast<events_of_steps*>(self);
    void (*const notify)(void*) = events.m_notify;
    void* const argument = events.m_argument;
    if (events.m_left.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      notify(argument); // may end `events`
    }
  }

  std::vector<device_event_ptr> m_all;
  std::vector<device_event_ptr> m_last;
  void (*m_notify)(void*) = nullptr;
  void* m_argument = nullptr;
  std::atomic<std::size_t> m_left{0};
};

} // namespace

device_steps::device_steps(std::vector<step_description> steps)
    : m_steps(std::move(steps)), m_is_last(m_steps.size(), true) {
  std::vector<std::size_t> left(m_steps.size());
  std::vector<std::vector<std::uint32_t>> next(m_steps.size());
  m_order.reserve(m_steps.size());
  for (std::uint32_t s = 0; s < m_steps.size(); ++s) {
    left[s] = m_steps[s].after.size();
    for (const std::uint32_t before : m_steps[s].after) {
      next[before].push_back(s);
      m_is_last[before] = false;
    }
    if (left[s] == 0) {
      m_order.push_back(s);
    }
  }
  for (std::size_t i = 0; i < m_order.size(); ++i) { // circles were refused when the program was made
    for (const std::uint32_t s : next[m_order[i]]) {
      if (--left[s] == 0) {
        m_order.push_back(s);
      }
    }
  }
}

bool device_steps::do_nothing() const noexcept {
  return std::all_of(m_steps.begin(), m_steps.end(), [](const step_description& s) { return s.work == nullptr; });
}

/// The queue counts its commands: none but the last one needs an event, which stands for those before it.
device_event_ptr device_steps::start_counted(device_queue& on, const std::vector<device_event_ptr>& after) const {
  const auto has_work = [&](std::uint32_t s) { return m_steps[s].work != nullptr; };
  const std::uint32_t first = *std::find_if(m_order.begin(), m_order.end(), has_work);
  const std::uint32_t last = *std::find_if(m_order.rbegin(), m_order.rend(), has_work);
  device_event_ptr made;
  try {
    for (const std::uint32_t s : m_order) {
      if (!has_work(s)) {
        continue;
      }
      device_launch& work = *m_steps[s].work->on_device();
      if (s == first || s == last || work.start_without_event(on) == 0) {
        made = work.start(on, s == first ? after : std::vector<device_event_ptr>());
      }
    }
  } catch (...) {
    on.finish();
    throw;
  }
  return made;
}

device_event_ptr device_steps::start(device_queue& on, const std::vector<device_event_ptr>& after) const {
  if (on.counts_commands()) {
    return start_counted(on, after);
  }
  const bool in_order = on.is_in_order();
  // Behind a step come the steps behind its event, or behind those of its own predecessors if it does nothing.
  std::vector<std::vector<device_event_ptr>> ends(m_steps.size());
  std::vector<device_event_ptr> all;
  std::vector<device_event_ptr> last;
  try {
    for (const std::uint32_t s : m_order) {
      std::vector<device_event_ptr> behind;
      if (m_steps[s].after.empty()) {
        behind = after;
      }
      for (const std::uint32_t before : m_steps[s].after) {
        behind.insert(behind.end(), ends[before].begin(), ends[before].end());
      }
      if (m_steps[s].work == nullptr) {
        ends[s] = std::move(behind);
      } else {
        const bool is_first = all.empty(); // behind it are those of `after`, also where steps without work lie between
        device_launch& work = *m_steps[s].work->on_device();
        all.push_back(work.start(on, in_order && !is_first ? std::vector<device_event_ptr>() : behind));
        ends[s] = {all.back()};
      }
      if (m_is_last[s] && !in_order) {
        last.insert(last.end(), ends[s].begin(), ends[s].end());
      }
    }
  } catch (...) {
    for (const device_event_ptr& e : all) {
      e->wait();
    }
    throw;
  }
  if (all.size() == 1 && last.size() <= 1) {
    return all.front();
  }
  if (in_order) {
    last = {all.back()};
  }
  return std::make_shared<events_of_steps>(std::move(all), std::move(last));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
