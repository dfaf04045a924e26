// SPDX-License-Identifier: Apache-2.0
#include "native_engine.hpp"

#include "stack_pool.hpp"

#include <cstdint>

#if LANEFOLD_HAS_NATIVE_SWITCH

// The first code of a stack: takes what native_prepare has put there. The return address is undefined, so that
// unwinders and debuggers see the end of the stack here.
#define LANEFOLD_NATIVE_START                                                                                          \
  LANEFOLD_DETAIL_STRING(LANEFOLD_DETAIL_JOIN(LANEFOLD_DETAIL_JOIN(lanefold_v, LANEFOLD_VERSION_MAJOR), _native_start))

extern "C" void lanefold_native_start() asm(LANEFOLD_NATIVE_START);

#if defined(__x86_64__)
asm(".text\n"
    ".p2align 4\n"
    ".globl " LANEFOLD_NATIVE_START "\n"
    ".hidden " LANEFOLD_NATIVE_START "\n"
    ".type " LANEFOLD_NATIVE_START ", @function\n" LANEFOLD_NATIVE_START ":\n"
    "  .cfi_startproc\n"
    "  .cfi_undefined rip\n"
    "  popq %rdi\n"
    "  .cfi_adjust_cfa_offset -8\n"
    "  popq %rsi\n"
    "  .cfi_adjust_cfa_offset -8\n"
    "  popq %rax\n"
    "  .cfi_adjust_cfa_offset -8\n"
    "  xorl %ebp, %ebp\n"
    "  callq *%rax\n"
    "  ud2\n"
    "  .cfi_endproc\n"
    ".size " LANEFOLD_NATIVE_START ", . - " LANEFOLD_NATIVE_START "\n");
#else // __aarch64__
asm(".text\n"
    ".p2align 4\n"
    ".globl " LANEFOLD_NATIVE_START "\n"
    ".hidden " LANEFOLD_NATIVE_START "\n"
    ".type " LANEFOLD_NATIVE_START ", %function\n" LANEFOLD_NATIVE_START ":\n"
    "  .cfi_startproc\n"
    "  .cfi_undefined x30\n"
    "  hint #36\n" // bti j
    "  ldp x0, x1, [sp], #32\n"
    "  ldur x2, [sp, #-16]\n"
    "  mov x29, #0\n"
    "  mov x30, #0\n"
    "  blr x2\n"
    "  brk #0\n"
    "  .cfi_endproc\n"
    ".size " LANEFOLD_NATIVE_START ", . - " LANEFOLD_NATIVE_START "\n");
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void native_prepare(native_context& context, void* top, void (*entry)(void* argument, unsigned unit), void* argument,
                    unsigned unit) {
  auto* end = static_cast<std::uintptr_t*>(top);
#if defined(__x86_64__)
  std::uintptr_t* start = end - 3;
#else
  std::uintptr_t* start = end - 4;
#endif
  start[0] = reinterpret_cast<std::uintptr_t>(argument);
  start[1] = unit;
  start[2] = reinterpret_cast<std::uintptr_t>(entry);
  context.stack_pointer = start;
  context.resume_address = reinterpret_cast<void*>(&lanefold_native_start);
}

void native_engine::start(worker& owner, unsigned units) {
  m_units = units;
  const stack_pool& stacks = owner.stacks();
  m_announcer.start(stacks, units);
  const auto entry = [](void* argument, unsigned unit) {
    auto& of = *static_cast<worker*>(argument);
    static_cast<native_engine&>(of.engine()).run(of, unit);
  };
  for (unsigned u = 1; u < units; ++u) {
    native_prepare(owner.slots()[u].context, stacks.top(u - 1), entry, &owner, u);
  }
}

void native_engine::switch_slots(worker& owner, std::size_t from, std::size_t to) {
  m_announcer.before_switch(from, to);
  native_switch(&owner.slots()[from].context, &owner.slots()[to].context);
  m_announcer.after_switch(from);
}

void native_engine::arrive(worker& owner, unsigned from) {
  const unit_slot* slots = owner.slots();
  const unsigned self = owner.slot_number(from);
  switch_slots(owner, self, static_cast<std::size_t>(slots[self].next - slots));
}

void native_engine::pass_on(worker& owner, unsigned from, unsigned to) {
  switch_slots(owner, owner.slot_number(from), owner.slot_number(to));
}

unsigned native_engine::next_alive(worker& owner, unsigned after) const {
  for (unsigned u = after + 1; u < m_units; ++u) {
    if (owner.slots()[u].alive) {
      return u;
    }
  }
  return 0;
}

// A unit on its own stack, from its first switch to its last.
void native_engine::run(worker& owner, unsigned unit) {
  m_announcer.after_switch(unit);
  unit_slot* slots = owner.slots();
  slots[unit].alive = true;
  owner.run_unit(unit);
  slots[unit].alive = false;
  const unsigned next = next_alive(owner, unit);
  m_announcer.before_last_switch(unit, next);
  native_switch(&slots[unit].context, &slots[next].context);
  __builtin_unreachable();
}

void native_engine::finish(worker& owner) {
  while (const unsigned next = next_alive(owner, 0)) {
    switch_slots(owner, 0, next);
  }
  m_announcer.finish();
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
