// SPDX-License-Identifier: Apache-2.0
// Shuffles inside a sub-group. All its work-items call them; with the flavour `local` all work-items of the work-group
// do. A source lane outside of the sub-group gives an unspecified value.

//@ word_shuffle flavour=nv
// PTX: NVIDIA's OpenCL has no sub-group extension. The last operand but one clamps at the ends of the sub-group.
LF_FUNCTION uint lf_word_shuffle(uint x, uint lane) {
  uint r;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(x), "r"(lane));
  return r;
}

//@ word_shuffle_up flavour=nv
LF_FUNCTION uint lf_word_shuffle_up(uint x, uint delta) {
  uint r;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0x0, 0xffffffff;" : "=r"(r) : "r"(x), "r"(delta));
  return r;
}

//@ word_shuffle_down flavour=nv
LF_FUNCTION uint lf_word_shuffle_down(uint x, uint delta) {
  uint r;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(x), "r"(delta));
  return r;
}

//@ word_shuffle_xor flavour=nv
LF_FUNCTION uint lf_word_shuffle_xor(uint x, uint mask) {
  uint r;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(r) : "r"(x), "r"(mask));
  return r;
}

//@ word_shuffle in_step=yes flavour=khr
// The second barrier: the next call may use the same memory of the implementation's.
LF_FUNCTION uint lf_word_shuffle(uint x, uint lane) {
  const uint r = sub_group_shuffle(x, lane);
  lf_barrier();
  return r;
}

//@ word_shuffle in_step=yes flavour=intel
// The second barrier: the next call may use the same memory of the implementation's.
LF_FUNCTION uint lf_word_shuffle(uint x, uint lane) {
  const uint r = intel_sub_group_shuffle(x, lane);
  lf_barrier();
  return r;
}

//@ word_shuffle_up in_step=yes
// Not by functions of their own: PoCL 5.0 has wrong ones.
LF_FUNCTION uint lf_word_shuffle_up(uint x, uint delta) { return lf_word_shuffle(x, lf_lane() - min(lf_lane(), delta)); }

//@ word_shuffle_down in_step=yes
LF_FUNCTION uint lf_word_shuffle_down(uint x, uint delta) {
  return lf_word_shuffle(x, min(lf_lane() + delta, lf_sub_group_items() - 1));
}

//@ word_shuffle_xor in_step=yes
LF_FUNCTION uint lf_word_shuffle_xor(uint x, uint mask) {
  return lf_word_shuffle(x, min(lf_lane() ^ mask, lf_sub_group_items() - 1));
}

//@ word_shuffle flavour=khr
LF_FUNCTION uint lf_word_shuffle(uint x, uint lane) { return sub_group_shuffle(x, lane); }

//@ word_shuffle_up flavour=khr
LF_FUNCTION uint lf_word_shuffle_up(uint x, uint delta) {
  return sub_group_shuffle(x, lf_lane() - min(lf_lane(), delta));
}

//@ word_shuffle_down flavour=khr
LF_FUNCTION uint lf_word_shuffle_down(uint x, uint delta) {
  return sub_group_shuffle(x, min(lf_lane() + delta, lf_sub_group_items() - 1));
}

//@ word_shuffle_xor flavour=khr
LF_FUNCTION uint lf_word_shuffle_xor(uint x, uint mask) { return sub_group_shuffle_xor(x, mask); }

//@ word_shuffle flavour=intel
LF_FUNCTION uint lf_word_shuffle(uint x, uint lane) { return intel_sub_group_shuffle(x, lane); }

//@ word_shuffle_up flavour=intel
LF_FUNCTION uint lf_word_shuffle_up(uint x, uint delta) { return intel_sub_group_shuffle_up(x, x, delta); }

//@ word_shuffle_down flavour=intel
LF_FUNCTION uint lf_word_shuffle_down(uint x, uint delta) { return intel_sub_group_shuffle_down(x, x, delta); }

//@ word_shuffle_xor flavour=intel
LF_FUNCTION uint lf_word_shuffle_xor(uint x, uint mask) { return intel_sub_group_shuffle_xor(x, mask); }

//@ exchange(T)
// The value of a lane through local memory: one element for each work-item, a barrier of the work-group.
LF_FUNCTION ${T} lf_exchange_${T}(${T} x, uint lane, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  const uint id = lf_local_id(), first = id - lf_lane();
  memory[id] = x;
  lf_barrier();
  return memory[first + min(lane, lf_sub_group_items() - 1)];
}

//@ shuffle(T) flavour=local
LF_FUNCTION ${T} lf_shuffle_${T}(${T} x, uint lane, lf_scratch *s) { return lf_exchange_${T}(x, lane, s); }

//@ shuffle_up(T) flavour=local
LF_FUNCTION ${T} lf_shuffle_up_${T}(${T} x, uint delta, lf_scratch *s) {
  return lf_exchange_${T}(x, lf_lane() - min(lf_lane(), delta), s);
}

//@ shuffle_down(T) flavour=local
LF_FUNCTION ${T} lf_shuffle_down_${T}(${T} x, uint delta, lf_scratch *s) {
  return lf_exchange_${T}(x, lf_lane() + delta, s);
}

//@ shuffle_xor(T) flavour=local
LF_FUNCTION ${T} lf_shuffle_xor_${T}(${T} x, uint mask, lf_scratch *s) {
  return lf_exchange_${T}(x, lf_lane() ^ mask, s);
}

//@ shuffle|shuffle_up|shuffle_down|shuffle_xor(T) kind=word
LF_FUNCTION ${T} lf_${name}_${T}(${T} x, uint lane, lf_scratch *s) {
  return as_${T}(lf_word_${name}(as_uint(x), lane));
}

//@ shuffle|shuffle_up|shuffle_down|shuffle_xor(T) kind=pair
LF_FUNCTION ${T} lf_${name}_${T}(${T} x, uint lane, lf_scratch *s) {
  const uint2 words = as_uint2(x);
  return as_${T}((uint2)(lf_word_${name}(words.x, lane), lf_word_${name}(words.y, lane)));
}

//@ shuffle|shuffle_up|shuffle_down|shuffle_xor(T) kind=quad
LF_FUNCTION ${T} lf_${name}_${T}(${T} x, uint lane, lf_scratch *s) {
  const uint4 words = as_uint4(x);
  return as_${T}((uint4)(lf_word_${name}(words.x, lane), lf_word_${name}(words.y, lane), lf_word_${name}(words.z, lane),
                         lf_word_${name}(words.w, lane)));
}

//@ shuffle|shuffle_up|shuffle_down|shuffle_xor(T)
LF_FUNCTION ${T} lf_${name}_${T}(${T} x, uint lane, lf_scratch *s) {
  union {
    ${T} value;
    uint words[(sizeof(${T}) + 3) / 4];
  } pieces;
  pieces.words[(sizeof(${T}) + 3) / 4 - 1] = 0;
  pieces.value = x;
  LF_UNROLL for (uint i = 0; i < (sizeof(${T}) + 3) / 4; ++i)
    pieces.words[i] = lf_word_${name}(pieces.words[i], lane);
  return pieces.value;
}

//@ sub_group_broadcast(T)
/// The value of lane `lane`, which is uniform.
LF_FUNCTION ${T} lf_sub_group_broadcast_${T}(${T} x, uint lane, lf_scratch *s) { return lf_shuffle_${T}(x, lane, s); }

//@ broadcast(T)
/// The value of the work-item with the local linear id `from`, which is uniform. One barrier.
LF_FUNCTION ${T} lf_broadcast_${T}(${T} x, uint from, lf_scratch *s) {
  __local ${T} *const memory = (__local ${T} *)lf_next_half(s);
  if (lf_local_id() == from)
    *memory = x;
  lf_barrier();
  return *memory;
}
