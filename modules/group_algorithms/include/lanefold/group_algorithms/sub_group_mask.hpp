// SPDX-License-Identifier: Apache-2.0
/// Sets of work-items of a sub-group. Named after sycl_ext_oneapi_sub_group_mask.
#pragma once

#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/id.hpp>
#include <lanefold/memory/marray.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/mask.hpp>
#include <lanefold/simd/select.hpp>
#include <lanefold/simd/variable.hpp>

#include <bit>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <class I>
using varying_position_t = std::remove_cvref_t<decltype(detail::index_value(std::declval<const I&>()))>;
/// Is an integer for each lane: a varying, a variable, a lane index.
template <class I>
concept VaryingPosition = !std::is_arithmetic_v<I> && is_varying_v<varying_position_t<I>>;

} // namespace detail

/// One bit for each work-item of a sub-group of up to 256, bit i for the one at position i. Uniform, a plain value.
class sub_group_mask {
public:
  /// The most work-items of a sub-group: the bits that every mask has room for.
  static constexpr std::size_t max_bits = 256;

  /// One bit of a mask that can be assigned to. It refers to the mask, which must outlive it.
  class reference {
  public:
    constexpr reference(const reference&) = default;
    /// Sets the bit of the mask to `x`.
    constexpr reference& operator=(bool x) {
      m_mask->set(m_place, x);
      return *this;
    }
    /// Assigns the bit, as std::bitset does.
    constexpr reference& operator=(const reference& x) { return *this = static_cast<bool>(x); }
    /// Returns the bit as it is now.
    [[nodiscard]] constexpr operator bool() const { return m_mask->test(m_place); }
    /// Returns the opposite of the bit; the mask stays as it is.
    [[nodiscard]] constexpr bool operator~() const { return !m_mask->test(m_place); }
    /// Turns the bit of the mask over.
    constexpr reference& flip() {
      m_mask->flip(m_place);
      return *this;
    }

  private:
    friend class sub_group_mask;
    constexpr reference(sub_group_mask& of, id<1> place) : m_mask(&of), m_place(place) {}

    sub_group_mask* m_mask;
    id<1> m_place;
  };

  /// Empty, for a sub-group of `size` work-items.
  constexpr explicit sub_group_mask(std::size_t size = 0) : m_size(static_cast<std::uint32_t>(size)) {}

  /// Work-items that the sub-group has.
  [[nodiscard]] constexpr std::uint32_t size() const { return m_size; }

  /// The bit at position `i`: a bool of a constant mask, else a reference that can be assigned to.
  [[nodiscard]] constexpr bool operator[](id<1> i) const { return test(i); }
  [[nodiscard]] constexpr reference operator[](id<1> i) { return reference(*this, i); }
  /// Returns whether the bit at position `i` is set; false for positions from `size()` on.
  [[nodiscard]] constexpr bool test(id<1> i) const {
    return i[0] < m_size && (m_words[i[0] / 64] >> (i[0] % 64) & 1) != 0;
  }
  /// Returns the mask of the lanes whose bit is set, where each lane asks for a position of its own.
  template <detail::VaryingPosition I>
  [[nodiscard]] auto operator[](const I& i) const {
    return test(i);
  }
  /// Returns the mask of the lanes whose bit is set, as the operator does.
  template <detail::VaryingPosition I>
  [[nodiscard]] auto test(const I& i) const {
    using V = detail::varying_position_t<I>;
    using M = mask<V::size(), typename V::isa>;
    const auto places = V(detail::index_value(i)).to_array();
    std::uint64_t bits[M::words] = {};
    for (std::size_t lane = 0; lane < V::size(); ++lane) {
      bits[lane / 64] |= std::uint64_t{test(id<1>(static_cast<std::size_t>(places[lane])))} << (lane % 64);
    }
    return M::from_words(bits);
  }
  /// Returns whether any bit is set.
  [[nodiscard]] constexpr bool any() const { return count() != 0; }
  /// Returns whether no bit is set.
  [[nodiscard]] constexpr bool none() const { return count() == 0; }
  /// Returns whether the bits of all `size()` work-items are set; true for a mask of none.
  [[nodiscard]] constexpr bool all() const { return count() == m_size; }
  /// Counts the bits that are set.
  [[nodiscard]] constexpr std::uint32_t count() const {
    // Not as a loop: g++ 12 vectorises that wrongly (-O2, AVX512_VPOPCNTDQ, a size that is known).
    return static_cast<std::uint32_t>(std::popcount(m_words[0]) + std::popcount(m_words[1]) +
                                      std::popcount(m_words[2]) + std::popcount(m_words[3]));
  }
  /// The lowest bit that is set, `size()` if none is.
  [[nodiscard]] constexpr id<1> find_low() const {
    for (std::size_t k = 0; k < words; ++k) {
      if (m_words[k] != 0) {
        return id<1>(64 * k + static_cast<std::size_t>(std::countr_zero(m_words[k])));
      }
    }
    return id<1>(m_size);
  }
  /// The highest bit that is set, `size()` if none is.
  [[nodiscard]] constexpr id<1> find_high() const {
    for (std::size_t k = words; k-- > 0;) {
      if (m_words[k] != 0) {
        return id<1>(64 * k + 63 - static_cast<std::size_t>(std::countl_zero(m_words[k])));
      }
    }
    return id<1>(m_size);
  }

  /// Overwrites the bits from `position` on with those of `bits`, as many as it has.
  template <class T>
    requires std::is_integral_v<T>
  constexpr void insert_bits(T bits, id<1> position = 0) {
    for (std::size_t k = 0; k < sizeof(T) * CHAR_BIT && position[0] + k < m_size; ++k) {
      set(id<1>(position[0] + k), (static_cast<std::uint64_t>(bits) >> k & 1) != 0);
    }
  }
  /// Does so with the bits of all elements, those of the first one first.
  template <class T, std::size_t N>
    requires std::is_integral_v<T>
  constexpr void insert_bits(const marray<T, N>& bits, id<1> position = 0) {
    for (std::size_t i = 0; i < N; ++i) {
      insert_bits(bits[i], id<1>(position[0] + i * sizeof(T) * CHAR_BIT));
    }
  }
  /// Overwrites `bits` with the bits from `position` on; bits beyond the sub-group are 0.
  template <class T>
    requires std::is_integral_v<T>
  constexpr void extract_bits(T& bits, id<1> position = 0) const {
    std::uint64_t found = 0;
    for (std::size_t k = 0; k < sizeof(T) * CHAR_BIT; ++k) {
      found |= std::uint64_t{test(id<1>(position[0] + k))} << k;
    }
    bits = static_cast<T>(found);
  }
  /// Does so with a variable of each work-item of lanes, `it.var(0U)`.
  template <class T, class Lanes, class Where>
    requires std::is_integral_v<T>
  void extract_bits(variable<T, Lanes, Where>& bits, id<1> position = 0) const {
    T found{};
    extract_bits(found, position);
    bits = found;
  }
  /// Does so with all elements, the first one first.
  template <class T, std::size_t N>
    requires std::is_integral_v<T>
  constexpr void extract_bits(marray<T, N>& bits, id<1> position = 0) const {
    for (std::size_t i = 0; i < N; ++i) {
      extract_bits(bits[i], id<1>(position[0] + i * sizeof(T) * CHAR_BIT));
    }
  }

  /// Sets the bits of all work-items.
  constexpr void set() {
    for (std::size_t k = 0; k < words; ++k) {
      m_words[k] = used(k);
    }
  }
  /// Sets the bit at position `i`, which is below `max_bits`, to `value`. It does nothing for positions from `size()`
  /// on.
  constexpr void set(id<1> i, bool value = true) {
    const std::uint64_t bit = std::uint64_t{1} << (i[0] % 64);
    std::uint64_t& word = m_words[i[0] / 64 % words];
    word = (value ? word | bit : word & ~bit) & used(i[0] / 64 % words);
  }
  /// Clears all bits.
  constexpr void reset() { *this = sub_group_mask(m_size); }
  /// Clears the bit at position `i`, as `set(i, false)`.
  constexpr void reset(id<1> i) { set(i, false); }
  /// Clears the lowest bit that is set; it does nothing if none is.
  constexpr void reset_low() {
    if (any()) {
      reset(find_low());
    }
  }
  /// Clears the highest bit that is set; it does nothing if none is.
  constexpr void reset_high() {
    if (any()) {
      reset(find_high());
    }
  }
  /// Turns the bits of all work-items over.
  constexpr void flip() { *this = ~*this; }
  /// Turns the bit at position `i` over, which is below `max_bits`. It does nothing for positions from `size()` on.
  constexpr void flip(id<1> i) { set(i, !test(i)); }

  /// Equal if they have the same size and the same bits.
  friend constexpr bool operator==(const sub_group_mask&, const sub_group_mask&) = default;
  /// The mask of the work-items whose bits are clear.
  friend constexpr sub_group_mask operator~(sub_group_mask a) {
    for (std::size_t k = 0; k < words; ++k) {
      a.m_words[k] = ~a.m_words[k] & a.used(k);
    }
    return a;
  }
  /// Clears the bits that the other mask does not have.
  constexpr sub_group_mask& operator&=(const sub_group_mask& b) {
    for (std::size_t k = 0; k < words; ++k) {
      m_words[k] &= b.m_words[k];
    }
    return *this;
  }
  /// Sets the bits that the other mask has, but for those beyond this sub-group.
  constexpr sub_group_mask& operator|=(const sub_group_mask& b) {
    for (std::size_t k = 0; k < words; ++k) {
      m_words[k] |= b.m_words[k] & used(k);
    }
    return *this;
  }
  /// Turns over the bits that the other mask has, but for those beyond this sub-group.
  constexpr sub_group_mask& operator^=(const sub_group_mask& b) {
    for (std::size_t k = 0; k < words; ++k) {
      m_words[k] ^= b.m_words[k] & used(k);
    }
    return *this;
  }
  /// Bits move up by `n` places; those beyond the sub-group are lost.
  constexpr sub_group_mask& operator<<=(std::size_t n) {
    sub_group_mask moved(m_size);
    for (std::size_t i = n; i < m_size; ++i) {
      moved.set(id<1>(i), test(id<1>(i - n)));
    }
    return *this = moved;
  }
  /// Bits move down by `n` places; the lowest `n` are lost.
  constexpr sub_group_mask& operator>>=(std::size_t n) {
    sub_group_mask moved(m_size);
    for (std::size_t i = n; i < m_size; ++i) {
      moved.set(id<1>(i - n), test(id<1>(i)));
    }
    return *this = moved;
  }
  /// These return what the assignment of that name makes of a copy of `a`.
  friend constexpr sub_group_mask operator&(sub_group_mask a, const sub_group_mask& b) { return a &= b; }
  friend constexpr sub_group_mask operator|(sub_group_mask a, const sub_group_mask& b) { return a |= b; }
  friend constexpr sub_group_mask operator^(sub_group_mask a, const sub_group_mask& b) { return a ^= b; }
  friend constexpr sub_group_mask operator<<(sub_group_mask a, std::size_t n) { return a <<= n; }
  friend constexpr sub_group_mask operator>>(sub_group_mask a, std::size_t n) { return a >>= n; }

  /// Bits [64 k, 64 k + 64), of k below 4.
  [[nodiscard]] constexpr std::uint64_t word(std::size_t k) const { return m_words[k]; }
  /// Overwrites the bits [64 k, 64 k + 64), of k below 4, but for those beyond the sub-group.
  constexpr void set_word(std::size_t k, std::uint64_t bits) { m_words[k] = bits & used(k); }

private:
  static constexpr std::size_t words = max_bits / 64;

  /// The bits of word k that work-items have.
  [[nodiscard]] constexpr std::uint64_t used(std::size_t k) const {
    if (m_size >= 64 * k + 64) {
      return ~std::uint64_t{0};
    }
    return m_size <= 64 * k ? 0 : (std::uint64_t{1} << (m_size - 64 * k)) - 1;
  }

  std::uint64_t m_words[words] = {};
  std::uint32_t m_size;
};

/// `condition ? a : b`, as for every uniform condition.
template <class A, class B>
LANEFOLD_ALWAYS_INLINE constexpr auto select(const sub_group_mask::reference& condition, const A& a, const B& b) {
  return lanefold::select(static_cast<bool>(condition), a, b);
}

/// The work-items of the sub-group for which `predicate` (a bool, or a mask in lane-generic kernels) holds. Uniform.
/// To be called by all work-items of the sub-group, in converged code (errc::kernel otherwise).
/// Cost: for lanes a few moves from mask registers; one barrier of the sub-group in work-item kernels.
template <SubGroup G, class Condition = bool>
LANEFOLD_ALWAYS_INLINE sub_group_mask group_ballot(const G& g, const Condition& predicate = true) {
  detail::check_converged(g);
  sub_group_mask result(g.get_local_linear_range());
  if constexpr (detail::has_lanes_v<G>) {
    const auto m = detail::lane_value<typename G::lanes>(predicate);
    using M = std::remove_const_t<decltype(m)>;
    static_assert(is_mask_v<M>, "lanefold: a ballot needs a condition: a mask or a bool");
    for (std::size_t k = 0; k < M::words; ++k) {
      result.set_word(k, m.word(k));
    }
  } else {
    struct key;
    const auto here = detail::meeting_point<G>::template arrive<key>(g);
    auto* const words = here.template data<std::uint64_t>(4);
    if (here.first()) {
      words[0] = words[1] = words[2] = words[3] = 0;
    }
    words[here.position() / 64] |= std::uint64_t{static_cast<bool>(predicate)} << (here.position() % 64);
    here.wait();
    for (std::size_t k = 0; k < 4; ++k) {
      result.set_word(k, words[k]);
    }
  }
  return result;
}

LANEFOLD_END_NAMESPACE
