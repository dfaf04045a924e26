// SPDX-License-Identifier: Apache-2.0
// Algorithms of a work-group over an array in global memory: work-items read neighbouring elements. All work-items call
// them with the same arguments.

//@ joint_reduce(op,T) commutative=1
/// The reduction of first[0 .. count); the identity if there is none.
LF_FUNCTION ${T} lf_joint_reduce_${op}_${T}(__global const ${T} *first, ulong count, lf_scratch *s) {
  ${T} sum = ${identity};
#pragma unroll 4
  for (ulong i = lf_local_id(); i < count; i += LF_WORK_GROUP_SIZE)
    sum = lf_op_${op}_${T}(sum, first[i]);
  return lf_reduce_${op}_${T}(sum, s);
}

//@ joint_reduce(op,T)
/// The reduction of first[0 .. count), in their order; the identity if there is none.
LF_FUNCTION ${T} lf_joint_reduce_${op}_${T}(__global const ${T} *first, ulong count, lf_scratch *s) {
  ${T} sum = ${identity};
  for (ulong i = 0; i < count; i += LF_WORK_GROUP_SIZE) {
    const ulong mine = i + lf_local_id();
    sum = lf_op_${op}_${T}(sum, lf_reduce_${op}_${T}(mine < count ? first[mine] : ${identity}, s));
  }
  return sum;
}

//@ joint_inclusive_scan_init|joint_exclusive_scan_init(op,T)
/// The scan of first[0 .. count) with `before` in front of it to result[0 .. count), which may be the same array. ${name}.
LF_FUNCTION void lf_${name}_${op}_${T}(__global const ${T} *first, ulong count, __global ${T} *result, ${T} before,
                                       lf_scratch *s) {
  for (ulong i = 0; i < count; i += LF_WORK_GROUP_SIZE) {
    const ulong mine = i + lf_local_id();
    const ${T} x = mine < count ? first[mine] : ${identity};
    const ${T} sum = lf_op_${op}_${T}(before, lf_${plain_scan}_${op}_${T}(x, s));
    if (mine < count)
      result[mine] = sum;
    before = lf_broadcast_${T}(${exclusive} ? lf_op_${op}_${T}(sum, x) : sum, LF_WORK_GROUP_SIZE - 1, s);
  }
}

//@ joint_inclusive_scan|joint_exclusive_scan(op,T)
/// The scan of first[0 .. count) to result[0 .. count), which may be the same array. ${name}.
LF_FUNCTION void lf_${name}_${op}_${T}(__global const ${T} *first, ulong count, __global ${T} *result, lf_scratch *s) {
  lf_${name}_init_${op}_${T}(first, count, result, ${identity}, s);
}

//@ joint_any_of(op,T)
/// Returns whether the predicate ${op} holds for any of first[0 .. count). Stops at the first block where it does.
LF_FUNCTION int lf_joint_any_of_${op}_${T}(__global const ${T} *first, ulong count, lf_scratch *s) {
  const ulong block = 16 * LF_WORK_GROUP_SIZE;
  for (ulong begin = 0; begin < count; begin += block) {
    const ulong end = min(begin + block, count);
    int found = 0;
    for (ulong i = begin + lf_local_id(); i < end; i += LF_WORK_GROUP_SIZE)
      found |= ${op}(first[i]) != 0;
    if (lf_any_of(found, s))
      return 1;
  }
  return 0;
}

//@ joint_all_of(op,T)
/// Returns whether the predicate ${op} holds for all of first[0 .. count). Stops at the first block where it does not.
LF_FUNCTION int lf_joint_all_of_${op}_${T}(__global const ${T} *first, ulong count, lf_scratch *s) {
  const ulong block = 16 * LF_WORK_GROUP_SIZE;
  for (ulong begin = 0; begin < count; begin += block) {
    const ulong end = min(begin + block, count);
    int found = 0;
    for (ulong i = begin + lf_local_id(); i < end; i += LF_WORK_GROUP_SIZE)
      found |= ${op}(first[i]) == 0;
    if (lf_any_of(found, s))
      return 0;
  }
  return 1;
}

//@ joint_none_of(op,T)
/// Returns whether the predicate ${op} holds for none of first[0 .. count).
LF_FUNCTION int lf_joint_none_of_${op}_${T}(__global const ${T} *first, ulong count, lf_scratch *s) {
  return !lf_joint_any_of_${op}_${T}(first, count, s);
}
