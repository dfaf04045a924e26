// SPDX-License-Identifier: Apache-2.0
/// The table of one element type for the instruction set that the file which includes this is compiled for.
#pragma once

#include <lanefold/group_algorithms/detail/compiled_joint.hpp>
#include <lanefold/group_algorithms/detail/joint_loops.hpp>
#include <lanefold/group_algorithms/detail/sort_network.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

// Isa is a template argument of every function here: none is the same as one that another file compiles for another
// instruction set.

template <class Isa, class T, class Op>
T compiled_reduce(const T* in, std::size_t n) {
  return reduce_registers<Isa>(in, n, Op{});
}
template <class Isa, class T, class Op>
void compiled_reduce_parts(const T* in, std::size_t n, T* out, std::size_t period) {
  reduce_parts_registers<Isa>(in, n, out, period, Op{});
}
template <class Isa, class T, class Op, bool Exclusive>
void compiled_scan(const T* in, T* out, std::size_t n, T carry) {
  scan_registers<Exclusive, Isa>(in, out, n, carry, Op{});
}

/// The functions for the operators Op…, in the order of compiled_operator.
template <class Isa, class T, class... Op>
constexpr compiled_functions<T> compiled_table_of() {
  return {{compiled_reduce<Isa, T, Op>...},
          {compiled_reduce_parts<Isa, T, Op>...},
          {compiled_scan<Isa, T, Op, false>...},
          {compiled_scan<Isa, T, Op, true>...},
          sort_network<Isa, T>};
}
template <class Isa, class T>
constexpr compiled_functions<T> compiled_table() {
  if constexpr (std::integral<T>) {
    return compiled_table_of<Isa, T, plus<T>, multiplies<T>, minimum<T>, maximum<T>, bit_and<T>, bit_or<T>,
                             bit_xor<T>>();
  } else {
    return compiled_table_of<Isa, T, plus<T>, multiplies<T>, minimum<T>, maximum<T>>();
  }
}

/// Made by joint_<types>_<isa>.cpp.
template <class Isa, class T>
const compiled_functions<T>& compiled_for();

#define LANEFOLD_DETAIL_COMPILE(T)                                                                                     \
  template <>                                                                                                          \
  const compiled_functions<T>& compiled_for<native_isa, T>() {                                                         \
    static constexpr compiled_functions<T> table = compiled_table<native_isa, T>();                                    \
    return table;                                                                                                      \
  }

} // namespace detail
LANEFOLD_END_NAMESPACE
