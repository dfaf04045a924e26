// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/fiber/worker.hpp>

#include "guard_page.hpp"
#include "stack_pool.hpp"
#include "terminate_message.hpp"

#include <lanefold/detail/object_of_thread.hpp>
#include <lanefold/execution/launch.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <typeinfo>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

constexpr std::size_t local_memory_alignment = 4096; // a page
/// The bytes before and behind local memory that belong to it: a store of some lanes of a register may write those of
/// the others as they were (store_register), and they perhaps lie outside. So do loads of some lanes, for which a
/// processor with masks needs microcode where the page of the others is not there yet: 160 ns each on Zen 5, every
/// time.
constexpr std::size_t local_memory_margin = local_memory_alignment;

/// About what it costs to start a unit on its own stack and to end it (measured with groups of 256 on Ice Lake).
double start_nanoseconds(fiber_engine kind) {
  return kind == fiber_engine::native ? 75 : kind == fiber_engine::boost_context ? 250 : 1500;
}

std::size_t round_up_to_pages(std::size_t bytes) {
  return (bytes + local_memory_alignment - 1) / local_memory_alignment * local_memory_alignment;
}

// The C++ runtime keeps the exceptions that a thread handles in a list: [cxx-abi 2.2.2] caughtExceptions and
// uncaughtExceptions. A unit that is suspended inside a handler takes its part with it.
struct handled_exceptions {
  void* caught;
  unsigned uncaught;
};

handled_exceptions& exceptions_of_thread() { return *reinterpret_cast<handled_exceptions*>(abi::__cxa_get_globals()); }

[[noreturn]] void throw_finished_beside_sub_group() {
  throw exception(make_error_code(errc::kernel),
                  "a work-item finished while others of its sub-group wait at a sub-group barrier");
}

class without_exceptions {
public:
  without_exceptions() : m_thread(exceptions_of_thread()), m_own(m_thread) { m_thread = {nullptr, 0}; }
  without_exceptions(const without_exceptions&) = delete;
  without_exceptions& operator=(const without_exceptions&) = delete;
  ~without_exceptions() { m_thread = m_own; }

private:
  handled_exceptions& m_thread;
  handled_exceptions m_own;
};

} // namespace

struct worker::resources {
  struct free_pages {
    void operator()(std::byte* memory) const {
      ::operator delete(memory - local_memory_margin, std::align_val_t(local_memory_alignment));
    }
  };
  using pages = std::unique_ptr<std::byte[], free_pages>;

  /// Returns local memory, and touches the pages before and behind it, so that they are there.
  static pages allocate_pages(std::size_t bytes) {
    auto* const whole = static_cast<std::byte*>(
        ::operator new(bytes + 2 * local_memory_margin, std::align_val_t(local_memory_alignment)));
    std::byte* const local = whole + local_memory_margin;
    std::fill_n(whole, local_memory_margin, std::byte{});
    std::fill_n(local + bytes, local_memory_margin, std::byte{});
    return pages(local);
  }

  guard_watch watch;
  std::unique_ptr<stack_pool> stacks;
  std::unique_ptr<unit_engine> engines[4];
  pages local;
  std::vector<unit_slot> slots;
  std::vector<unit_state*> states;
  std::vector<gathering>
      larger; ///< sub-groups and chunks that wait for `gathers`, each one a part of the one before it
};

worker::worker() : m_own(new resources()) {}
worker::~worker() { delete m_own; }

const stack_pool& worker::stacks() const { return *m_own->stacks; }

unit_engine::~unit_engine() = default;
bool unit_engine::inlines_switch() const { return false; }
void unit_engine::abort(worker& /*owner*/) {}

unit_slot* worker::inline_slot(unsigned u) { return m_engine->inlines_switch() ? &m_slots[u] : nullptr; }

worker& this_worker() { return object_of_thread<worker>::get(); }

void worker::begin(launch& current, unsigned units, unit_function function, void* frame) {
  if (m_launch != nullptr) {
    throw exception(make_error_code(errc::invalid), "kernel " + current.kernel_name() +
                                                        " was started from inside kernel " + m_launch->kernel_name() +
                                                        ": a kernel cannot run or wait for another one");
  }
  const std::size_t local_bytes = round_up_to_pages(current.local_bytes());
  if (local_bytes > m_local_bytes) {
    m_own->local.reset();
    m_local = nullptr;
    m_local_bytes = 0;
    m_own->local = resources::allocate_pages(local_bytes);
    m_local = m_own->local.get();
    m_local_bytes = local_bytes;
  }
  m_own->watch.begin(current, position, units);
  m_launch = &current;
  m_units = units;
  m_function = function;
  m_frame = frame;
  attention = attention_none;
  failed_unit = unknown_unit;
  m_mismatch = false;
  m_caught = 0;
  first_unit = 0;
  m_ended = 0;
  m_own->larger.clear();
}

void worker::go_on_with(launch& next) {
  if (&next.kernel_type() != &m_launch->kernel_type()) { // two names for one kernel
    m_own->watch.begin(next, position, m_units);
  }
  m_launch = &next;
}

// Called before the first unit of a launch runs, or at the first barrier on this thread, by a unit on the thread's own
// stack. Units before it have finished the group: at a barrier of the group that is an error; at one of the sub-group
// it is not, and their stacks start with the next group.
void worker::start_units(unit_state& state) {
  fiber_engine kind = m_launch->engine();
  if (kind == fiber_engine::automatic) {
    kind = fiber_engines().front();
  }
  m_launch->note_start(m_units * start_nanoseconds(kind));
  auto& engine = m_own->engines[static_cast<std::size_t>(kind)];
  if (engine == nullptr) {
    engine = make_unit_engine(kind);
  }
  if (m_own->stacks == nullptr) {
    m_own->stacks = std::make_unique<stack_pool>();
    m_own->watch.watch(*m_own->stacks);
  }
  m_own->stacks->reserve(m_units - 1, stack_bytes(m_launch->stack_bytes()));
  if (m_own->slots.size() < m_units) {
    m_own->slots = std::vector<unit_slot>(m_units);
    m_slots = m_own->slots.data();
  }
  m_own->states.assign(m_units, nullptr);
  m_states = m_own->states.data();
  for (unsigned u = 0; u < m_units; ++u) {
    m_slots[u].next = &m_slots[u + 1 == m_units ? 0 : u + 1];
    m_slots[u].is_last = u + 1 == m_units;
    m_slots[u].alive = false;
  }
  first_unit = state.unit;
  m_slots[0].next = &m_slots[first_unit + 1];
  engine->start(*this, m_units);
  m_engine = engine.get();
  handled = &exceptions_of_thread().caught;
  state.fibers = true;
  state.slot = first_unit == 0 ? inline_slot(0) : nullptr; // in a group that started late nothing is inlined
}

// From the first of them on, each unit of the phase passes here once: it came to a barrier, or finished.
void worker::note_mismatch(const unit_state& state, bool finished) {
  if ((attention & attention_mismatch) == 0) {
    attention |= attention_mismatch;
    m_arrived = finished ? state.unit : 0;
    m_finished = finished ? 0 : state.unit;
  }
  ++(finished ? m_finished : m_arrived);
}

void worker::throw_mismatch() {
  m_mismatch = true;
  std::string message = "a barrier was not reached by every unit of the work-group: of " + std::to_string(m_units) +
                        " units " + std::to_string(m_arrived) + " arrived and " + std::to_string(m_finished) +
                        " finished without it";
  const unsigned unknown = m_units - m_arrived - m_finished;
  if (unknown > 0) {
    message += " (" + std::to_string(unknown) + " had not run yet)";
  }
  throw exception(make_error_code(errc::kernel),
                  message + "; LANEFOLD_BARRIERS=lenient lets those that have finished count as arrived");
}

void worker::wait_for_others(const unit_state& state) {
  {
    const without_exceptions others;
    m_engine->arrive(*this, state.unit);
  }
  if (attention >= attention_mismatch) {
    cancel(state);
  }
}

void worker::cancel(const unit_state& state) {
  if ((attention & attention_aborting) != 0) {
    throw unit_cancelled{};
  }
  if (state.unit <= first_unit) {
    throw_mismatch();
  }
}

void worker::refuse_other_thread() const {
  if (&this_worker() != this) {
    throw exception(make_error_code(errc::kernel),
                    "a barrier or group function was called on another thread than that of its work-group");
  }
}

/// Unwinds a unit that has caught what unwound it before. One that tries its barrier until it returns would never end.
void worker::cancel_again(const unit_state& state) {
  if (std::exchange(m_catching_unit, state.unit) != state.unit) {
    m_caught = 0;
  }
  if (++m_caught == most_caught) {
    std::fprintf(
        stderr,
        "lanefold: %s\nlanefold: another one of its work-group catches (...) what unwinds it at a barrier, and "
        "calls barriers again, %u times now: the program ends\n",
        failure_message().c_str(), m_caught);
    std::abort();
  }
  throw unit_cancelled{};
}

void worker::barrier_slow(unit_state& state) {
  refuse_other_thread();
  if (m_function == nullptr) {
    throw exception(make_error_code(errc::kernel), "a barrier or group algorithm of the work-group was reached inside "
                                                   "of parallel_for_work_item, where single items run and cannot meet");
  }
  if (m_engine == nullptr) {
    if (state.unit != 0) {
      m_arrived = 1;
      m_finished = state.unit;
      throw_mismatch();
    }
    start_units(state);
  } else if (attention >= attention_aborting) {
    cancel_again(state);
  }
  if ((attention & attention_sub_group) != 0) {
    throw exception(make_error_code(errc::kernel), "a work-item reached a barrier of its work-group while others of "
                                                   "its sub-group wait at a sub-group barrier");
  }
  if (attention != attention_none || first_unit != 0) {
    note_mismatch(state, false);
  }
  wait_for_others(state);
}

void worker::part_barrier_slow(unit_state& state, gathering part) {
  refuse_other_thread();
  if (attention >= attention_aborting) {
    cancel_again(state);
  }
  // Units come one after the other. Whoever is not the next of the part that gathers begins a smaller part, or else
  // some unit went past the barrier.
  const bool gathering_already = (attention & attention_sub_group) != 0;
  if (!gathering_already || gathers != part) {
    if (state.unit != part.first || (gathering_already && part.end > gathers.end)) {
      throw exception(make_error_code(errc::kernel),
                      "a sub-group barrier was not reached by every work-item of the sub-group");
    }
    if (m_engine == nullptr) {
      start_units(state);
    }
    if (gathering_already) {
      m_own->larger.push_back(gathers);
      attention |= attention_nested;
    }
    gathers = part;
    attention |= attention_sub_group;
  }
  unsigned next = state.unit + 1;
  if (next == part.end) {
    next = part.first;
    if (m_own->larger.empty()) {
      attention &= ~static_cast<unsigned>(attention_sub_group);
    } else {
      gathers = m_own->larger.back();
      m_own->larger.pop_back();
      if (m_own->larger.empty()) {
        attention &= ~static_cast<unsigned>(attention_nested);
      }
    }
  }
  {
    const without_exceptions others;
    m_engine->pass_on(*this, state.unit, next);
  }
  if (attention >= attention_mismatch) {
    cancel(state);
  }
}

void worker::end_group_slow(unit_state& state) {
  if (attention >= attention_aborting) {
    throw unit_cancelled{}; // the kernel has caught what unwound it, and its group is over
  }
  if ((attention & attention_sub_group) != 0) {
    throw_finished_beside_sub_group();
  }
  const bool first = state.unit <= first_unit;
  if (first) {
    attention |= attention_ending;
  } else if (attention != attention_ending) {
    note_mismatch(state, true);
  }
  wait_for_others(state);
  if (first && first_unit != 0) {
    first_unit = 0;
    m_slots[0].next = &m_slots[1];
    state.slot = inline_slot(0);
  }
}

void worker::end_group_leniently(const unit_state& state) {
  // The ring of units goes on as at barriers. Unit 0 sees first that all have finished, and begins the next group.
  const unsigned group_number = m_ended_groups;
  ++m_ended;
  while (state.unit == 0 ? m_ended != m_units : m_ended_groups == group_number) {
    if (attention >= attention_aborting) {
      throw unit_cancelled{};
    }
    if ((attention & attention_sub_group) != 0) {
      throw_finished_beside_sub_group();
    }
    wait_for_others(state);
  }
  if (state.unit == 0) {
    m_ended = 0;
    ++m_ended_groups;
  }
}

unit_state& worker::running_unit() {
  if (m_units == 1) {
    return m_only;
  }
  unit_state* state = nullptr;
  if (m_engine != nullptr) {
    const std::size_t number = m_own->stacks->find(__builtin_frame_address(0));
    state = m_states[number == m_own->stacks->size() ? 0 : number + 1];
  }
  if (state == nullptr) {
    throw exception(make_error_code(errc::invalid),
                    "the running work-item is not known: the library that asks was loaded after the kernel began");
  }
  return *state;
}

void worker::fail(std::exception_ptr failure, unsigned unit) {
  if (m_failure == nullptr) {
    install_terminate_message(typeid(unit_cancelled), [] {
      const worker& failed = this_worker();
      return failed.m_failure == nullptr ? std::string() : failed.failure_message();
    });
    m_failure = std::move(failure);
    m_failure_unit = unit;
  }
  attention |= attention_aborting;
  if (m_engine != nullptr) {
    m_engine->abort(*this);
  }
}

void worker::run_unit(unsigned u) noexcept {
  try {
    if ((attention & attention_aborting) == 0) {
      m_function(m_frame, *this, u);
    }
  } catch (const unit_cancelled&) {
  } catch (...) {
    fail(std::current_exception(), u);
  }
}

void worker::leave(std::exception_ptr failure) {
  if (failure != nullptr) {
    fail(std::move(failure),
         failed_unit); // the first failure stays: a unit_cancelled of unit 0 follows one of another unit
  }
  if (m_engine != nullptr) {
    const without_exceptions others;
    m_engine->finish(*this);
  }
  m_engine = nullptr;
  group = nullptr;
  attention = attention_none;
  m_own->watch.end();
  launch& current = *std::exchange(m_launch, nullptr);
  if (m_failure != nullptr) {
    for (meeting_place& place : meetings) {
      place.reset();
    }
    throw_failure(current, std::exchange(m_failure, nullptr));
  }
}

void worker::throw_failure(const launch& current, const std::exception_ptr& failure) const {
  try {
    std::rethrow_exception(failure);
  } catch (...) {
    kernel_error(current.kernel_name(), m_mismatch || m_failure_unit == unknown_unit
                                            ? current.place(position)
                                            : current.place(position, m_failure_unit));
  }
}

std::string worker::failure_message() const {
  if (m_failure == nullptr || m_launch == nullptr) {
    return "a work-item failed";
  }
  try {
    throw_failure(*m_launch, m_failure);
  } catch (const std::exception& error) {
    return error.what();
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
