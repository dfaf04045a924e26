// SPDX-License-Identifier: Apache-2.0
/// One bool for each work-item of a sub-group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <lanefold/simd/detail/forward.hpp>
#include <lanefold/simd/isa/native.hpp>
#include <lanefold/simd/registers.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

template <std::size_t N>
inline constexpr std::size_t piece_lanes = N < 64 ? N : 64;

template <std::size_t N>
using mask_piece = lane_bits<piece_lanes<N>>;

template <std::size_t N>
using mask_pieces = pack<mask_piece<N>, N / piece_lanes<N>>;

struct mask_access;

} // namespace detail

/// N bools, one for each lane; N is a power of two from 1 to 256. An immutable value: `it.var(m)` makes a variable.
/// The operators work lane by lane, `==` and `!=` too; `&&` and `||` evaluate both sides. A mask never converts to
/// bool (the conversion exists to say so): ask `any(m)`, `all(m)` or `none(m)`, or write `it.if_(m, …)`.
/// Kept as bits in words of up to 64 lanes. (Not in pieces of one register each: g++ 12 then merges neighbouring pieces
/// into vectors, through memory.)
template <std::size_t N, class Isa>
class mask {
  static_assert(N >= 1 && N <= 256 && (N & (N - 1)) == 0, "lanefold: a mask has a power of two of lanes, 1 to 256");

public:
  using value_type = bool;
  using mask_type = mask;
  static constexpr std::size_t size = N;
  /// Is the number of 64-bit words that `word(k)` has.
  static constexpr std::size_t words = (N + 63) / 64;

  /// All lanes alike.
  LANEFOLD_ALWAYS_INLINE explicit mask(bool value)
      : m_pieces(pieces::generate([=](std::size_t) { return value ? s_full : piece{0}; })) {}

  mask(const mask&) = default;
  mask& operator=(const mask&) = delete;

  template <class T>
    requires std::is_same_v<T, bool>
  explicit operator T() const {
    static_assert(!std::is_same_v<T, bool>, "lanefold: a mask is not one bool, it has one for each work-item: write "
                                            "it.if_(mask, ...), or ask any(mask), all(mask), none(mask)");
    return false;
  }

  LANEFOLD_ALWAYS_INLINE static mask all_true() { return mask(true); }
  LANEFOLD_ALWAYS_INLINE static mask none_true() { return mask(false); }

  /// Lanes [0, n) are set. `n` may exceed N.
  LANEFOLD_ALWAYS_INLINE static mask first(std::size_t n) {
    return mask(pieces::generate([=](std::size_t i) {
      const std::size_t begin = i * s_lanes;
      if (n <= begin)
        return piece{0};
      return n - begin >= s_lanes ? s_full : static_cast<piece>((std::uint64_t{1} << ((n - begin) % 64)) - 1);
    }));
  }

  /// Lane i is bit i of `all`; N <= 64. Bits from N on are ignored.
  LANEFOLD_ALWAYS_INLINE static mask from_bits(std::uint64_t all)
    requires(N <= 64)
  {
    return mask(pieces::generate([=](std::size_t i) { return static_cast<piece>((all >> (i * s_lanes)) & s_full); }));
  }

  /// Lane 64 * k + i is bit i of all[k]; reads `mask::words` words. Bits from N on are ignored.
  LANEFOLD_ALWAYS_INLINE static mask from_words(const std::uint64_t* all) {
    return mask(pieces::generate([=](std::size_t i) { return static_cast<piece>(all[i] & s_full); }));
  }

  LANEFOLD_ALWAYS_INLINE bool any() const { return folded_or() != 0; }
  LANEFOLD_ALWAYS_INLINE bool none() const { return folded_or() == 0; }
  LANEFOLD_ALWAYS_INLINE bool all() const {
    return m_pieces.fold([](piece a, piece b) { return static_cast<piece>(a & b); }) == s_full;
  }

  /// Counts the lanes that are set.
  LANEFOLD_ALWAYS_INLINE std::size_t count() const {
    std::size_t n = 0;
    for_words([&](std::uint64_t w, std::size_t) { n += static_cast<std::size_t>(std::popcount(w)); });
    return n;
  }

  /// The lowest lane that is set, or N.
  LANEFOLD_ALWAYS_INLINE std::size_t find_low() const {
    std::size_t lane = N;
    for_words([&](std::uint64_t w, std::size_t k) {
      if (lane == N && w != 0)
        lane = k * 64 + static_cast<std::size_t>(std::countr_zero(w));
    });
    return lane;
  }

  /// Lane i; slow for an i that is not a constant.
  LANEFOLD_ALWAYS_INLINE bool operator[](std::size_t i) const { return (word(i / 64) >> (i % 64) & 1) != 0; }

  /// Lanes [64 * k, 64 * k + 64) as bits, the lowest lane in bit 0; bits from N on are 0.
  LANEFOLD_ALWAYS_INLINE std::uint64_t word(std::size_t k) const {
    std::uint64_t w = 0;
    m_pieces.each([&](piece p, std::size_t i) { w |= i == k ? static_cast<std::uint64_t>(p) : 0; });
    return w;
  }

  /// All lanes as bits; N <= 64.
  LANEFOLD_ALWAYS_INLINE std::uint64_t bits() const
    requires(N <= 64)
  {
    return word(0);
  }

  LANEFOLD_ALWAYS_INLINE mask operator!() const {
    return mask(pieces::map([](piece a) { return static_cast<piece>(a ^ s_full); }, m_pieces));
  }
  LANEFOLD_ALWAYS_INLINE mask operator~() const { return !*this; }

  friend LANEFOLD_ALWAYS_INLINE mask operator&(const mask& a, const mask& b) {
    return mask(pieces::map([](piece x, piece y) { return static_cast<piece>(x & y); }, a.m_pieces, b.m_pieces));
  }
  friend LANEFOLD_ALWAYS_INLINE mask operator|(const mask& a, const mask& b) {
    return mask(pieces::map([](piece x, piece y) { return static_cast<piece>(x | y); }, a.m_pieces, b.m_pieces));
  }
  friend LANEFOLD_ALWAYS_INLINE mask operator^(const mask& a, const mask& b) {
    return mask(pieces::map([](piece x, piece y) { return static_cast<piece>(x ^ y); }, a.m_pieces, b.m_pieces));
  }
  friend LANEFOLD_ALWAYS_INLINE mask operator&&(const mask& a, const mask& b) { return a & b; }
  friend LANEFOLD_ALWAYS_INLINE mask operator||(const mask& a, const mask& b) { return a | b; }
  friend LANEFOLD_ALWAYS_INLINE mask operator!=(const mask& a, const mask& b) { return a ^ b; }
  friend LANEFOLD_ALWAYS_INLINE mask operator==(const mask& a, const mask& b) { return !(a ^ b); }

private:
  friend detail::mask_access;
  using piece = detail::mask_piece<N>;
  using pieces = detail::mask_pieces<N>;
  static constexpr std::size_t s_lanes = detail::piece_lanes<N>;
  static constexpr piece s_full = detail::full_bits<s_lanes>;

  LANEFOLD_ALWAYS_INLINE explicit mask(const pieces& p) : m_pieces(p) {}

  LANEFOLD_ALWAYS_INLINE piece folded_or() const {
    return m_pieces.fold([](piece a, piece b) { return static_cast<piece>(a | b); });
  }

  template <class F>
  LANEFOLD_ALWAYS_INLINE void for_words(F f) const {
    f(word(0), 0);
    if constexpr (words > 1)
      f(word(1), 1);
    if constexpr (words > 2) {
      f(word(2), 2);
      f(word(3), 3);
    }
  }

  pieces m_pieces;
};

/// `bool` operands count as a mask of equal lanes.
#define LANEFOLD_MASK_OPERATOR(op)                                                                                     \
  template <std::size_t N, class Isa, class Bool>                                                                      \
    requires std::is_same_v<Bool, bool>                                                                                \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(const mask<N, Isa>& a, Bool b) {                                     \
    return a op mask<N, Isa>(b);                                                                                       \
  }                                                                                                                    \
  template <std::size_t N, class Isa, class Bool>                                                                      \
    requires std::is_same_v<Bool, bool>                                                                                \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(Bool a, const mask<N, Isa>& b) {                                     \
    return mask<N, Isa>(a) op b;                                                                                       \
  }
LANEFOLD_MASK_OPERATOR(&)
LANEFOLD_MASK_OPERATOR(|)
LANEFOLD_MASK_OPERATOR(^)
LANEFOLD_MASK_OPERATOR(&&)
LANEFOLD_MASK_OPERATOR(||)
LANEFOLD_MASK_OPERATOR(==)
LANEFOLD_MASK_OPERATOR(!=)
#undef LANEFOLD_MASK_OPERATOR

/// Return whether any, all or none of the lanes are set; the answer is uniform. A `bool` answers for itself, so that
/// lane-generic kernels may ask in every strategy.
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE bool any(const mask<N, Isa>& m) {
  return m.any();
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE bool all(const mask<N, Isa>& m) {
  return m.all();
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE bool none(const mask<N, Isa>& m) {
  return m.none();
}
template <class Bool>
  requires std::is_same_v<Bool, bool>
LANEFOLD_ALWAYS_INLINE bool any(Bool b) {
  return b;
}
template <class Bool>
  requires std::is_same_v<Bool, bool>
LANEFOLD_ALWAYS_INLINE bool all(Bool b) {
  return b;
}
template <class Bool>
  requires std::is_same_v<Bool, bool>
LANEFOLD_ALWAYS_INLINE bool none(Bool b) {
  return !b;
}

namespace detail {

/// The way from a mask to the bits of registers of W lanes and back.
struct mask_access {
  template <std::size_t N, class Isa>
  LANEFOLD_ALWAYS_INLINE static const mask_pieces<N>& pieces(const mask<N, Isa>& m) {
    return m.m_pieces;
  }
  template <std::size_t N, class Isa>
  LANEFOLD_ALWAYS_INLINE static mask<N, Isa> make(const mask_pieces<N>& p) {
    return mask<N, Isa>(p);
  }
  template <std::size_t N, class Isa>
  LANEFOLD_ALWAYS_INLINE static void assign(mask<N, Isa>& to, const mask<N, Isa>& from) {
    to.m_pieces = from.m_pieces;
  }
};

template <std::size_t W, std::size_t N, std::size_t... I>
LANEFOLD_ALWAYS_INLINE auto split_bits(const mask_pieces<N>& p, std::index_sequence<I...>) {
  using bits = lane_bits<W>;
  constexpr std::size_t lanes = piece_lanes<N>;
  return pack<bits, sizeof...(I)>{leaf<I, bits>{native_instructions::in_general_register(
      static_cast<bits>((p.template get<I * W / lanes>() >> (I * W % lanes)) & full_bits<W>))}...};
}

/// The mask as a pack of the bits of registers of W lanes.
template <std::size_t W, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto split(const mask<N, Isa>& m) {
  return split_bits<W, N>(mask_access::pieces(m), std::make_index_sequence<N / W>{});
}

template <std::size_t N, std::size_t W, std::size_t I, std::size_t... J, class Pack>
LANEFOLD_ALWAYS_INLINE mask_piece<N> joined_bits(const Pack& p, std::index_sequence<J...>) {
  return static_cast<mask_piece<N>>(
      ((static_cast<std::uint64_t>(p.template get<I * sizeof...(J) + J>()) << (J * W)) | ...));
}

template <std::size_t N, std::size_t W, class Pack, std::size_t... I>
LANEFOLD_ALWAYS_INLINE mask_pieces<N> join_pieces(const Pack& p, std::index_sequence<I...>) {
  return {leaf<I, mask_piece<N>>{joined_bits<N, W, I>(p, std::make_index_sequence<piece_lanes<N> / W>{})}...};
}

/// The mask made of the bits of registers of W lanes.
template <std::size_t N, class Isa, std::size_t W, class Pack>
LANEFOLD_ALWAYS_INLINE mask<N, Isa> join(const Pack& p) {
  return mask_access::make<N, Isa>(join_pieces<N, W>(p, std::make_index_sequence<N / piece_lanes<N>>{}));
}

/// Overwrites a mask, which has no assignment operator: for variables.
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE void assign(mask<N, Isa>& to, const mask<N, Isa>& from) {
  mask_access::assign(to, from);
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE void assign(mask<N, Isa>& to, const mask<N, Isa>& from, const mask<N, Isa>& active) {
  mask_access::assign(to, (from & active) | (to & ~active));
}

} // namespace detail

LANEFOLD_END_NAMESPACE
