// SPDX-License-Identifier: Apache-2.0
/// Parts of sub-groups that are groups themselves. Named after sycl_ext_oneapi_non_uniform_groups.
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

/// N consecutive work-items of a sub-group; made by `chunked_partition`. In work-item kernels it is a group like a
/// sub-group, for all functions. In lane-generic kernels all chunks of the sub-group work side by side in registers:
/// results that are uniform in a chunk are varying (or a mask), and the functions are those below.
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
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_local_linear_id() const { return m_parent.get_local_linear_id() % N; }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_local_id() const { return get_local_linear_id(); }
  /// Which chunk of the sub-group it is. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_group_linear_id() const { return m_parent.get_local_linear_id() / N; }
  /// Chunks of the sub-group. Uniform.
  [[nodiscard]] constexpr std::size_t get_group_linear_range() const {
    return (m_parent.get_local_linear_range() + N - 1) / N;
  }
  /// Work-items of the chunk: N, but for the last chunk of a partial sub-group. In work-item kernels.
  [[nodiscard]] constexpr std::size_t get_local_linear_range() const
    requires std::is_same_v<Lanes, scalar>
  {
    return std::min(N, m_parent.get_local_linear_range() - get_group_linear_id() * N);
  }
  [[nodiscard]] constexpr range<1> get_local_range() const
    requires std::is_same_v<Lanes, scalar>
  {
    return range<1>(get_local_linear_range());
  }
  /// True for the first work-item of the chunk. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto leader() const { return get_local_linear_id() == 0; }

  /// Only the library calls this.
  [[nodiscard]] constexpr const sub_group_of<Lanes>& parent() const { return m_parent; }

private:
  sub_group_of<Lanes> m_parent;
};

/// The chunks of N work-items that a sub-group is divided into; N is a power of two. To be called by all work-items of
/// the sub-group; no cost.
template <std::size_t N, class Lanes>
LANEFOLD_ALWAYS_INLINE constexpr sub_group_chunk<N, Lanes> chunked_partition(const sub_group_of<Lanes>& g) {
  return sub_group_chunk<N, Lanes>(g);
}

template <std::size_t N>
struct is_group<sub_group_chunk<N, scalar>> : std::true_type {};

namespace detail {

template <std::size_t N>
struct is_sub_group<sub_group_chunk<N, scalar>> : std::true_type {};

template <std::size_t N>
struct group_access<sub_group_chunk<N, scalar>> {
  using G = sub_group_chunk<N, scalar>;
  static constexpr meeting_level level(const G&) {
    return static_cast<meeting_level>(meeting_of_smallest_chunk + std::countr_zero(N) - 1);
  }
  static unit_state& state(const G& g) { return g.parent().state(); }
  static lane_context<scalar>* context(const G&) { return nullptr; }
  static unsigned units(const G& g) { return static_cast<unsigned>(g.get_local_linear_range()); }
  static unsigned position(const G& g) { return static_cast<unsigned>(g.get_local_linear_id()); }
  static std::size_t first_item(const G& g) { return position(g); }
  static void barrier(const G& g) {
    unit_state& s = state(g);
    wait_watched(barrier_reach::part_of_sub_group,
                 [&] { s.owner->sub_group_barrier(s, s.unit - position(g), units(g)); });
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

/// The first lane of `among`, for each lane.
template <class V, class M>
LANEFOLD_ALWAYS_INLINE typename V::value_type first_of(const V& v, const M& among) {
  return broadcast(v, among.find_low() % V::size());
}

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

/// A part of a lane-generic kernel's sub-group.
template <class T>
concept LaneChunk = requires { T::chunk_size; } && detail::has_lanes_v<T>;

/// The values of x in the chunk combined. Varying.
template <LaneChunk G, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto reduce_over_group(const G& g, const T& x, BinaryOperation op) {
  using lanes = typename G::lanes;
  const auto& context = *g.parent().context();
  detail::check_converged(g.parent());
  const auto v = detail::lane_value<lanes>(x);
  using V = std::remove_const_t<decltype(v)>;
  if constexpr (is_commutative_v<BinaryOperation> && has_known_identity_v<BinaryOperation, typename V::value_type>) {
    const V reduced = detail::reduce_chunks<lanes, G::chunk_size>(
        detail::active_or(context, v, known_identity_v<BinaryOperation, typename V::value_type>), op);
    return G::chunk_size == 1 ? detail::outcome_of<BinaryOperation>(reduced) : reduced;
  } else {
    return permute(detail::scan_chunks<lanes, G::chunk_size>(v, op),
                   detail::last_of_chunks<lanes, G::chunk_size>(context));
  }
}

/// Prefixes in the chunk; with `init` after the operator.
template <LaneChunk G, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto inclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  detail::check_converged(g.parent());
  const auto v = detail::lane_value<typename G::lanes>(x);
  return detail::scan_chunks<typename G::lanes, G::chunk_size>(v, op);
}
template <LaneChunk G, class V, class BinaryOperation, class T>
LANEFOLD_ALWAYS_INLINE auto inclusive_scan_over_group(const G& g, const V& x, BinaryOperation op, T init) {
  return detail::combined_from_left(op, init, inclusive_scan_over_group(g, detail::converted<T, G>(x), op));
}
/// Prefixes without the own value; with `init` before the operator.
template <LaneChunk G, class V, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto exclusive_scan_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  using lanes = typename G::lanes;
  using R = detail::varying_of<T, lanes>;
  const R all = shift_right(R(inclusive_scan_over_group(g, x, op, init)), 1);
  return R(select(detail::lanes_from<lanes, G::chunk_size>(std::integral_constant<std::size_t, 1>{}), all, init));
}
template <LaneChunk G, class T, class BinaryOperation>
LANEFOLD_ALWAYS_INLINE auto exclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  using E = detail::group_element_t<G, T>;
  return exclusive_scan_over_group(g, x, E(known_identity_v<BinaryOperation, E>), op);
}

/// The value of the chunk's work-item at `position`. Varying.
template <LaneChunk G, class T>
LANEFOLD_ALWAYS_INLINE auto group_broadcast(const G& g, const T& x, std::uint32_t position = 0) {
  using V = detail::varying_of<std::uint32_t, typename G::lanes>;
  if (position >= G::chunk_size) [[unlikely]] {
    detail::throw_no_such_work_item("group_broadcast", position, G::chunk_size);
  }
  detail::check_converged(g.parent());
  const V from = (V::iota(0) & static_cast<std::uint32_t>(~(G::chunk_size - 1))) + position;
  return detail::shuffle_lanes<G>(x, [&](const auto& v) LANEFOLD_INLINE_LAMBDA { return permute(v, from); });
}

/// Return whether the condition holds for any, all, none of the chunk's work-items. The result is a mask.
template <LaneChunk G, class Condition>
LANEFOLD_ALWAYS_INLINE auto any_of_group(const G& g, const Condition& condition) {
  using V = detail::varying_of<std::uint32_t, typename G::lanes>;
  const auto m = detail::lane_value<typename G::lanes>(condition);
  return reduce_over_group(g, V(m), bit_or<>{}) != 0U;
}
template <LaneChunk G, class Condition>
LANEFOLD_ALWAYS_INLINE auto none_of_group(const G& g, const Condition& condition) {
  return !any_of_group(g, condition);
}
template <LaneChunk G, class Condition>
LANEFOLD_ALWAYS_INLINE auto all_of_group(const G& g, const Condition& condition) {
  return !any_of_group(g, !detail::lane_value<typename G::lanes>(condition));
}

/// Values moved within the chunk, as in a sub-group.
template <LaneChunk G, class T>
LANEFOLD_ALWAYS_INLINE auto shift_group_left(const G& g, const T& x, std::uint32_t delta = 1) {
  return shift_group_left(g.parent(), x, delta);
}
template <LaneChunk G, class T>
LANEFOLD_ALWAYS_INLINE auto shift_group_right(const G& g, const T& x, std::uint32_t delta = 1) {
  return shift_group_right(g.parent(), x, delta);
}
template <LaneChunk G, class T>
LANEFOLD_ALWAYS_INLINE auto permute_group_by_xor(const G& g, const T& x, std::uint32_t mask) {
  return permute_group_by_xor(g.parent(), x, mask % static_cast<std::uint32_t>(G::chunk_size));
}
template <LaneChunk G, class T, class Position>
LANEFOLD_ALWAYS_INLINE auto select_from_group(const G& g, const T& x, const Position& remote_local_id) {
  using V = detail::varying_of<std::uint32_t, typename G::lanes>;
  const V first = V::iota(0) & static_cast<std::uint32_t>(~(G::chunk_size - 1));
  const V within(detail::converted<std::uint32_t, G>(remote_local_id));
  return select_from_group(g.parent(), x, V(first + (within & static_cast<std::uint32_t>(G::chunk_size - 1))));
}

/// The work-items of a lane-generic kernel's sub-group for which a condition holds, and the others: two groups side by
/// side; made by `binary_partition`. Results that are uniform in each of them are varying, and the functions are those
/// below. In work-item kernels it is one of the two groups, see sub_group_fragment<scalar>.
template <class Lanes>
class sub_group_fragment {
public:
  using lanes = Lanes;
  using mask_type = detail::mask_of<Lanes>;

  LANEFOLD_ALWAYS_INLINE sub_group_fragment(const sub_group_of<Lanes>& of, const mask_type& condition)
      : m_parent(of), m_yes(of.context()->all ? condition : condition & of.context()->active),
        m_no(of.context()->all ? !condition : (!condition) & of.context()->active) {}

  /// 1 where the condition holds, else 0. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_group_linear_id() const {
    return detail::varying_of<std::uint32_t, Lanes>(m_yes);
  }
  /// Work-items of the part that each belongs to. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_local_linear_range() const {
    return select(m_yes, static_cast<std::uint32_t>(m_yes.count()), static_cast<std::uint32_t>(m_no.count()));
  }
  /// Position within the part. Varying.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto get_local_linear_id() const {
    using V = detail::varying_of<std::uint32_t, Lanes>;
    return select(m_yes, exclusive_scan(V(m_yes), plus<>{}, 0U), exclusive_scan(V(m_no), plus<>{}, 0U));
  }
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE auto leader() const { return get_local_linear_id() == 0U; }

  /// Only the library calls these: they return the work-items for which the condition holds, and the others.
  [[nodiscard]] const sub_group_of<Lanes>& parent() const { return m_parent; }
  [[nodiscard]] const mask_type& yes() const { return m_yes; }
  [[nodiscard]] const mask_type& no() const { return m_no; }

private:
  sub_group_of<Lanes> m_parent;
  mask_type m_yes, m_no;
};

/// The work-items of a work-item kernel's sub-group for which a condition holds, or the others, as a group like a
/// sub-group, for all functions. Both parts work side by side: all work-items of the sub-group, those of either part,
/// call the functions at the same points (errc::kernel otherwise).
template <>
class sub_group_fragment<scalar> {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  using lanes = scalar;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  /// `members` are the work-items for which `condition`, that of the calling one, has the same value.
  sub_group_fragment(const sub_group& of, const sub_group_mask& members, bool condition)
      : m_parent(of), m_members(members), m_condition(condition) {}

  /// 1 where the condition holds, else 0.
  [[nodiscard]] std::size_t get_group_linear_id() const { return m_condition ? 1 : 0; }
  [[nodiscard]] id<1> get_group_id() const { return id<1>(get_group_linear_id()); }
  [[nodiscard]] static constexpr std::size_t get_group_linear_range() { return 2; }
  [[nodiscard]] static constexpr range<1> get_group_range() { return range<1>(2); }
  /// Work-items of the part.
  [[nodiscard]] std::size_t get_local_linear_range() const { return m_members.count(); }
  [[nodiscard]] range<1> get_local_range() const { return range<1>(get_local_linear_range()); }
  /// Position within the part.
  [[nodiscard]] std::size_t get_local_linear_id() const {
    return (m_members << (m_members.size() - m_parent.get_local_linear_id())).count();
  }
  [[nodiscard]] id<1> get_local_id() const { return id<1>(get_local_linear_id()); }
  [[nodiscard]] bool leader() const { return get_local_linear_id() == 0; }

  /// Only the library calls this.
  [[nodiscard]] const sub_group& parent() const { return m_parent; }

private:
  sub_group m_parent;
  sub_group_mask m_members;
  bool m_condition;
};

/// Waits for all work-items of the sub-group, those of both parts.
inline void group_barrier(const sub_group_fragment<scalar>& g, memory_scope /*scope*/ = memory_scope::sub_group) {
  group_barrier(g.parent());
}

template <>
struct is_group<sub_group_fragment<scalar>> : std::true_type {};

namespace detail {

template <>
struct is_sub_group<sub_group_fragment<scalar>> : std::true_type {};

template <>
struct group_access<sub_group_fragment<scalar>> {
  using G = sub_group_fragment<scalar>;
  static constexpr bool side_by_side = true;
  static meeting_level level(const G& g) {
    return g.get_group_linear_id() == 1 ? meeting_of_part : meeting_of_other_part;
  }
  static unit_state& state(const G& g) { return g.parent().state(); }
  static lane_context<scalar>* context(const G&) { return nullptr; }
  static unsigned units(const G& g) { return static_cast<unsigned>(g.get_local_linear_range()); }
  static unsigned position(const G& g) { return static_cast<unsigned>(g.get_local_linear_id()); }
  static std::size_t first_item(const G& g) { return position(g); }
  static void barrier(const G& g) { group_barrier(g.parent()); }
};

/// Lanes of a lane-generic kernel.
template <class Lanes>
concept LaneShape = !std::is_same_v<Lanes, scalar>;

} // namespace detail

/// Divides a sub-group by a condition (a mask, or a bool in work-item kernels). To be called by all its work-items, in
/// converged code (errc::kernel otherwise). Cost: none for lanes; one barrier of the sub-group in work-item kernels.
template <class Lanes, class Condition>
LANEFOLD_ALWAYS_INLINE sub_group_fragment<Lanes> binary_partition(const sub_group_of<Lanes>& g,
                                                                  const Condition& condition) {
  detail::check_converged(g);
  if constexpr (detail::LaneShape<Lanes>) {
    return {g, detail::lane_value<Lanes>(condition)};
  } else {
    const bool own = static_cast<bool>(condition);
    const sub_group_mask yes = group_ballot(g, own);
    return {g, own ? yes : ~yes, own};
  }
}

namespace detail {

/// f of the values of each part, with `otherwise` in the place of the others; each lane gets the result of its part.
template <class Lanes, class V, class F>
LANEFOLD_ALWAYS_INLINE auto in_fragments(const sub_group_fragment<Lanes>& g, const V& v,
                                         const typename V::value_type& otherwise, F f) {
  return V(select(g.yes(), V(f(V(select(g.yes(), v, otherwise)))), V(f(V(select(g.no(), v, otherwise))))));
}

} // namespace detail

/// Reductions and scans in each part; the operator needs a `known_identity`.
template <detail::LaneShape Lanes, class T, class Op>
LANEFOLD_ALWAYS_INLINE auto reduce_over_group(const sub_group_fragment<Lanes>& g, const T& x, Op op) {
  const auto v = detail::lane_value<Lanes>(x);
  using E = typename decltype(v)::value_type;
  return detail::in_fragments(g, v, known_identity_v<Op, E>,
                              [&](const auto& part) LANEFOLD_INLINE_LAMBDA { return reduce(part, op); });
}
template <detail::LaneShape Lanes, class T, class Op>
LANEFOLD_ALWAYS_INLINE auto inclusive_scan_over_group(const sub_group_fragment<Lanes>& g, const T& x, Op op) {
  const auto v = detail::lane_value<Lanes>(x);
  using E = typename decltype(v)::value_type;
  return detail::in_fragments(g, v, known_identity_v<Op, E>,
                              [&](const auto& part) LANEFOLD_INLINE_LAMBDA { return inclusive_scan(part, op); });
}
template <detail::LaneShape Lanes, class T, class Op>
LANEFOLD_ALWAYS_INLINE auto exclusive_scan_over_group(const sub_group_fragment<Lanes>& g, const T& x, Op op) {
  const auto v = detail::lane_value<Lanes>(x);
  using E = typename decltype(v)::value_type;
  return detail::in_fragments(g, v, known_identity_v<Op, E>, [&](const auto& part) LANEFOLD_INLINE_LAMBDA {
    return exclusive_scan(part, op, known_identity_v<Op, E>);
  });
}
/// The value of the first work-item of each part.
template <detail::LaneShape Lanes, class T>
LANEFOLD_ALWAYS_INLINE auto group_broadcast(const sub_group_fragment<Lanes>& g, const T& x) {
  const auto v = detail::lane_value<Lanes>(x);
  using V = std::remove_const_t<decltype(v)>;
  return V(select(g.yes(), V(detail::first_of(v, g.yes())), V(detail::first_of(v, g.no()))));
}
/// Votes in each part. A mask.
template <detail::LaneShape Lanes, class Condition>
LANEFOLD_ALWAYS_INLINE auto any_of_group(const sub_group_fragment<Lanes>& g, const Condition& condition) {
  const auto m = detail::lane_value<Lanes>(condition);
  return select(g.yes(), (m & g.yes()).any(), detail::mask_of<Lanes>((m & g.no()).any()));
}
template <detail::LaneShape Lanes, class Condition>
LANEFOLD_ALWAYS_INLINE auto none_of_group(const sub_group_fragment<Lanes>& g, const Condition& condition) {
  return !any_of_group(g, condition);
}
template <detail::LaneShape Lanes, class Condition>
LANEFOLD_ALWAYS_INLINE auto all_of_group(const sub_group_fragment<Lanes>& g, const Condition& condition) {
  return !any_of_group(g, !detail::lane_value<Lanes>(condition));
}

LANEFOLD_END_NAMESPACE
