// SPDX-License-Identifier: Apache-2.0
/// Work-items next to each other in a sub-group as a group. Named after sycl_ext_oneapi_non_uniform_groups.
#pragma once

#include <lanefold/group_algorithms/broadcast.hpp>
#include <lanefold/group_algorithms/reduce.hpp>
#include <lanefold/group_algorithms/scan.hpp>
#include <lanefold/group_algorithms/shuffle.hpp>
#include <lanefold/group_algorithms/sub_group_mask.hpp>
#include <lanefold/group_algorithms/votes.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE

/// N consecutive work-items of a sub-group; made by `chunked_partition`. It is a group like a sub-group, for all
/// functions. In lane-generic kernels all chunks of the sub-group work side by side in registers: results that are
/// uniform in a chunk are varying (or a mask).
template <std::size_t N, class Lanes>
class sub_group_chunk {
  static_assert(N >= 1 && N <= 256 && (N & (N - 1)) == 0, "lanefold: a chunk has a power of two of work-items");
  static_assert(std::is_same_v<Lanes, scalar> || N <= Lanes::size, "lanefold: a chunk is part of its sub-group");

public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  using lanes = Lanes;
  static constexpr int dimensions = 1;
  static constexpr std::size_t chunk_size = N;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  LANEFOLD_ALWAYS_INLINE constexpr explicit sub_group_chunk(const sub_group_of<Lanes>& of) : m_parent(of) {}

  /// Position within the chunk. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_local_linear_id() const {
    return as_linear_id(m_parent.get_local_linear_id() % N);
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_local_id() const {
    if constexpr (std::is_same_v<Lanes, scalar>) {
      return id<1>(get_local_linear_id());
    } else {
      return get_local_linear_id();
    }
  }
  /// Which chunk of the sub-group it is. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_group_linear_id() const {
    return as_linear_id(m_parent.get_local_linear_id() / N);
  }
  /// Chunks of the sub-group. Uniform.
  [[nodiscard]] constexpr linear_id_type get_group_linear_range() const {
    return as_linear_id((m_parent.get_local_linear_range() + N - 1) / N);
  }
  /// Work-items of the chunk: N, but for the last chunk of a partial sub-group. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_local_linear_range() const {
    if constexpr (std::is_same_v<Lanes, scalar>) {
      return as_linear_id(std::min(N, m_parent.get_local_linear_range() - get_group_linear_id() * N));
    } else {
      using V = detail::varying_of<std::uint32_t, Lanes>;
      const V whole(static_cast<std::uint32_t>(N));
      if (m_parent.context()->all) {
        return whole;
      }
      const V first = V::iota(0) & static_cast<std::uint32_t>(~(N - 1));
      return V(min(whole, V(V(m_parent.get_local_linear_range()) - first)));
    }
  }
  /// In work-item kernels.
  [[nodiscard]] constexpr range<1> get_local_range() const
    requires std::is_same_v<Lanes, scalar>
  {
    return range<1>(get_local_linear_range());
  }
  /// In work-item kernels.
  [[nodiscard]] constexpr id<1> get_group_id() const
    requires std::is_same_v<Lanes, scalar>
  {
    return id<1>(get_group_linear_id());
  }
  /// In work-item kernels.
  [[nodiscard]] constexpr range<1> get_group_range() const
    requires std::is_same_v<Lanes, scalar>
  {
    return range<1>(get_group_linear_range());
  }
  /// True for the first work-item of the chunk. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto leader() const { return get_local_linear_id() == 0; }

  /// Only the library calls this.
  [[nodiscard]] constexpr const sub_group_of<Lanes>& parent() const { return m_parent; }

private:
  /// A plain number as a linear_id_type; what differs from lane to lane stays as it is.
  template <class X>
  LANEFOLD_ALWAYS_INLINE static constexpr auto as_linear_id(const X& x) {
    if constexpr (std::is_integral_v<X>) {
      return static_cast<linear_id_type>(x);
    } else {
      return x;
    }
  }

  sub_group_of<Lanes> m_parent;
};

/// The chunks of N work-items that a sub-group is divided into; N is a power of two. To be called by all work-items of
/// the sub-group; no cost.
template <std::size_t N, class Lanes>
LANEFOLD_ALWAYS_INLINE constexpr sub_group_chunk<N, Lanes> chunked_partition(const sub_group_of<Lanes>& g) {
  return sub_group_chunk<N, Lanes>(g);
}

template <std::size_t N, class Lanes>
struct is_group<sub_group_chunk<N, Lanes>> : std::true_type {};

namespace detail {

template <std::size_t N, class Lanes>
struct is_sub_group<sub_group_chunk<N, Lanes>> : std::true_type {};

template <std::size_t N>
struct group_access<sub_group_chunk<N, scalar>> {
  using G = sub_group_chunk<N, scalar>;
  static constexpr meeting_level level(const G&) {
    return static_cast<meeting_level>(meeting_of_smallest_chunk + std::countr_zero(N));
  }
  static unit_state& state(const G& g) { return g.parent().state(); }
  static lane_context<scalar>* context(const G&) { return nullptr; }
  static unsigned units(const G& g) { return static_cast<unsigned>(g.get_local_linear_range()); }
  static unsigned position(const G& g) { return static_cast<unsigned>(g.get_local_linear_id()); }
  static std::size_t first_item(const G& g) { return position(g); }
  static void barrier(const G& g) {
    static_cast<void>(&keeps_on_threads<memory_scope::sub_group>);
    unit_state& s = state(g);
    wait_watched(barrier_reach::part_of_sub_group,
                 [&]() LANEFOLD_INLINE_LAMBDA { arrive_at_part_barrier(s, s.unit - position(g), units(g)); });
  }
};

/// The lanes whose position in chunks of N is at least S.
template <class Lanes, std::size_t N, std::size_t S>
LANEFOLD_ALWAYS_INLINE mask_of<Lanes> lanes_from(std::integral_constant<std::size_t, S>) {
  std::uint64_t words[mask_of<Lanes>::words] = {};
  for (std::size_t i = 0; i < Lanes::size; ++i) {
    words[i / 64] |= std::uint64_t{i % N >= S} << (i % 64);
  }
  return mask_of<Lanes>::from_words(words);
}

/// An inclusive scan in each chunk.
template <class Lanes, std::size_t N, std::size_t S = 1, class V, class Op>
LANEFOLD_ALWAYS_INLINE V scan_chunks(const V& v, const Op& op) {
  if constexpr (S >= N) {
    return v;
  } else {
    const V next = combined_lanes(op, shift_right(v, S), v);
    return scan_chunks<Lanes, N, 2 * S>(
        V(select(lanes_from<Lanes, N>(std::integral_constant<std::size_t, S>{}), next, v)), op);
  }
}

/// The position of the last work-item of each lane's chunk.
template <class Lanes, std::size_t N>
LANEFOLD_ALWAYS_INLINE auto last_of_chunks(const lane_context<Lanes>& context) {
  using V = varying_of<std::uint32_t, Lanes>;
  const V last = V::iota(0) | static_cast<std::uint32_t>(N - 1);
  return context.all ? last : V(min(last, V(static_cast<std::uint32_t>(context.active.count() - 1))));
}

template <class Lanes, std::size_t N, class V, class Op, std::size_t M = 1>
LANEFOLD_ALWAYS_INLINE V reduce_chunks(const V& v, const Op& op) {
  if constexpr (M == N) {
    return v;
  } else {
    return reduce_chunks<Lanes, N, V, Op, 2 * M>(combined_lanes(op, v, xor_exchange(v, M)), op);
  }
}

// Algorithms ask this of groups that lie side by side in the lanes of a unit:
// - `parts`, which says that they do; `neighbours`, if a part's work-items are next to each other;
// - `places(g)`: where each lane's value is if the parts lie behind each other, part by part; `for_each_part(g, f)`
// calls
//   f(first place, work-items);
// - `lanes_at(g, positions)`: the lanes of the work-items at these positions in their parts; any lane for others;
// - `positions(g)`: the positions that a broadcast may be from;
// - `in_registers<Op, T>`: whether the functions below have the operator; `reduce`, `inclusive_scan`, `exclusive_scan`,
//   `any`, `broadcast`: results of each part in its lanes.
template <std::size_t N, class Lanes>
struct group_access<sub_group_chunk<N, Lanes>> {
  using G = sub_group_chunk<N, Lanes>;
  using lane_numbers = varying_of<std::uint32_t, Lanes>;
  static constexpr bool parts = true;
  static constexpr bool neighbours = true;
  template <class Op, class T>
  static constexpr bool in_registers = true;

  LANEFOLD_ALWAYS_INLINE static lane_context<Lanes>* context(const G& g) { return g.parent().context(); }
  LANEFOLD_ALWAYS_INLINE static constexpr unsigned units(const G&) { return 1; }
  LANEFOLD_ALWAYS_INLINE static constexpr std::size_t first_item(const G&) { return 0; }
  LANEFOLD_ALWAYS_INLINE static lane_numbers item_position(const G&) { return lane_numbers::iota(0) & (size - 1); }
  LANEFOLD_ALWAYS_INLINE static constexpr std::size_t positions(const G&) { return N; }
  LANEFOLD_ALWAYS_INLINE static lane_numbers places(const G&) { return lane_numbers::iota(0); }
  template <class F>
  static void for_each_part(const G& g, const F& f) {
    const std::size_t count = g.parent().get_local_linear_range();
    for (std::size_t first = 0; first < count; first += N) {
      f(first, std::min(N, count - first));
    }
  }
  LANEFOLD_ALWAYS_INLINE static lane_numbers lanes_at(const G&, const lane_numbers& positions) {
    return (lane_numbers::iota(0) & ~(size - 1)) + (positions & (size - 1));
  }

  template <class V, class Op>
  LANEFOLD_ALWAYS_INLINE static V reduce(const G& g, const V& v, const Op& op) {
    using T = typename V::value_type;
    const auto& lanes = *context(g);
    if constexpr (is_commutative_v<Op> && has_known_identity_v<Op, T>) {
      return reduce_chunks<Lanes, N>(active_or(lanes, v, known_identity_v<Op, T>), op);
    } else {
      return permute(scan_chunks<Lanes, N>(v, op), last_of_chunks<Lanes, N>(lanes));
    }
  }
  template <class V, class Op>
  LANEFOLD_ALWAYS_INLINE static V inclusive_scan(const G&, const V& v, const Op& op) {
    return scan_chunks<Lanes, N>(v, op);
  }
  template <class V, class Op>
  LANEFOLD_ALWAYS_INLINE static V exclusive_scan(const G&, const V& v, const Op& op,
                                                 const typename V::value_type& init) {
    const V all = shift_right(V(combined_from_left(op, init, scan_chunks<Lanes, N>(v, op))), 1);
    return V(select(lanes_from<Lanes, N>(std::integral_constant<std::size_t, 1>{}), all, init));
  }
  LANEFOLD_ALWAYS_INLINE static auto any(const G& g, const mask_of<Lanes>& m) {
    return reduce(g, lane_numbers(m), bit_or<>{}) != 0U;
  }
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V broadcast(const G&, const V& v, std::size_t position) {
    const lane_numbers from = (lane_numbers::iota(0) & ~(size - 1)) + static_cast<std::uint32_t>(position);
    return permute(v, from);
  }

private:
  static constexpr auto size = static_cast<std::uint32_t>(N);
};

} // namespace detail

/// Waits for the work-items of the chunk, as for a sub-group.
template <std::size_t N, class Lanes>
LANEFOLD_ALWAYS_INLINE void group_barrier(const sub_group_chunk<N, Lanes>& g,
                                          memory_scope /*scope*/ = memory_scope::sub_group) {
  if constexpr (std::is_same_v<Lanes, scalar>) {
    detail::group_access<sub_group_chunk<N, scalar>>::barrier(g);
  } else {
    asm volatile("" : : : "memory");
  }
}

LANEFOLD_END_NAMESPACE
