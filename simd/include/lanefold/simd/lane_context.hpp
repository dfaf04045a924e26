// SPDX-License-Identifier: Apache-2.0
/// Which lanes of a sub-group are running: the state behind divergent control flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include <lanefold/simd/lanes.hpp>
#include <lanefold/simd/mask.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The active lanes of a running sub-group, on the stack frame of that sub-group. Items, indices and variables point to
/// it. `all` duplicates what `active` says on purpose: it is the constant that lets the optimiser drop every mask of a
/// full sub-group outside divergent code.
template <class Lanes>
struct lane_context {
  mask<Lanes::size, typename Lanes::isa> active;
  bool all;                   ///< every lane is active
  bool divergent;             ///< inside if_, while_ or for_ with a varying condition
  unsigned read_bytes = 0;    ///< the size of the last large read that nobody has asked for yet, or 0
  std::uintptr_t read_at = 0; ///< the address of that read
};

/// A contiguous read of the lanes is large from this size on.
inline constexpr std::size_t least_large_read = 1024;

/// Notes that the lanes have just read `bytes` at `p`.
template <class Lanes>
LANEFOLD_ALWAYS_INLINE void note_large_read(lane_context<Lanes>& context, const void* p, std::size_t bytes) {
  context.read_at = reinterpret_cast<std::uintptr_t>(p);
  context.read_bytes = static_cast<unsigned>(bytes);
}

/// The lanes that a gather or scatter through a plain varying index may touch: a varying value does not know its
/// sub-group, so divergent code leaves its mask here. The mask itself: an address would make compilers read the context
/// from memory behind every store, and every access would ask again whether all lanes are active.
struct divergent_lanes {
  alignas(std::uint64_t) unsigned char active[32]; ///< a mask<lanes, isa>
  unsigned lanes = 0;                              ///< 0 where every lane is active
};

inline constinit thread_local divergent_lanes current_divergent_lanes{};

template <class Lanes>
LANEFOLD_ALWAYS_INLINE void announce_divergence(const lane_context<Lanes>& context) {
  using mask_type = mask<Lanes::size, typename Lanes::isa>;
  static_assert(sizeof(mask_type) <= sizeof(divergent_lanes::active) && alignof(mask_type) <= alignof(std::uint64_t));
  ::new (static_cast<void*>(current_divergent_lanes.active)) mask_type(context.active);
  current_divergent_lanes.lanes = Lanes::size;
}

LANEFOLD_ALWAYS_INLINE void announce_convergence() { current_divergent_lanes.lanes = 0; }

/// In divergent code: `active` are the lanes that run from now on.
template <class Lanes, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE void run_only(lane_context<Lanes>& context, const mask<N, Isa>& active) {
  assign(context.active, active);
  announce_divergence(context);
}

/// The mask that divergent code around this call has announced, null if every lane runs.
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const mask<N, Isa>* announced_mask() {
  const divergent_lanes& current = current_divergent_lanes;
  if (current.lanes != N) {
    return nullptr;
  }
  return std::launder(reinterpret_cast<const mask<N, Isa>*>(current.active));
}

} // namespace detail

LANEFOLD_END_NAMESPACE
