// SPDX-License-Identifier: Apache-2.0
/// Sets of work-items of a recorded kernel's sub-group, or of a part of one. See group_algorithms/sub_group_mask.hpp.
#pragma once

#include <lanefold/group_algorithms/sub_group_mask.hpp>
#include <lanefold/recorded/partition.hpp>

#include <climits>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// The position of a bit: a value, and an id of one dimension, as plain masks give it.
class recorded_bit_position : public recorded_value<std::uint32_t> {
public:
  /// Only the library calls this.
  explicit recorded_bit_position(const recorded_value<std::uint32_t>& place) : recorded_value<std::uint32_t>(place) {}
  [[nodiscard]] recorded_value<std::uint32_t> get(int /*dimension*/) const { return *this; }
  [[nodiscard]] recorded_value<std::uint32_t> operator[](int dimension) const { return get(dimension); }
};

/// Is returned by `group_ballot` in recorded kernels. Each work-item keeps its own bit: what is asked of the others is
/// a function of the group, to be called by all its work-items in converged code (errc::kernel otherwise). Numbers are
/// recorded; a mask does not change, but masks of one group combine to others.
template <class G>
class recorded_sub_group_mask {
public:
  using value = recorded_value<std::uint32_t>;

  /// Only the library calls this.
  recorded_sub_group_mask(const G& g, const recorded_value<bool>& own) : m_group(g), m_own(own) {}

  /// Work-items that the group has.
  [[nodiscard]] value size() const { return m_group.get_local_linear_range(); }
  template <class I>
  [[nodiscard]] recorded_value<bool> test(const I& i) const {
    const value place = detail::recorded_as<std::uint32_t>(m_group.its_recorder(), i);
    return lanefold::select_from_group(m_group, lanefold::convert<std::uint32_t>(m_own), place) != 0U && place < size();
  }
  template <class I>
  [[nodiscard]] recorded_value<bool> operator[](const I& i) const {
    return test(i);
  }
  [[nodiscard]] recorded_value<bool> any() const { return lanefold::any_of_group(m_group, m_own); }
  [[nodiscard]] recorded_value<bool> all() const { return lanefold::all_of_group(m_group, m_own); }
  [[nodiscard]] recorded_value<bool> none() const { return lanefold::none_of_group(m_group, m_own); }
  /// Counts the bits that are set.
  [[nodiscard]] value count() const {
    return lanefold::reduce_over_group(m_group, lanefold::convert<std::uint32_t>(m_own), plus<>());
  }
  /// The lowest bit that is set, `size()` if none is.
  [[nodiscard]] recorded_bit_position find_low() const {
    return recorded_bit_position(
        lanefold::reduce_over_group(m_group, lanefold::select(m_own, place(), size()), minimum<>()));
  }
  /// The highest bit that is set, `size()` if none is.
  [[nodiscard]] recorded_bit_position find_high() const {
    const value behind = lanefold::reduce_over_group(m_group, lanefold::select(m_own, place() + 1U, 0U), maximum<>());
    return recorded_bit_position(lanefold::select(behind == 0U, size(), behind - 1U));
  }
  /// Overwrites a variable with the bits from `position` on, as many as it has; bits beyond the group are 0.
  template <class T, class I = std::uint32_t>
  void extract_bits(recorded_variable<T>& bits, const I& position = 0) const {
    static_assert(std::is_integral_v<T>, "lanefold: extract_bits takes a variable of integers");
    constexpr auto width = static_cast<std::uint32_t>(sizeof(T) * CHAR_BIT);
    const value above = place() - detail::recorded_as<std::uint32_t>(m_group.its_recorder(), position);
    const auto own = lanefold::select(m_own & (above < width), std::uint64_t{1}, std::uint64_t{0});
    bits = lanefold::convert<T>(lanefold::reduce_over_group(m_group, own << (above & 63U), bit_or<>()));
  }

  friend recorded_sub_group_mask operator~(const recorded_sub_group_mask& a) { return {a.m_group, !a.m_own}; }
  friend recorded_sub_group_mask operator&(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return {a.m_group, a.m_own & b.m_own};
  }
  friend recorded_sub_group_mask operator|(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return {a.m_group, a.m_own | b.m_own};
  }
  friend recorded_sub_group_mask operator^(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return {a.m_group, a.m_own ^ b.m_own};
  }

private:
  [[nodiscard]] value place() const { return m_group.get_local_linear_id(); }

  G m_group;
  recorded_value<bool> m_own;
};

/// The work-items for which `predicate` holds. Cost: none; what the mask is asked costs a function of the group.
template <detail::RecordedSubGroup G, class Condition = bool>
recorded_sub_group_mask<G> group_ballot(const G& g, const Condition& predicate = true) {
  static_assert(detail::RecordedBools<Condition>, "lanefold: a ballot needs a condition: a recorded bool or a bool");
  return {g, detail::recorded_as<bool>(g.its_recorder(), predicate)};
}

LANEFOLD_END_NAMESPACE
