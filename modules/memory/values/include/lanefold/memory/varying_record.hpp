// SPDX-License-Identifier: Apache-2.0
/// A struct for each work-item of a sub-group.
#pragma once

#include <lanefold/memory/detail/composite.hpp>
#include <lanefold/memory/detail/small_real.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// A T for each lane, T being a trivially copyable class of the user: what `x[i]` is for a view of T in a lane-generic
/// kernel. Immutable, as every varying. The lanes lie one after the other in memory and are handled one after the
/// other: `lane_wise(f, v…)` calls a function for each; operators that T has are called like that. (Vectors are kept in
/// registers, see varying_vec.hpp.)
template <class T, std::size_t N, class Isa>
  requires detail::CompositeElement<T>
class varying<T, N, Isa> : public detail::composite_memory<varying<T, N, Isa>, T, N, Isa> {
  static_assert(N >= 1 && N <= 256 && (N & (N - 1)) == 0, "lanefold: a varying has a power of two of lanes, 1 to 256");

public:
  using value_type = T;
  using isa = Isa;
  using mask_type = mask<N, Isa>;

  static constexpr std::size_t size() { return N; }

  /// Holds the same in every lane.
  LANEFOLD_ALWAYS_INLINE varying(const T& x)
      : varying(by_lane, [&](std::size_t) LANEFOLD_INLINE_LAMBDA { return x; }) {}

  varying(const varying&) = default;
  varying& operator=(const varying&) = delete; // values are immutable: it.var(x) makes a variable

  /// The value of lane i, which must be below N. Uniform.
  LANEFOLD_ALWAYS_INLINE const T& operator[](std::size_t i) const { return m_lanes.at[i]; }
  LANEFOLD_ALWAYS_INLINE const T& lane(std::size_t i) const { return m_lanes.at[i]; }

  /// f(i) for each lane i.
  template <class F>
  LANEFOLD_ALWAYS_INLINE static varying from_lanes(F f) {
    return varying(by_lane, f);
  }

  /// Lanes that are not set are value-initialised.
  LANEFOLD_ALWAYS_INLINE static varying load_strided(const T* p, std::ptrdiff_t stride) {
    return from_lanes([=](std::size_t i) LANEFOLD_INLINE_LAMBDA { return p[static_cast<std::ptrdiff_t>(i) * stride]; });
  }
  LANEFOLD_ALWAYS_INLINE static varying load_strided(const T* p, std::ptrdiff_t stride, const mask_type& m) {
    return from_lanes([&](std::size_t i)
                          LANEFOLD_INLINE_LAMBDA { return m[i] ? p[static_cast<std::ptrdiff_t>(i) * stride] : T(); });
  }
  template <class... Mask>
  LANEFOLD_ALWAYS_INLINE void store_strided(T* p, std::ptrdiff_t stride, const Mask&... m) const {
    for (std::size_t i = 0; i < N; ++i) {
      if ((m[i] && ...)) {
        p[static_cast<std::ptrdiff_t>(i) * stride] = m_lanes.at[i];
      }
    }
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE static varying gather(const T* p, const varying<I, N, Isa>& indices) {
    const auto from = indices.to_array();
    return from_lanes([&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return p[from[i]]; });
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE static varying gather(const T* p, const varying<I, N, Isa>& indices, const mask_type& m) {
    const auto from = indices.to_array();
    return from_lanes([&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return m[i] ? p[from[i]] : T(); });
  }
  template <std::integral I, class... Mask>
  LANEFOLD_ALWAYS_INLINE void scatter(T* p, const varying<I, N, Isa>& indices, const Mask&... m) const {
    const auto to = indices.to_array();
    for (std::size_t i = 0; i < N; ++i) {
      if ((m[i] && ...)) {
        p[to[i]] = m_lanes.at[i];
      }
    }
  }

  /// Variables call these, see variable.hpp.
  LANEFOLD_ALWAYS_INLINE friend void assign(varying& to, const varying& from) { to.m_lanes = from.m_lanes; }
  LANEFOLD_ALWAYS_INLINE friend void assign(varying& to, const varying& from, const mask_type& m) {
    from.store(to.m_lanes.at, m);
  }

  /// Only the library calls this. It returns its lanes moved by `move`, which does that to any varying.
  template <class Move>
  LANEFOLD_ALWAYS_INLINE varying moved(Move move) const {
    const auto from = move(varying<std::uint32_t, N, Isa>::iota(0)).to_array();
    return from_lanes([&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return m_lanes.at[from[i]]; });
  }
  LANEFOLD_ALWAYS_INLINE varying blended(const mask_type& m, const varying& b) const {
    return from_lanes([&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return m[i] ? m_lanes.at[i] : b.m_lanes.at[i]; });
  }

private:
  /// Not constructed before it is written.
  union lanes {
    lanes() {}
    T at[N];
  };
  struct by_lane_t {};
  static constexpr by_lane_t by_lane{};

  template <class F>
  LANEFOLD_ALWAYS_INLINE varying(by_lane_t, F f) {
    for (std::size_t i = 0; i < N; ++i) {
      new (&m_lanes.at[i]) T(f(i));
    }
  }

  lanes m_lanes;
};

namespace detail {

/// Lane by lane what a function of `lane_wise` gets.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto lane_reader(const varying<T, N, Isa>& v) {
  if constexpr (!requires { v.to_array(); }) {
    return [&v](std::size_t i) LANEFOLD_INLINE_LAMBDA -> T { return v.lane(i); };
  } else {
    return [all = v.to_array()](std::size_t i) LANEFOLD_INLINE_LAMBDA -> T { return all[i]; };
  }
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto lane_reader(const mask<N, Isa>& m) {
  return [&m](std::size_t i) LANEFOLD_INLINE_LAMBDA -> bool { return m[i]; };
}
template <class X>
  requires(!is_varying_v<X> && !is_mask_v<X>)
LANEFOLD_ALWAYS_INLINE auto lane_reader(const X& x) {
  return [&x](std::size_t) LANEFOLD_INLINE_LAMBDA -> const X& { return x; };
}

/// varying<R, …> with the lanes of the first varying of X….
template <class T, std::size_t N, class Isa>
varying<T, N, Isa> lanes_of_test(const varying<T, N, Isa>&);
template <class X, class... Rest>
struct lanes_among : lanes_among<Rest...> {};
template <varying_value X, class... Rest>
struct lanes_among<X, Rest...> {
  using type = decltype(lanes_of_test(std::declval<const X&>()));
};

template <class R, class V, class F>
LANEFOLD_ALWAYS_INLINE auto each_lane(F f) {
  constexpr std::size_t n = V::size();
  using isa = typename V::isa;
  if constexpr (std::is_same_v<R, bool>) {
    std::uint64_t words[mask<n, isa>::words] = {};
    for (std::size_t i = 0; i < n; ++i) {
      words[i / 64] |= std::uint64_t{f(i)} << (i % 64);
    }
    return mask<n, isa>::from_words(words);
  } else {
    R results[n]; // g++ 12 takes the operator[] of std::array for that of one of another size, and warns of it
    for (std::size_t i = 0; i < n; ++i) {
      results[i] = f(i);
    }
    return varying<R, n, isa>::load(results);
  }
}

} // namespace detail

/// f(a, b, …) for each lane of varyings, masks and uniform values, one lane after the other: a varying of the results,
/// or a mask where f returns bool. f must do for lanes that are not active, too. Of uniform values alone f of them, so
/// that a kernel can be written once for every strategy. To members of a struct:
/// `lane_wise([](const particle& p) { return p.mass; }, particles[i])`.
template <class F, class... X>
LANEFOLD_ALWAYS_INLINE auto lane_wise(F f, const X&... x) {
  if constexpr ((is_varying_v<X> || ...)) {
    using V = typename detail::lanes_among<X...>::type;
    const auto call = [&](const auto&... reader) LANEFOLD_INLINE_LAMBDA {
      using R = std::remove_cvref_t<decltype(f(reader(0)...))>;
      return detail::each_lane<R, V>([&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return f(reader(i)...); });
    };
    return call(detail::lane_reader(x)...);
  } else {
    return f(x...);
  }
}

#define LANEFOLD_DETAIL_RECORD_OPERATOR(op)                                                                            \
  template <detail::CompositeElement T, std::size_t N, class Isa>                                                      \
    requires(!detail::is_small_real<T> && requires(const T& t) { t op t; })                                            \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, const varying<T, N, Isa>& b) {                  \
    return lane_wise([](const T& x, const T& y) LANEFOLD_INLINE_LAMBDA { return x op y; }, a, b);                      \
  }
LANEFOLD_DETAIL_RECORD_OPERATOR(+)
LANEFOLD_DETAIL_RECORD_OPERATOR(-)
LANEFOLD_DETAIL_RECORD_OPERATOR(*)
LANEFOLD_DETAIL_RECORD_OPERATOR(==)
LANEFOLD_DETAIL_RECORD_OPERATOR(!=)
#undef LANEFOLD_DETAIL_RECORD_OPERATOR

/// `condition ? a : b` of plain structs, so that an operator of a program's takes them as it takes varying and recorded
/// ones.
template <class S>
  requires(detail::CompositeElement<S> && std::is_aggregate_v<S>)
constexpr S select(bool condition, const S& a, const S& b) {
  return condition ? a : b;
}

LANEFOLD_END_NAMESPACE
