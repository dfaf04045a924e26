// SPDX-License-Identifier: Apache-2.0
#include "boost_fiber_engine.hpp"

#include "stack_pool.hpp"

#include <boost/context/stack_context.hpp>
#include <boost/fiber/operations.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// Gives one stack of the pool, which keeps it, and counts those in use: Boost.Fiber gives a stack back some time after
/// its fiber was joined.
struct pooled_stack {
  const stack_pool* stacks;
  std::size_t number;
  std::size_t* in_use;

  boost::context::stack_context allocate() const {
    ++*in_use;
    boost::context::stack_context stack;
    // Boost.Fiber's functions have frames of 6 KiB: with less colour two pages hold them.
    stack.sp = stacks->top(number, 1024);
    stack.size = static_cast<std::size_t>(stacks->top(number, 1024) - stacks->bottom(number));
    return stack;
  }
  void deallocate(boost::context::stack_context&) const noexcept { --*in_use; }
};

} // namespace

void boost_fiber_engine::start(worker& owner, unsigned units) {
  m_announcer.start(owner.stacks(), units);
  m_units = units;
  m_arrived = 0;
  m_turn = 0;
  m_ending = false;
  if (m_seat_count < units) {
    m_seats = std::make_unique<seat[]>(units);
    m_seat_count = units;
  }
  m_fibers.resize(units);
  for (unsigned u = 1; u < units; ++u) {
    m_fibers[u] = boost::fibers::fiber(boost::fibers::launch::post, std::allocator_arg,
                                       pooled_stack{&owner.stacks(), u - 1, &m_stacks_in_use},
                                       [this, &owner, u] { run(owner, u); });
  }
}

void boost_fiber_engine::run(worker& owner, unsigned unit) {
  {
    lock held(m_mutex);
    wait_for_turn(unit, held);
  }
  m_announcer.after_suspension(unit);
  owner.run_unit(unit);
  m_announcer.before_last_switch(unit, unit);
}

void boost_fiber_engine::pass_turn(std::size_t to) {
  m_turn = to;
  if (m_seats[to].waits) {
    m_seats[to].turn.notify_one();
  }
}

void boost_fiber_engine::wait_for_turn(std::size_t self, lock& held) {
  if (m_turn == self) [[likely]] {
    return;
  }
  seat& mine = m_seats[self];
  mine.waits = true;
  mine.turn.wait(held, [&] { return m_turn == self || m_ending; });
  mine.waits = false;
}

void boost_fiber_engine::arrive(worker& owner, unsigned from) {
  const unit_slot* slots = owner.slots();
  const unsigned self = owner.slot_number(from);
  m_announcer.before_suspension(self);
  {
    lock held(m_mutex);
    pass_turn(static_cast<std::size_t>(slots[self].next - slots));
    if (++m_arrived == m_units - owner.first_unit) {
      m_arrived = 0;
      ++m_generation;
      held.unlock();
      m_released.notify_all();
      boost::this_fiber::yield(); // the last to come is the last to go on
      held.lock();
    } else {
      m_released.wait(held, [&, generation = m_generation] { return m_generation != generation || m_ending; });
    }
    wait_for_turn(self, held);
  }
  m_announcer.after_suspension(self);
}

void boost_fiber_engine::pass_on(worker& owner, unsigned from, unsigned to) {
  const unsigned self = owner.slot_number(from);
  m_announcer.before_suspension(self);
  {
    lock held(m_mutex);
    pass_turn(owner.slot_number(to));
    wait_for_turn(self, held);
  }
  m_announcer.after_suspension(self);
}

void boost_fiber_engine::wake_all() {
  m_ending = true;
  m_released.notify_all();
  for (unsigned slot = 0; slot < m_units; ++slot) {
    if (m_seats[slot].waits) {
      m_seats[slot].turn.notify_one();
    }
  }
}

void boost_fiber_engine::abort(worker& /*owner*/) { wake_all(); }

void boost_fiber_engine::finish(worker& /*owner*/) {
  m_announcer.before_suspension(0);
  wake_all();
  for (boost::fibers::fiber& fiber : m_fibers) {
    if (fiber.joinable()) {
      fiber.join();
    }
  }
  m_fibers.clear();
  while (m_stacks_in_use > 0) {
    boost::this_fiber::yield();
  }
  m_announcer.after_suspension(0);
  m_announcer.finish();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
