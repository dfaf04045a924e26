// SPDX-License-Identifier: Apache-2.0
/// Operations across the lanes of a varying: reductions, scans, and lanes moved to other positions.
///
/// They know nothing of a sub-group: all N lanes take part, active or not. Lanes move in registers, and through memory
/// only where the instruction set has nothing for it.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include <lanefold/simd/detail/shuffle_dynamic.hpp>
#include <lanefold/simd/detail/shuffle_scan.hpp>
#include <lanefold/simd/functional.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// The lanes of v combined by `op`: ((v[0] op v[1]) op v[2]) op …, in some grouping of the same order. `op` must be
/// associative; if `is_commutative_v` says so the order may change too. Uniform.
/// `op` is called with two varyings of T of the same, any smaller number of lanes, some of which may be unused, and
/// returns a varying (or a mask for 0 and 1). One that only takes two T is called for one pair of lanes after the
/// other. About log2(N) dependent steps.
template <class T, std::size_t N, class Isa, class Op>
LANEFOLD_ALWAYS_INLINE T reduce(const varying<T, N, Isa>& v, const Op& op) {
  decltype(auto) f = detail::typed_operator<T>(op);
  if constexpr (detail::takes_varyings<std::remove_cvref_t<decltype(f)>, varying<T, N, Isa>>) {
    return detail::reduced(v, f);
  } else {
    alignas(64) T lanes[N];
    v.store(lanes);
    T total = lanes[0];
    for (std::size_t i = 1; i < N; ++i)
      total = static_cast<T>(f(total, lanes[i]));
    return total;
  }
}

/// Lane i gets v[0] op … op v[i]. Varying. `op` as for `reduce`; the order of the operands is kept for every operator.
/// Zeros may lose their sign in sums.
template <class T, std::size_t N, class Isa, class Op>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> inclusive_scan(const varying<T, N, Isa>& v, const Op& op) {
  decltype(auto) f = detail::typed_operator<T>(op);
  if constexpr (detail::takes_varyings<std::remove_cvref_t<decltype(f)>, varying<T, N, Isa>>) {
    return detail::scanned(v, f);
  } else {
    alignas(64) T lanes[N];
    v.store(lanes);
    for (std::size_t i = 1; i < N; ++i)
      lanes[i] = static_cast<T>(f(lanes[i - 1], lanes[i]));
    return varying<T, N, Isa>::load(lanes);
  }
}

/// Lane 0 gets `init`, lane i gets init op v[0] op … op v[i - 1]. `init` is uniform, the result varying.
template <class T, std::size_t N, class Isa, class Op>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> exclusive_scan(const varying<T, N, Isa>& v, const Op& op,
                                                         std::type_identity_t<T> init) {
  return inclusive_scan(detail::moved_up(v, init), op);
}

/// Lane i gets lane index[i] % N of v. The index is a varying of any integer type.
/// One lookup instruction for each register if N lanes fill one (AVX-512: two) registers, a few for more registers;
/// through memory for many registers and with SSE2.
template <Element T, std::size_t N, class Isa, class I>
  requires std::is_integral_v<I>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> permute(const varying<T, N, Isa>& v, const varying<I, N, Isa>& index) {
  using V = varying<T, N, Isa>;
  if constexpr (N == 1) {
    return v;
  } else if constexpr (detail::has_lookup<V>) {
    return detail::lookup_lanes(v, detail::operand_as<varying<detail::same_width<T>, N, Isa>>(index));
  } else {
    alignas(64) T lanes[N];
    alignas(64) I from[N];
    v.store(lanes);
    index.store(from);
    alignas(64) T result[N];
    for (std::size_t i = 0; i < N; ++i)
      result[i] = lanes[static_cast<std::size_t>(from[i]) % N];
    return V::load(result);
  }
}

namespace detail {

/// Lane i gets lane (i + S) % N.
template <std::size_t S, class V>
LANEFOLD_ALWAYS_INLINE V rotated(const V& v) {
  constexpr std::size_t count = register_count<V>;
  constexpr std::size_t registers = S / V::register_lanes;
  constexpr std::size_t lanes = S % V::register_lanes;
  return generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    const auto& low = register_at<(k + registers) % count>(v);
    if constexpr (lanes == 0)
      return low;
    else
      return concatenated<typename V::isa, static_cast<int>(lanes)>(low, register_at<(k + registers + 1) % count>(v));
  });
}

/// Lane i gets lane i ^ S, for S a power of two.
template <std::size_t S, class V>
LANEFOLD_ALWAYS_INLINE V exchanged_lanes(const V& v) {
  return generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    if constexpr (S >= V::register_lanes)
      return register_at<(k ^ (S / V::register_lanes))>(v);
    else
      return exchanged<static_cast<int>(S)>(register_at<k>(v));
  });
}

/// Step<bit>{}(x) for each bit of n below End, from Bit on. With a constant n only the moves remain.
template <template <std::size_t> class Step, std::size_t Bit, std::size_t End, class V>
LANEFOLD_ALWAYS_INLINE void by_bits(V& x, std::size_t n) {
  if constexpr (Bit < End) {
    if ((n & Bit) != 0)
      varying_access::assign(x, varying_access::registers(Step<Bit>{}(x)));
    by_bits<Step, 2 * Bit, End>(x, n);
  }
}

template <std::size_t S>
struct rotation_down {
  template <class V>
  LANEFOLD_ALWAYS_INLINE V operator()(const V& v) const {
    return rotated<S>(v);
  }
};
template <std::size_t S>
struct rotation_up {
  template <class V>
  LANEFOLD_ALWAYS_INLINE V operator()(const V& v) const {
    return rotated<V::size() - S>(v);
  }
};
template <std::size_t S>
struct exchange {
  template <class V>
  LANEFOLD_ALWAYS_INLINE V operator()(const V& v) const {
    return exchanged_lanes<S>(v);
  }
};

/// Rotates x by n, of which `down` is what it comes to downwards.
template <template <std::size_t> class Step, class V>
LANEFOLD_ALWAYS_INLINE void rotate_lanes(V& x, std::size_t n, std::size_t down) {
  constexpr std::size_t lanes = V::register_lanes;
  if (has_lookup_rotation<V> && !__builtin_constant_p(n)) {
    if constexpr (has_lookup_rotation<V>) {
      by_bits<rotation_down, lanes, V::size()>(x, down);
      varying_access::assign(x, varying_access::registers(looked_up_rotation(x, down % lanes)));
    }
  } else {
    by_bits<Step, 1, V::size()>(x, n);
  }
}

} // namespace detail

/// Lane i gets lane (i + n) % N of v, for a uniform n: lanes move down, and round.
/// An n that the compiler knows costs a move of each register for each bit of n that is set, and nothing for multiples
/// of the lanes of a register. One that it does not know costs a lookup a register with AVX-512, branches elsewhere.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> shift_left(const varying<T, N, Isa>& v, std::size_t n) {
  using V = varying<T, N, Isa>;
  if constexpr (detail::register_count<V> > 32) {
    alignas(64) T twice[2 * N];
    v.store(twice);
    v.store(twice + N);
    return V::load(twice + n % N);
  } else {
    V x(v);
    detail::rotate_lanes<detail::rotation_down>(x, n, n);
    return x;
  }
}

/// Lane i gets lane (i - n) % N of v, for a uniform n: lanes move up, and round. Costs as `shift_left`.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> shift_right(const varying<T, N, Isa>& v, std::size_t n) {
  using V = varying<T, N, Isa>;
  if constexpr (detail::register_count<V> > 32) {
    return shift_left(v, N - n % N);
  } else {
    V x(v);
    detail::rotate_lanes<detail::rotation_up>(x, n, N - n % N);
    return x;
  }
}

/// Lane i gets lane (i ^ m) % N of v, for a uniform m. Whole registers are only renamed. Within a register an m that
/// the compiler knows costs a move for each bit that is set, one that it does not know a lookup (SSE2: branches).
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> xor_exchange(const varying<T, N, Isa>& v, std::size_t m) {
  using V = varying<T, N, Isa>;
  constexpr std::size_t lanes = V::register_lanes;
  V x(v);
  if (detail::has_register_lookup<V> && !__builtin_constant_p(m)) {
    if constexpr (detail::has_register_lookup<V>) {
      detail::by_bits<detail::exchange, lanes, N>(x, m);
      detail::varying_access::assign(x, detail::varying_access::registers(detail::looked_up_exchange(x, m % lanes)));
    }
  } else {
    detail::by_bits<detail::exchange, 1, N>(x, m);
  }
  return x;
}

/// The value of lane `lane` % N. Uniform.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE T broadcast(const varying<T, N, Isa>& v, std::size_t lane) {
  using V = varying<T, N, Isa>;
  if constexpr (N == 1) {
    return detail::first_lane(v);
  } else if constexpr (detail::has_lookup<V> && detail::register_count<V> == 1) {
    using U = detail::same_width<T>;
    return detail::first_lane(detail::lookup_lanes(v, varying<U, N, Isa>(static_cast<U>(lane))));
  } else {
    alignas(64) T lanes[N];
    v.store(lanes);
    return lanes[lane % N];
  }
}

/// Lane i gets lane N - 1 - i.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> reverse(const varying<T, N, Isa>& v) {
  using V = varying<T, N, Isa>;
  return detail::generate<V>([&](auto k) LANEFOLD_INLINE_LAMBDA {
    const auto& r = detail::register_at<detail::register_count<V> - 1 - k>(v);
    if constexpr (V::register_lanes == 1)
      return r;
    else
      return detail::shuffled<detail::pattern::reversed>(r);
  });
}

/// The lanes of a mask as bits: lane 64 * k + i is bit i of word k; bits from N on are 0. Uniform.
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE std::array<std::uint64_t, mask<N, Isa>::words> ballot(const mask<N, Isa>& m) {
  std::array<std::uint64_t, mask<N, Isa>::words> words;
  for (std::size_t k = 0; k < words.size(); ++k)
    words[k] = m.word(k);
  return words;
}

LANEFOLD_END_NAMESPACE
