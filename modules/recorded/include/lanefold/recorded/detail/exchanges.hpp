// SPDX-License-Identifier: Apache-2.0
/// Steps of networks in which the work-items of a group exchange values by the bits of their positions.
#pragma once

#include <lanefold/recorded/control_flow.hpp>
#include <lanefold/recorded/group_algorithms.hpp>
#include <lanefold/recorded/integer_functions.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is a vec or a struct, plain or recorded, that work-items exchange.
template <class X>
concept GroupComposite = RecordedComposite<X> || RecordableComposite<X>;

/// f of each part of the operands, which are composites of one type.
template <class G, class F, class X, class... Rest>
auto recorded_by_part(const G& g, F f, const X& x, const Rest&... rest) {
  using C = composite_of<X>;
  static_assert((std::is_same_v<composite_of<Rest>, C> && ...),
                "lanefold: the vectors of a group algorithm are of one type");
  using P = recorded_part_t<C>;
  recorder& r = g.its_recorder();
  const std::tuple parts(parts_of<C>(r, x), parts_of<C>(r, rest)...);
  return recorded_value<C>(
      r, make_parts<C>([&](std::size_t k) {
        return std::apply([&](const auto&... each) { return f(recorded_value<P>(r, each[k])...).node(); }, parts);
      }));
}

/// The value of the work-item whose position differs in the bits of `mask`. `algorithm` is for messages.
template <class G, class T, class Mask>
auto value_across(const G& g, const char* algorithm, const T& x, const Mask& mask) {
  if constexpr (GroupComposite<T>) {
    return recorded_by_part(g, [&](const auto& part) { return detail::value_across(g, algorithm, part, mask); }, x);
  } else {
    recorder& r = g.its_recorder();
    return recorded_access<G>::exchanged(g, algorithm, exchange_by::by_xor, recorded_as<recorded_element_t<T>>(r, x),
                                         recorded_as<std::uint32_t>(r, mask));
  }
}

/// Returns how many work-items a group may have: a plain number, but for sub-groups and their fragments.
template <class G>
auto most_items_of(const G& g) {
  if constexpr (requires { G::chunk_size; }) {
    return G::chunk_size;
  } else if constexpr (RecordedSubGroup<G>) {
    return recorded_query<std::uint32_t>(g.its_recorder(), "LF_SUB_GROUP_SIZE", recorded_type::u32, true);
  } else {
    return g.get_local_linear_range();
  }
}

/// The number of bits that the positions of so many work-items have: the least k of which 2^k is not less.
template <class Count>
auto bits_of_positions(const Count& count) {
  if constexpr (RecordedOperand<Count>) {
    const auto last = lanefold::convert<std::uint32_t>(count) - 1U;
    return lanefold::select(last + 1U == 0U, 0U, 32U - lanefold::clz(last));
  } else {
    return static_cast<std::uint32_t>(count <= 1 ? 0 : std::bit_width(static_cast<std::uint64_t>(count) - 1));
  }
}

/// Scans vectors or structs of type C over a group, with any operator: in each step blocks of neighbours become twice
/// as large, and the work-items of the upper half get the total of the lower one, which is whole. Cost: an exchange for
/// each part of C in each of the log2(n) steps; three calls of the operator.
template <class C, class Op>
class exchanged_scan {
public:
  template <class G, class X>
  exchanged_scan(const G& g, const char* algorithm, const X& x, Op& op)
      : m_operator(op), m_position(recorded_as<std::uint32_t>(g.its_recorder(), g.get_local_linear_id())),
        m_own(g.its_recorder(), parts_of<C>(g.its_recorder(), x)), m_before(g.its_recorder(), m_own) {
    recorded_variable<C> total(g.its_recorder(), m_own);
    const control_flow<recorded> flow(g.its_recorder());
    flow.for_(0U, bits_of_positions(most_items_of(g)), [&](const auto& bit) {
      const auto distance = 1U << bit;
      const value mine = total, before = m_before, other = value_across(g, algorithm, mine, distance);
      const auto is_upper = (m_position & distance) != 0U;
      const auto is_first = (m_position & (distance - 1U)) == 0U; // of its half
      const value with_other = op(other, mine);
      m_before = lanefold::select(is_upper, lanefold::select(is_first, other, value(op(other, before))), before);
      total = lanefold::select(is_upper, with_other, value(op(mine, other)));
    });
  }

  using value = recorded_value<C>;
  [[nodiscard]] value inclusive() const {
    return lanefold::select(m_position == 0U, m_own, value(m_operator(value(m_before), m_own)));
  }
  template <class Init>
  [[nodiscard]] value inclusive(const Init& init) const {
    return m_operator(as_value(init), inclusive());
  }
  template <class Init>
  [[nodiscard]] value exclusive(const Init& init) const {
    const value first = as_value(init);
    return lanefold::select(m_position == 0U, first, value(m_operator(first, value(m_before))));
  }

private:
  template <class X>
  [[nodiscard]] value as_value(const X& x) const {
    recorder& r = m_own.its_recorder();
    return {r, parts_of<C>(r, x)};
  }

  Op& m_operator;
  recorded_value<std::uint32_t> m_position;
  value m_own;
  recorded_variable<C> m_before; ///< all values before the own one; unspecified for the first work-item
};

} // namespace detail
LANEFOLD_END_NAMESPACE
