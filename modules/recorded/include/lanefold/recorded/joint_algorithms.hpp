// SPDX-License-Identifier: Apache-2.0
/// Joint algorithms of recorded kernels: loops of the device over the elements, and group algorithms.
///
/// Docstrings: group_algorithms/joint_reduce.hpp and its neighbours. Beside pointers and iterators they take addresses
/// that work-items compute, `x.data() + group_id * size`, the same in all work-items of the group. Operators without a
/// known identity have one work-item go through the elements. All throw errc::kernel in divergent code.
#pragma once

#include <lanefold/group_algorithms/detail/joint_range.hpp>
#include <lanefold/group_algorithms/joint_for.hpp>
#include <lanefold/group_algorithms/joint_reduce.hpp>
#include <lanefold/group_algorithms/joint_scan.hpp>
#include <lanefold/group_algorithms/joint_votes.hpp>
#include <lanefold/recorded/group_algorithms_of_vectors.hpp>
#include <lanefold/recorded/scoped_algorithms.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// The address of an element that work-items compute: the sum of a pointer and a recorded integer.
template <class T>
class recorded_address {
public:
  using element_type = T;

  template <class I>
  auto operator[](const I& i) const {
    return detail::element(m_base, m_place + i);
  }

  /// Only the library calls these.
  recorded_address(T* base, const recorded_value<std::int64_t>& place) : m_base(base), m_place(place) {}
  [[nodiscard]] T* base() const { return m_base; }
  [[nodiscard]] const recorded_value<std::int64_t>& place() const { return m_place; }

private:
  T* m_base;
  recorded_value<std::int64_t> m_place; ///< in elements behind the base
};

template <class T, detail::RecordedOperand I>
  requires std::is_integral_v<detail::recorded_element_t<I>>
recorded_address<T> operator+(T* p, const I& i) {
  return {p, lanefold::convert<std::int64_t>(i)};
}
template <class T, detail::RecordableOperand I>
recorded_address<T> operator+(const recorded_address<T>& p, const I& i) {
  return {p.base(), lanefold::convert<std::int64_t>(p.place() + i)};
}

namespace detail {

template <class P>
inline constexpr bool is_recorded_address = false;
template <class T>
inline constexpr bool is_recorded_address<recorded_address<T>> = true;

/// The pointer beneath an address, a pointer or an iterator.
template <class P>
auto* base_of(const P& p) {
  if constexpr (is_recorded_address<P>) {
    return p.base();
  } else {
    return std::to_address(p);
  }
}
template <class P>
using pointed_t = std::remove_cv_t<std::remove_pointer_t<decltype(detail::base_of(std::declval<const P&>()))>>;

template <class P, class I>
auto element_behind(const P& p, const I& i) {
  if constexpr (is_recorded_address<P>) {
    return p[i];
  } else {
    return detail::element(std::to_address(p), i);
  }
}

/// Returns how many elements [first, last) has: plain, if both are. Errors: errc::invalid if it ends before it begins,
/// which can be seen of plain ones.
template <class First, class Last>
auto length_between(const First& first, const Last& last) {
  const auto plain = static_cast<std::int64_t>(detail::base_of(last) - detail::base_of(first));
  if constexpr (is_recorded_address<First> && is_recorded_address<Last>) {
    return lanefold::convert<std::uint64_t>(last.place() - first.place() + plain);
  } else if constexpr (is_recorded_address<Last>) {
    return lanefold::convert<std::uint64_t>(last.place() + plain);
  } else if constexpr (is_recorded_address<First>) {
    return lanefold::convert<std::uint64_t>(plain - first.place());
  } else {
    return static_cast<std::uint64_t>(lanefold::detail::length_of(detail::base_of(first), detail::base_of(last)));
  }
}

/// The group whose work-items do it, which for scoped kernels is the work-group.
template <RecordedGroup G>
const G& group_for(const G& g, const char* /*function*/) {
  return g;
}
template <RecordedScopedGroup G>
auto group_for(const G& g, const char* function) {
  return converged_group(g, function);
}

/// A joint algorithm while it is recorded. What the work-items have written before is there for all of them, and what
/// they write is there behind it.
template <class G>
class joint_work {
public:
  explicit joint_work(const G& g)
      : m_group(g), m_flow(g.its_recorder()), m_could_store(g.its_recorder().allow_stores(true)) {
    group_barrier(m_group);
  }
  joint_work(const joint_work&) = delete;
  joint_work& operator=(const joint_work&) = delete;
  ~joint_work() { m_group.its_recorder().allow_stores(m_could_store); }

  [[nodiscard]] recorder& record() const { return m_group.its_recorder(); }
  [[nodiscard]] recorded_value<std::uint64_t> own() const {
    return lanefold::convert<std::uint64_t>(m_group.get_local_linear_id());
  }
  [[nodiscard]] auto size() const {
    const auto items = m_group.get_local_linear_range();
    if constexpr (std::is_integral_v<std::remove_const_t<decltype(items)>>) {
      return static_cast<std::uint64_t>(items);
    } else {
      return lanefold::convert<std::uint64_t>(items);
    }
  }

  /// body(i) for each element that is this work-item's.
  template <class Count, class Body>
  void for_own(const Count& count, const Body& body) const {
    m_flow.for_(own(), count, size(), body);
  }
  /// body(i, is_there) for the elements of a round, again and again: work-items come to it together.
  template <class Count, class Body>
  void for_rounds(const Count& count, const Body& body) const {
    m_flow.for_(std::uint64_t{0}, count, size(), [&](const auto& round) {
      const auto i = own() + round;
      body(i, i < count);
    });
  }
  /// body(i) for each element, by one work-item.
  template <class Count, class Body>
  void for_all(const Count& count, const Body& body) const {
    m_flow.if_(own() == std::uint64_t{0}, [&] { m_flow.for_(std::uint64_t{0}, count, body); });
  }
  template <class Condition, class Body>
  void if_(const Condition& condition, const Body& body) const {
    m_flow.if_(condition, body);
  }

private:
  const G& m_group;
  control_flow<recorded> m_flow;
  bool m_could_store;
};

/// The plain type of a number, a vector or a struct.
template <class X>
using joint_element_t = composite_of<recorded_element_t<X>>;

/// a op b, of numbers, vectors or structs.
template <class T, class Op, class A, class B>
recorded_value<T> joint_combined(recorder& r, Op& op, const A& a, const B& b) {
  if constexpr (RecordableNumber<T>) {
    return recorded_combined<T>(r, op, a, b);
  } else {
    const recorded_value<T> x(r, parts_of<T>(r, a)), y(r, parts_of<T>(r, b));
    if constexpr (goes_by_elements<T, Op>()) {
      using E = recorded_part_t<T>;
      return {r, make_parts<T>([&](std::size_t k) {
                return recorded_combined<E>(r, op, recorded_value<E>(r, x.parts()[k]),
                                            recorded_value<E>(r, y.parts()[k]))
                    .node();
              })};
    } else {
      return op(x, y);
    }
  }
}
/// An element or a plain value as one of type T.
template <class T, class X>
recorded_value<T> joint_value(recorder& r, const X& x) {
  if constexpr (RecordableNumber<T>) {
    return recorded_as<T>(r, x);
  } else {
    return {r, parts_of<T>(r, x)};
  }
}

/// All elements combined, with `start` before them if there is one.
template <class E, class G, class First, class Last, class Op, class... Start>
recorded_value<E> record_joint_reduce(const G& g, const First& first, const Last& last, Op& op, const Start&... start) {
  using T = pointed_t<First>;
  static_assert((RecordableNumber<T> && RecordableNumber<E>) || std::is_same_v<T, E>,
                "lanefold: joint algorithms of recorded kernels on vectors and structs have an init of their type");
  const joint_work work(g);
  recorder& r = work.record();
  const auto count = length_between(first, last);
  if constexpr (has_known_identity_v<Op, T> && std::is_same_v<T, E>) {
    recorded_variable<T> sum(r, T(known_identity_v<Op, T>));
    if constexpr (is_commutative_v<Op>) {
      work.for_own(count, [&](const auto& i) { sum = joint_combined<T>(r, op, sum, element_behind(first, i)); });
      return lanefold::reduce_over_group(g, sum, start..., op);
    } else {
      work.for_rounds(count, [&](const auto& i, const auto& is_there) {
        recorded_variable<T> x(r, T(known_identity_v<Op, T>));
        work.if_(is_there, [&] { x = element_behind(first, i); });
        sum = joint_combined<T>(r, op, sum, lanefold::reduce_over_group(g, x, op));
      });
      if constexpr (sizeof...(Start) == 0) {
        return sum;
      } else {
        return joint_combined<T>(r, op, start..., sum);
      }
    }
  } else {
    recorded_variable<E> sum(r, [&] {
      if constexpr (sizeof...(Start) == 0) {
        return E();
      } else {
        return (start, ...);
      }
    }());
    work.for_all(count, [&](const auto& i) {
      const auto next = joint_combined<E>(r, op, sum, element_behind(first, i));
      if constexpr (sizeof...(Start) == 0) {
        sum = lanefold::select(i == std::uint64_t{0}, joint_value<E>(r, element_behind(first, i)), next);
      } else {
        sum = next;
      }
    });
    return lanefold::group_broadcast(g, sum);
  }
}

/// Writes the scan of the elements to `result`, with `start` before them if there is one.
template <bool Exclusive, class E, class G, class First, class Last, class Out, class Op, class... Start>
auto record_joint_scan(const G& g, const First& first, const Last& last, const Out& result, Op& op,
                       const Start&... start) {
  static_assert((RecordableNumber<pointed_t<First>> && RecordableNumber<E>) || std::is_same_v<pointed_t<First>, E>,
                "lanefold: joint algorithms of recorded kernels on vectors and structs have an init of their type");
  constexpr bool has_start = sizeof...(Start) != 0;
  const auto count = length_between(first, last);
  {
    const joint_work work(g);
    recorder& r = work.record();
    const auto before = [&] {
      if constexpr (has_start) {
        return (start, ...);
      } else if constexpr (has_known_identity_v<Op, E>) {
        return E(known_identity_v<Op, E>);
      } else {
        return E();
      }
    }();
    recorded_variable<E> sum(r, before);
    if constexpr (has_known_identity_v<Op, E>) {
      work.for_rounds(count, [&](const auto& i, const auto& is_there) {
        recorded_variable<E> x(r, E(known_identity_v<Op, E>));
        work.if_(is_there, [&] { x = element_behind(first, i); });
        const auto own =
            Exclusive ? lanefold::exclusive_scan_over_group(g, x, op) : lanefold::inclusive_scan_over_group(g, x, op);
        const auto found = joint_combined<E>(r, op, sum, own);
        work.if_(is_there, [&] { element_behind(result, i) = found; });
        sum = joint_combined<E>(r, op, sum, lanefold::reduce_over_group(g, x, op));
      });
    } else {
      work.for_all(count, [&](const auto& i) {
        const recorded_variable<E> x(r, element_behind(first, i)); // result may be first
        const auto next = joint_combined<E>(r, op, sum, x);
        if constexpr (Exclusive) {
          element_behind(result, i) = sum;
          sum = next;
        } else {
          if constexpr (has_start) {
            sum = next;
          } else {
            sum = lanefold::select(i == std::uint64_t{0}, joint_value<E>(r, x), next);
          }
          element_behind(result, i) = sum;
        }
      });
    }
    group_barrier(g);
  }
  if constexpr (std::is_integral_v<std::remove_const_t<decltype(count)>> || is_recorded_address<Out>) {
    return result + count;
  } else {
    return base_of(result) + count;
  }
}

} // namespace detail

template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class BinaryOperation>
auto joint_reduce(const G& g, const First& first, const Last& last, BinaryOperation op) {
  return detail::record_joint_reduce<detail::pointed_t<First>>(detail::group_for(g, "joint_reduce"), first, last, op);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class T,
          class BinaryOperation>
auto joint_reduce(const G& g, const First& first, const Last& last, const T& init, BinaryOperation op) {
  return detail::record_joint_reduce<detail::joint_element_t<T>>(detail::group_for(g, "joint_reduce"), first, last, op,
                                                                 init);
}

template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class Out, class T,
          class BinaryOperation>
auto joint_exclusive_scan(const G& g, const First& first, const Last& last, const Out& result, const T& init,
                          BinaryOperation op) {
  return detail::record_joint_scan<true, detail::joint_element_t<T>>(detail::group_for(g, "joint_exclusive_scan"),
                                                                     first, last, result, op, init);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class Out,
          class BinaryOperation>
auto joint_exclusive_scan(const G& g, const First& first, const Last& last, const Out& result, BinaryOperation op) {
  using T = detail::pointed_t<Out>;
  static_assert(has_known_identity_v<BinaryOperation, T>,
                "lanefold: joint_exclusive_scan without init needs a known_identity of operator and element type");
  return detail::record_joint_scan<true, T>(detail::group_for(g, "joint_exclusive_scan"), first, last, result, op);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class Out,
          class BinaryOperation, class T>
auto joint_inclusive_scan(const G& g, const First& first, const Last& last, const Out& result, BinaryOperation op,
                          const T& init) {
  return detail::record_joint_scan<false, detail::joint_element_t<T>>(detail::group_for(g, "joint_inclusive_scan"),
                                                                      first, last, result, op, init);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class Out,
          class BinaryOperation>
auto joint_inclusive_scan(const G& g, const First& first, const Last& last, const Out& result, BinaryOperation op) {
  return detail::record_joint_scan<false, detail::pointed_t<Out>>(detail::group_for(g, "joint_inclusive_scan"), first,
                                                                  last, result, op);
}

template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class Predicate>
recorded_value<bool> joint_any_of(const G& given, const First& first, const Last& last, Predicate predicate) {
  const auto& g = detail::group_for(given, "joint_any_of");
  const detail::joint_work work(g);
  recorded_variable<bool> found(work.record(), false);
  work.for_own(detail::length_between(first, last),
               [&](const auto& i) { found = found || predicate(detail::element_behind(first, i)); });
  return lanefold::any_of_group(g, found);
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class Predicate>
recorded_value<bool> joint_all_of(const G& g, const First& first, const Last& last, Predicate predicate) {
  return !lanefold::joint_any_of(g, first, last, [&](const auto& x) { return !predicate(x); });
}
template <algorithm A = algorithm::automatic, detail::RecordedGroup G, class First, class Last, class Predicate>
recorded_value<bool> joint_none_of(const G& g, const First& first, const Last& last, Predicate predicate) {
  return !lanefold::joint_any_of(g, first, last, predicate);
}

template <detail::RecordedGroup G, class First, class Last, class Body>
void joint_for(const G& g, const First& first, const Last& last, Body&& body) {
  detail::recorder& r = g.its_recorder();
  r.check_converged("joint_for");
  const control_flow<recorded> flow(r);
  flow.for_(lanefold::convert<std::size_t>(g.get_local_linear_id()) + first, last, g.get_local_linear_range(), body);
}

LANEFOLD_END_NAMESPACE
