// SPDX-License-Identifier: Apache-2.0
/// Parts of the sub-groups of recorded kernels: groups like these, for all functions. See
/// group_algorithms/chunked_partition.hpp and binary_partition.hpp. All work-items of a sub-group call the functions,
/// of whichever part they are; errc::kernel in divergent code.
#pragma once

#include <lanefold/group_algorithms/binary_partition.hpp>
#include <lanefold/group_algorithms/chunked_partition.hpp>
#include <lanefold/recorded/group_algorithms.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds what all kinds of parts of recorded sub-groups share. `Part` has `parent()`, `get_local_linear_id()`,
/// `get_local_linear_range()`.
template <class Part>
class recorded_part {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  using lanes = recorded;
  using value = recorded_value<std::uint32_t>;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  [[nodiscard]] recorded_coordinate<std::uint32_t> get_local_id() const { return part().get_local_linear_id(); }
  [[nodiscard]] recorded_coordinate<std::uint32_t> get_local_range() const { return part().get_local_linear_range(); }
  /// True for the first work-item of the part.
  [[nodiscard]] auto leader() const { return part().get_local_linear_id() == 0U; }

  /// Only the library calls these.
  [[nodiscard]] const sub_group_of<recorded>& parent() const { return m_parent; }
  [[nodiscard]] recorder& its_recorder() const { return m_parent.its_recorder(); }

protected:
  explicit recorded_part(const sub_group_of<recorded>& of) : m_parent(of) {}

private:
  [[nodiscard]] const Part& part() const { return static_cast<const Part&>(*this); }

  sub_group_of<recorded> m_parent;
};

} // namespace detail

/// N consecutive work-items of a recorded kernel's sub-group; made by `chunked_partition`. The device gets sub-groups
/// of N work-items at least (errc::kernel_not_supported if it has none, when the kernel is launched).
template <std::size_t N>
class sub_group_chunk<N, recorded> : public detail::recorded_part<sub_group_chunk<N, recorded>> {
  static_assert(N >= 1 && N <= 256 && (N & (N - 1)) == 0, "lanefold: a chunk has a power of two of work-items");
  using base = detail::recorded_part<sub_group_chunk>;

public:
  using typename base::value;
  static constexpr std::size_t chunk_size = N;

  explicit sub_group_chunk(const sub_group_of<recorded>& of) : base(of) { of.its_recorder().require_sub_groups(N); }

  [[nodiscard]] value get_local_linear_id() const { return lane() & (size - 1); }
  [[nodiscard]] value get_group_linear_id() const { return lane() / size; }
  [[nodiscard]] value get_group_linear_range() const {
    return (this->parent().get_local_linear_range() + (size - 1)) / size;
  }
  /// Work-items of the chunk: N, but for the last chunk of a partial sub-group.
  [[nodiscard]] value get_local_linear_range() const {
    const value rest = this->parent().get_local_linear_range() - first();
    return lanefold::select(rest < size, rest, size);
  }

  /// Only the library calls this: the lane of the work-item at a position.
  [[nodiscard]] value lane_of(const value& position) const { return first() + position; }

private:
  static constexpr auto size = static_cast<std::uint32_t>(N);
  [[nodiscard]] value lane() const { return this->parent().get_local_linear_id(); }
  [[nodiscard]] value first() const { return lane() & ~(size - 1); }
};

/// The work-items of a recorded kernel's sub-group for which a condition holds, or the others: two groups side by side;
/// made by `binary_partition`.
template <>
class sub_group_fragment<recorded> : public detail::recorded_part<sub_group_fragment<recorded>> {
public:
  sub_group_fragment(const sub_group_of<recorded>& of, const recorded_value<bool>& condition)
      : recorded_part(of), m_condition(condition), m_yes_before(before(of, condition)), m_yes(count(of, condition)),
        m_lanes(lanes_by_place()) {}

  /// 1 where the condition holds, else 0.
  [[nodiscard]] value get_group_linear_id() const { return lanefold::convert<std::uint32_t>(m_condition); }
  [[nodiscard]] static constexpr std::size_t get_group_linear_range() { return 2; }
  [[nodiscard]] value get_local_linear_id() const {
    return lanefold::select(m_condition, m_yes_before, parent().get_local_linear_id() - m_yes_before);
  }
  [[nodiscard]] value get_local_linear_range() const {
    return lanefold::select(m_condition, m_yes, parent().get_local_linear_range() - m_yes);
  }

  /// Only the library calls these: the condition; the work-items of both parts one behind the other, those for which
  /// it holds first; the lane of the work-item at a position of the own part.
  [[nodiscard]] const recorded_value<bool>& condition() const { return m_condition; }
  [[nodiscard]] value place() const { return place_of(get_local_linear_id()); }
  [[nodiscard]] value lane_of(const value& position) const {
    return lanefold::select_from_group(parent(), m_lanes, place_of(position));
  }

private:
  static value before(const sub_group_of<recorded>& of, const recorded_value<bool>& condition) {
    return lanefold::exclusive_scan_over_group(of, lanefold::convert<std::uint32_t>(condition), plus<>());
  }
  static value count(const sub_group_of<recorded>& of, const recorded_value<bool>& condition) {
    return lanefold::reduce_over_group(of, lanefold::convert<std::uint32_t>(condition), plus<>());
  }
  [[nodiscard]] value place_of(const value& position) const {
    return lanefold::select(m_condition, position, m_yes + position);
  }
  [[nodiscard]] value lanes_by_place() const;

  recorded_value<bool> m_condition;
  value m_yes_before; ///< work-items before this one for which the condition holds
  value m_yes;
  value m_lanes; ///< the lane of the work-item whose place is the own lane
};

namespace detail {

/// Each work-item's value goes to another lane of the sub-group.
template <class T>
recorded_value<T> recorded_scatter(const sub_group_of<recorded>& g, const char* algorithm, const recorded_value<T>& x,
                                   const recorded_value<std::uint32_t>& to) {
  return recorded_collective<T>(g.its_recorder(), algorithm,
                                std::string("lf_sub_group_scatter_") + name_of_type(recorded_type_of<T>()), false,
                                x.node(), to.node());
}

/// Makes the functions of parts from those of the sub-group and the lanes of a part's work-items.
template <class G>
struct recorded_part_access {
  using value = recorded_value<std::uint32_t>;

  template <class T, class Op>
  static recorded_value<T> inclusive_scan(const G& g, const recorded_value<T>& x, Op& op,
                                          const recorded_value<T>& init) {
    return recorded_combined<T>(g.its_recorder(), op, init, recorded_access<G>::inclusive_scan(g, x, op));
  }
  template <class T, class Op>
  static recorded_value<T> exclusive_scan(const G& g, const recorded_value<T>& x, Op& op) {
    static_assert(has_known_identity_v<Op, T>,
                  "lanefold: exclusive_scan_over_group without init needs a known_identity of operator and type");
    return shifted(g, recorded_access<G>::inclusive_scan(g, x, op),
                   recorded_as<T>(g.its_recorder(), T(known_identity_v<Op, T>)));
  }
  template <class T, class Op>
  static recorded_value<T> exclusive_scan(const G& g, const recorded_value<T>& x, Op& op,
                                          const recorded_value<T>& init) {
    return shifted(g, recorded_access<G>::inclusive_scan(g, x, op, init), init);
  }
  static recorded_value<bool> vote(const G& g, const std::string& name, node_number condition) {
    recorder& r = g.its_recorder();
    const auto holds = lanefold::convert<std::uint32_t>(recorded_value<bool>(r, condition));
    bit_or<> any;
    bit_and<> all;
    if (name == "all_of") {
      return recorded_access<G>::reduce(g, holds, all) != 0U;
    }
    const auto found = recorded_access<G>::reduce(g, holds, any);
    return name == "any_of" ? found != 0U : found == 0U;
  }
  template <class T>
  static recorded_value<T> exchanged(const G& g, const char* /*algorithm*/, exchange_by how, const recorded_value<T>& x,
                                     const value& position) {
    const value own = g.get_local_linear_id();
    const value from = how == exchange_by::left     ? own + position
                       : how == exchange_by::right  ? own - position
                       : how == exchange_by::by_xor ? own ^ position
                                                    : position;
    const value inside = lanefold::select(from < g.get_local_linear_range(), from, own);
    return lanefold::select_from_group(g.parent(), x, g.lane_of(inside));
  }

private:
  /// The value of the work-item before this one; `first` for the first of a part.
  template <class T>
  static recorded_value<T> shifted(const G& g, const recorded_value<T>& x, const recorded_value<T>& first) {
    return lanefold::select(g.leader(), first,
                            exchanged(g, "exclusive_scan_over_group", exchange_by::right, x,
                                      recorded_as<std::uint32_t>(g.its_recorder(), 1U)));
  }
};

template <std::size_t N>
struct recorded_access<sub_group_chunk<N, recorded>> : recorded_part_access<sub_group_chunk<N, recorded>> {
  using G = sub_group_chunk<N, recorded>;
  using recorded_part_access<G>::inclusive_scan;

  static constexpr std::size_t positions(const G&) { return N; }
  template <class T, class Op>
  static recorded_value<T> reduce(const G& g, const recorded_value<T>& x, Op& op) {
    return chunks(g, "reduce_over_group", "chunk_reduce", x, op);
  }
  template <class T, class Op>
  static recorded_value<T> inclusive_scan(const G& g, const recorded_value<T>& x, Op& op) {
    return chunks(g, "inclusive_scan_over_group", "chunk_inclusive_scan", x, op);
  }

private:
  template <class T, class Op>
  static recorded_value<T> chunks(const G& g, const char* algorithm, const char* name, const recorded_value<T>& x,
                                  Op& op) {
    recorder& r = g.its_recorder();
    return recorded_collective<T>(r, algorithm, recorded_function<sub_group_of<recorded>, T>(g.parent(), name, op),
                                  false, x.node(), r.plain(static_cast<std::uint32_t>(N)));
  }
};

template <>
struct recorded_access<sub_group_fragment<recorded>> : recorded_part_access<sub_group_fragment<recorded>> {
  using G = sub_group_fragment<recorded>;
  using recorded_part_access<G>::inclusive_scan;

  static constexpr std::size_t positions(const G&) { return std::numeric_limits<std::size_t>::max(); }
  template <class T, class Op>
  static recorded_value<T> reduce(const G& g, const recorded_value<T>& x, Op& op) {
    if constexpr (has_known_identity_v<Op, T>) {
      return in_both(g, x, op, [&](const auto& part) { return lanefold::reduce_over_group(g.parent(), part, op); });
    } else {
      return exchanged(g, "reduce_over_group", exchange_by::select, inclusive_scan(g, x, op),
                       g.get_local_linear_range() - 1U);
    }
  }
  template <class T, class Op>
  static recorded_value<T> inclusive_scan(const G& g, const recorded_value<T>& x, Op& op) {
    if constexpr (has_known_identity_v<Op, T>) {
      return in_both(g, x, op,
                     [&](const auto& part) { return lanefold::inclusive_scan_over_group(g.parent(), part, op); });
    } else { // runs of neighbours, with the work-items in the order of their places
      const char* const algorithm = "inclusive_scan_over_group";
      const auto place = g.place();
      const auto ordered = recorded_scatter(g.parent(), algorithm, x, place);
      const auto position = recorded_scatter(g.parent(), algorithm, g.get_local_linear_id(), place);
      const auto sums =
          recorded_collective<T>(g.its_recorder(), algorithm,
                                 recorded_function<sub_group_of<recorded>, T>(g.parent(), "run_inclusive_scan", op),
                                 false, ordered.node(), position.node());
      return lanefold::select_from_group(g.parent(), sums, place);
    }
  }

private:
  /// f of the values of each part, with the identity in the place of the others; each work-item gets the result of its
  /// part.
  template <class T, class Op, class F>
  static recorded_value<T> in_both(const G& g, const recorded_value<T>& x, Op&, F f) {
    const auto identity = recorded_as<T>(g.its_recorder(), T(known_identity_v<Op, T>));
    const auto yes = f(lanefold::select(g.condition(), x, identity));
    const auto no = f(lanefold::select(g.condition(), identity, x));
    return lanefold::select(g.condition(), yes, no);
  }
};

} // namespace detail

inline auto sub_group_fragment<recorded>::lanes_by_place() const -> value {
  return detail::recorded_scatter(parent(), "binary_partition", parent().get_local_linear_id(), place());
}

/// Divides a recorded kernel's sub-group by a condition. To be called by all its work-items, in converged code
/// (errc::kernel otherwise). Cost: a scan and a reduction of the sub-group, and an exchange through local memory.
template <class Condition>
sub_group_fragment<recorded> binary_partition(const sub_group_of<recorded>& g, const Condition& condition) {
  static_assert(detail::RecordedBools<Condition>, "lanefold: binary_partition needs a condition");
  return {g, recorded_value<bool>(g.its_recorder(), detail::node_of(g.its_recorder(), condition))};
}

/// Waits for the work-items of the sub-group. Errors (errc::kernel): called in divergent code.
template <std::size_t N>
void group_barrier(const sub_group_chunk<N, recorded>& g, memory_scope scope = memory_scope::sub_group) {
  group_barrier(g.parent(), scope);
}
inline void group_barrier(const sub_group_fragment<recorded>& g, memory_scope scope = memory_scope::sub_group) {
  group_barrier(g.parent(), scope);
}

LANEFOLD_END_NAMESPACE
