// SPDX-License-Identifier: Apache-2.0
/// Declares what one thread needs to run work-groups: local memory, and the units of a group once a barrier was met.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/execution/fiber/meeting.hpp>
#include <lanefold/execution/fiber/native_switch.hpp>
#include <lanefold/execution/fiber_engine.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class launch;
struct running_group;
class stack_pool;
class worker;

/// One unit (a sub-group of a lane-generic kernel, a work-item of a work-item kernel) of the group that a thread runs.
/// The units of a group form a ring in linear order; a barrier resumes the next unit of the ring. Slot 0 belongs to the
/// unit on the thread's own stack.
struct alignas(64) unit_slot {
  native_context context;    ///< of the native engine, while suspended
  unit_slot* next = nullptr; ///< the unit after this one, the first after the last
  bool is_last = false;      ///< next is the first; else the next slot in memory, except for a slot 0 that started late
  bool alive = false;        ///< started on its own stack and not finished
};

/// The state of the frame that runs units: it lives on that frame, and the items of its units point to it.
struct unit_state {
  worker* owner;
  unit_slot* slot; ///< of the running unit when the native switch may be inlined, null otherwise
  unsigned unit;   ///< the running unit
  unsigned units;  ///< of the group
  bool fibers;     ///< the other units of the group have stacks of their own
};

/// Reasons why a barrier may not simply switch; bits.
enum attention : unsigned {
  attention_none = 0,
  attention_ending = 1,    ///< the first unit has finished its group: the others must finish too
  attention_sub_group = 2, ///< a sub-group or chunk gathers at a barrier
  attention_nested = 4,    ///< besides, a larger part that gathers waits for that one
  attention_mismatch = 8,  ///< some units finished while others wait at a barrier
  attention_aborting = 16  ///< a unit has failed: the others unwind
};

/// Consecutive units of which some wait for the others at a barrier of a part of the group.
struct gathering {
  unsigned first = 0;
  unsigned end = 0;

  friend bool operator==(const gathering&, const gathering&) = default;
};

/// Thrown at the barrier of a unit whose group has failed, to unwind it. Never leaves a unit. (Where it cannot leave a
/// noexcept function of the kernel, the program ends, and terminate_message.cpp says why.)
struct unit_cancelled {};

/// Keeps the stacks of suspended units. One object for each worker; unit 0 always runs on the thread's own stack.
/// All functions are called by the unit that is running. They take units, and slots are found by worker::slot_number.
class unit_engine {
public:
  virtual ~unit_engine();

  /// Prepares units 1 … units-1: each calls `owner.run_unit(u)` on its own stack when it is resumed first, and is gone
  /// when that returns. Their stacks are those of owner.stacks().
  virtual void start(worker& owner, unsigned units) = 0;
  /// Suspends unit `from` until every living unit of the group has called arrive. Units arrive in linear order.
  virtual void arrive(worker& owner, unsigned from) = 0;
  /// Suspends unit `from`, at a barrier of a part of the group, and resumes unit `to` of the same part.
  virtual void pass_on(worker& owner, unsigned from, unsigned to) = 0;
  /// The engine suspends units by native_switch through their slots, and a barrier may do the same where it stands.
  [[nodiscard]] virtual bool inlines_switch() const;
  /// attention_aborting was set: whoever waits in this engine must wake to see it.
  virtual void abort(worker& owner);
  /// Unit 0 calls this after an exception, or after its last group: returns when no other unit is alive. The others
  /// see attention_aborting or have nothing left to do.
  virtual void finish(worker& owner) = 0;
};

std::unique_ptr<unit_engine> make_unit_engine(fiber_engine engine);
/// Returns the engines of this build, the fastest first: it is the one that `automatic` stands for.
std::span<const fiber_engine> fiber_engines();

/// Is true in programs that ask for the running work-item anywhere (work_item_queries.hpp): then work-items have stacks
/// of their own from the start, by which they are told apart.
inline std::atomic<bool> work_items_are_asked_for{false};

/// One thread's means to run work-groups. `this_worker()` is the calling thread's.
class worker {
public:
  using unit_function = void (*)(void* frame, worker& owner, unsigned unit);

  worker();
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker();

  /// A launch begins on this thread. `local_bytes` of local memory are there afterwards.
  void begin(launch& current, unsigned units, unit_function function, void* frame);

  /// The launch that began has run. The thread goes on with another one of its class, which has the same units and
  /// needs the same memory: of leave and begin only this is left to do.
  void go_on_with(launch& next);

  /// Local memory of the current group, aligned to a page.
  [[nodiscard]] std::byte* local_memory() const { return m_local; }

  /// Position of the group that runs, in walking order: for messages.
  std::size_t position = 0;
  /// The unit on the thread's own stack whose exception has left the kernel, if that is known: for messages.
  unsigned failed_unit = unknown_unit;
  static constexpr unsigned unknown_unit = ~0U;
  /// Bits of `attention`.
  unsigned attention = attention_none;
  /// The C++ runtime's list of the exceptions that this thread handles, once units have stacks. Units that wait inside
  /// a handler take theirs with them, so it is empty whenever a unit is resumed.
  void* const* handled = nullptr;
  /// The unit on the thread's own stack: 0, except until the end of a group whose first barrier was a sub-group barrier
  /// that the units before it did not meet.
  unsigned first_unit = 0;
  /// The smallest part that gathers while attention_sub_group is set.
  gathering gathers;
  /// The group of a work-item kernel that runs, for those who ask for the running work-item.
  const running_group* group = nullptr;
  /// The units of the group that runs meet here in group algorithms, by meeting_level.
  meeting_place meetings[meeting_levels];

  // Called by barriers.
  void barrier_slow(unit_state& state);
  void part_barrier_slow(unit_state& state, gathering part);
  /// A unit was resumed while attention is at least attention_mismatch: throws, or returns where the unit may go on to
  /// its next barrier so that all units are counted.
  void cancel(const unit_state& state);

  // Called by the frames that run units.
  void end_group_slow(unit_state& state);
  /// A unit has finished its group where barriers are lenient: it comes to the barriers of the others until all have
  /// finished.
  void end_group_leniently(const unit_state& state);
  /// Gives the units behind `first` stacks of their own. `first` is the unit on the thread's own stack: unit 0, unless
  /// it is at the launch's first barrier, and that is one of its sub-group. There are several units.
  void start_units(unit_state& first);
  /// Remembers where the state of a unit is, once it has a stack of its own.
  void note_unit(unit_state& state) { m_states[state.unit] = &state; }
  /// The state of the unit that calls. Errors: errc::invalid where the units had no stacks from the start.
  unit_state& running_unit();
  /// Unit 0 leaves, after its last group or by an exception: when this returns the other units are gone.
  void leave(std::exception_ptr failure);
  /// Runs unit `u` > 0 until its last group: the body of a fiber. Never throws.
  void run_unit(unsigned u) noexcept;

  /// Holds what the launch is about to throw.
  [[nodiscard]] std::string failure_message() const;

  /// Returns what unit_state::slot of unit `u` is: null where the switch must not be inlined.
  [[nodiscard]] unit_slot* inline_slot(unsigned u);

  // Called by engines.
  /// Slot of unit `u`. The unit of slot s > 0 runs on stack s - 1 of stacks().
  [[nodiscard]] unsigned slot_number(unsigned u) const { return u <= first_unit ? 0 : u; }
  [[nodiscard]] unit_slot* slots() { return m_slots; }
  [[nodiscard]] const stack_pool& stacks() const;
  /// The engine of the running launch.
  [[nodiscard]] unit_engine& engine() const { return *m_engine; }
  [[nodiscard]] unsigned units() const { return m_units; }

private:
  /// Holds what only worker.cpp names: each program that has a kernel would compile its pointers.
  struct resources;

  /// A unit that calls barriers more often than this, after it has caught what unwinds it, never ends.
  static constexpr unsigned most_caught = 10'000;

  void refuse_other_thread() const;
  [[noreturn]] void cancel_again(const unit_state& state);
  [[noreturn]] void throw_failure(const launch& current, const std::exception_ptr& failure) const;
  void note_mismatch(const unit_state& state, bool finished);
  /// Runs the other units, and returns when they have arrived.
  void wait_for_others(const unit_state& state);
  [[noreturn]] void throw_mismatch();
  void fail(std::exception_ptr failure, unsigned unit);

  resources* const m_own;
  launch* m_launch = nullptr;
  unit_function m_function = nullptr;
  void* m_frame = nullptr;
  unsigned m_units = 0;
  unit_engine* m_engine = nullptr;               ///< while the units of the launch have stacks
  unit_slot* m_slots = nullptr;                  ///< of m_own
  unit_state** m_states = nullptr;               ///< of the units that have stacks; of m_own
  unit_state m_only{this, nullptr, 0, 1, false}; ///< of the unit of a group that has no other, for those who ask
  std::byte* m_local = nullptr;                  ///< of m_own
  std::size_t m_local_bytes = 0;
  std::exception_ptr m_failure;
  unsigned m_failure_unit = 0;
  unsigned m_catching_unit = unknown_unit;
  unsigned m_caught = 0;       ///< how often that unit came to a barrier after it had caught what unwinds it
  bool m_mismatch = false;     ///< the failure is that a barrier was not reached by every unit
  unsigned m_ended = 0;        ///< units that have finished the group, where barriers are lenient
  unsigned m_ended_groups = 0; ///< groups that all units have finished
  // While attention_mismatch is set: the units of the phase that came to a barrier, and those that finished.
  unsigned m_arrived = 0;
  unsigned m_finished = 0;
};

worker& this_worker();

#if LANEFOLD_HAS_NATIVE_SWITCH
/// Switches to the next unit of the ring where the caller stands; false if that needs a closer look.
LANEFOLD_ALWAYS_INLINE bool switch_inline(unit_state& state, unsigned expected_attention,
                                          unsigned attention_meanwhile) {
  unit_slot* slot = state.slot;
  worker* owner = state.owner;
  if (checked_build && slot != nullptr && owner != &this_worker()) {
    return false; // and the longer look says so
  }
  if (slot == nullptr || owner->attention != expected_attention || *owner->handled != nullptr) [[unlikely]] {
    return false;
  }
  if (attention_meanwhile != expected_attention) {
    owner->attention = attention_meanwhile;
  }
  // Not through slot->next: without that load the processor runs ahead into the next unit, and cache misses of
  // neighbouring units overlap.
  unit_slot* next = slot + 1;
  if (slot->is_last) [[unlikely]] {
    next = slot->next;
    asm("" : "+r"(next)); // a branch, no conditional move
  }
  state.slot = reinterpret_cast<unit_slot*>(native_switch(&slot->context, &next->context));
  if (owner->attention >= attention_mismatch) [[unlikely]] {
    owner->cancel(state);
  }
  return true;
}

/// Switches to the next unit of `part` where the caller stands, of which `slot` is that of the running unit; false if
/// that needs a closer look.
LANEFOLD_ALWAYS_INLINE bool switch_in_part_inline(unit_state& state, unit_slot*& slot, const gathering& part) {
  worker* owner = state.owner;
  if (checked_build && slot != nullptr && owner != &this_worker()) {
    return false;
  }
  if (slot == nullptr || *owner->handled != nullptr) [[unlikely]] {
    return false;
  }
  const unsigned others = owner->attention & ~static_cast<unsigned>(attention_ending);
  unit_slot* next = slot + 1;
  if (state.unit == part.first) {
    if (others != attention_none) [[unlikely]] {
      return false;
    }
    owner->gathers = part;
    owner->attention |= attention_sub_group;
  } else if (others != attention_sub_group || owner->gathers != part) [[unlikely]] {
    return false;
  } else if (state.unit + 1 == part.end) {
    if (owner->first_unit != 0) [[unlikely]] {
      return false;
    }
    owner->attention &= ~static_cast<unsigned>(attention_sub_group);
    next = slot - (part.end - 1 - part.first);
    asm("" : "+r"(next)); // a branch, no conditional move
  }
  slot = reinterpret_cast<unit_slot*>(native_switch(&slot->context, &next->context));
  if (owner->attention >= attention_mismatch) [[unlikely]] {
    owner->cancel(state);
  }
  return true;
}
#else
LANEFOLD_ALWAYS_INLINE bool switch_inline(unit_state&, unsigned, unsigned) { return false; }
LANEFOLD_ALWAYS_INLINE bool switch_in_part_inline(unit_state&, unit_slot*&, const gathering&) { return false; }
#endif

/// A unit has reached a barrier of its work-group; returns when all have.
LANEFOLD_ALWAYS_INLINE void arrive_at_barrier(unit_state& state) {
  if (state.units == 1) {
    asm volatile("" : : : "memory");
  } else if (!switch_inline(state, attention_none, attention_none)) [[unlikely]] {
    state.owner->barrier_slow(state);
  }
}

/// Waits for the `count` units beginning with `first`, of which the caller is one. They come in linear order; on the
/// way those that have not come yet may meet in smaller parts.
LANEFOLD_ALWAYS_INLINE void arrive_at_part_barrier(unit_state& state, unsigned first, unsigned count) {
  const gathering part{first, first + count};
  unit_slot* slot = state.slot;
  if (count == 1) {
    asm volatile("" : : : "memory");
  } else if (!switch_in_part_inline(state, slot, part)) [[unlikely]] {
    state.owner->part_barrier_slow(state, part);
    slot = state.slot;
  }
  // Known from here on however the barrier was passed: the switch of the next one need not wait for loads.
  state.slot = slot;
}

/// A unit has finished its group while its fellows have stacks of their own; returns when the next group may start.
LANEFOLD_ALWAYS_INLINE void end_group(unit_state& state) {
  const bool first = state.unit <= state.owner->first_unit;
  if (!switch_inline(state, first ? attention_none : attention_ending, attention_ending)) [[unlikely]] {
    state.owner->end_group_slow(state);
  }
  if (first) {
    state.owner->attention = attention_none;
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
