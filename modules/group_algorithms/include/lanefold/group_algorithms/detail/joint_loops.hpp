// SPDX-License-Identifier: Apache-2.0
/// The loops of reductions and scans over memory, for one instruction set.
#pragma once

#include <lanefold/execution/known_identity.hpp>
#include <lanefold/execution/strategy.hpp>
#include <lanefold/group_algorithms/algorithm.hpp>
#include <lanefold/simd/horizontal.hpp>
#include <lanefold/simd/select.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Lanes of one full register of T.
template <class T, class Isa>
inline constexpr std::size_t full_register_lanes = register_lanes<T, 64, Isa>();

/// Combines the registers of a varying to one, for operators that commute.
template <class V, class Op>
LANEFOLD_ALWAYS_INLINE auto folded_to_register(const V& v, const Op& op) {
  if constexpr (register_count<V> == 1) {
    return v;
  } else {
    return folded_to_register(combined<half_varying_t<V>>(op, half_of<0>(v), half_of<1>(v)), op);
  }
}

/// Is an operator Op on T that runs on registers: it takes varyings, commutes, and has an identity to begin with.
template <class Op, class T, class Isa>
concept VectorOperator = Element<T> && has_registers<T> && has_known_identity_v<Op, T> && is_commutative_v<Op> &&
                         takes_varyings<std::remove_cvref_t<decltype(typed_operator<T>(std::declval<const Op&>()))>,
                                        varying<T, full_register_lanes<T, Isa>, Isa>>;

/// init op p[0] op p[1] op …, one after the other.
template <class It, class A, class Op>
A reduce_serial(It first, std::size_t n, A init, const Op& op) {
  for (std::size_t i = 0; i < n; ++i) {
    init = static_cast<A>(op(init, first[i]));
  }
  return init;
}

/// The sum of n > 0 elements with a loop that the compiler vectorises: as it likes for `plus`, with 16 independent
/// accumulators for other operators.
template <class T, class Op>
T reduce_omp_simd(const T* p, std::size_t n, const Op& op) {
  if constexpr (std::is_arithmetic_v<T> && std::is_same_v<typename operator_on<T, Op>::type, plus<T>>) {
    T total = 0;
    LANEFOLD_OMP_SIMD(reduction(+ : total))
    for (std::size_t i = 0; i < n; ++i) {
      total = static_cast<T>(total + p[i]);
    }
    return total;
  } else {
    constexpr std::size_t accumulators = 16;
    if (n < 2 * accumulators) {
      return reduce_serial(p + 1, n - 1, p[0], op);
    }
    T totals[accumulators];
    for (std::size_t k = 0; k < accumulators; ++k) {
      totals[k] = p[k];
    }
    std::size_t i = accumulators;
    for (; i + accumulators <= n; i += accumulators) {
      LANEFOLD_OMP_SIMD()
      for (std::size_t k = 0; k < accumulators; ++k) {
        totals[k] = static_cast<T>(op(totals[k], p[i + k]));
      }
    }
    const T total = reduce_serial(totals + 1, accumulators - 1, totals[0], op);
    return reduce_serial(p + i, n - i, total, op);
  }
}

/// Does the same as `reduce_omp_simd` with registers: eight accumulators, which are combined at the end.
template <class Isa, class T, class Op>
__attribute__((noinline)) T reduce_registers(const T* p, std::size_t n, const Op& given) {
  decltype(auto) op = typed_operator<T>(given);
  constexpr std::size_t lanes = full_register_lanes<T, Isa>;
  constexpr std::size_t wide = 8 * lanes < 256 ? 8 * lanes : 256;
  using one = varying<T, lanes, Isa>;
  using many = varying<T, wide, Isa>;
  one total(known_identity_v<Op, T>);
  std::size_t i = 0;
  if (n >= wide) {
    many totals = many::load(p);
    for (i = wide; i + wide <= n; i += wide) {
      assign(totals, combined<many>(op, totals, many::load(p + i)));
    }
    assign(total, folded_to_register(totals, op));
  }
  for (; i + lanes <= n; i += lanes) {
    assign(total, combined<one>(op, total, one::load(p + i)));
  }
  if (i < n) {
    const auto rest = mask<lanes, Isa>::first(n - i);
    const one last = one::load(p + i, rest);
    assign(total, combined<one>(op, total, one(select(rest, last, known_identity_v<Op, T>))));
  }
  return reduce(total, op);
}

/// Combines the elements that are `period` positions apart: out[k] = p[k] op p[k + period] op …, for k < period. `n` is
/// a multiple of `period`, which is a power of two of up to 16. It serves vectors of `period` elements, one after the
/// other in memory.
template <class T, class Op>
void reduce_parts_omp_simd(const T* p, std::size_t n, T* out, std::size_t period, const Op& op) {
  constexpr std::size_t accumulators = 16;
  T totals[accumulators];
  for (T& total : totals) {
    total = known_identity_v<Op, T>;
  }
  std::size_t i = 0;
  for (; i + accumulators <= n; i += accumulators) {
    LANEFOLD_OMP_SIMD()
    for (std::size_t k = 0; k < accumulators; ++k) {
      totals[k] = static_cast<T>(op(totals[k], p[i + k]));
    }
  }
  for (; i < n; ++i) {
    totals[i % period] = static_cast<T>(op(totals[i % period], p[i]));
  }
  for (std::size_t k = 0; k < accumulators; ++k) {
    out[k % period] = k < period ? totals[k] : static_cast<T>(op(out[k % period], totals[k]));
  }
}

/// Folds v until `period` lanes are left, and stores them.
template <class V, class Op>
LANEFOLD_ALWAYS_INLINE void store_folded(const V& v, typename V::value_type* out, std::size_t period, const Op& op) {
  if constexpr (V::size() == 1) {
    v.store(out);
  } else {
    if (V::size() == period) {
      v.store(out);
    } else {
      store_folded(combined<half_varying_t<V>>(op, half_of<0>(v), half_of<1>(v)), out, period, op);
    }
  }
}

/// Does the same as `reduce_parts_omp_simd` with registers: eight accumulators, which are folded at the end.
template <class Isa, class T, class Op>
__attribute__((noinline)) void reduce_parts_registers(const T* p, std::size_t n, T* out, std::size_t period,
                                                      const Op& op) {
  constexpr std::size_t lanes = 8 * full_register_lanes<T, Isa>;
  using many = varying<T, (lanes < 16 ? 16 : lanes > 256 ? 256 : lanes), Isa>;
  many totals(known_identity_v<Op, T>);
  std::size_t i = 0;
  for (; i + many::size() <= n; i += many::size()) {
    assign(totals, combined<many>(op, totals, many::load(p + i)));
  }
  if (i < n) {
    const auto rest = mask<many::size(), Isa>::first(n - i);
    const many last = many::load(p + i, rest);
    assign(totals, combined<many>(op, totals, many(select(rest, last, known_identity_v<Op, T>))));
  }
  store_folded(totals, out, period, op);
}

/// out[i] = carry op in[0] op … op in[i] (or in[i - 1] where Exclusive), one after the other; in and out may be the
/// same.
template <bool Exclusive, class In, class Out, class A, class Op>
void scan_serial(In in, Out out, std::size_t n, A carry, const Op& op) {
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (Exclusive) {
      const A next = static_cast<A>(op(carry, in[i]));
      out[i] = carry;
      carry = next;
    } else {
      carry = static_cast<A>(op(carry, in[i]));
      out[i] = carry;
    }
  }
}

/// Lanes S to S + W - 1 of the 2 W lanes of two registers.
template <class Isa, int S, class R>
LANEFOLD_ALWAYS_INLINE R joined_lanes(const R& low, const R& high) {
  using T = element_t<R>;
  if constexpr (sizeof(R) == 64 && sizeof(T) >= 4)
    return to_register<R>(instructions<Isa>::template aligned<T, S>(to_vector(low), to_vector(high)));
  else
    return concatenated<Isa, S>(low, high);
}

/// One step of scan_registers: the lanes combined with those S positions before, across the register boundary.
template <std::size_t S, class V, class Op>
LANEFOLD_ALWAYS_INLINE V windows(const Op& op, const V& before, const V& now) {
  using isa = typename V::isa;
  constexpr int lanes = static_cast<int>(V::size());
  const auto moved = joined_lanes<isa, lanes - static_cast<int>(S)>(register_at<0>(before), register_at<0>(now));
  return combined<V>(op, one_register<typename V::value_type, isa>(moved), now);
}

/// The state of scan_registers: for each step the windows of the register before, in the end its results.
template <class V, std::size_t S, bool Last = S == V::size()>
struct scan_windows {
  V before;
  scan_windows<V, 2 * S> wider;

  LANEFOLD_ALWAYS_INLINE scan_windows(const V& identity, const V& carry) : before(identity), wider(identity, carry) {}

  /// The results for a register of windows of S elements.
  template <class Op>
  LANEFOLD_ALWAYS_INLINE V next(const Op& op, const V& now) {
    const V twice = windows<S>(op, before, now);
    assign(before, now);
    return wider.next(op, twice);
  }
};
template <class V, std::size_t S>
struct scan_windows<V, S, true> {
  V results;

  LANEFOLD_ALWAYS_INLINE scan_windows(const V&, const V& carry) : results(carry) {}

  template <class Op>
  LANEFOLD_ALWAYS_INLINE V next(const Op& op, const V& now) {
    assign(results, combined<V>(op, results, now));
    return results;
  }
};

/// The scans of the Period sequences of elements that are Period positions apart (of vectors of as many elements; 1 for
/// numbers), with registers. Lane i of a register of W lanes is result[i - W] op the window of the elements up to i in
/// its sequence and the W lanes before. Windows double in log2(W / Period) steps that are independent from register to
/// register: what each register waits for from the one before is one operation, no horizontal one. `carry` has in each
/// lane what its sequence begins with.
template <bool Exclusive, std::size_t Period, class V, class Op>
LANEFOLD_ALWAYS_INLINE void scan_sequences(const typename V::value_type* in, typename V::value_type* out, std::size_t n,
                                           const V& carry, const Op& op) {
  using T = typename V::value_type;
  using Isa = typename V::isa;
  constexpr std::size_t lanes = V::size();
  constexpr T identity = known_identity_v<Op, T>;
  scan_windows<V, Period> state(V(identity), carry);
  V before(carry); // results of the register before
  const auto results_for = [&](const V& elements) LANEFOLD_INLINE_LAMBDA {
    const V now = state.next(op, elements);
    if constexpr (!Exclusive) {
      return now;
    } else if constexpr (Period == lanes) {
      const V exclusive(before);
      assign(before, now);
      return exclusive;
    } else {
      constexpr int kept = static_cast<int>(lanes - Period);
      const auto moved = joined_lanes<Isa, kept>(register_at<0>(before), register_at<0>(now));
      assign(before, now);
      return one_register<T, Isa>(moved);
    }
  };
  std::size_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) { // the state changes registers without copies
    const V a = V::load(in + i), b = V::load(in + i + lanes);
    const V c = V::load(in + i + 2 * lanes), d = V::load(in + i + 3 * lanes);
    results_for(a).store(out + i);
    results_for(b).store(out + i + lanes);
    results_for(c).store(out + i + 2 * lanes);
    results_for(d).store(out + i + 3 * lanes);
  }
  for (; i + lanes <= n; i += lanes) {
    results_for(V::load(in + i)).store(out + i);
  }
  if (i < n) {
    const auto rest = mask<lanes, Isa>::first(n - i);
    results_for(V(select(rest, V::load(in + i, rest), identity))).store(out + i, rest);
  }
}

/// `scan_serial` with registers.
template <bool Exclusive, class Isa, class T, class Op>
__attribute__((noinline)) void scan_registers(const T* in, T* out, std::size_t n, T carry, const Op& given) {
  decltype(auto) op = typed_operator<T>(given);
  constexpr std::size_t lanes = full_register_lanes<T, Isa>;
  if constexpr (lanes == 1) {
    scan_serial<Exclusive>(in, out, n, carry, op);
  } else {
    scan_sequences<Exclusive, 1>(in, out, n, varying<T, lanes, Isa>(carry), op);
  }
}

/// Does the same as `scan_registers` for vectors of Period elements: `n` elements in all, `carry` is one vector.
template <bool Exclusive, std::size_t Period, class Isa, class T, class Op>
__attribute__((noinline)) void scan_parts_registers(const T* in, T* out, std::size_t n, const T* carry, const Op& op) {
  using V = varying<T, full_register_lanes<T, Isa>, Isa>;
  scan_sequences<Exclusive, Period>(in, out, n, V::template load_row<Period>(carry), op);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
