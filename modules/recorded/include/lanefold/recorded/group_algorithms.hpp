// SPDX-License-Identifier: Apache-2.0
/// Group algorithms of recorded kernels: functions of the device library of module gpu.
///
/// Results that are uniform on the CPU are recorded values here. All throw errc::kernel in divergent code.
#pragma once

#include <lanefold/exception.hpp>
#include <lanefold/execution/known_identity.hpp>
#include <lanefold/group_algorithms/broadcast.hpp>
#include <lanefold/group_algorithms/reduce.hpp>
#include <lanefold/group_algorithms/scan.hpp>
#include <lanefold/group_algorithms/shuffle.hpp>
#include <lanefold/group_algorithms/votes.hpp>
#include <lanefold/recorded/items.hpp>
#include <lanefold/recorded/variable.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <class G>
concept RecordedGroup = Group<G> && std::is_same_v<typename G::lanes, recorded>;
template <class G>
concept RecordedSubGroup = SubGroup<G> && std::is_same_v<typename G::lanes, recorded>;

/// The device library's name of an operator, null for those that it does not know.
template <class Op>
inline constexpr const char* recorded_operator_name = nullptr;
#define LANEFOLD_RECORDED_NAME(op, name)                                                                               \
  template <class T>                                                                                                   \
  inline constexpr const char* recorded_operator_name<op<T>> = name;
LANEFOLD_RECORDED_NAME(plus, "plus")
LANEFOLD_RECORDED_NAME(multiplies, "multiplies")
LANEFOLD_RECORDED_NAME(minimum, "minimum")
LANEFOLD_RECORDED_NAME(maximum, "maximum")
LANEFOLD_RECORDED_NAME(bit_and, "bit_and")
LANEFOLD_RECORDED_NAME(bit_or, "bit_or")
LANEFOLD_RECORDED_NAME(bit_xor, "bit_xor")
LANEFOLD_RECORDED_NAME(logical_and, "logical_and")
LANEFOLD_RECORDED_NAME(logical_or, "logical_or")
LANEFOLD_RECORDED_NAME(std::plus, "plus")
LANEFOLD_RECORDED_NAME(std::multiplies, "multiplies")
LANEFOLD_RECORDED_NAME(std::bit_and, "bit_and")
LANEFOLD_RECORDED_NAME(std::bit_or, "bit_or")
LANEFOLD_RECORDED_NAME(std::bit_xor, "bit_xor")
LANEFOLD_RECORDED_NAME(std::logical_and, "logical_and")
LANEFOLD_RECORDED_NAME(std::logical_or, "logical_or")
#undef LANEFOLD_RECORDED_NAME

template <class G>
inline constexpr const char* recorded_group_prefix = RecordedSubGroup<G> ? "lf_sub_group_" : "lf_";

/// A call of `prefix + name`, which all work-items of the group do together.
template <class T, class... Nodes>
recorded_value<T> recorded_collective(recorder& r, const char* algorithm, const std::string& name, bool uniform,
                                      Nodes... operands) {
  r.check_converged(algorithm);
  const node_number n = r.add_collective(name.c_str(), recorded_type_of<T>(), uniform, operands...);
  return {r, n};
}

/// An operator is recorded without memory.
class no_memory final : public memory_map {
public:
  place place_of(const void*, bool) override { return {}; }
  place find(const void*, bool) override { return {}; }
};

/// The name of an operator on T, which a program's own gets.
template <class T, class Op>
std::string recorded_operator_on(recorder& r, Op& op) {
  if constexpr (recorded_operator_name<Op> != nullptr) {
    return recorded_operator_name<Op>;
  } else {
    static_assert(std::is_invocable_v<Op&, recorded_value<T>, recorded_value<T>>,
                  "lanefold: operators for group algorithms of recorded kernels take auto: [](auto a, auto b) {…}");
    no_memory none;
    recorder inside(none);
    const recorded_value<T> a(inside, inside.add_query("a", recorded_type_of<T>(), false));
    const recorded_value<T> b(inside, inside.add_query("b", recorded_type_of<T>(), false));
    const auto result = op(a, b);
    const node_number returned = node_as<T>(inside, result);
    const std::string type = name_of_type(recorded_type_of<T>());
    std::string identity;
    if constexpr (has_known_identity_v<Op, T>) {
      identity = text_of_number(recorded_type_of<T>(), recorder::bits_of(T(known_identity_v<Op, T>)));
    }
    return r.add_operator(type + "(" + type + " a, " + type + " b)", print_recorded_function(inside, returned),
                          identity, is_commutative_v<Op>);
  }
}

/// `name` of a function with operator and type: lf_reduce_plus_float.
template <class G, class T, class Op>
std::string recorded_function(const G& g, const char* name, Op& op) {
  static_assert(!std::is_same_v<T, bool>, "lanefold: conditions are for any_of_group, all_of_group, none_of_group");
  return std::string(recorded_group_prefix<G>) + name + "_" + recorded_operator_on<T>(g.its_recorder(), op) + "_" +
         name_of_type(recorded_type_of<T>());
}

/// Combines two values as the operator does.
template <class T, class Op, class A, class B>
recorded_value<T> recorded_combined(recorder& r, Op& op, const A& a, const B& b) {
  const std::string name = "lf_op_" + recorded_operator_on<T>(r, op) + "_" + name_of_type(recorded_type_of<T>());
  return {r, r.add(recorded_op::call, recorded_type_of<T>(), r.text(name.c_str()), node_as<T>(r, a), node_as<T>(r, b))};
}

/// Says whose value a work-item gets in an exchange, by a position.
enum class exchange_by {
  broadcast, ///< of the work-item at the position, the same in all
  select,    ///< of the work-item at the position
  left,      ///< of the one that is so many behind
  right,     ///< of the one that is so many before
  by_xor     ///< of the one whose position differs in these bits
};

/// Calls the functions of the device library for what the work-items of a group do together; parts of sub-groups have
/// their own (recorded/partition.hpp). `positions(g)` returns how many positions a broadcast may name, if that is
/// known.
template <class G>
struct recorded_access {
  static constexpr bool uniform = !RecordedSubGroup<G>; ///< what is the same in the group is so in the work-group

  static std::size_t positions(const G& g) {
    if constexpr (requires {
                    { g.get_local_linear_range() } -> std::convertible_to<std::size_t>;
                  }) {
      return g.get_local_linear_range();
    } else {
      return std::numeric_limits<std::size_t>::max();
    }
  }

  template <class T, class Op>
  static recorded_value<T> reduce(const G& g, const recorded_value<T>& x, Op& op) {
    return recorded_collective<T>(g.its_recorder(), "reduce_over_group", recorded_function<G, T>(g, "reduce", op),
                                  uniform, x.node());
  }
  template <class T, class Op, class... Init>
  static recorded_value<T> inclusive_scan(const G& g, const recorded_value<T>& x, Op& op, const Init&... init) {
    return scan(g, "inclusive_scan", x, op, init...);
  }
  template <class T, class Op, class... Init>
  static recorded_value<T> exclusive_scan(const G& g, const recorded_value<T>& x, Op& op, const Init&... init) {
    return scan(g, "exclusive_scan", x, op, init...);
  }
  /// `name`: any_of, all_of, none_of.
  static recorded_value<bool> vote(const G& g, const std::string& name, node_number condition) {
    return lanefold::convert<bool>(recorded_collective<int>(g.its_recorder(), (name + "_group").c_str(),
                                                            recorded_group_prefix<G> + name, uniform, condition));
  }
  template <class T>
  static recorded_value<T> exchanged(const G& g, const char* algorithm, exchange_by how, const recorded_value<T>& x,
                                     const recorded_value<std::uint32_t>& position) {
    const std::string function = std::string(name_of(how)) + "_" + name_of_type(recorded_type_of<T>());
    return recorded_collective<T>(g.its_recorder(), algorithm, function, how == exchange_by::broadcast && uniform,
                                  x.node(), position.node());
  }

private:
  template <class T, class Op>
  static recorded_value<T> scan(const G& g, const std::string& name, const recorded_value<T>& x, Op& op) {
    return recorded_collective<T>(g.its_recorder(), (name + "_over_group").c_str(),
                                  recorded_function<G, T>(g, name.c_str(), op), false, x.node());
  }
  template <class T, class Op>
  static recorded_value<T> scan(const G& g, const std::string& name, const recorded_value<T>& x, Op& op,
                                const recorded_value<T>& init) {
    return recorded_collective<T>(g.its_recorder(), (name + "_over_group").c_str(),
                                  recorded_function<G, T>(g, (name + "_init").c_str(), op), false, x.node(),
                                  init.node());
  }
  static const char* name_of(exchange_by how) {
    switch (how) {
    case exchange_by::broadcast: return RecordedSubGroup<G> ? "lf_sub_group_broadcast" : "lf_broadcast";
    case exchange_by::select: return "lf_shuffle";
    case exchange_by::left: return "lf_shuffle_down";
    case exchange_by::right: return "lf_shuffle_up";
    default: return RecordedSubGroup<G> ? "lf_shuffle_xor" : "lf_work_group_shuffle_xor";
    }
  }
};

/// An operand as a value of type T.
template <class T, class X>
recorded_value<T> recorded_as(recorder& r, const X& x) {
  return {r, detail::node_as<T>(r, x)};
}

} // namespace detail

// Docstrings: group_algorithms/reduce.hpp and its neighbours.

template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class T, class BinaryOperation>
auto reduce_over_group(const G& g, const T& x, BinaryOperation op) {
  using E = detail::recorded_element_t<T>;
  return detail::recorded_access<G>::reduce(g, detail::recorded_as<E>(g.its_recorder(), x), op);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class V, class T, class BinaryOperation>
auto reduce_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  using E = detail::recorded_element_t<T>;
  detail::recorder& r = g.its_recorder();
  return detail::recorded_combined<E>(r, op, init, lanefold::reduce_over_group(g, detail::recorded_as<E>(r, x), op));
}

template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class T, class BinaryOperation>
auto inclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  using E = detail::recorded_element_t<T>;
  return detail::recorded_access<G>::inclusive_scan(g, detail::recorded_as<E>(g.its_recorder(), x), op);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class T, class BinaryOperation>
auto exclusive_scan_over_group(const G& g, const T& x, BinaryOperation op) {
  using E = detail::recorded_element_t<T>;
  return detail::recorded_access<G>::exclusive_scan(g, detail::recorded_as<E>(g.its_recorder(), x), op);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class V, class BinaryOperation, class T>
auto inclusive_scan_over_group(const G& g, const V& x, BinaryOperation op, T init) {
  using E = detail::recorded_element_t<T>;
  detail::recorder& r = g.its_recorder();
  return detail::recorded_access<G>::inclusive_scan(g, detail::recorded_as<E>(r, x), op,
                                                    detail::recorded_as<E>(r, init));
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class V, class T, class BinaryOperation>
auto exclusive_scan_over_group(const G& g, const V& x, T init, BinaryOperation op) {
  using E = detail::recorded_element_t<T>;
  detail::recorder& r = g.its_recorder();
  return detail::recorded_access<G>::exclusive_scan(g, detail::recorded_as<E>(r, x), op,
                                                    detail::recorded_as<E>(r, init));
}

#define LANEFOLD_RECORDED_VOTE(name)                                                                                   \
  template <detail::RecordedGroup G, class Condition>                                                                  \
  recorded_value<bool> name##_group(const G& g, const Condition& condition) {                                          \
    static_assert(detail::RecordedBools<Condition>, "lanefold: a vote needs a condition: a recorded bool or a bool");  \
    return detail::recorded_access<G>::vote(g, #name, detail::node_of(g.its_recorder(), condition));                   \
  }                                                                                                                    \
  template <detail::RecordedGroup G, class T, class Predicate>                                                         \
  recorded_value<bool> name##_group(const G& g, const T& x, Predicate predicate) {                                     \
    return lanefold::name##_group(g, predicate(x));                                                                    \
  }
LANEFOLD_RECORDED_VOTE(any_of)
LANEFOLD_RECORDED_VOTE(all_of)
LANEFOLD_RECORDED_VOTE(none_of)
#undef LANEFOLD_RECORDED_VOTE

namespace detail {

/// The value of the work-item that `how` and a position say. Throws errc::invalid for plain positions beyond the group.
template <class G, class T, class Position>
auto recorded_exchange(const G& g, const char* algorithm, exchange_by how, const T& x, const Position& position) {
  recorder& r = g.its_recorder();
  if constexpr (std::is_integral_v<Position>) {
    if (static_cast<std::size_t>(position) >= recorded_access<G>::positions(g)) {
      throw exception(make_error_code(errc::invalid),
                      std::string(algorithm) + ": there is no work-item " + std::to_string(position) + " in the group");
    }
  }
  return recorded_access<G>::exchanged(g, algorithm, how, recorded_as<recorded_element_t<T>>(r, x),
                                       recorded_as<std::uint32_t>(r, position));
}

} // namespace detail

template <detail::RecordedGroup G, class T>
auto group_broadcast(const G& g, const T& x) {
  return detail::recorded_exchange(g, "group_broadcast", detail::exchange_by::broadcast, x, 0U);
}

// Positions that are plain, and recorded ones, which are not checked.
#define LANEFOLD_RECORDED_EXCHANGE(name, Kind, how, ...)                                                               \
  template <detail::Kind G, class T>                                                                                   \
  auto name(const G& g, const T& x, typename G::linear_id_type position __VA_ARGS__) {                                 \
    return detail::recorded_exchange(g, #name, detail::exchange_by::how, x, position);                                 \
  }                                                                                                                    \
  template <detail::Kind G, class T, detail::RecordedOperand Position>                                                 \
  auto name(const G& g, const T& x, const Position& position) {                                                        \
    return detail::recorded_exchange(g, #name, detail::exchange_by::how, x, position);                                 \
  }
LANEFOLD_RECORDED_EXCHANGE(group_broadcast, RecordedGroup, broadcast)
LANEFOLD_RECORDED_EXCHANGE(shift_group_left, RecordedSubGroup, left, = 1)
LANEFOLD_RECORDED_EXCHANGE(shift_group_right, RecordedSubGroup, right, = 1)
LANEFOLD_RECORDED_EXCHANGE(permute_group_by_xor, RecordedSubGroup, by_xor)
#undef LANEFOLD_RECORDED_EXCHANGE

template <detail::RecordedSubGroup G, class T, class Position>
auto select_from_group(const G& g, const T& x, const Position& remote_local_id) {
  return detail::recorded_exchange(g, "select_from_group", detail::exchange_by::select, x, remote_local_id);
}

LANEFOLD_END_NAMESPACE
