// SPDX-License-Identifier: Apache-2.0
// Scans: work-item i gets the reduction of the values of the work-items before it (exclusive) and itself (inclusive).
// Operands keep their order.

//@ sub_group_inclusive_scan(op,T) shuffle_add=yes kind=word
/// The inclusive scan over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  const uint lane = lf_lane();
  // The addition depends on a comparison that need not wait for the shuffle: 0.97 of the time of a scan over 128
  // work-items where it depends on what the shuffle says of its source.
  LF_UNROLL for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2)
    asm volatile("{ .reg .pred p; .reg .b32 t; setp.ge.u32 p, %2, %1; "
                 "shfl.sync.up.b32 t, %0, %1, 0x0, 0xffffffff; @p add.${ptx} %0, t, %0; }"
                 : "+r"(x)
                 : "r"(d), "r"(lane));
  return x;
}

//@ sub_group_inclusive_scan(op,T) shuffle_add=yes
/// The inclusive scan over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  // A shuffle that has a source lane says so in a predicate, on which the addition depends: for two words faster than a
  // comparison (290 and 328 ns over 128 work-items).
  LF_UNROLL for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2)
    asm volatile("{ .reg .pred p; .reg .b32 l, h; .reg .b64 t; mov.b64 {l, h}, %0; "
                 "shfl.sync.up.b32 l|p, l, %1, 0x0, 0xffffffff; shfl.sync.up.b32 h, h, %1, 0x0, 0xffffffff; "
                 "mov.b64 t, {l, h}; @p add.${ptx} %0, t, %0; }"
                 : "+${ptx_register}"(x)
                 : "r"(d));
  return x;
}

//@ sub_group_inclusive_scan(op,T) first_lane=yes
/// The inclusive scan over the sub-group by its first work-item; all work-items of the work-group call it.
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id();
  memory[id] = x;
  lf_barrier();
  if (lf_lane() == 0)
    for (uint i = 1; i < lf_sub_group_items(); ++i)
      memory[id + i] = x = lf_op_${op}_${T}(x, memory[id + i]);
  lf_barrier();
  return memory[id];
}

//@ sub_group_inclusive_scan(op,T) builtin=yes flavour=khr|intel
/// The inclusive scan over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  return sub_group_scan_inclusive_${builtin}(x);
}

//@ scan_by_shuffles(op,T)
// The inclusive scan over the sub-group by shuffles and comparisons.
LF_FUNCTION ${T} lf_scan_by_shuffles_${op}_${T}(${T} x, lf_scratch *s) {
  LF_UNROLL for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const ${T} below = lf_shuffle_up_${T}(x, d, s);
    if (lf_lane() >= d)
      x = lf_op_${op}_${T}(below, x);
  }
  return x;
}

//@ sub_group_inclusive_scan(op,T)
/// The inclusive scan over the sub-group; all its work-items call it (of the work-group, with the flavour `local`).
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  return lf_scan_by_shuffles_${op}_${T}(x, s);
}

//@ sub_group_exclusive_scan(op,T)
/// The exclusive scan over the sub-group; all its work-items call it. Lane 0 gets the identity.
LF_FUNCTION ${T} lf_sub_group_exclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  x = lf_shuffle_up_${T}(lf_sub_group_inclusive_scan_${op}_${T}(x, s), 1, s);
  return lf_lane() == 0 ? ${identity} : x;
}

//@ inclusive_scan|exclusive_scan(op,T) variant=local_tree
/// The scan over the work-group in local memory, one element for each work-item. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id();
  memory[id] = x;
  lf_barrier();
  for (uint d = 1; d < LF_WORK_GROUP_SIZE; d *= 2) {
    if (id >= d)
      x = lf_op_${op}_${T}(memory[id - d], x);
    lf_barrier();
    memory[id] = x;
    lf_barrier();
  }
  return !${exclusive} ? x : id == 0 ? ${identity} : memory[id - min(id, 1u)];
}

//@ inclusive_scan|exclusive_scan(op,T) variant=serial
/// The scan over the work-group by its first work-item, in local memory. Two barriers. ${name}.
// All that the work-item computes with comes from memory, not from x: else compilers that make vectors of work-items
// compute it for a whole vector.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id(), items = LF_WORK_GROUP_SIZE;
  memory[id] = x;
  lf_barrier();
  if (id == 0) {
    ${T} sum = memory[0];
    uint i = 1;
    for (; i + 4 <= items; i += 4) { // one operation from one sum to the next
      const ${T} a = memory[i], b = lf_op_${op}_${T}(a, memory[i + 1]);
      const ${T} c = memory[i + 2], d = lf_op_${op}_${T}(c, memory[i + 3]);
      const ${T} half_way = lf_op_${op}_${T}(sum, b);
      memory[i] = lf_op_${op}_${T}(sum, a);
      memory[i + 1] = half_way;
      memory[i + 2] = lf_op_${op}_${T}(half_way, c);
      memory[i + 3] = sum = lf_op_${op}_${T}(sum, lf_op_${op}_${T}(b, d));
    }
    for (; i < items; ++i)
      memory[i] = sum = lf_op_${op}_${T}(sum, memory[i]);
  }
  lf_barrier();
  return !${exclusive} ? memory[id] : id == 0 ? ${identity} : memory[id - min(id, 1u)];
}

//@ inclusive_scan|exclusive_scan(op,T) variant=vendor
/// The scan over the work-group by the device's own function.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) { return work_group_scan_${vendor_scan}_${builtin}(x); }

//@ transpose(T) width=2
// Lanes 2n and 2n + 1 exchange: lane 2n + i gets component i of both.
LF_FUNCTION ${T} lf_transpose_${T}(${T} x, lf_scratch *s) {
  const bool upper = (lf_lane() & 1) != 0;
  const ${component} other = lf_shuffle_xor_${component}(upper ? x.lo : x.hi, 1, s);
  return upper ? (${T})(other, x.hi) : (${T})(x.lo, other);
}

//@ transpose(T) width=4
// Lanes 4n .. 4n + 3 exchange: lane 4n + i gets component i of all four.
LF_FUNCTION ${T} lf_transpose_${T}(${T} x, lf_scratch *s) {
  const bool upper = (lf_lane() & 2) != 0;
  const ${half} other = lf_shuffle_xor_${half}(upper ? x.lo : x.hi, 2, s);
  x = upper ? (${T})(other, x.hi) : (${T})(x.lo, other);
  const bool odd = (lf_lane() & 1) != 0;
  const ${half} neighbour = lf_shuffle_xor_${half}(odd ? x.even : x.odd, 1, s);
  return odd ? (${T})(neighbour.x, x.y, neighbour.y, x.w) : (${T})(x.x, neighbour.x, x.z, neighbour.y);
}

//@ run(op,T) width=2
// The scan of the components of one vector.
LF_FUNCTION ${T} lf_run_${op}_${T}(${T} x) { return (${T})(x.lo, lf_op_${op}_${component}(x.lo, x.hi)); }

//@ run(op,T) width=4
// The scan of the components of one vector.
LF_FUNCTION ${T} lf_run_${op}_${T}(${T} x) {
  x.y = lf_op_${op}_${component}(x.x, x.y);
  x.z = lf_op_${op}_${component}(x.y, x.z);
  x.w = lf_op_${op}_${component}(x.z, x.w);
  return x;
}

//@ shift(T) width=2
LF_FUNCTION ${T} lf_shift_${T}(${component} first, ${T} x) { return (${T})(first, x.lo); }

//@ shift(T) width=4
LF_FUNCTION ${T} lf_shift_${T}(${component} first, ${T} x) { return (${T})(first, x.xyz); }

//@ inclusive_scan|exclusive_scan(op,T) variant=transposed width=8|16
/// The scan over the work-group of vectors, half by half. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
  const ${half} low = lf_${name}_${op}_${half}(x.lo, s);
  return (${T})(low, lf_${name}_${op}_${half}(x.hi, s));
}

//@ inclusive_scan|exclusive_scan(op,T) variant=transposed
/// The scan over the work-group of vectors: ${components} lanes exchange their vectors so that each has one component
/// of all of them. One barrier. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
  const uint lane = lf_lane(), mine = lane % ${components};
  x = lf_run_${op}_${T}(lf_transpose_${T}(x, s));
  ${component} total = x.hi${last_half};
  LF_UNROLL for (uint d = ${components}; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const ${component} below = lf_shuffle_up_${component}(total, d, s);
    if (lane >= d)
      total = lf_op_${op}_${component}(below, total);
  }
  ${component} before = lf_shuffle_up_${component}(total, ${components}, s);
  before = lane < ${components} ? ${component_identity} : before;
  if (lf_sub_groups() > 1) {
    __local ${T} *const totals = (__local ${T} *)lf_next_half(s);
    if (lane >= LF_SUB_GROUP_SIZE - ${components})
      ((__local ${component} *)(totals + lf_sub_group_id()))[mine] = total;
    lf_barrier();
    if (lf_sub_group_id() > 0)
      before = lf_op_${op}_${component}(lf_fold_components_${op}_${T}(totals, lf_sub_group_id(), s), before);
  }
  x = lf_op_${op}_${T}((${T})(before), x);
  return lf_transpose_${T}(${exclusive} ? lf_shift_${T}(before, x) : x, s);
}

//@ inclusive_scan|exclusive_scan(op,T) variant=raking
/// The scan over the work-group: ${raking} sub-groups scan what all stored to local memory, each of their lanes
/// LF_RAKED neighbours. Two barriers, and shuffles of ${raking} sub-groups only. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
#define LF_RAKED (LF_WORK_GROUP_SIZE / (${raking} * LF_SUB_GROUP_SIZE))
#define LF_FOURS (LF_RAKED / 4 * 4)
// Rows of an odd number of elements lie in different banks.
#define LF_PLACE(i) ((i) + (LF_RAKED % 2 == 0 ? (i) / LF_RAKED : 0))
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  __local ${T} *const totals = memory + LF_PLACE(LF_WORK_GROUP_SIZE);
  const uint id = lf_local_id();
  memory[LF_PLACE(id)] = x;
  lf_barrier();
  if (id < ${raking} * LF_SUB_GROUP_SIZE) {
    __local ${T} *const mine = memory + LF_PLACE(id * LF_RAKED); // a row has no gap
// The totals of rows are not scanned by lf_sub_group_inclusive_scan, whose predicates take longer where one sub-group works
// alone (fp64, 512 work-items: 378 in place of 367 ns).
#if ${row_taken} && LF_RAKED % 4 == 0 && LF_RAKED * ${bytes} <= 128
    // Each four is scanned by itself, and the fours are joined while the totals are shuffled. After that an element takes
    // one operation, and the row is taken away from its total again (int64, 512 work-items: 325 to 311 ns).
    ${T} row[LF_RAKED];
    LF_UNROLL for (uint i = 0; i < LF_RAKED; ++i)
      row[i] = mine[i];
    LF_UNROLL for (uint i = 0; i < LF_RAKED; i += 4) {
      const ${T} upper = lf_op_${op}_${T}(row[i + 2], row[i + 3]);
      row[i + 1] = lf_op_${op}_${T}(row[i], row[i + 1]);
      row[i + 2] = lf_op_${op}_${T}(row[i + 1], row[i + 2]);
      row[i + 3] = lf_op_${op}_${T}(row[i + 1], upper);
    }
    ${T} sum = row[3];
    LF_UNROLL for (uint i = 7; i < LF_RAKED; i += 4)
      sum = lf_op_${op}_${T}(sum, row[i]);
    const ${T} total = lf_scan_by_shuffles_${op}_${T}(sum, s);
    const ${T} below = total ${row_inverse} sum;
    LF_UNROLL for (uint i = 4; i < LF_RAKED; ++i)
      row[i] = lf_op_${op}_${T}(row[i / 4 * 4 - 1], row[i]);
    LF_UNROLL for (uint i = LF_RAKED - 1; i > 0; --i)
      row[i] = lf_op_${op}_${T}(below, row[${exclusive} ? i - 1 : i]);
    row[0] = ${exclusive} ? below : lf_op_${op}_${T}(below, row[0]);
    LF_UNROLL for (uint i = 0; i < LF_RAKED; ++i)
      mine[i] = row[i]; // not as they come: 292 in place of 311 ns for the exclusive scan
#else
// Rows that fit are kept in registers, in two halves: NVIDIA's compiler keeps no array of 128 bytes there.
#if LF_RAKED % 2 == 0 && LF_RAKED * ${bytes} <= 128
    ${T} low[LF_RAKED / 2], high[LF_RAKED / 2];
    LF_UNROLL for (uint i = 0; i < LF_RAKED / 2; ++i) {
      low[i] = mine[i];
      high[i] = mine[i + LF_RAKED / 2];
    }
#define LF_VALUE(i) ((i) < LF_RAKED / 2 ? low[(i) % (LF_RAKED / 2)] : high[(i) % (LF_RAKED / 2)])
#else
#define LF_VALUE(i) mine[i]
#endif
    // By fours: an operation from one to the next, where one by one each would wait for the one before.
    ${T} sum = LF_VALUE(0);
    LF_UNROLL for (uint i = 0; i < LF_FOURS; i += 4) {
      const ${T} two = lf_op_${op}_${T}(LF_VALUE(i), LF_VALUE(i + 1));
      const ${T} four = lf_op_${op}_${T}(two, lf_op_${op}_${T}(LF_VALUE(i + 2), LF_VALUE(i + 3)));
      sum = i == 0 ? four : lf_op_${op}_${T}(sum, four);
    }
    LF_UNROLL for (uint i = max(LF_FOURS, 1u); i < LF_RAKED; ++i)
      sum = lf_op_${op}_${T}(sum, LF_VALUE(i));
    const ${T} total = lf_scan_by_shuffles_${op}_${T}(sum, s);
    const ${T} below = lf_shuffle_up_${T}(total, 1, s);
#if ${exclusive} || ${whole}
    sum = lf_lane() == 0 ? ${identity} : below;
    LF_UNROLL for (uint i = 0; i < LF_FOURS; i += 4) {
      const ${T} two = lf_op_${op}_${T}(LF_VALUE(i), LF_VALUE(i + 1));
      const ${T} three = lf_op_${op}_${T}(two, LF_VALUE(i + 2)), four = lf_op_${op}_${T}(three, LF_VALUE(i + 3));
      const ${T} first = lf_op_${op}_${T}(sum, LF_VALUE(i)), second = lf_op_${op}_${T}(sum, two);
      const ${T} third = lf_op_${op}_${T}(sum, three), fourth = lf_op_${op}_${T}(sum, four);
      mine[i] = ${exclusive} ? sum : first;
      mine[i + 1] = ${exclusive} ? first : second;
      mine[i + 2] = ${exclusive} ? second : third;
      mine[i + 3] = ${exclusive} ? third : fourth;
      sum = fourth;
    }
    LF_UNROLL for (uint i = LF_FOURS; i < LF_RAKED; ++i) {
      const ${T} next = lf_op_${op}_${T}(sum, LF_VALUE(i));
      mine[i] = ${exclusive} ? sum : next;
      sum = next;
    }
#else // there may be no identity, and 0 before a first -0 would change it
    sum = lf_lane() == 0 ? LF_VALUE(0) : lf_op_${op}_${T}(below, LF_VALUE(0));
    mine[0] = sum;
    LF_UNROLL for (uint i = 1; i < LF_RAKED; ++i)
      mine[i] = sum = lf_op_${op}_${T}(sum, LF_VALUE(i));
#endif
#endif
    if (${raking} > 1 && lf_lane() == LF_SUB_GROUP_SIZE - 1)
      totals[lf_sub_group_id()] = total;
  }
  lf_barrier();
  const uint rakers = id / (LF_RAKED * LF_SUB_GROUP_SIZE);
  ${T} sum = memory[LF_PLACE(id)];
  if (${raking} > 1 && rakers > 0) {
    ${T} below = totals[0];
    LF_UNROLL for (uint i = 1; i + 1 < ${raking}; ++i)
      if (i < rakers)
        below = lf_op_${op}_${T}(below, totals[i]);
    sum = lf_op_${op}_${T}(below, sum);
  }
  return sum;
#undef LF_VALUE
#undef LF_PLACE
#undef LF_FOURS
#undef LF_RAKED
}

//@ inclusive_scan|exclusive_scan(op,T)
/// The scan over the work-group: each sub-group by shuffles, then every sub-group reduces the totals of those below it.
/// One barrier. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
  ${T} sum = lf_sub_group_inclusive_scan_${op}_${T}(x, s);
  __local ${T} *totals = 0;
  if (lf_sub_groups() > 1) {
    totals = (__local ${T} *)lf_next_half(s);
    if (lf_lane() == lf_sub_group_items() - 1)
      totals[lf_sub_group_id()] = sum;
  }
  ${take_own}
  if (lf_sub_groups() > 1)
    lf_barrier();
  ${shift_own} // while the totals are on their way
  const bool first = ${shifted} && lf_lane() == 0;
  if (lf_sub_groups() > 1 && lf_sub_group_id() > 0) {
    const ${T} below = lf_fold_below_${op}_${T}(totals, lf_sub_group_id(), s);
    return first ? below : lf_op_${op}_${T}(below, sum);
  }
  return first ? ${identity} : sum;
}

//@ inclusive_scan_init(op,T)
/// The inclusive scan with a uniform value before the first work-item's.
LF_FUNCTION ${T} lf_inclusive_scan_init_${op}_${T}(${T} x, ${T} init, lf_scratch *s) {
  return lf_op_${op}_${T}(init, lf_inclusive_scan_${op}_${T}(x, s));
}

//@ exclusive_scan_init(op,T)
/// The exclusive scan with a uniform value before the first work-item's, which gets just that.
LF_FUNCTION ${T} lf_exclusive_scan_init_${op}_${T}(${T} x, ${T} init, lf_scratch *s) {
  const ${T} sum = lf_exclusive_scan_${op}_${T}(x, s);
  return lf_local_id() == 0 ? init : lf_op_${op}_${T}(init, sum);
}
