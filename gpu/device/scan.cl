// SPDX-License-Identifier: Apache-2.0
// Scans: work-item i gets the reduction of the values of the work-items before it (exclusive) and itself (inclusive).
// Operands keep their order.

//@ sub_group_inclusive_scan(op,T) shuffle_add=yes
/// The inclusive scan over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  // A shuffle that has a source lane says so in a predicate, on which the addition depends.
#pragma unroll
  for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2)
    asm volatile("{ .reg .pred p; .reg .b32 t; shfl.sync.up.b32 t|p, %0, %1, 0x0, 0xffffffff; @p add.s32 %0, t, %0; }"
                 : "+r"(x)
                 : "r"(d));
  return x;
}

//@ sub_group_inclusive_scan(op,T) builtin=yes flavour=khr|intel
/// The inclusive scan over the sub-group; all its work-items call it.
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  return sub_group_scan_inclusive_${builtin}(x);
}

//@ sub_group_inclusive_scan(op,T)
/// The inclusive scan over the sub-group; all its work-items call it (of the work-group, with the flavour `local`).
LF_FUNCTION ${T} lf_sub_group_inclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
#pragma unroll
  for (uint d = 1; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const ${T} below = lf_shuffle_up_${T}(x, d, s);
    if (lf_lane() >= d)
      x = lf_op_${op}_${T}(below, x);
  }
  return x;
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

//@ inclusive_scan|exclusive_scan(op,T) variant=vendor
/// The scan over the work-group by the device's own function.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) { return work_group_scan_${vendor_scan}_${builtin}(x); }

//@ exclusive_scan(op,T) inverse=yes variant=sub_group|raking
/// The exclusive scan over the work-group: the inclusive one without the work-item's own value.
LF_FUNCTION ${T} lf_exclusive_scan_${op}_${T}(${T} x, lf_scratch *s) {
  return lf_inclusive_scan_${op}_${T}(x, s) ${inverse} x;
}

//@ inclusive_scan|exclusive_scan(op,T) variant=transposed
/// The scan over the work-group of vectors: ${components} lanes exchange their vectors so that each has one component
/// of all of them. One barrier. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
  const uint lane = lf_lane(), mine = lane % ${components};
  union {
    ${T} value;
    ${component} part[${components}];
  } vector = {x};
#define LF_TRANSPOSE()                                                                                                 \
  _Pragma("unroll") for (uint d = 1; d < ${components}; d *= 2)                                                        \
      _Pragma("unroll") for (uint i = 0; i < ${components}; ++i) if ((i & d) == 0) {                                   \
    const bool upper = (lane & d) != 0;                                                                                \
    const ${component} other = lf_shuffle_xor_${component}(upper ? vector.part[i] : vector.part[i + d], d, s);                       \
    vector.part[i] = upper ? other : vector.part[i];                                                                                 \
    vector.part[i + d] = upper ? vector.part[i + d] : other;                                                                         \
  }
  LF_TRANSPOSE()
#pragma unroll
  for (uint i = 1; i < ${components}; ++i)
    vector.part[i] = lf_op_${op}_${component}(vector.part[i - 1], vector.part[i]);
  ${component} total = vector.part[${components} - 1];
#pragma unroll
  for (uint d = ${components}; d < LF_SUB_GROUP_SIZE; d *= 2) {
    const ${component} below = lf_shuffle_up_${component}(total, d, s);
    if (lane >= d)
      total = lf_op_${op}_${component}(below, total);
  }
  ${component} before = lf_shuffle_up_${component}(total, ${components}, s);
  before = lane < ${components} ? ${component_identity} : before;
  if (lf_sub_groups() > 1) {
    __local ${component} *const totals = (__local ${component} *)lf_next_half(s);
    if (lane >= LF_SUB_GROUP_SIZE - ${components})
      totals[lf_sub_group_id() * ${components} + mine] = total;
    lf_barrier();
    if (lf_sub_group_id() > 0) {
      const uint count = lf_sub_group_id() * ${components};
      ${component} sum = lane < count ? totals[lane] : ${component_identity};
#pragma unroll
      for (uint i = LF_SUB_GROUP_SIZE; i < lf_sub_groups() * ${components}; i += LF_SUB_GROUP_SIZE)
        sum = lf_op_${op}_${component}(sum, i + lane < count ? totals[i + lane] : ${component_identity});
#pragma unroll
      for (uint d = ${components}; d < LF_SUB_GROUP_SIZE; d *= 2)
        sum = lf_op_${op}_${component}(sum, lf_shuffle_xor_${component}(sum, d, s));
      before = lf_op_${op}_${component}(sum, before);
    }
  }
#pragma unroll
  for (uint i = ${components}; i-- > 0;)
    vector.part[i] = !${exclusive} ? lf_op_${op}_${component}(before, vector.part[i])
              : i == 0      ? before
                            : lf_op_${op}_${component}(before, vector.part[i - (i > 0)]);
  LF_TRANSPOSE()
#undef LF_TRANSPOSE
  return vector.value;
}

//@ inclusive_scan|exclusive_scan(op,T) variant=raking
/// The scan over the work-group: ${raking} sub-groups scan what all stored to local memory, each of their lanes
/// LF_RAKED neighbours. Two barriers, and shuffles of ${raking} sub-groups only. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
#define LF_RAKED (LF_WORK_GROUP_SIZE / (${raking} * LF_SUB_GROUP_SIZE))
// Rows of an odd number of elements lie in different banks.
#define LF_PLACE(i) ((i) + (LF_RAKED % 2 == 0 ? (i) / LF_RAKED : 0))
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  __local ${T} *const totals = memory + LF_PLACE(LF_WORK_GROUP_SIZE);
  const uint id = lf_local_id();
  memory[LF_PLACE(id)] = x;
  lf_barrier();
  if (id < ${raking} * LF_SUB_GROUP_SIZE) {
    ${T} part[LF_RAKED];
#pragma unroll
    for (uint i = 0; i < LF_RAKED; ++i)
      part[i] = memory[LF_PLACE(id * LF_RAKED + i)];
#pragma unroll
    for (uint i = 1; i < LF_RAKED; ++i)
      part[i] = lf_op_${op}_${T}(part[i - 1], part[i]);
    const ${T} total = lf_sub_group_inclusive_scan_${op}_${T}(part[LF_RAKED - 1], s);
    if (lf_lane() == LF_SUB_GROUP_SIZE - 1)
      totals[lf_sub_group_id()] = total;
    const ${T} below = lf_shuffle_up_${T}(total, 1, s);
#pragma unroll
    for (uint i = 0; i < LF_RAKED; ++i)
      memory[LF_PLACE(id * LF_RAKED + i)] = lf_lane() == 0 ? part[i] : lf_op_${op}_${T}(below, part[i]);
  }
  lf_barrier();
  const uint at = ${exclusive} ? id - min(id, 1u) : id;
  const uint rakers = at / (LF_RAKED * LF_SUB_GROUP_SIZE);
  ${T} sum = memory[LF_PLACE(at)];
  if (${raking} > 1 && rakers > 0) {
    ${T} below = totals[0];
#pragma unroll
    for (uint i = 1; i + 1 < ${raking}; ++i)
      if (i < rakers)
        below = lf_op_${op}_${T}(below, totals[i]);
    sum = lf_op_${op}_${T}(below, sum);
  }
  return ${exclusive} && id == 0 ? ${identity} : sum;
#undef LF_PLACE
#undef LF_RAKED
}

//@ inclusive_scan|exclusive_scan(op,T)
/// The scan over the work-group: each sub-group by shuffles, then every sub-group reduces the totals of those below it.
/// One barrier. ${name}.
LF_FUNCTION ${T} lf_${name}_${op}_${T}(${T} x, lf_scratch *s) {
  const ${T} own = lf_sub_group_inclusive_scan_${op}_${T}(x, s);
  const bool first = ${exclusive} && lf_lane() == 0;
  ${T} sum = own;
  if (${exclusive})
    sum = lf_shuffle_up_${T}(own, 1, s);
  if (lf_sub_groups() > 1) {
    __local ${T} *const totals = (__local ${T} *)lf_next_half(s);
    if (lf_lane() == lf_sub_group_items() - 1)
      totals[lf_sub_group_id()] = own;
    lf_barrier();
    if (lf_sub_group_id() > 0) {
      const ${T} below = lf_fold_${op}_${T}(totals, lf_sub_group_id(), s);
      return first ? below : lf_op_${op}_${T}(below, sum);
    }
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
