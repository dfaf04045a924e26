// SPDX-License-Identifier: Apache-2.0
/// The work-items of a sub-group for which a condition holds as a group. Named after
/// sycl_ext_oneapi_non_uniform_groups.
#pragma once

#include <lanefold/group_algorithms/broadcast.hpp>
#include <lanefold/group_algorithms/reduce.hpp>
#include <lanefold/group_algorithms/scan.hpp>
#include <lanefold/group_algorithms/shuffle.hpp>
#include <lanefold/group_algorithms/sub_group_mask.hpp>
#include <lanefold/group_algorithms/votes.hpp>

#include <algorithm>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE

/// The work-items of a lane-generic kernel's sub-group for which a condition holds, and the others: two groups side by
/// side; made by `binary_partition`. It is a group like a sub-group, for all functions; results that are uniform in
/// each part are varying (or a mask). In work-item kernels it is one of the two groups, see sub_group_fragment<scalar>.
template <class Lanes>
class sub_group_fragment {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  using lanes = Lanes;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;
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
  [[nodiscard]] linear_id_type get_group_linear_id() const { return m_condition ? 1 : 0; }
  [[nodiscard]] id<1> get_group_id() const { return id<1>(get_group_linear_id()); }
  [[nodiscard]] static constexpr linear_id_type get_group_linear_range() { return 2; }
  [[nodiscard]] static constexpr range<1> get_group_range() { return range<1>(2); }
  /// Work-items of the part.
  [[nodiscard]] linear_id_type get_local_linear_range() const { return m_members.count(); }
  [[nodiscard]] range<1> get_local_range() const { return range<1>(get_local_linear_range()); }
  /// Position within the part.
  [[nodiscard]] linear_id_type get_local_linear_id() const {
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
template <class Lanes>
LANEFOLD_ALWAYS_INLINE void group_barrier(const sub_group_fragment<Lanes>& g,
                                          memory_scope /*scope*/ = memory_scope::sub_group) {
  group_barrier(g.parent());
}

template <class Lanes>
struct is_group<sub_group_fragment<Lanes>> : std::true_type {};

namespace detail {

template <class Lanes>
struct is_sub_group<sub_group_fragment<Lanes>> : std::true_type {};

template <>
struct group_access<sub_group_fragment<scalar>> {
  using G = sub_group_fragment<scalar>;
  static constexpr bool side_by_side = true;
  static meeting_level level(const G& g) {
    return g.get_group_linear_id() == 1 ? meeting_of_part : meeting_of_other_part;
  }
  static unit_state& state(const G& g) { return g.parent().state(); }
  static lane_context<scalar>* context(const G&) { return nullptr; }
  static unsigned units(const G& g) { return g.get_local_linear_range(); }
  static unsigned position(const G& g) { return g.get_local_linear_id(); }
  static std::size_t first_item(const G& g) { return position(g); }
  static void barrier(const G& g) { group_barrier(g.parent()); }
};

/// See group_access<sub_group_chunk> (chunked_partition.hpp).
template <class Lanes>
struct group_access<sub_group_fragment<Lanes>> {
  using G = sub_group_fragment<Lanes>;
  using lane_numbers = varying_of<std::uint32_t, Lanes>;
  static constexpr bool parts = true;
  /// The lanes of the other part hold the identity.
  template <class Op, class T>
  static constexpr bool in_registers = has_known_identity_v<Op, T>;

  LANEFOLD_ALWAYS_INLINE static lane_context<Lanes>* context(const G& g) { return g.parent().context(); }
  LANEFOLD_ALWAYS_INLINE static constexpr unsigned units(const G&) { return 1; }
  LANEFOLD_ALWAYS_INLINE static constexpr std::size_t first_item(const G&) { return 0; }
  LANEFOLD_ALWAYS_INLINE static lane_numbers item_position(const G& g) { return g.get_local_linear_id(); }
  static std::size_t positions(const G& g) {
    const std::size_t yes = g.yes().count(), no = g.no().count();
    return yes == 0 ? no : no == 0 ? yes : std::min(yes, no);
  }
  LANEFOLD_ALWAYS_INLINE static lane_numbers places(const G& g) {
    const lane_numbers behind(select(g.yes(), 0U, lane_numbers(static_cast<std::uint32_t>(g.yes().count()))));
    return item_position(g) + behind;
  }
  template <class F>
  static void for_each_part(const G& g, const F& f) {
    f(0, g.yes().count());
    f(g.yes().count(), g.no().count());
  }
  static lane_numbers lanes_at(const G& g, const lane_numbers& positions) {
    alignas(64) std::uint32_t yes[Lanes::size] = {}, no[Lanes::size] = {};
    std::size_t found_yes = 0, found_no = 0;
    for (std::size_t i = 0; i < Lanes::size; ++i) {
      if (g.yes()[i]) {
        yes[found_yes++] = static_cast<std::uint32_t>(i);
      } else if (g.no()[i]) {
        no[found_no++] = static_cast<std::uint32_t>(i);
      }
    }
    return lane_numbers(
        select(g.yes(), permute(lane_numbers::load(yes), positions), permute(lane_numbers::load(no), positions)));
  }

  template <class V, class Op>
  LANEFOLD_ALWAYS_INLINE static V reduce(const G& g, const V& v, const Op& op) {
    return in_both(g, v, op, [&](const V& part) LANEFOLD_INLINE_LAMBDA { return lanefold::reduce(part, op); });
  }
  template <class V, class Op>
  LANEFOLD_ALWAYS_INLINE static V inclusive_scan(const G& g, const V& v, const Op& op) {
    return in_both(g, v, op, [&](const V& part) LANEFOLD_INLINE_LAMBDA { return lanefold::inclusive_scan(part, op); });
  }
  template <class V, class Op>
  LANEFOLD_ALWAYS_INLINE static V exclusive_scan(const G& g, const V& v, const Op& op,
                                                 const typename V::value_type& init) {
    return in_both(g, v, op,
                   [&](const V& part) LANEFOLD_INLINE_LAMBDA { return lanefold::exclusive_scan(part, op, init); });
  }
  LANEFOLD_ALWAYS_INLINE static mask_of<Lanes> any(const G& g, const mask_of<Lanes>& m) {
    return mask_of<Lanes>(select(g.yes(), (m & g.yes()).any(), mask_of<Lanes>((m & g.no()).any())));
  }
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V broadcast(const G& g, const V& v, std::size_t position) {
    return V(select(g.yes(), V(lane_at(v, nth(g.yes(), position))), V(lane_at(v, nth(g.no(), position)))));
  }

private:
  /// f of the values of each part, with the identity in the place of the others; each lane gets the result of its part.
  template <class V, class Op, class F>
  LANEFOLD_ALWAYS_INLINE static V in_both(const G& g, const V& v, const Op&, F f) {
    const auto identity = known_identity_v<Op, typename V::value_type>;
    return V(select(g.yes(), V(f(V(select(g.yes(), v, identity)))), V(f(V(select(g.no(), v, identity))))));
  }
  /// The lane of the work-item at a position among those of a mask; any lane if there is none.
  LANEFOLD_ALWAYS_INLINE static std::size_t nth(const mask_of<Lanes>& among, std::size_t position) {
    std::size_t lane = among.find_low();
    while (position > 0 && lane + 1 < Lanes::size) {
      ++lane;
      position -= among[lane] ? 1 : 0;
    }
    return lane % Lanes::size;
  }
};

} // namespace detail

/// Divides a sub-group by a condition (a mask, or a bool in work-item kernels). To be called by all its work-items, in
/// converged code (errc::kernel otherwise). Cost: none for lanes; one barrier of the sub-group in work-item kernels.
template <class Lanes, class Condition>
LANEFOLD_ALWAYS_INLINE sub_group_fragment<Lanes> binary_partition(const sub_group_of<Lanes>& g,
                                                                  const Condition& condition) {
  detail::check_converged(g);
  if constexpr (!std::is_same_v<Lanes, scalar>) {
    return {g, detail::lane_value<Lanes>(condition)};
  } else {
    const bool own = static_cast<bool>(condition);
    const sub_group_mask yes = group_ballot(g, own);
    return {g, own ? yes : ~yes, own};
  }
}

LANEFOLD_END_NAMESPACE
