// SPDX-License-Identifier: Apache-2.0
// Reductions. The result is in every work-item of the group. Operators are associative; only those known to commute
// are reordered.

//@ sub_group_reduce(op,T) redux=yes
/// The reduction over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  ${T} r;
  asm volatile("redux.sync.${redux} %0, %1, 0xffffffff;" : "=r"(r) : "r"(x));
  return r;
}

//@ sub_group_reduce(op,T) first_lane=yes
/// The reduction over the sub-group by its first work-item; all work-items of the work-group call it.
LF_FUNCTION ${T} lf_sub_group_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id(), lane = lf_lane();
  memory[id] = x;
  lf_barrier();
  if (lane == 0) {
    for (uint i = 1; i < lf_sub_group_items(); ++i)
      x = lf_op_${op}_${T}(x, memory[id + i]);
    memory[id] = x;
  }
  lf_barrier();
  return memory[id - lane];
}

//@ sub_group_reduce(op,T) builtin=yes flavour=khr|intel
/// The reduction over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_reduce_${op}_${T}(${T} x, lf_scratch *s) { return sub_group_reduce_${builtin}(x); }

//@ sub_group_reduce(op,T) full=yes
/// The reduction over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  LF_UNROLL for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const ${T} other = lf_shuffle_xor_${T}(x, d, s);
    x = ${commutative} || (lf_lane() & d) == 0 ? lf_op_${op}_${T}(x, other) : lf_op_${op}_${T}(other, x);
  }
  return x;
}

//@ sub_group_reduce(op,T) idempotent=yes flavour=nv
/// The reduction over the sub-group; all its work-items call it.
// Each lane takes what the d lanes from d further on have, where the first ones follow the last ones: that values are
// taken twice does no harm. Where d is more than there are items, all are taken already.
LF_FUNCTION ${T} lf_sub_group_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  const uint lane = lf_lane(), items = lf_sub_group_items();
  LF_UNROLL for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const uint from = min(min(lane + d, lane + d - items), items - 1); // where lane + d < items, the difference wraps
    x = lf_op_${op}_${T}(x, lf_shuffle_${T}(x, from, s));
  }
  return x;
}

//@ sub_group_reduce(op,T)
/// The reduction over the sub-group; all its work-items call it (of the work-group, with the flavour `local`).
// Not a butterfly: that is wrong where the number of work-items is no power of two.
LF_FUNCTION ${T} lf_sub_group_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  const uint lane = lf_lane(), items = lf_sub_group_items();
  for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const ${T} other = lf_shuffle_down_${T}(x, d, s);
    if (lane + d < items)
      x = lf_op_${op}_${T}(x, other);
  }
  return lf_shuffle_${T}(x, 0, s);
}

//@ fold|fold_below(op,T) serial=yes
// The reduction of totals[0 .. count), in every lane. `count` is uniform in the sub-group, at least 1 and at most
// ${most_folded}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(__local const ${T} *totals, uint count, lf_scratch *s) {
  ${T} sum = totals[0];
  LF_UNROLL for (uint i = 1; i < ${most_folded}; ++i)
    if (i < count)
      sum = lf_op_${op}_${T}(sum, totals[i]);
  return sum;
}

//@ fold|fold_below(op,T) redux=yes full=yes
// The reduction of totals[0 .. count), in every lane. `count` is uniform in the sub-group and at least 1.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(__local const ${T} *totals, uint count, lf_scratch *s) {
  const uint lane = lf_lane();
  return lf_sub_group_reduce_${op}_${T}(lane < count ? totals[lane] : ${identity}, s);
}

//@ fold|fold_below(op,T) redux=yes
// The reduction of totals[0 .. count), in every lane. `count` is uniform in the sub-group and at least 1.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(__local const ${T} *totals, uint count, lf_scratch *s) {
  ${T} sum = ${identity};
  for (uint i = lf_lane(); i < count; i += lf_sub_group_items())
    sum = lf_op_${op}_${T}(sum, totals[i]);
  return lf_sub_group_reduce_${op}_${T}(sum, s);
}

//@ fold|fold_below(op,T) full=yes identity=yes
// The reduction of totals[0 .. count), in every lane. `count` is uniform in the sub-group and at least 1.
// ${fold_lanes} lanes take ${totals} totals each; the other lanes do the same.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(__local const ${T} *totals, uint count, lf_scratch *s) {
  const uint first = lf_lane() % ${fold_lanes} * ${totals};
  ${T} sum = ${identity};
  ${T} part[${totals}];
  LF_UNROLL for (uint i = 0; i < ${totals}; ++i)
    part[i] = totals[first + i];
  LF_UNROLL for (uint i = 0; i < ${totals}; ++i) {
    const ${T} next = first + i < count ? part[i] : ${identity};
    sum = i == 0 ? next : lf_op_${op}_${T}(sum, next);
  }
  LF_UNROLL for (uint d = 1; d < ${fold_lanes}; d *= 2) {
    const ${T} other = lf_shuffle_xor_${T}(sum, d, s);
    sum = ${commutative} || (lf_lane() & d) == 0 ? lf_op_${op}_${T}(sum, other) : lf_op_${op}_${T}(other, sum);
  }
  return sum;
}

//@ fold|fold_below(op,T)
// The reduction of totals[0 .. count), in every lane. `count` is uniform in the sub-group and at least 1.
// Each lane takes as many neighbours as there must be.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(__local const ${T} *totals, uint count, lf_scratch *s) {
  const uint lane = lf_lane(), items = lf_sub_group_items();
  const uint share = (count + items - 1) / items, lanes = (count + share - 1) / share;
  const uint first = min(lane * share, count - 1), last = min(lane * share + share, count);
  ${T} sum = totals[first];
  for (uint i = first + 1; i < last; ++i)
    sum = lf_op_${op}_${T}(sum, totals[i]);
  for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const ${T} other = lf_shuffle_down_${T}(sum, d, s);
    if (lane + d < lanes)
      sum = lf_op_${op}_${T}(sum, other);
  }
  return lf_shuffle_${T}(sum, 0, s);
}

//@ reduce(op,T) variant=local_tree
/// The reduction over the work-group by a tree in local memory: one element for each work-item.
LF_FUNCTION ${T} lf_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id();
  memory[id] = x;
#if ${commutative}
  for (uint items = LF_WORK_GROUP_SIZE; items > 1;) {
    const uint half_items = (items + 1) / 2;
    lf_barrier();
    if (id + half_items < items)
      memory[id] = lf_op_${op}_${T}(memory[id], memory[id + half_items]);
    items = half_items;
  }
#else
  const uint items = LF_WORK_GROUP_SIZE;
  for (uint d = 1; d < items; d *= 2) {
    lf_barrier();
    if (id % (2 * d) == 0 && id + d < items) {
      x = lf_op_${op}_${T}(x, memory[id + d]);
      memory[id] = x;
    }
  }
#endif
  lf_barrier();
  return memory[0];
}

//@ reduce(op,T) variant=serial
/// The reduction over the work-group by its first work-item, in local memory. Two barriers.
// All that the work-item computes with comes from memory (see the scan).
LF_FUNCTION ${T} lf_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id(), items = LF_WORK_GROUP_SIZE;
  memory[id] = x;
  lf_barrier();
  if (id == 0) {
    ${T} sum = memory[0];
    uint done = 1;
#if ${commutative} // eight sums that do not wait for each other
    if (items >= 16) {
      ${T} part[8];
      for (uint c = 0; c < 8; ++c)
        part[c] = memory[c];
      for (done = 8; done + 8 <= items; done += 8)
        for (uint c = 0; c < 8; ++c)
          part[c] = lf_op_${op}_${T}(part[c], memory[done + c]);
      for (uint d = 4; d > 0; d /= 2)
        for (uint c = 0; c < d; ++c)
          part[c] = lf_op_${op}_${T}(part[c], part[c + d]);
      sum = part[0];
    }
#endif
    for (; done < items; ++done)
      sum = lf_op_${op}_${T}(sum, memory[done]);
    memory[0] = sum;
  }
  lf_barrier();
  return memory[0];
}

//@ reduce(op,T) variant=vendor
/// The reduction over the work-group by the device's own function.
LF_FUNCTION ${T} lf_reduce_${op}_${T}(${T} x, lf_scratch *s) { return work_group_reduce_${builtin}(x); }

//@ narrow(op,T) width=2
// Two lanes exchange components: each keeps one, reduced over both.
LF_FUNCTION ${component} lf_narrow_${op}_${T}(${T} x, uint distance, lf_scratch *s) {
  const bool upper = (lf_lane() & distance) != 0;
  const ${component} other = lf_shuffle_xor_${component}(upper ? x.lo : x.hi, distance, s);
  return lf_op_${op}_${component}(upper ? x.hi : x.lo, other);
}

//@ narrow(op,T)
// Neighbouring lanes exchange halves, until each has one component, reduced over ${components} lanes.
LF_FUNCTION ${component} lf_narrow_${op}_${T}(${T} x, uint distance, lf_scratch *s) {
  const bool upper = (lf_lane() & distance) != 0;
  const ${half} other = lf_shuffle_xor_${half}(upper ? x.lo : x.hi, distance, s);
  return lf_narrow_${op}_${half}(lf_op_${op}_${half}(upper ? x.hi : x.lo, other), 2 * distance, s);
}

//@ fold_components(op,T)
// The reduction of vectors totals[0 .. count): lane i and those ${components} further each have component
// i % ${components}.
LF_FUNCTION ${component} lf_fold_components_${op}_${T}(__local const ${T} *totals, uint count, lf_scratch *s) {
  __local const ${component} *const all = (__local const ${component} *)totals;
  const uint lane = lf_lane(), last = count * ${components};
  ${component} sum = lane < last ? all[lane] : ${component_identity};
  LF_UNROLL for (uint i = LF_SUB_GROUP_SIZE; i < lf_sub_groups() * ${components}; i += LF_SUB_GROUP_SIZE)
    sum = lf_op_${op}_${component}(sum, i + lane < last ? all[i + lane] : ${component_identity});
  LF_UNROLL for (uint d = ${components}; d < LF_SUB_GROUP_SIZE; d *= 2)
    sum = lf_op_${op}_${component}(sum, lf_shuffle_xor_${component}(sum, d, s));
  return sum;
}

//@ reduce(op,T) variant=transposed
/// The reduction over the work-group of vectors: each of ${components} lanes takes one component, and the first
/// sub-group reduces what the sub-groups found. Two barriers.
LF_FUNCTION ${T} lf_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  const uint lane = lf_lane();
  ${component} sum = lf_narrow_${op}_${T}(x, 1, s);
  LF_UNROLL for (uint d = ${components}; d < LF_SUB_GROUP_SIZE; d *= 2)
    sum = lf_op_${op}_${component}(sum, lf_shuffle_xor_${component}(sum, d, s));
  __local ${T} *const totals = (__local ${T} *)lf_next_half(s);
  if (lane < ${components})
    ((__local ${component} *)(totals + lf_sub_group_id()))[${narrowed}] = sum;
  lf_barrier();
  if (lf_sub_groups() == 1)
    return *totals;
  __local ${T} *const result = totals + lf_sub_groups();
  if (lf_sub_group_id() == 0) {
    sum = lf_fold_components_${op}_${T}(totals, lf_sub_groups(), s);
    if (lane < ${components})
      ((__local ${component} *)result)[lane] = sum;
  }
  lf_barrier();
  return *result;
}

//@ reduce(op,T) variant=raking
/// The reduction over the work-group: all but ${raking} sub-groups store to local memory, those add across and shuffle.
/// Two barriers, and shuffles of ${raking} sub-groups only.
LF_FUNCTION ${T} lf_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id(), rakers = ${raking} * LF_SUB_GROUP_SIZE;
  __local ${T} *const totals = memory + (LF_WORK_GROUP_SIZE - rakers);
  if (id >= rakers)
    memory[id - rakers] = x;
  lf_barrier();
  if (id < rakers) {
    LF_UNROLL for (uint i = 0; i < LF_WORK_GROUP_SIZE - rakers; i += rakers)
      if (LF_WORK_GROUP_SIZE % rakers == 0 || i + id < LF_WORK_GROUP_SIZE - rakers)
        x = lf_op_${op}_${T}(x, memory[i + id]);
    x = lf_sub_group_reduce_${op}_${T}(x, s);
    if (lf_lane() == 0)
      totals[lf_sub_group_id()] = x;
  }
  lf_barrier();
  x = totals[0];
  LF_UNROLL for (uint i = 1; i < ${raking}; ++i)
    x = lf_op_${op}_${T}(x, totals[i]);
  return x;
}

//@ reduce(op,T)
/// The reduction over the work-group: each sub-group by shuffles, then all of their totals by every sub-group, so that
/// there is one barrier.
LF_FUNCTION ${T} lf_reduce_${op}_${T}(${T} x, lf_scratch *s) {
  x = lf_sub_group_reduce_${op}_${T}(x, s);
  if (lf_sub_groups() == 1)
    return x;
  __local ${T} *const totals = (__local ${T} *)lf_next_half(s);
  if (lf_lane() == 0)
    totals[lf_sub_group_id()] = x;
  lf_barrier();
  return lf_fold_${op}_${T}(totals, lf_sub_groups(), s);
}
