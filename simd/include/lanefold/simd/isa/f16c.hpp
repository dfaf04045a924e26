// SPDX-License-Identifier: Apache-2.0
/// The conversions of one half by F16C, one instruction each (every x86-64-v3 has it). Reads no other header of lanes:
/// buffers of halves do not need them. Internal.
#pragma once

#include <lanefold/version.hpp>

#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

#if defined(__F16C__)

static constexpr bool has_f16c = true;

#if defined(__FLT16_MANT_DIG__) && !defined(__AVX512FP16__)
// The type of the compiler makes loops that clang 19 vectorises (a chain of multiplications and additions 18 times as
// fast as with the intrinsic functions, on Zen 4), and that g++ 12 begins without clearing a register (1.3 times).
// Where processors compute with it, compilers compute in it what is written in float, and fuse operations that round
// each: with g++ 13 a polynomial gave other bits. (Rounds as the program has set the processor; lanes always to
// nearest.)
__extension__ typedef _Float16 compiler_half;

LANEFOLD_ALWAYS_INLINE std::uint16_t half_bits_by_instruction(float x) {
  return __builtin_bit_cast(std::uint16_t, static_cast<compiler_half>(x));
}
LANEFOLD_ALWAYS_INLINE float half_value_by_instruction(std::uint16_t bits) {
  return static_cast<float>(__builtin_bit_cast(compiler_half, bits));
}
#else
LANEFOLD_ALWAYS_INLINE std::uint16_t half_bits_by_instruction(float x) {
  using floats = float __attribute__((vector_size(16)));
  return static_cast<std::uint16_t>(__builtin_ia32_vcvtps2ph(floats{x, 0, 0, 0}, 0)[0]);
}
LANEFOLD_ALWAYS_INLINE float half_value_by_instruction(std::uint16_t bits) {
  using words = short __attribute__((vector_size(16)));
  float value = __builtin_ia32_vcvtph2ps(words{static_cast<short>(bits), 0, 0, 0, 0, 0, 0, 0})[0];
#if defined(__clang__) && defined(__AVX512FP16__)
  // clang 19 would compare as half, and exchange the operands of masked comparisons whose second is in memory.
  asm("" : "+v"(value));
#endif
  return value;
}
#endif

#else

static constexpr bool has_f16c = false;
std::uint16_t half_bits_by_instruction(float x);
float half_value_by_instruction(std::uint16_t bits);

#endif

} // namespace detail
LANEFOLD_END_NAMESPACE
