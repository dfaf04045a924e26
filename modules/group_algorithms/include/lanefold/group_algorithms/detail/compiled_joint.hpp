// SPDX-License-Identifier: Apache-2.0
/// Reductions and scans over memory that the library contains, compiled for each instruction set.
#pragma once

#include <lanefold/simd/functional.hpp>
#include <lanefold/simd/isa.hpp>
#include <lanefold/simd/registers.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The operators that are compiled; the bitwise ones for integers.
enum class compiled_operator : unsigned { plus, multiplies, minimum, maximum, bit_and, bit_or, bit_xor, none };

template <class Op>
inline constexpr compiled_operator compiled_operator_of = compiled_operator::none;
template <class T>
inline constexpr compiled_operator compiled_operator_of<plus<T>> = compiled_operator::plus;
template <class T>
inline constexpr compiled_operator compiled_operator_of<multiplies<T>> = compiled_operator::multiplies;
template <class T>
inline constexpr compiled_operator compiled_operator_of<minimum<T>> = compiled_operator::minimum;
template <class T>
inline constexpr compiled_operator compiled_operator_of<maximum<T>> = compiled_operator::maximum;
template <class T>
inline constexpr compiled_operator compiled_operator_of<bit_and<T>> = compiled_operator::bit_and;
template <class T>
inline constexpr compiled_operator compiled_operator_of<bit_or<T>> = compiled_operator::bit_or;
template <class T>
inline constexpr compiled_operator compiled_operator_of<bit_xor<T>> = compiled_operator::bit_xor;

inline constexpr std::size_t compiled_operators = static_cast<std::size_t>(compiled_operator::none);

/// The most elements that `sort` takes.
inline constexpr std::size_t largest_network = 2048;

/// Holds the functions for one element type, by compiled_operator. A scan begins with `carry`; its ranges may be the
/// same.
template <class T>
struct compiled_functions {
  T (*reduce[compiled_operators])(const T* in, std::size_t n);
  /// See reduce_parts_registers.
  void (*reduce_parts[compiled_operators])(const T* in, std::size_t n, T* out, std::size_t period);
  void (*inclusive_scan[compiled_operators])(const T* in, T* out, std::size_t n, T carry);
  void (*exclusive_scan[compiled_operators])(const T* in, T* out, std::size_t n, T carry);
  void (*sort)(T* data, std::size_t n, bool downwards); ///< at most largest_network elements
};

/// The functions for the widest instruction set of this CPU.
template <class T>
const compiled_functions<T>& compiled();
/// Those for one instruction set, which this CPU must support.
template <class T>
const compiled_functions<T>& compiled(isa_id isa);

#define LANEFOLD_DETAIL_COMPILED_TYPES(F)                                                                              \
  F(std::int8_t)                                                                                                       \
  F(std::uint8_t)                                                                                                      \
  F(std::int16_t)                                                                                                      \
  F(std::uint16_t)                                                                                                     \
  F(std::int32_t)                                                                                                      \
  F(std::uint32_t)                                                                                                     \
  F(std::int64_t)                                                                                                      \
  F(std::uint64_t)                                                                                                     \
  F(float)                                                                                                             \
  F(double)
#define LANEFOLD_DETAIL_DECLARE(T)                                                                                     \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled<T>();                                                                          \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled<T>(isa_id);
LANEFOLD_DETAIL_COMPILED_TYPES(LANEFOLD_DETAIL_DECLARE)
#undef LANEFOLD_DETAIL_DECLARE

/// Is true if Op (an operator of T, see typed_operator) is compiled.
template <class Op, class T>
inline constexpr bool is_compiled =
    Element<T> && has_registers<T> && compiled_operator_of<Op> != compiled_operator::none &&
    (std::integral<T> || compiled_operator_of<Op> <= compiled_operator::maximum);

} // namespace detail
LANEFOLD_END_NAMESPACE
