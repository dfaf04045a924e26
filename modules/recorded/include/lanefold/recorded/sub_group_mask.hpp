// SPDX-License-Identifier: Apache-2.0
/// Sets of work-items of a recorded kernel's sub-group, or of a part of one. See group_algorithms/sub_group_mask.hpp.
#pragma once

#include <lanefold/group_algorithms/sub_group_mask.hpp>
#include <lanefold/recorded/integer_functions.hpp>
#include <lanefold/recorded/partition.hpp>

#include <array>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Is returned by `group_ballot` in recorded kernels: one bit for each work-item of a group of up to 256. Each
/// work-item has the whole set as a variable of its own, the same in all of them as long as they change it alike, so
/// that it is asked and changed in any code. Numbers and conditions are recorded; positions, numbers and conditions
/// that it takes may be plain. A copy is a variable of its own.
class recorded_sub_group_mask {
  using word = recorded_value<std::uint64_t>;
  static constexpr std::size_t words = sub_group_mask::max_bits / 64;
  using all_words = std::array<word, words>;

public:
  using value = recorded_value<std::uint32_t>;
  using position = recorded_coordinate<std::uint32_t>;
  static constexpr std::size_t max_bits = sub_group_mask::max_bits;

  /// One bit of a mask: a condition that can be assigned to. It refers to the mask, which must outlive it.
  class reference {
  public:
    using recorded_element_type = bool;

    reference(const reference&) = default;
    reference& operator=(const reference& x) { return *this = x.recorded(); }
    template <class Condition>
      requires detail::RecordedBools<Condition>
    reference& operator=(const Condition& x) {
      m_mask->set(m_place, x);
      return *this;
    }
    reference& flip() {
      m_mask->flip(m_place);
      return *this;
    }
    [[nodiscard]] recorded_value<bool> operator~() const { return !recorded(); }
    explicit operator bool() const = delete; // no plain if on recorded values: it.if_, it.while_, select

    /// Only the library calls these.
    [[nodiscard]] recorded_value<bool> recorded() const { return m_mask->test(m_place); }
    [[nodiscard]] detail::recorder& its_recorder() const { return m_mask->its_recorder(); }

  private:
    friend class recorded_sub_group_mask;
    reference(recorded_sub_group_mask& of, const value& place) : m_mask(&of), m_place(place) {}

    recorded_sub_group_mask* m_mask;
    value m_place;
  };

  /// Work-items that the group has.
  [[nodiscard]] value size() const { return m_size; }

  template <class I>
  [[nodiscard]] recorded_value<bool> operator[](const I& i) const {
    return test(i);
  }
  template <class I>
  [[nodiscard]] reference operator[](const I& i) {
    return reference(*this, place_of(i));
  }
  template <class I>
  [[nodiscard]] recorded_value<bool> test(const I& i) const {
    return (bits_from(place_of(i)) & std::uint64_t{1}) != std::uint64_t{0};
  }
  [[nodiscard]] recorded_value<bool> any() const { return (at(0) | at(1) | at(2) | at(3)) != std::uint64_t{0}; }
  [[nodiscard]] recorded_value<bool> none() const { return !any(); }
  [[nodiscard]] recorded_value<bool> all() const { return count() == size(); }
  /// Counts the bits that are set.
  [[nodiscard]] value count() const {
    return lanefold::convert<std::uint32_t>(lanefold::popcount(at(0)) + lanefold::popcount(at(1)) +
                                            lanefold::popcount(at(2)) + lanefold::popcount(at(3)));
  }
  /// The lowest bit that is set, `size()` if none is.
  [[nodiscard]] position find_low() const {
    return first_of(0, 1, [](const word& w) { return lanefold::ctz(w); });
  }
  /// The highest bit that is set, `size()` if none is.
  [[nodiscard]] position find_high() const {
    return first_of(words - 1, -1, [](const word& w) { return std::uint64_t{63} - lanefold::clz(w); });
  }

  /// Overwrites the bits from a position on with those of `bits`, as many as it has.
  template <detail::RecordableOperand T, class I = std::uint32_t>
    requires std::is_integral_v<detail::recorded_element_t<T>>
  void insert_bits(const T& bits, const I& from = 0) {
    using E = detail::recorded_element_t<T>;
    using U = std::make_unsigned_t<E>;
    const value first = place_of(from);
    const word ones = literal(static_cast<U>(~U(0)));
    const word inserted =
        detail::recorded_as<std::uint64_t>(its_recorder(), detail::recorded_as<U>(its_recorder(), bits));
    set_words([&](std::size_t k) {
      return (at(k) & ~moved(ones, distance(k, first))) | (moved(inserted, distance(k, first)) & used(size(), k));
    });
  }
  /// Does so with the bits of all elements, those of the first one first.
  template <class T, std::size_t N, class I = std::uint32_t>
    requires std::is_integral_v<T>
  void insert_bits(const marray<T, N>& bits, const I& from = 0) {
    const value first = place_of(from);
    for (std::size_t i = 0; i < N; ++i) {
      insert_bits(bits[i], first + static_cast<std::uint32_t>(i * sizeof(T) * CHAR_BIT));
    }
  }
  /// Overwrites a variable with the bits from a position on, as many as it has; bits beyond the group are 0.
  template <class T, class I = std::uint32_t>
    requires std::is_integral_v<T>
  void extract_bits(recorded_variable<T>& bits, const I& from = 0) const {
    bits = lanefold::convert<T>(bits_from(place_of(from)));
  }

  void set() {
    set_words([&](std::size_t k) { return used(size(), k); });
  }
  template <class I, class Condition = bool>
    requires detail::RecordedBools<Condition>
  void set(const I& i, const Condition& x = true) {
    const value place = place_of(i);
    const recorded_value<bool> becomes = detail::recorded_as<bool>(its_recorder(), x);
    set_words([&](std::size_t k) {
      const word bit = bit_of(place, k);
      return lanefold::select(becomes, at(k) | bit, at(k) & ~bit);
    });
  }
  void reset() {
    set_words([&](std::size_t) { return literal(0); });
  }
  template <class I>
  void reset(const I& i) {
    const value place = place_of(i);
    set_words([&](std::size_t k) { return at(k) & ~bit_of(place, k); });
  }
  // No bit is at size(), which find_low and find_high give where none is set.
  void reset_low() { reset(find_low()); }
  void reset_high() { reset(find_high()); }
  void flip() { *this = ~*this; }
  template <class I>
  void flip(const I& i) {
    const value place = place_of(i);
    set_words([&](std::size_t k) { return at(k) ^ bit_of(place, k); });
  }

  friend recorded_value<bool> operator==(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return ((a.at(0) ^ b.at(0)) | (a.at(1) ^ b.at(1)) | (a.at(2) ^ b.at(2)) | (a.at(3) ^ b.at(3))) ==
               std::uint64_t{0} &&
           a.size() == b.size();
  }
  friend recorded_value<bool> operator!=(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return !(a == b);
  }
  friend recorded_sub_group_mask operator~(const recorded_sub_group_mask& a) {
    return a.made_of([&](std::size_t k) { return ~a.at(k) & used(a.size(), k); });
  }
  recorded_sub_group_mask& operator&=(const recorded_sub_group_mask& b) { return *this = *this & b; }
  recorded_sub_group_mask& operator|=(const recorded_sub_group_mask& b) { return *this = *this | b; }
  recorded_sub_group_mask& operator^=(const recorded_sub_group_mask& b) { return *this = *this ^ b; }
  template <detail::RecordableOperand N>
  recorded_sub_group_mask& operator<<=(const N& n) {
    return *this = *this << n;
  }
  template <detail::RecordableOperand N>
  recorded_sub_group_mask& operator>>=(const N& n) {
    return *this = *this >> n;
  }
  friend recorded_sub_group_mask operator&(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return a.made_of([&](std::size_t k) { return a.at(k) & b.at(k); });
  }
  friend recorded_sub_group_mask operator|(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return a.made_of([&](std::size_t k) { return a.at(k) | (b.at(k) & used(a.size(), k)); });
  }
  friend recorded_sub_group_mask operator^(const recorded_sub_group_mask& a, const recorded_sub_group_mask& b) {
    return a.made_of([&](std::size_t k) { return a.at(k) ^ (b.at(k) & used(a.size(), k)); });
  }
  /// Bits move up by `n` places; those beyond the group are lost.
  template <detail::RecordableOperand N>
  friend recorded_sub_group_mask operator<<(const recorded_sub_group_mask& a, const N& n) {
    const value places = a.places_of(n);
    return a.made_of([&](std::size_t k) { return a.bits_from(first_bit(k) - places) & used(a.size(), k); });
  }
  template <detail::RecordableOperand N>
  friend recorded_sub_group_mask operator>>(const recorded_sub_group_mask& a, const N& n) {
    const value places = a.places_of(n);
    return a.made_of([&](std::size_t k) { return a.bits_from(first_bit(k) + places); });
  }

  /// Only the library calls these. `word_of(k)` are the bits [64 k, 64 k + 64).
  template <class F>
  recorded_sub_group_mask(const value& size, F word_of)
      : m_size(size.its_recorder(), size), m_words(variables(size.its_recorder(), read(word_of))) {}
  [[nodiscard]] detail::recorder& its_recorder() const { return m_size.its_recorder(); }
  /// Returns the bits [64 k, 64 k + 64).
  [[nodiscard]] word at(std::size_t k) const { return m_words[k].recorded(); }
  /// Returns those of word k that work-items of a group of this size have.
  static word used(const value& size, std::size_t k) {
    return detail::recorded_call<std::uint64_t, std::int32_t>("lf_low_bits",
                                                              lanefold::convert<std::int32_t>(size - first_bit(k)));
  }
  /// Returns 64 bits from a position on, which may be beyond the mask, also below it.
  [[nodiscard]] word bits_from(const value& from) const {
    const auto part = [&](std::size_t k) { return moved(at(k), lanefold::convert<std::int32_t>(from - first_bit(k))); };
    return part(0) | part(1) | part(2) | part(3);
  }

private:
  using variable = recorded_variable<std::uint64_t>;

  template <class F>
  static all_words read(F word_of) {
    return {word_of(0), word_of(1), word_of(2), word_of(3)};
  }
  static std::array<variable, words> variables(detail::recorder& r, const all_words& all) {
    return {variable(r, all[0]), variable(r, all[1]), variable(r, all[2]), variable(r, all[3])};
  }
  template <class F>
  [[nodiscard]] recorded_sub_group_mask made_of(F word_of) const {
    return {size(), word_of};
  }
  /// All of them are computed before the first one changes.
  template <class F>
  void set_words(F word_of) {
    const all_words all = read(word_of);
    for (std::size_t k = 0; k < words; ++k) {
      m_words[k] = all[k];
    }
  }

  [[nodiscard]] word literal(std::uint64_t bits) const {
    return {its_recorder(), its_recorder().literal(detail::recorded_type::u64, bits)};
  }
  static constexpr std::uint32_t first_bit(std::size_t k) { return static_cast<std::uint32_t>(64 * k); }
  /// How far bits move down that go to word k from a position on, and are written to `to`.
  static recorded_value<std::int32_t> distance(std::size_t k, const value& to) {
    return lanefold::convert<std::int32_t>(first_bit(k) - to);
  }
  /// The bits of x moved down, up if `by` is negative.
  static word moved(const word& x, const recorded_value<std::int32_t>& by) {
    detail::recorder& r = x.its_recorder();
    return {r,
            r.add(detail::recorded_op::call, detail::recorded_type::u64, r.text("lf_moved_bits"), x.node(), by.node())};
  }
  /// The bit of a position, in word k.
  [[nodiscard]] word bit_of(const value& place, std::size_t k) const {
    return moved(literal(1), distance(k, place)) & used(size(), k);
  }
  /// A position: a number or an id, plain or recorded.
  template <class I>
  [[nodiscard]] value place_of(const I& i) const {
    if constexpr (requires { i.get(0); }) {
      return detail::recorded_as<std::uint32_t>(its_recorder(), i.get(0));
    } else {
      return detail::recorded_as<std::uint32_t>(its_recorder(), i);
    }
  }
  /// How far to move, at most over all bits.
  template <class N>
  [[nodiscard]] value places_of(const N& n) const {
    const auto wide = detail::recorded_as<std::size_t>(its_recorder(), n);
    return lanefold::convert<std::uint32_t>(lanefold::min(wide, max_bits));
  }
  /// The first bit that is set, word by word from `first` on; `in_word` finds it in one.
  template <class F>
  [[nodiscard]] position first_of(std::size_t first, int step, F in_word) const {
    detail::node_number found = size().node();
    for (std::size_t n = words; n-- > 0;) {
      const std::size_t k = step > 0 ? first + n : first - n;
      const word w = at(k);
      const value here = lanefold::convert<std::uint32_t>(in_word(w)) + first_bit(k);
      found = lanefold::select(w != std::uint64_t{0}, here, value(its_recorder(), found)).node();
    }
    return value(its_recorder(), found);
  }

  recorded_variable<std::uint32_t> m_size;
  std::array<variable, words> m_words;
};

namespace detail {

/// The set of what the work-items of a sub-group give as `bit`; 256 is none.
inline recorded_sub_group_mask mask_of_bits(const sub_group_of<recorded>& g, const recorded_value<std::uint32_t>& size,
                                            const recorded_value<std::uint32_t>& bit) {
  recorder& r = g.its_recorder();
  return {size, [&](std::size_t k) {
            return recorded_collective<std::uint64_t>(r, "group_ballot", "lf_sub_group_bits", false, bit.node(),
                                                      r.plain(static_cast<std::uint32_t>(k)));
          }};
}

inline recorded_sub_group_mask ballot(const sub_group_of<recorded>& g, const recorded_value<bool>& holds) {
  constexpr auto none = static_cast<std::uint32_t>(sub_group_mask::max_bits);
  return mask_of_bits(g, g.get_local_linear_range(), lanefold::select(holds, g.get_local_linear_id(), none));
}
/// A chunk takes its bits out of those of the sub-group.
template <std::size_t N>
recorded_sub_group_mask ballot(const sub_group_chunk<N, recorded>& g, const recorded_value<bool>& holds) {
  const recorded_sub_group_mask all = ballot(g.parent(), holds);
  const auto first = g.lane_of(recorded_as<std::uint32_t>(g.its_recorder(), 0U));
  const auto size = g.get_local_linear_range();
  return {size, [&](std::size_t k) {
            return all.bits_from(first + static_cast<std::uint32_t>(64 * k)) & recorded_sub_group_mask::used(size, k);
          }};
}
/// Both parts of the sub-group at once, by their work-items' positions.
inline recorded_sub_group_mask ballot(const sub_group_fragment<recorded>& g, const recorded_value<bool>& holds) {
  constexpr auto none = static_cast<std::uint32_t>(sub_group_mask::max_bits);
  const auto size = g.get_local_linear_range(), place = g.get_local_linear_id();
  const auto yes = mask_of_bits(g.parent(), size, lanefold::select(holds && g.condition(), place, none));
  const auto no = mask_of_bits(g.parent(), size, lanefold::select(holds && !g.condition(), place, none));
  return {size, [&](std::size_t k) { return lanefold::select(g.condition(), yes.at(k), no.at(k)); }};
}

} // namespace detail

/// The work-items for which `predicate` holds. Cost: a reduction of the sub-group for each 32 or 64 work-items that it
/// may have; what the mask is asked costs operations on these bits.
/// Errors: errc::kernel in divergent code; errc::kernel_not_supported, when the kernel is launched, for work-groups of
/// more than 256 work-items on devices that do not say how large their sub-groups are.
template <detail::RecordedSubGroup G, class Condition = bool>
recorded_sub_group_mask group_ballot(const G& g, const Condition& predicate = true) {
  static_assert(detail::RecordedBools<Condition>, "lanefold: a ballot needs a condition: a recorded bool or a bool");
  return detail::ballot(g, detail::recorded_as<bool>(g.its_recorder(), predicate));
}

LANEFOLD_END_NAMESPACE
