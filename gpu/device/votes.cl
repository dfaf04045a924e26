// SPDX-License-Identifier: Apache-2.0
// Votes of a work-group, called by all its work-items.

//@ any_of flavour=nv
/// Returns whether the condition holds for any work-item of the work-group. One barrier, no memory.
LF_FUNCTION int lf_any_of(int condition, lf_scratch *s) {
  int r;
  asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q; }"
               : "=r"(r)
               : "r"(condition)
               : "memory");
  return r;
}

//@ any_of vendor_votes=yes
/// Returns whether the condition holds for any work-item of the work-group.
LF_FUNCTION int lf_any_of(int condition, lf_scratch *s) { return work_group_any(condition) != 0; }

//@ any_of
/// Returns whether the condition holds for any work-item of the work-group.
LF_FUNCTION int lf_any_of(int condition, lf_scratch *s) { return (int)lf_reduce_bit_or_uint(condition != 0, s); }

//@ all_of
/// Returns whether the condition holds for every work-item of the work-group.
LF_FUNCTION int lf_all_of(int condition, lf_scratch *s) { return !lf_any_of(!condition, s); }

//@ none_of
/// Returns whether the condition holds for no work-item of the work-group.
LF_FUNCTION int lf_none_of(int condition, lf_scratch *s) { return !lf_any_of(condition, s); }

//@ sub_group_any_of
/// These return whether the condition holds for any, every or no work-item of a sub-group.
LF_FUNCTION int lf_sub_group_any_of(int condition, lf_scratch *s) {
  return (int)lf_sub_group_reduce_bit_or_uint(condition != 0, s);
}

//@ sub_group_all_of
LF_FUNCTION int lf_sub_group_all_of(int condition, lf_scratch *s) { return !lf_sub_group_any_of(!condition, s); }

//@ sub_group_none_of
LF_FUNCTION int lf_sub_group_none_of(int condition, lf_scratch *s) { return !lf_sub_group_any_of(condition, s); }
