// SPDX-License-Identifier: Apache-2.0
/// Runs joint algorithms: one unit does the work, all get the result; and chooses the loop that it uses.
#pragma once

#include <lanefold/group_algorithms/algorithm.hpp>
#include <lanefold/group_algorithms/detail/compiled_joint.hpp>
#include <lanefold/group_algorithms/detail/composite_lanes.hpp>
#include <lanefold/group_algorithms/detail/joint_loops.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>
#include <lanefold/group_algorithms/detail/uniform_check.hpp>

#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] LANEFOLD_COLD void throw_reversed_range(std::size_t too_far);

/// Elements of [first, last). Errors: errc::invalid if the range ends before it begins.
template <class It>
LANEFOLD_ALWAYS_INLINE std::size_t length_of(const It& first, const It& last) {
  const auto n = last - first;
  if (n < 0) [[unlikely]] {
    throw_reversed_range(static_cast<std::size_t>(first - last));
  }
  return static_cast<std::size_t>(n);
}

template <class Op>
inline constexpr bool is_logical = false;
template <class T>
inline constexpr bool is_logical<logical_and<T>> = true;
template <class T>
inline constexpr bool is_logical<logical_or<T>> = true;
template <class T>
inline constexpr bool is_logical<std::logical_and<T>> = true;
template <class T>
inline constexpr bool is_logical<std::logical_or<T>> = true;

/// Returns what values come to that `Op` has combined: of a logical operator 0 or 1, of one value, too.
template <class Op, class R>
LANEFOLD_ALWAYS_INLINE constexpr R outcome_of(const R& combined) {
  if constexpr (is_logical<Op> && std::is_arithmetic_v<R>) {
    return static_cast<R>(combined != R(0));
  } else if constexpr (is_logical<Op> && is_varying_v<R>) {
    return R(combined != typename R::value_type(0));
  } else {
    return combined;
  }
}

/// The unit that comes last computes, for all: so that what each of them has written before is there.
template <class Key, class G, class Compute>
LANEFOLD_ALWAYS_INLINE auto compute_once(const G& g, Compute compute) {
  if constexpr (requires { group_access<G>::check_joint(g); }) { // a group that one thread runs from start to end
    group_access<G>::check_joint(g);
    return compute();
  } else {
    using R = decltype(compute());
    check_converged(g);
    if constexpr (!can_meet<G>) {
      return compute();
    } else {
      if (alone(g)) {
        return compute();
      }
      const auto here = meeting_point<G>::template arrive<Key, R>(g);
      R* const result = here.template data<R>();
      if (here.last()) {
        new (result) R(compute());
      }
      here.wait();
      return *result;
    }
  }
}

/// A range whose elements lie one after the other in memory.
template <class It, class T = std::iter_value_t<It>>
concept ContiguousOf = std::contiguous_iterator<It> && std::is_same_v<std::iter_value_t<It>, T>;

/// Op as the library compiles it for elements T.
template <class Op, class T>
using compiled_form = typename operator_on<T, Op>::type;

template <class Op, class T>
concept Compiled = Element<T> && is_compiled<compiled_form<Op, T>, T>;

template <class Op, class T>
inline constexpr auto compiled_place = static_cast<std::size_t>(compiled_operator_of<compiled_form<Op, T>>);

template <class T>
const canonical_t<T>* as_canonical(const T* p) {
  return reinterpret_cast<const canonical_t<T>*>(p);
}
template <class T>
canonical_t<T>* as_canonical(T* p) {
  return reinterpret_cast<canonical_t<T>*>(p);
}

/// The elements of vectors that lie one after the other in memory.
template <class T, int M>
const T* elements_of(const vec<T, M>* p) {
  return reinterpret_cast<const T*>(p);
}
template <class T, int M>
T* elements_of(vec<T, M>* p) {
  return reinterpret_cast<T*>(p);
}

/// Computes in registers of the program's own code.
constexpr bool has_registers_in(algorithm a) { return a == algorithm::automatic || a == algorithm::simd; }
/// Calls what the library has compiled for several instruction sets.
constexpr bool is_compiled_in(algorithm a) { return has_registers_in(a) || a == algorithm::without_registers; }
/// Runs loops over elements T that the compiler is told to vectorise.
template <class T>
constexpr bool has_loops_in(algorithm a) {
  return a == algorithm::omp_simd || (a == algorithm::without_registers && Element<T>);
}

/// n > 0 vectors combined, element by element: a loop over plain numbers.
template <algorithm A, class Op, class T, int M>
vec<T, M> reduce_vectors(const vec<T, M>* p, std::size_t n) {
  using op = typename element_operator<Op, vec<T, M>>::type;
  constexpr std::size_t period = stored_elements<T, M>;
  vec<T, M> result{};
  if constexpr (is_compiled_in(A)) {
    const auto reduce = compiled<canonical_t<T>>().reduce_parts[static_cast<std::size_t>(compiled_operator_of<op>)];
    reduce(as_canonical(elements_of(p)), n * period, as_canonical(elements_of(&result)), period);
  } else {
    reduce_parts_omp_simd(elements_of(p), n * period, elements_of(&result), period, op{});
  }
  return result;
}

/// n > 0 elements combined.
template <algorithm A, class It, class Op>
std::iter_value_t<It> reduce_range(It first, std::size_t n, const Op& op) {
  using T = std::iter_value_t<It>;
  if constexpr (is_compiled_in(A) && ContiguousOf<It> && Compiled<Op, T>) {
    return static_cast<T>(
        compiled<canonical_t<T>>().reduce[compiled_place<Op, T>](as_canonical(std::to_address(first)), n));
  } else if constexpr (has_registers_in(A) && ContiguousOf<It> && VectorOperator<Op, T, native_isa>) {
    return reduce_registers<native_isa>(std::to_address(first), n, op);
  } else if constexpr ((is_compiled_in(A) || A == algorithm::omp_simd) && ContiguousOf<It> && ElementOperator<Op, T>) {
    return reduce_vectors<A, Op>(std::to_address(first), n);
  } else if constexpr (has_loops_in<T>(A) && ContiguousOf<It> && is_commutative_v<Op>) {
    return reduce_omp_simd(std::to_address(first), n, op);
  } else {
    return reduce_serial(first + 1, n - 1, T(*first), op);
  }
}

/// Is true if scans of vectors T by Op are scans of their elements in registers.
template <class Op, class T>
inline constexpr bool scans_vectors = false;
template <class Op, class T, int M>
  requires ElementOperator<Op, vec<T, M>>
inline constexpr bool scans_vectors<Op, vec<T, M>> =
    stored_elements<T, M> <= full_register_lanes<T, native_isa> && full_register_lanes<T, native_isa> > 1;
template <class Op, class T>
concept ScansVectors = scans_vectors<Op, T>;

template <bool Exclusive, class Op, class T, int M>
void scan_vectors(const vec<T, M>* from, vec<T, M>* to, std::size_t n, const vec<T, M>& carry) {
  constexpr std::size_t period = stored_elements<T, M>;
  const typename element_operator<Op, vec<T, M>>::type op{};
  scan_parts_registers<Exclusive, period, native_isa>(elements_of(from), elements_of(to), n * period,
                                                      elements_of(&carry), op);
}

/// The scan of n elements, beginning with `carry`.
template <algorithm A, bool Exclusive, class In, class Out, class T, class Op>
void scan_range(In in, Out out, std::size_t n, T carry, const Op& op) {
  if constexpr (is_compiled_in(A) && ContiguousOf<In, T> && ContiguousOf<Out, T>) {
    const T* const from = std::to_address(in);
    T* const to = std::to_address(out);
    if constexpr (Compiled<Op, T>) {
      const auto& functions = compiled<canonical_t<T>>();
      const auto& scans = Exclusive ? functions.exclusive_scan : functions.inclusive_scan;
      return scans[compiled_place<Op, T>](as_canonical(from), as_canonical(to), n, static_cast<canonical_t<T>>(carry));
    } else if constexpr (has_registers_in(A) && VectorOperator<Op, T, native_isa>) {
      return scan_registers<Exclusive, native_isa>(from, to, n, carry, op);
    } else if constexpr (has_registers_in(A) && ScansVectors<Op, T>) {
      return scan_vectors<Exclusive, Op>(from, to, n, carry);
    }
  }
  scan_serial<Exclusive>(in, out, n, carry, op);
}

/// Is a predicate that takes varyings of T and gives masks.
template <class Predicate, class T>
concept VectorPredicate = Element<T> && has_registers<T> && requires(Predicate p, const varying<T, 16, native_isa>& v) {
  { p(v) } -> std::same_as<mask<16, native_isa>>;
};

/// Returns whether the predicate holds for one of n elements: in blocks, with one branch for each.
template <class T, class Predicate>
__attribute__((noinline)) bool any_registers(const T* p, std::size_t n, Predicate& predicate) {
  constexpr std::size_t lanes = full_register_lanes<T, native_isa> == 1 ? 16 : full_register_lanes<T, native_isa>;
  using V = varying<T, lanes, native_isa>;
  std::size_t i = 0;
  for (; i + 8 * lanes <= n; i += 8 * lanes) {
    const auto at = [&](std::size_t k) LANEFOLD_INLINE_LAMBDA { return predicate(V::load(p + i + k * lanes)); };
    if (((at(0) | at(1)) | (at(2) | at(3)) | ((at(4) | at(5)) | (at(6) | at(7)))).any()) {
      return true;
    }
  }
  for (; i < n; i += lanes) {
    const auto rest = mask<lanes, native_isa>::first(n - i);
    if ((predicate(V::load(p + i, rest)) & rest).any()) {
      return true;
    }
  }
  return false;
}

template <class T, class Predicate>
bool any_omp_simd(const T* p, std::size_t n, Predicate& predicate) {
  constexpr std::size_t block = 256;
  for (std::size_t i = 0; i < n; i += block) {
    const std::size_t end = n - i < block ? n : i + block;
    unsigned found = 0;
    LANEFOLD_OMP_SIMD(reduction(| : found))
    for (std::size_t k = i; k < end; ++k) {
      found |= static_cast<unsigned>(static_cast<bool>(predicate(p[k])));
    }
    if (found != 0) {
      return true;
    }
  }
  return false;
}

template <algorithm A, class It, class Predicate>
bool any_range(It first, std::size_t n, Predicate& predicate) {
  using T = std::iter_value_t<It>;
  if constexpr (has_registers_in(A) && ContiguousOf<It> && VectorPredicate<Predicate, T>) {
    return any_registers(std::to_address(first), n, predicate);
  } else if constexpr (A != algorithm::serial && A != algorithm::serial_heap && ContiguousOf<It> &&
                       std::is_arithmetic_v<T>) {
    return any_omp_simd(std::to_address(first), n, predicate);
  } else {
    for (std::size_t i = 0; i < n; ++i) {
      if (predicate(first[i])) {
        return true;
      }
    }
    return false;
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
