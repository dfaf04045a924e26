// SPDX-License-Identifier: Apache-2.0
/// Which lanes of a sub-group are running: the state behind divergent control flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

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
  bool all;                 ///< every lane is active
  bool divergent;           ///< inside if_, while_ or for_ with a varying condition: no barrier may be reached
  unsigned ahead_bytes = 0; ///< 0: nothing to ask for
  std::uintptr_t ahead = 0; ///< the address where sub-groups to come may read: see prefetch_ahead
};

/// A load of this size or more is a stream as far as barriers are concerned.
inline constexpr std::size_t least_stream_bytes = 1024;

/// Notes that a sub-group has just read `bytes` at `p`: so will the sub-groups to come, behind it.
template <class Lanes>
LANEFOLD_ALWAYS_INLINE void note_stream(lane_context<Lanes>& context, const void* p, std::size_t bytes) {
  constexpr std::uintptr_t distance = 6144; // a few groups; may lie behind the array
  context.ahead = reinterpret_cast<std::uintptr_t>(p) + distance;
  context.ahead_bytes = static_cast<unsigned>(bytes);
}

/// Asks for what sub-groups to come will read. At barriers: where groups work with barriers between their reads,
/// hardware prefetchers do not run far enough ahead, least of all over the borders of pages. Loads themselves would be
/// the wrong place: without barriers this only takes time (a triad in L1: 1.7 times the time).
template <class Lanes>
LANEFOLD_ALWAYS_INLINE void prefetch_ahead(lane_context<Lanes>& context) {
  if (context.ahead_bytes != 0) {
    for (unsigned done = 0; done < context.ahead_bytes; done += 512) {
      const std::uintptr_t at = context.ahead + done;
      [=]<std::size_t... Line>(std::index_sequence<Line...>) LANEFOLD_INLINE_LAMBDA {
        (__builtin_prefetch(reinterpret_cast<const void*>(at + Line * 64), 0, 2), ...);
      }(std::make_index_sequence<8>{});
    }
    context.ahead_bytes = 0;
  }
}

/// The lanes that a gather or scatter through a plain varying index may touch: a varying value does not know its
/// sub-group, so divergent code leaves the address of its mask here. Null where every lane is active.
struct divergent_lanes {
  const void* active = nullptr; ///< a mask<lanes, isa>
  unsigned lanes = 0;
};

inline constinit thread_local divergent_lanes current_divergent_lanes{};

template <class Lanes>
LANEFOLD_ALWAYS_INLINE void announce_divergence(const lane_context<Lanes>& context) {
  current_divergent_lanes.active = &context.active;
  current_divergent_lanes.lanes = Lanes::size;
}

LANEFOLD_ALWAYS_INLINE void announce_convergence() { current_divergent_lanes.active = nullptr; }

/// The mask that divergent code around this call has announced, null if every lane runs.
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const mask<N, Isa>* announced_mask() {
  const divergent_lanes& current = current_divergent_lanes;
  if (current.active == nullptr || current.lanes != N) {
    return nullptr;
  }
  return static_cast<const mask<N, Isa>*>(current.active);
}

} // namespace detail

LANEFOLD_END_NAMESPACE
