// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include "failure.hpp"
#include "launch_explanation.hpp"
#include "trace_file.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// Numbers of threads in the trace that stand for queues of devices begin here; those of Linux end before.
constexpr long first_track = 10'000'000;

const char* kind_of(const command& c, const launch_description& told) {
  if (c.held() != nullptr) {
    return "host_accessor";
  }
  if (c.action() == nullptr) {
    return "barrier";
  }
  switch (told.what) {
  case launch_description::action::kernel: return "kernel";
  case launch_description::action::copy: return "copy";
  case launch_description::action::fill: return "fill";
  case launch_description::action::host_task: return "host task";
  case launch_description::action::graph: return "graph";
  case launch_description::action::other: break;
  }
  return "other";
}

std::string name_in_trace(const command& c, const std::string& kind) {
  return c.held() != nullptr                   ? c.held()->text()
         : kind == "kernel" || kind == "graph" ? c.action()->kernel_name()
                                               : kind;
}

/// The events of this process, and what they have named already.
class events {
public:
  explicit events(const std::string& path) : m_file(path), m_begin(command_times::now()) {}

  void add(const command& c, const observation& notes, const std::exception_ptr& error) {
    const launch_description told = c.action() == nullptr ? launch_description() : c.action()->describe();
    const std::string kind = kind_of(c, told);
    const std::string name = name_in_trace(c, kind);
    const std::string how = c.action() == nullptr ? "" : describe_strategy(told);
    const std::lock_guard lock(m_guard);
    for (const stretch& s : notes.stretches()) {
      introduce(s, notes);
      json_object event = at(s.begin, s.thread);
      event.add("ph", "X").add("name", name).add("cat", kind).time("dur", s.end - s.begin);
      json_object arguments;
      arguments.add("queue", notes.queue().number).add("command", notes.number());
      if (s.groups != 0) {
        arguments.add("groups", s.groups).add("of", c.action()->size());
      }
      if (!how.empty()) {
        arguments.add("how", how);
      }
      arguments.time("submitted (us)", since_begin(c.times()->submitted.load(std::memory_order_relaxed)));
      if (error) {
        arguments.add("error", message_of(error));
      }
      m_file.add(event.add("args", arguments).text());
    }
    if (c.held() != nullptr) {
      add_holding(c, name, notes);
    }
    for (const std::shared_ptr<const observation>& before : notes.after()) {
      add_arrow(*before, notes);
    }
    m_file.write_if_old();
    if (error) {
      m_file.write();
    }
  }

  void place_on_device(observation& notes, const command_times& times) {
    const std::uint64_t begin = times.started.load(std::memory_order_relaxed);
    const std::uint64_t end = std::max(times.ended.load(std::memory_order_relaxed), begin + 1);
    const std::lock_guard lock(m_guard);
    std::vector<track>& tracks = m_tracks[notes.queue().number];
    auto free = std::find_if(tracks.begin(), tracks.end(), [&](const track& t) { return t.busy_until <= begin; });
    if (free == tracks.end()) {
      tracks.push_back({m_next_track++, 0});
      free = tracks.end() - 1;
    }
    free->busy_until = end;
    notes.ran_on_device({free->number, 0, begin, end, 0});
  }

  void write() {
    const std::lock_guard lock(m_guard);
    m_file.write();
  }
  void close() {
    const std::lock_guard lock(m_guard);
    m_file.close();
  }

private:
  struct track {
    long number;
    std::uint64_t busy_until;
  };

  [[nodiscard]] std::uint64_t since_begin(std::uint64_t time) const { return time - std::min(time, m_begin); }
  /// An event of a thread.
  [[nodiscard]] json_object at(std::uint64_t time, long thread) const {
    json_object event;
    event.add("pid", getpid()).add("tid", thread).time("ts", since_begin(time));
    return event;
  }

  /// Names the thread of a stretch when it comes up.
  void introduce(const stretch& s, const observation& notes) {
    if (!m_known.insert(s.thread).second) {
      return;
    }
    json_object arguments;
    if (s.thread >= first_track) {
      arguments.add("name", "device of queue " + std::to_string(notes.queue().number));
    } else if (s.worker != 0) {
      arguments.add("name", "worker " + std::to_string(s.worker));
    } else {
      arguments.add("name", s.thread == getpid() ? "main thread" : "thread " + std::to_string(s.thread));
    }
    json_object event;
    event.add("pid", getpid()).add("tid", s.thread).add("ph", "M").add("name", "thread_name").add("args", arguments);
    m_file.add(event.text());
  }

  /// The arrow from the end of a command to the beginning of one that has waited for it.
  void add_arrow(const observation& from, const observation& to) {
    if (from.stretches().empty()) { // there was no memory for it
      return;
    }
    const auto arrow = [&](const char* end) {
      json_object event =
          end[0] == 's' ? at(from.last().end - 1, from.last().thread) : at(to.first().begin, to.first().thread);
      event.add("ph", end).add("id", m_next_arrow).add("name", "waits for").add("cat", "dependency");
      if (end[0] == 'f') {
        event.add("bp", "e");
      }
      m_file.add(event.text());
    };
    arrow("s");
    arrow("f");
    ++m_next_arrow;
  }

  /// The time from a host_accessor's making to its end, which may overlap with others of its thread.
  void add_holding(const command& c, const std::string& name, const observation& notes) {
    const long thread = notes.stretches().back().thread;
    const std::uint64_t begin = c.times()->submitted.load(std::memory_order_relaxed);
    for (const char* const end : {"b", "e"}) {
      json_object event = at(end[0] == 'b' ? begin : notes.stretches().back().begin, thread);
      event.add("ph", end).add("id", notes.number()).add("name", name).add("cat", "host_accessor");
      m_file.add(event.text());
    }
  }

  std::mutex m_guard;
  trace_file m_file;
  std::uint64_t m_begin;
  std::uint64_t m_next_arrow = 1;
  long m_next_track = first_track;
  std::set<long> m_known;
  std::map<unsigned, std::vector<track>> m_tracks; ///< by queue
};

/// Is never destroyed: workers may still complete commands when the process ends.
constinit std::atomic<events*> open_events{nullptr};
std::terminate_handler previous_handler = nullptr;

void close_at_exit() {
  if (events* const open = open_events.load(std::memory_order_acquire)) {
    open->close();
  }
}

[[noreturn]] void write_and_terminate() {
  close_at_exit();
  if (previous_handler != nullptr) {
    previous_handler();
  }
  std::abort();
}

} // namespace

bool trace::open_if_wanted() {
  static std::mutex guard;
  const std::lock_guard lock(guard);
  if (open_events.load(std::memory_order_acquire) != nullptr) {
    return true;
  }
  const std::optional<std::string> path = value_of(environment_variables::trace);
  if (!path) {
    return false;
  }
  auto opened = std::make_unique<events>(*path);
  std::atexit(&close_at_exit);
  previous_handler = std::set_terminate(&write_and_terminate);
  open_events.store(opened.release(), std::memory_order_release);
  return true;
}

void trace::add(const command& of, const observation& notes, const std::exception_ptr& error) {
  if (events* const open = open_events.load(std::memory_order_acquire)) {
    open->add(of, notes, error);
  }
}

void trace::place_on_device(observation& notes, const command_times& times) {
  if (events* const open = open_events.load(std::memory_order_acquire)) {
    open->place_on_device(notes, times);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
