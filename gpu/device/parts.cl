// SPDX-License-Identifier: Apache-2.0
// Parts of sub-groups: chunks of n neighbouring work-items, n a power of two, and runs of neighbours of any length. All
// work-items of the sub-group call these functions; with the flavour `local` all of the work-group do.

//@ sub_group_runs(op,T) first_lane=yes
// The inclusive scan of each run of neighbours; `position` is the calling work-item's in its run. Through local memory:
// each work-item combines the values of its run up to its own.
LF_FUNCTION ${T} lf_sub_group_runs_${op}_${T}(${T} x, uint position, uint longest, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id();
  memory[id] = x;
  lf_barrier();
  ${T} sum = memory[id - position];
  for (uint i = id - position + 1; i <= id; ++i)
    sum = lf_op_${op}_${T}(sum, memory[i]);
  return sum;
}

//@ sub_group_runs(op,T)
// The inclusive scan of each run of neighbours; `position` is the calling work-item's in its run, of which none is
// longer than `longest`.
LF_FUNCTION ${T} lf_sub_group_runs_${op}_${T}(${T} x, uint position, uint longest, lf_scratch *s) {
  LF_UNROLL for (uint d = 1; d < longest; d *= 2) {
    const ${T} below = lf_shuffle_up_${T}(x, d, s);
    if (position >= d)
      x = lf_op_${op}_${T}(below, x);
  }
  return x;
}

//@ sub_group_run_inclusive_scan(op,T)
/// The inclusive scan of each run of neighbours; `position` is the calling work-item's in its run.
LF_FUNCTION ${T} lf_sub_group_run_inclusive_scan_${op}_${T}(${T} x, uint position, lf_scratch *s) {
  return lf_sub_group_runs_${op}_${T}(x, position, LF_SUB_GROUP_SIZE, s);
}

//@ sub_group_chunk_inclusive_scan(op,T)
/// The inclusive scan of each chunk of n work-items.
LF_FUNCTION ${T} lf_sub_group_chunk_inclusive_scan_${op}_${T}(${T} x, uint n, lf_scratch *s) {
  return lf_sub_group_runs_${op}_${T}(x, lf_lane() % n, n, s);
}

//@ sub_group_chunk_reduce(op,T) full=yes first_lane=no commutative=1
/// The reduction of each chunk of n work-items, for all of them.
LF_FUNCTION ${T} lf_sub_group_chunk_reduce_${op}_${T}(${T} x, uint n, lf_scratch *s) {
  LF_UNROLL for (uint d = 1; d < n; d *= 2)
    x = lf_op_${op}_${T}(x, lf_shuffle_xor_${T}(x, d, s));
  return x;
}

//@ sub_group_chunk_reduce(op,T)
/// The reduction of each chunk of n work-items, for all of them; the last chunk of a sub-group may be smaller.
LF_FUNCTION ${T} lf_sub_group_chunk_reduce_${op}_${T}(${T} x, uint n, lf_scratch *s) {
  const uint last = min(lf_lane() | (n - 1), lf_sub_group_items() - 1);
  return lf_shuffle_${T}(lf_sub_group_runs_${op}_${T}(x, lf_lane() % n, n, s), last, s);
}

//@ sub_group_scatter(T)
/// Each work-item of a sub-group gives its value to the lane `to`, each to another one. One barrier.
LF_FUNCTION ${T} lf_sub_group_scatter_${T}(${T} x, uint to, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id();
  memory[id - lf_lane() + to] = x;
  lf_barrier();
  return memory[id];
}

//@ work_group_shuffle_xor(T) full=yes in_step=no flavour=nv|khr|intel
/// The value of the work-item of the work-group whose local linear id differs in the bits of `mask`, which is uniform;
/// an unspecified one if there is none. A shuffle in the sub-group, or one barrier.
LF_FUNCTION ${T} lf_work_group_shuffle_xor_${T}(${T} x, uint mask, lf_scratch *s) {
  if (mask < LF_SUB_GROUP_SIZE)
    return lf_shuffle_xor_${T}(x, mask, s);
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  memory[lf_local_id()] = x;
  lf_barrier();
  return memory[min(lf_local_id() ^ mask, LF_WORK_GROUP_SIZE - 1)];
}

//@ work_group_shuffle_xor(T)
/// The value of the work-item of the work-group whose local linear id differs in the bits of `mask`; an unspecified one
/// if there is none. One barrier.
LF_FUNCTION ${T} lf_work_group_shuffle_xor_${T}(${T} x, uint mask, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  memory[lf_local_id()] = x;
  lf_barrier();
  return memory[min(lf_local_id() ^ mask, LF_WORK_GROUP_SIZE - 1)];
}
