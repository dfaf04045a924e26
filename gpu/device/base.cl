// SPDX-License-Identifier: Apache-2.0
// Every program of the device library begins with these blocks.
//
// A block begins with a line "//@ name|name...(parameters) [key=value|value...]...". The parameters are `op` (an
// operator) and `T` (a type); in the text ${name}, ${op} and ${T} stand for what is asked for. The block of the function
// lf_<name>_<op>_<T> is printed into a program that mentions it, and so are those that its text mentions. Keys say when
// a block is the right one (src/opencl/library_printer.cpp knows them); the first block that fits is taken.

//@ prologue
#define LF_FUNCTION static inline __attribute__((always_inline))

#ifndef LF_WORK_GROUP_X
#define LF_WORK_GROUP_X (uint) get_local_size(0)
#define LF_WORK_GROUP_Y (uint) get_local_size(1)
#define LF_WORK_GROUP_Z (uint) get_local_size(2)
#endif
#define LF_WORK_GROUP_SIZE (LF_WORK_GROUP_X * LF_WORK_GROUP_Y * LF_WORK_GROUP_Z)
#define lf_local_id()                                                                                                  \
  (((uint)get_local_id(2) * LF_WORK_GROUP_Y + (uint)get_local_id(1)) * LF_WORK_GROUP_X + (uint)get_local_id(0))

#define lf_sub_group_most_items() (LF_SUB_GROUP_SIZE)

/// The local memory in which a work-group exchanges values: two halves that alternate from call to call, so that a call
/// needs no barrier at its end. Uniform; one for each kernel, made by LANEFOLD_SCRATCH or lf_scratch_of.
typedef struct {
  __local uchar *memory;
  uint offset;
} lf_scratch;

/// Declares the scratch `name` at the top of a kernel.
#define LANEFOLD_SCRATCH(name)                                                                                         \
  __local uint4 name##_memory[2 * LF_HALF_BYTES / 16];                                                                 \
  lf_scratch name = {(__local uchar *)name##_memory, 0}

/// Makes such a scratch in memory of the kernel's own, of 2 * LF_HALF_BYTES bytes (scratch_bytes on the host), aligned
/// to 16.
LF_FUNCTION lf_scratch lf_scratch_of(__local void *memory) {
  lf_scratch result = {(__local uchar *)memory, 0};
  return result;
}

// The half for this call. Only for calls that reach a barrier after their first write.
LF_FUNCTION __local void *lf_next_half(lf_scratch *s) {
  __local uchar *const now = s->memory + s->offset;
  s->offset ^= LF_HALF_BYTES;
  return now;
}

// Stands between a work-item's write to local memory and another's read.
#define lf_barrier() barrier(CLK_LOCAL_MEM_FENCE)

//@ sub_groups flavour=khr
#define lf_lane() ((uint)get_sub_group_local_id())
#define lf_sub_group_id() ((uint)get_sub_group_id())
#define lf_sub_groups() ((uint)get_num_sub_groups())
#define lf_sub_group_items() ((uint)get_sub_group_size())

//@ sub_groups flavour=intel
#define lf_lane() ((uint)get_sub_group_local_id())
#define lf_sub_group_id() ((uint)get_sub_group_id())
#define lf_sub_groups() ((uint)get_num_sub_groups())
#define lf_sub_group_items() ((uint)get_sub_group_size())

//@ unroll flavour=local
#define LF_UNROLL // loops with barriers

//@ unroll in_step=yes
#define LF_UNROLL // loops with barriers

//@ unroll
#define LF_UNROLL _Pragma("unroll")

//@ sub_groups
// Sub-groups are slices of LF_SUB_GROUP_SIZE work-items in linear order; the last one may be smaller.
#define lf_lane() (lf_local_id() % LF_SUB_GROUP_SIZE)
#define lf_sub_group_id() (lf_local_id() / LF_SUB_GROUP_SIZE)
#define lf_sub_groups() ((LF_WORK_GROUP_SIZE + LF_SUB_GROUP_SIZE - 1) / LF_SUB_GROUP_SIZE)
#define lf_sub_group_items()                                                                                           \
  (LF_FULL_SUB_GROUPS ? LF_SUB_GROUP_SIZE                                                                              \
                      : min((uint)LF_SUB_GROUP_SIZE, LF_WORK_GROUP_SIZE - lf_sub_group_id() * LF_SUB_GROUP_SIZE))

//@ op_plus(T)
LF_FUNCTION ${T} lf_op_plus_${T}(${T} a, ${T} b) { return a + b; }

//@ op_multiplies(T)
LF_FUNCTION ${T} lf_op_multiplies_${T}(${T} a, ${T} b) { return a * b; }

//@ op_minimum(T)
LF_FUNCTION ${T} lf_op_minimum_${T}(${T} a, ${T} b) { return min(a, b); }

//@ op_maximum(T)
LF_FUNCTION ${T} lf_op_maximum_${T}(${T} a, ${T} b) { return max(a, b); }

//@ op_bit_and(T)
LF_FUNCTION ${T} lf_op_bit_and_${T}(${T} a, ${T} b) { return a & b; }

//@ op_bit_or(T)
LF_FUNCTION ${T} lf_op_bit_or_${T}(${T} a, ${T} b) { return a | b; }

//@ op_bit_xor(T)
LF_FUNCTION ${T} lf_op_bit_xor_${T}(${T} a, ${T} b) { return a ^ b; }

//@ op_logical_and(T) width=2|3|4|8|16
// OpenCL C gives -1 of an integer type where && of vectors is true.
LF_FUNCTION ${T} lf_op_logical_and_${T}(${T} a, ${T} b) { return select((${T})0, (${T})1, a && b); }

//@ op_logical_or(T) width=2|3|4|8|16
LF_FUNCTION ${T} lf_op_logical_or_${T}(${T} a, ${T} b) { return select((${T})0, (${T})1, a || b); }

//@ op_logical_and(T)
LF_FUNCTION ${T} lf_op_logical_and_${T}(${T} a, ${T} b) { return (${T})(a && b); }

//@ op_logical_or(T)
LF_FUNCTION ${T} lf_op_logical_or_${T}(${T} a, ${T} b) { return (${T})(a || b); }

//@ op_user(op,T)
LF_FUNCTION ${T} lf_op_${op}_${T}(${T} a, ${T} b) { return ${op}(a, b); }

//@ sub_group_barrier flavour=khr
#define lf_sub_group_barrier() sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

//@ sub_group_barrier flavour=intel
#define lf_sub_group_barrier() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

//@ sub_group_barrier flavour=nv
/// All work-items of the sub-group meet, and see what each other wrote.
LF_FUNCTION void lf_sub_group_barrier(void) { asm volatile("bar.warp.sync 0xffffffff;" : : : "memory"); }

//@ sub_group_barrier
// With the flavour `local` all work-items of the work-group call it.
#define lf_sub_group_barrier() barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)

//@ atomic_global|atomic_local(op,T) kind=word
/// *p = op(*p, x), in one step; returns what *p was.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(volatile __${space} ${T} *p, ${T} x) {
  uint old = 0; // a guess: what is there is read by atomic operations only
  for (;;) {
    const uint next = as_uint(lf_op_${op}_${T}(as_${T}(old), x));
    const uint seen = atomic_cmpxchg((volatile __${space} uint *)p, old, next);
    if (seen == old)
      return as_${T}(old);
    old = seen;
  }
}

//@ atomic_global|atomic_local(op,T) kind=pair
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
/// *p = op(*p, x), in one step; returns what *p was.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(volatile __${space} ${T} *p, ${T} x) {
  ulong old = 0; // a guess: what is there is read by atomic operations only
  for (;;) {
    const ulong next = as_ulong(lf_op_${op}_${T}(as_${T}(old), x));
    const ulong seen = atom_cmpxchg((volatile __${space} ulong *)p, old, next);
    if (seen == old)
      return as_${T}(old);
    old = seen;
  }
}

//@ atomic_exchange_global|atomic_exchange_local(T) kind=pair
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
/// *p = x, in one step; returns what *p was.
LF_FUNCTION ${T} lf_${name}_${T}(volatile __${space} ${T} *p, ${T} x) {
  return as_${T}(atom_xchg((volatile __${space} ulong *)p, as_ulong(x)));
}

//@ atomic_compare_exchange_global|atomic_compare_exchange_local(T) kind=word
/// *p = desired if *p has the bits of `expected`, in one step; returns what *p was.
LF_FUNCTION ${T} lf_${name}_${T}(volatile __${space} ${T} *p, ${T} expected, ${T} desired) {
  return as_${T}(atomic_cmpxchg((volatile __${space} uint *)p, as_uint(expected), as_uint(desired)));
}

//@ atomic_compare_exchange_global|atomic_compare_exchange_local(T) kind=pair
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
/// *p = desired if *p has the bits of `expected`, in one step; returns what *p was.
LF_FUNCTION ${T} lf_${name}_${T}(volatile __${space} ${T} *p, ${T} expected, ${T} desired) {
  return as_${T}(atom_cmpxchg((volatile __${space} ulong *)p, as_ulong(expected), as_ulong(desired)));
}

//@ half_of_float
/// The half next to x, as a float: devices without arithmetic of half have the conversions.
LF_FUNCTION float lf_half_of_float(float x) {
  ushort bits;
  vstore_half(x, 0, (__private half *)&bits);
  return vload_half(0, (__private half *)&bits);
}

//@ half_of_double
LF_FUNCTION float lf_half_of_double(double x) {
  ushort bits;
  vstore_half(x, 0, (__private half *)&bits);
  return vload_half(0, (__private half *)&bits);
}
