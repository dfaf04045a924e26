// SPDX-License-Identifier: Apache-2.0
/// Lists what the operations of registers ask of an instruction set, as vectors of the compiler give it. The file of
/// each instruction set overrides what its instructions do better: avx512 derives from avx2, avx2 from sse2. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/vectors.hpp>
#include <lanefold/simd/isa.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The instructions of an instruction set. V stands for a vector of the compiler with lanes of T, or for a plain T
/// where there are no registers; W and G are numbers of lanes.
template <class Isa>
struct instructions;

template <>
struct instructions<isa::generic> {
  // ---- what the set has; the functions that go with it are in the files that say so

  /// Comparisons leave bits, and blends take them: `compare` and `blend`.
  static constexpr bool has_mask_registers = false;
  /// Loads and stores of T under a mask: `masked_load` and `masked_store`.
  template <class T>
  static constexpr bool has_masked_access = false;
  /// `gather` and `scatter` of elements of 4 and 8 bytes.
  static constexpr bool has_gather = false, has_scatter = false;
  /// `compress` and `expand` of elements of 4 and 8 bytes.
  static constexpr bool has_compress = false;
  /// Fused multiplication and addition: `fma`, of registers.
  static constexpr bool has_fma = false;
  /// x * 2^n: `scaled`, of registers.
  static constexpr bool has_scale = false;
  /// An estimate of 1 / sqrt(x) to refine: `rsqrt`, of registers.
  template <class T>
  static constexpr bool has_rsqrt = false;
  /// Counts of leading zeros in lanes of U: `leading_zeros`.
  template <class U>
  static constexpr bool has_leading_zeros = false;
  /// Products of 64 bits of every other lane of 32: `even_products`.
  static constexpr bool has_even_products = false;
  /// xsimd's roundings to whole numbers lose the sign of -0.
  static constexpr bool rounds_to_positive_zero = false;
  /// Two shifts of bytes are better than what the compiler makes of a shuffle: `concatenated_bytes`, `bytes_down`.
  static constexpr bool has_slow_shuffles = false;
  /// The most registers that a lookup of lanes at run time goes through before memory is faster: `lookup`; 0 if there
  /// is none. Two registers at once, with lanes of 2 bytes and more.
  static constexpr std::size_t most_lookup_registers = 0;
  static constexpr bool has_lookup_in_two = false;
  /// Integers of 32 bits divide by so many doubles at once: `truncated_quotients`; 0 if one after the other is better.
  template <class T>
  static constexpr std::size_t dividing_doubles = 0;
  /// Integers of 64 bits divide as doubles where they have at most so many bits: `divide_small`; 0 if they never do.
  static constexpr int exact_quotient_bits = 0;

  /// Converts W halves at once: `floats_of_halves`, `halves_of_floats`.
  template <std::size_t W>
  static constexpr bool converts_halves = false;

  // ---- what every set does

  /// Bit i = lane i of a vector of all-ones and zeros.
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static lane_bits<W> bits_of(bool_vector<T, W> v) {
#if defined(__clang__)
    using bits = typename bit_vector<W>::type;
    if constexpr (W < 8) {
      using wide = typename bit_vector<8>::type;
      const bits b = __builtin_convertvector(v, bits);
      if constexpr (W == 2) {
        const wide w = __builtin_shufflevector(b, bits{}, 0, 1, 2, 2, 2, 2, 2, 2);
        return __builtin_bit_cast(lane_bits<W>, w);
      } else {
        const wide w = __builtin_shufflevector(b, bits{}, 0, 1, 2, 3, 4, 4, 4, 4);
        return __builtin_bit_cast(lane_bits<W>, w);
      }
    } else {
      return __builtin_bit_cast(lane_bits<W>, __builtin_convertvector(v, bits));
    }
#else
    lane_bits<W> b = 0;
    for (std::size_t i = 0; i < W; ++i)
      b = static_cast<lane_bits<W>>(b | (static_cast<lane_bits<W>>(v[i] & 1) << i));
    return b;
#endif
  }

  /// Bits that were computed, where the compiler would compute them in mask registers.
  template <class Bits>
  LANEFOLD_ALWAYS_INLINE static Bits in_general_register(Bits b) {
    return b;
  }

  /// Lanes [First, First + Count) of W lanes of T, 16 bytes or more.
  template <class T, std::size_t W, std::size_t First, std::size_t Count>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, Count> part(const chunk_t<T, W>& v) {
    return shuffled_subvector<chunk_t<T, W>, First>(v, std::make_index_sequence<Count>{});
  }

  /// The W lanes of a, then those of b.
  template <class T, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<T, 2 * W> pair(const chunk_t<T, W>& a, const chunk_t<T, W>& b) {
    return shuffled_pair(a, b, std::make_index_sequence<2 * W>{});
  }

  /// Moves lanes S up within blocks of 16 bytes; the lanes that nothing moves to become 0.
  template <class T, int S, class V>
  LANEFOLD_ALWAYS_INLINE static V up_in_blocks(V v) {
    return (V)shuffled_vector<pattern::up_in_block<S, static_cast<int>(16 / sizeof(T))>>(
        v, V{}, std::make_index_sequence<sizeof(V) / sizeof(T)>{});
  }

  /// W lanes of From converted to To, of which at least one has 4 bytes or more if the other one is real.
  template <class To, class From, std::size_t W>
  LANEFOLD_ALWAYS_INLINE static chunk_t<To, W> convert(const chunk_t<From, W>& v) {
    if constexpr (std::is_same_v<From, std::uint64_t> && std::is_same_v<To, double>) {
      return doubles_of_uint64<W>(v);
    } else if constexpr (std::is_same_v<From, std::uint64_t> && std::is_same_v<To, float>) {
      // Converts to double first. The low bits that double would lose are folded into one bit that it keeps, so that
      // the result is not rounded twice.
      const auto sticky = (v | ((v & 0x7ffu) + 0x7ffu)) & ~std::uint64_t{0x7ff};
      return convert<float, double, W>(doubles_of_uint64<W>((v >> 53) != 0 ? sticky : v));
    } else {
      return __builtin_convertvector(v, chunk_t<To, W>);
    }
  }

  /// Lanes shifted by one count, which is below their bits.
  template <bool Left, class T, class V>
  LANEFOLD_ALWAYS_INLINE static V shifted(V x, unsigned count) {
    const V counts = V{} + static_cast<T>(count);
    return Left ? x << counts : x >> counts;
  }

  /// a < b ? a : b, as the instructions define the minimum of real numbers; and the maximum b < a ? a : b.
  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V minimum(V a, V b) {
    return a < b ? a : b;
  }
  template <class T, class V>
  LANEFOLD_ALWAYS_INLINE static V maximum(V a, V b) {
    return b < a ? a : b;
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE
