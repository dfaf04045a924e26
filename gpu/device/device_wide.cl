// SPDX-License-Identifier: Apache-2.0
// The kernels of gpu/algorithms.hpp.

//@ kernel_partials
// Each work-group reduces `share` neighbouring elements.
kernel void partials(global const ${T} *in, ulong count, ulong share, global ${T} *out) {
  LANEFOLD_SCRATCH(s);
  const ulong begin = min(get_group_id(0) * share, count), end = min(begin + share, count);
  const ${T} sum = lf_joint_reduce_${op}_${T}(in + begin, end - begin, &s);
  if (lf_local_id() == 0)
    out[get_group_id(0)] = sum;
}

//@ kernel_scan_partials
// One work-group: the exclusive scan of what the groups found.
kernel void scan_partials(global ${T} *partials, ulong count, ${T} init, uint has_init) {
  LANEFOLD_SCRATCH(s);
  lf_joint_exclusive_scan_init_${op}_${T}(partials, count, partials, has_init ? init : ${identity}, &s);
}

//@ kernel_scan_shares
// Each work-group scans `share` neighbouring elements behind those before.
kernel void scan_shares(global const ${T} *in, ulong count, ulong share, global const ${T} *partials,
                        global ${T} *out) {
  LANEFOLD_SCRATCH(s);
  const ulong begin = min(get_group_id(0) * share, count), end = min(begin + share, count);
  lf_joint_${scan}_scan_init_${op}_${T}(in + begin, end - begin, out + begin, partials[get_group_id(0)], &s);
}

//@ kernel_reduce_once
// One launch, for NVIDIA's memory model: the last work-group to finish reduces what all of them found. Loads of
// ${width} elements; `rests` elements lie behind the last whole load. The first word of `memory`, how many have finished,
// is 0 before and after.
kernel void reduce_once(global const ${V} *in, ulong count, uint rests, global ${T} *out, global uint *memory) {
  LANEFOLD_SCRATCH(s);
  global uint *const finished = memory;
  volatile global ${T} *const partials = (volatile global ${T} *)(memory + 64);
  global const ${T} *const rest = (global const ${T} *)(in + count);
  const ulong items = get_global_size(0);
  ulong i = get_global_id(0);
  ${V} sum = ${V_identity};
  for (; i + 3 * items < count; i += 4 * items) {
    const ${V} a = in[i], b = in[i + items], c = in[i + 2 * items], d = in[i + 3 * items];
    sum = lf_op_${op}_${V}(sum, lf_op_${op}_${V}(lf_op_${op}_${V}(a, b), lf_op_${op}_${V}(c, d)));
  }
  for (; i < count; i += items)
    sum = lf_op_${op}_${V}(sum, in[i]);
  ${T} mine = ${fold};
  if (get_global_id(0) < rests)
    mine = lf_op_${op}_${T}(mine, rest[get_global_id(0)]);
  mine = lf_reduce_${op}_${T}(mine, &s);
  const uint groups = (uint)get_num_groups(0);
  uint place = 0;
  if (lf_local_id() == 0) {
    partials[get_group_id(0)] = mine;
    asm volatile("fence.acq_rel.gpu;" : : : "memory");
    place = atomic_inc(finished);
  }
  if (lf_broadcast_uint(place, 0, &s) != groups - 1)
    return;
  asm volatile("fence.acq_rel.gpu;" : : : "memory");
  mine = ${identity};
  for (uint g = lf_local_id(); g < groups; g += LF_WORK_GROUP_SIZE)
    mine = lf_op_${op}_${T}(mine, partials[g]);
  mine = lf_reduce_${op}_${T}(mine, &s);
  if (lf_local_id() == 0) {
    *out = mine;
    *finished = 0;
  }
}

//@ kernel_scan_once
// One launch, for NVIDIA's memory model and order of work-groups: each work-group publishes the reduction of its tile,
// looks back over those of the tiles before it until one has published all that precedes, and publishes that. A
// published word holds 32 bits of a value and a tag (epoch and state), so that words of earlier launches count as not
// published, and that the words of one value are known to belong together. [Merrill, Garland 2016: Single-pass parallel
// prefix scan with decoupled look-back]
#define WORDS ((sizeof(${T}) + 3) / 4)
#define TILE (LF_WORK_GROUP_SIZE * ${vectors} * ${width})
#define AGGREGATE 1u
#define PREFIX 2u

typedef union {
  ${T} value;
  uint words[WORDS];
} published;

LF_FUNCTION void publish(volatile global ulong *states, uint tile, ${T} value, uint tag) {
  published p;
  p.value = value;
  for (uint w = 0; w < WORDS; ++w)
    states[(ulong)tile * WORDS + w] = (ulong)tag << 32 | p.words[w];
}

// Waits until the tile has published something in this epoch; returns its state.
LF_FUNCTION uint look_at(volatile global const ulong *states, uint tile, uint epoch, ${T} *value) {
  published p;
  while (true) {
    const ulong first = states[(ulong)tile * WORDS];
    const uint tag = (uint)(first >> 32);
    bool same = tag >> 2 == epoch;
    p.words[0] = (uint)first;
    for (uint w = 1; w < WORDS; ++w) {
      const ulong word = states[(ulong)tile * WORDS + w];
      same = same && (uint)(word >> 32) == tag;
      p.words[w] = (uint)word;
    }
    if (same) {
      *value = p.value;
      return tag & 3;
    }
  }
}

// By one sub-group: the reduction of all tiles before this one.
LF_FUNCTION ${T} look_back(volatile global const ulong *states, uint tile, uint epoch, lf_scratch *s) {
  ${T} before = ${identity};
  for (int last = (int)tile; ; last -= 32) {
    const int mine = last - 32 + (int)lf_lane();
    ${T} value = ${identity};
    const uint state = mine < 0 ? PREFIX : look_at(states, (uint)mine, epoch, &value);
    uint known;
    asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 2; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(known)
                 : "r"(state));
    const uint from = known == 0 ? 0 : 31 - clz(known);
    before = lf_op_${op}_${T}(lf_sub_group_reduce_${op}_${T}(lf_lane() >= from ? value : ${identity}, s), before);
    if (known != 0)
      return before;
  }
}

kernel void scan_once(global const ${T} *in, ulong count, global ${T} *out, ${T} init, uint has_init,
                      volatile global ulong *states, uint epoch) {
  LANEFOLD_SCRATCH(s);
  const uint tile = get_group_id(0), lane = lf_lane(), rows = 32 * ${width};
  const ulong begin = (ulong)tile * TILE, first = begin + lf_sub_group_id() * (${vectors} * rows) + lane * ${width};
  const bool full = begin + TILE <= count;
  ${V} x[${vectors}];
  if (full) {
    LF_UNROLL for (uint k = 0; k < ${vectors}; ++k)
      x[k] = *(global const ${V} *)(in + first + k * rows);
  } else {
    LF_UNROLL for (uint k = 0; k < ${vectors}; ++k) {
      x[k] = ${V_identity};
      ${load_rest}
    }
  }
  ${T} total = ${identity};
  ${T} below[${vectors}];
  LF_UNROLL for (uint k = 0; k < ${vectors}; ++k) {
    ${run}
    const ${T} sum = lf_sub_group_inclusive_scan_${op}_${T}(${last}, &s);
    const ${T} before = lf_shuffle_up_${T}(sum, 1, &s);
    below[k] = lane == 0 ? total : lf_op_${op}_${T}(total, before);
    total = lf_op_${op}_${T}(total, lf_shuffle_${T}(sum, 31, &s));
  }
  // In every work-item: what lies before its sub-group in the tile, and the whole tile.
  __local ${T} totals[LF_WORK_GROUP_SIZE / 32], all_before[1];
  if (lane == 0)
    totals[lf_sub_group_id()] = total;
  lf_barrier();
  ${T} tile_before = ${identity}, tile_total = ${identity};
  LF_UNROLL for (uint i = 0; i < LF_WORK_GROUP_SIZE / 32; ++i) {
    if (i < lf_sub_group_id())
      tile_before = lf_op_${op}_${T}(tile_before, totals[i]);
    tile_total = lf_op_${op}_${T}(tile_total, totals[i]);
  }
  if (lf_sub_group_id() == 0) {
    ${T} before = has_init ? init : ${identity};
    if (tile > 0) {
      if (lane == 0)
        publish(states, tile, tile_total, epoch << 2 | AGGREGATE);
      before = look_back(states, tile, epoch, &s);
    }
    if (lane == 0) {
      publish(states, tile, lf_op_${op}_${T}(before, tile_total), epoch << 2 | PREFIX);
      *all_before = before;
    }
  }
  lf_barrier();
  const ${T} before = lf_op_${op}_${T}(*all_before, tile_before);
  LF_UNROLL for (uint k = 0; k < ${vectors}; ++k) {
    const ${T} start = lf_op_${op}_${T}(before, below[k]);
    x[k] = lf_op_${op}_${V}(${V_start}, x[k]);
    ${shift}
  }
  if (full) {
    LF_UNROLL for (uint k = 0; k < ${vectors}; ++k)
      *(global ${V} *)(out + first + k * rows) = x[k];
  } else {
    LF_UNROLL for (uint k = 0; k < ${vectors}; ++k) {
      ${store_rest}
    }
  }
}

//@ kernel_count_if
// Each work-group counts in `share` neighbouring elements.
kernel void count_if(global const ${T} *in, ulong count, ulong share, global ulong *out) {
  LANEFOLD_SCRATCH(s);
  const ulong begin = min(get_group_id(0) * share, count), end = min(begin + share, count);
  ulong found = 0;
  for (ulong i = begin + lf_local_id(); i < end; i += LF_WORK_GROUP_SIZE)
    found += ${op}(in[i]) != 0;
  found = lf_reduce_plus_ulong(found, &s);
  if (lf_local_id() == 0)
    out[get_group_id(0)] = found;
}

//@ kernel_any_of
// Sets *out where a group finds what it looks for; `out` was 0.
kernel void any_of(global const ${T} *in, ulong count, ulong share, global uint *out) {
  LANEFOLD_SCRATCH(s);
  const ulong begin = min(get_group_id(0) * share, count), end = min(begin + share, count);
  if (${found}_${op}_${T}(in + begin, end - begin, &s) && lf_local_id() == 0)
    *out = 1;
}

//@ kernel_reduce_segments
// A work-group for each segment. No offset leads behind `count` elements.
kernel void reduce_segments(global const ${T} *in, uint count, global const uint *offsets, uint segments,
                            global ${T} *out) {
  LANEFOLD_SCRATCH(s);
  const uint segment = get_group_id(0), end = min(offsets[segment + 1], count), begin = min(offsets[segment], end);
  const ${T} sum = lf_joint_reduce_${op}_${T}(in + begin, end - begin, &s);
  if (lf_local_id() == 0)
    out[segment] = sum;
}

//@ kernel_reduce_short_segments
// A sub-group for each segment; `segments_of_group` segments a work-group.
kernel void reduce_short_segments(global const ${T} *in, uint count, global const uint *offsets, uint segments,
                                  global ${T} *out) {
  LANEFOLD_SCRATCH(s);
  const uint segment = get_group_id(0) * ${segments_of_group} + lf_sub_group_id();
  const bool mine = lf_sub_group_id() < ${segments_of_group} && segment < segments;
  const uint end = mine ? min(offsets[segment + 1], count) : 0, begin = mine ? min(offsets[segment], end) : 0;
  ${T} sum = ${identity};
  for (uint i = begin + lf_lane(); i < end; i += lf_sub_group_items())
    sum = lf_op_${op}_${T}(sum, in[i]);
  sum = lf_sub_group_reduce_${op}_${T}(sum, &s);
  if (mine && lf_lane() == 0)
    out[segment] = sum;
}
