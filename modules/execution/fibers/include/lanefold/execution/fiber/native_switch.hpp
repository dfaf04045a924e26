// SPDX-License-Identifier: Apache-2.0
/// The stack switch of the `native` engine.
#pragma once

#include <lanefold/version.hpp>

#if (defined(__x86_64__) || defined(__aarch64__)) && defined(__GNUC__) && defined(__linux__)
#define LANEFOLD_HAS_NATIVE_SWITCH 1
#else
#define LANEFOLD_HAS_NATIVE_SWITCH 0
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A suspended stack: where it stands and where it goes on.
struct native_context {
  void* stack_pointer = nullptr;
  void* resume_address = nullptr;
  void* frame_pointer = nullptr;
  void* base_pointer = nullptr; ///< rbx, x19
};

#if LANEFOLD_HAS_NATIVE_SWITCH

#if defined(__x86_64__)

/// Suspends the running stack in `from` and resumes `to`. Returns when somebody switches to `from`, and returns `from`,
/// as a value that comes from the stack that ran before: so the next switch need not wait for loads from this stack.
///
/// Inlined where the barrier stands, so that the indirect jump of each barrier has a history of its own and predicts.
/// Only the stack pointer, the frame pointer, rbx (which may be the base pointer of a realigned frame) and the resume
/// address are stored, in `from` and not on the stack: that saves a cache line a unit, and the red zone stays
/// untouched. Every other register is declared clobbered, and the compiler keeps what it needs of them in the frame.
/// MXCSR and the x87 control word are not switched: the units of a group share them.
LANEFOLD_ALWAYS_INLINE native_context* native_switch(native_context* from, native_context* to) {
  asm volatile("leaq 1f(%%rip), %%rax\n\t"
               "movq %%rsp, (%0)\n\t"
               "movq %%rax, 8(%0)\n\t"
               "movq %%rbp, 16(%0)\n\t"
               "movq %%rbx, 24(%0)\n\t"
               "movq (%1), %%rsp\n\t"
               "movq 16(%1), %%rbp\n\t"
               "movq 24(%1), %%rbx\n\t"
               "jmpq *8(%1)\n"
               "1:"
               : "+D"(from), "+S"(to)
               :
               : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "cc", "memory", "xmm0",
                 "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                 "xmm13", "xmm14", "xmm15", "st", "st(1)", "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)"
#if defined(__AVX512F__)
                 ,
                 "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26",
                 "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#endif
#if defined(__APX_F__)
                 ,
                 "r16", "r17", "r18", "r19", "r20", "r21", "r22", "r23", "r24", "r25", "r26", "r27", "r28", "r29",
                 "r30", "r31"
#endif
  );
  return to; // the register still holds what the other side resumed
}

#else // __aarch64__

/// Switches as on x86-64. x19 may be the base pointer. x18 is an ordinary register on Linux.
LANEFOLD_ALWAYS_INLINE native_context* native_switch(native_context* from, native_context* to) {
  register native_context* from_register asm("x0") = from;
  register native_context* to_register asm("x1") = to;
  asm volatile("adr x2, 1f\n\t"
               "mov x3, sp\n\t"
               "stp x3, x2, [x0]\n\t"
               "stp x29, x19, [x0, #16]\n\t"
               "ldp x3, x16, [x1]\n\t"
               "ldp x29, x19, [x1, #16]\n\t"
               "mov sp, x3\n\t"
               "br x16\n"
               "1:\n\t"
               "hint #36" // bti j
               : "+r"(from_register), "+r"(to_register)
               :
               : "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
                 "x18", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x30", "cc", "memory", "v0",
                 "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", "v14", "v15", "v16",
                 "v17", "v18", "v19", "v20", "v21", "v22", "v23", "v24", "v25", "v26", "v27", "v28", "v29", "v30", "v31"
#if defined(__ARM_FEATURE_SVE)
                 ,
                 "p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9", "p10", "p11", "p12", "p13", "p14", "p15"
#endif
  );
  return to_register;
}

#endif

/// Makes `context` a stack that has not started: the first switch to it calls `entry(argument, unit)` with `top` (the
/// end of the stack memory, 16-byte aligned) as its stack. `entry` must not return.
void native_prepare(native_context& context, void* top, void (*entry)(void* argument, unsigned unit), void* argument,
                    unsigned unit);

#endif

} // namespace detail
LANEFOLD_END_NAMESPACE
