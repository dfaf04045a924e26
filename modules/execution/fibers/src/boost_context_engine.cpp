// SPDX-License-Identifier: Apache-2.0
#include "boost_context_engine.hpp"

#include "stack_pool.hpp"

#include <boost/context/stack_context.hpp>

#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// Gives one stack of the pool, which keeps it.
struct pooled_stack {
  const stack_pool* stacks;
  std::size_t number;

  boost::context::stack_context allocate() const {
    boost::context::stack_context stack;
    stack.sp = stacks->top(number);
    stack.size = static_cast<std::size_t>(stacks->top(number) - stacks->bottom(number));
    return stack;
  }
  void deallocate(boost::context::stack_context&) const noexcept {}
};

} // namespace

void boost_context_engine::start(worker& owner, unsigned units) {
  m_announcer.start(owner.stacks(), units);
  m_suspended.clear();
  m_suspended.resize(units);
  for (unsigned u = 1; u < units; ++u) {
    m_suspended[u] = context(std::allocator_arg, pooled_stack{&owner.stacks(), u - 1},
                             [this, &owner, u](context&& by) { return run(owner, u, std::move(by)); });
  }
}

void boost_context_engine::switch_slots(std::size_t from, std::size_t to) {
  m_announcer.before_switch(from, to);
  m_previous = from;
  context resumed_by = std::move(m_suspended[to]).resume();
  m_suspended[m_previous] = std::move(resumed_by); // empty if that has ended
  m_announcer.after_switch(from);
}

void boost_context_engine::arrive(worker& owner, unsigned from) {
  const unit_slot* slots = owner.slots();
  const unsigned self = owner.slot_number(from);
  switch_slots(self, static_cast<std::size_t>(slots[self].next - slots));
}

void boost_context_engine::pass_on(worker& owner, unsigned from, unsigned to) {
  switch_slots(owner.slot_number(from), owner.slot_number(to));
}

std::size_t boost_context_engine::next_suspended(std::size_t after) const {
  for (std::size_t slot = after + 1; slot < m_suspended.size(); ++slot) {
    if (m_suspended[slot]) {
      return slot;
    }
  }
  return 0;
}

// A unit on its own stack, from its first switch to its last. After a failure those that never ran pass here, too:
// run_unit returns at once, which is cheaper than the exception by which Boost.Context would end them.
boost_context_engine::context boost_context_engine::run(worker& owner, unsigned unit, context&& resumed_by) {
  m_suspended[m_previous] = std::move(resumed_by);
  m_announcer.after_switch(unit);
  owner.run_unit(unit);
  const std::size_t next = next_suspended(unit);
  m_previous = unit;
  m_announcer.before_last_switch(unit, next);
  return std::move(m_suspended[next]);
}

void boost_context_engine::finish(worker& /*owner*/) {
  while (const std::size_t next = next_suspended(0)) {
    switch_slots(0, next);
  }
  m_announcer.finish();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
