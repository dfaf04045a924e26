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

//@ sub_group_bits flavour=nv
/// The bits [64 word, 64 word + 64) of the set of what the work-items of a sub-group give as `bit`; 256 is none. `word`
/// is uniform.
LF_FUNCTION ulong lf_sub_group_bits(uint bit, uint word, lf_scratch *s) {
  return word == 0 ? lf_sub_group_reduce_bit_or_uint(bit < 32 ? 1u << bit : 0, s) : 0;
}

//@ sub_group_bits in_step=yes
LF_FUNCTION ulong lf_sub_group_bits(uint bit, uint word, lf_scratch *s) {
  return lf_sub_group_reduce_bit_or_ulong(bit / 64 == word ? 1ul << bit % 64 : 0, s);
}

//@ sub_group_bits
LF_FUNCTION ulong lf_sub_group_bits(uint bit, uint word, lf_scratch *s) {
  if (64 * word >= LF_SUB_GROUP_SIZE)
    return 0;
  return lf_sub_group_reduce_bit_or_ulong(bit / 64 == word ? 1ul << bit % 64 : 0, s);
}

//@ moved_bits
/// The bits of x moved down, up if `by` is negative.
LF_FUNCTION ulong lf_moved_bits(ulong x, int by) {
  return by >= 64 || by <= -64 ? 0 : by >= 0 ? x >> by : x << -by;
}

//@ low_bits
/// The n lowest bits.
LF_FUNCTION ulong lf_low_bits(int n) { return n >= 64 ? ULONG_MAX : n <= 0 ? 0 : (1ul << n) - 1; }
