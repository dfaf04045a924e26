// SPDX-License-Identifier: Apache-2.0
/// Vectors, half, bfloat16 and structs of the user: operators that work element by element or on registers, and
/// reductions and scans across lanes.
#pragma once

#include <lanefold/group_algorithms/detail/compiled_joint.hpp>
#include <lanefold/memory/varying_record.hpp>
#include <lanefold/memory/varying_small_real.hpp>
#include <lanefold/memory/varying_vec.hpp>
#include <lanefold/simd/horizontal.hpp>

#include <cstddef>
#include <functional>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Elements of the memory of a vec<T, M>.
template <class T, int M>
inline constexpr std::size_t stored_elements = sizeof(vec<T, M>) / sizeof(T);

/// Has `type` for an operator on vectors that does the same to each element: that operator on T.
template <class Op, class V>
struct element_operator {
  using type = void;
};
template <template <class> class F, class U, Element T, int M>
  requires(std::is_void_v<U> || std::is_same_v<U, vec<T, M>>) && requires { typename F<T>; }
struct element_operator<F<U>, vec<T, M>> {
  using candidate = typename operator_on<T, F<T>>::type;
  using type = std::conditional_t<is_compiled<candidate, T>, candidate, void>;
};

template <class Op, class V>
concept ElementOperator = !std::is_void_v<typename element_operator<Op, V>::type>;

/// Has a function `of` for an operator on half or bfloat16 that does the same to all lanes in registers.
template <class Op, class T>
struct small_real_operator {};
#define LANEFOLD_DETAIL_SMALL_REAL_LANES(name, ...)                                                                    \
  struct small_real_##name {                                                                                           \
    template <class V>                                                                                                 \
    LANEFOLD_ALWAYS_INLINE static V of(const V& a, const V& b) {                                                       \
      return __VA_ARGS__;                                                                                              \
    }                                                                                                                  \
  };                                                                                                                   \
  template <class U, SmallReal T>                                                                                      \
    requires(std::is_void_v<U> || std::is_same_v<U, T>)                                                                \
  struct small_real_operator<name<U>, T> : small_real_##name {};
LANEFOLD_DETAIL_SMALL_REAL_LANES(plus, a + b)
LANEFOLD_DETAIL_SMALL_REAL_LANES(multiplies, a* b)
LANEFOLD_DETAIL_SMALL_REAL_LANES(minimum, select(b < a, b, a))
LANEFOLD_DETAIL_SMALL_REAL_LANES(maximum, select(a < b, b, a))
#undef LANEFOLD_DETAIL_SMALL_REAL_LANES
template <class U, class T>
struct small_real_operator<std::plus<U>, T> : small_real_operator<plus<U>, T> {};
template <class U, class T>
struct small_real_operator<std::multiplies<U>, T> : small_real_operator<multiplies<U>, T> {};

template <class Op, class V>
concept SmallRealOperator = requires(const V& v) { small_real_operator<Op, typename V::value_type>::of(v, v); };

/// Lane 0 is lanes 0 to N - 1 combined, in their order, by F::of; neighbours first.
template <class F, std::size_t Step = 1, class V>
LANEFOLD_ALWAYS_INLINE V small_reals_folded(const V& v) {
  if constexpr (Step >= V::size()) {
    return v;
  } else {
    return small_reals_folded<F, 2 * Step>(F::of(v, shift_left(v, Step)));
  }
}
/// Lane i is lanes 0 to i combined, in their order, by F::of.
template <class F, std::size_t Step = 1, class V>
LANEFOLD_ALWAYS_INLINE V small_reals_scanned(const V& v) {
  if constexpr (Step >= V::size()) {
    return v;
  } else {
    const auto begins = mask<V::size(), typename V::isa>::first(Step);
    return small_reals_scanned<F, 2 * Step>(select(begins, v, F::of(shift_right(v, Step), v)));
  }
}

/// a[i] op b[i] in each lane, for any varyings.
template <class T, std::size_t N, class Isa, class Op>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> combined_lanes(const Op& given, const varying<T, N, Isa>& a,
                                                         const varying<T, N, Isa>& b) {
  using V = varying<T, N, Isa>;
  if constexpr (ElementOperator<Op, T>) {
    return V::template by_element<typename T::element_type>(typename element_operator<Op, T>::type{}, a, b);
  } else if constexpr (SmallRealOperator<Op, V>) {
    return small_real_operator<Op, T>::of(a, b);
  } else if constexpr (CompositeElement<T>) {
    return lane_wise([&](const T& x, const T& y) LANEFOLD_INLINE_LAMBDA -> T { return static_cast<T>(given(x, y)); }, a,
                     b);
  } else {
    decltype(auto) op = typed_operator<T>(given);
    if constexpr (takes_varyings<std::remove_cvref_t<decltype(op)>, V>) {
      return combined<V>(op, a, b);
    } else {
      alignas(64) T x[N];
      alignas(64) T y[N];
      a.store(x);
      b.store(y);
      for (std::size_t i = 0; i < N; ++i) {
        x[i] = static_cast<T>(given(x[i], y[i]));
      }
      return V::load(x);
    }
  }
}

} // namespace detail

/// The lanes of v combined, as `reduce` of numbers.
template <detail::CompositeElement T, std::size_t N, class Isa, class Op>
LANEFOLD_ALWAYS_INLINE T reduce(const varying<T, N, Isa>& v, const Op& op) {
  if constexpr (detail::ElementOperator<Op, T>) {
    T result;
    v.components().each([&](const auto& c, std::size_t k) LANEFOLD_INLINE_LAMBDA {
      result[static_cast<int>(k)] = reduce(c, typename detail::element_operator<Op, T>::type{});
    });
    return result;
  } else if constexpr (detail::SmallRealOperator<Op, varying<T, N, Isa>>) {
    return detail::small_reals_folded<detail::small_real_operator<Op, T>>(v).lane(0);
  } else {
    const auto lane = detail::lane_reader(v);
    T total = lane(0);
    for (std::size_t i = 1; i < N; ++i) {
      total = static_cast<T>(op(total, lane(i)));
    }
    return total;
  }
}

/// Lane i gets lanes 0 to i combined, as `inclusive_scan` of numbers.
template <detail::CompositeElement T, std::size_t N, class Isa, class Op>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> inclusive_scan(const varying<T, N, Isa>& v, const Op& op) {
  using V = varying<T, N, Isa>;
  if constexpr (detail::ElementOperator<Op, T>) {
    return V::template by_element<typename T::element_type>(
        [](const auto& c)
            LANEFOLD_INLINE_LAMBDA { return inclusive_scan(c, typename detail::element_operator<Op, T>::type{}); },
        v);
  } else if constexpr (detail::SmallRealOperator<Op, V>) {
    return detail::small_reals_scanned<detail::small_real_operator<Op, T>>(v);
  } else {
    T lanes[N];
    v.store(lanes);
    for (std::size_t i = 1; i < N; ++i) {
      lanes[i] = static_cast<T>(op(lanes[i - 1], lanes[i]));
    }
    return V::load(lanes);
  }
}

/// Lane 0 gets `init`, lane i gets init and lanes 0 to i - 1 combined, as `exclusive_scan` of numbers.
template <detail::CompositeElement T, std::size_t N, class Isa, class Op>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> exclusive_scan(const varying<T, N, Isa>& v, const Op& op,
                                                         std::type_identity_t<T> init) {
  const auto first = mask<N, Isa>::first(1);
  return inclusive_scan(varying<T, N, Isa>(select(first, init, shift_right(v, 1))), op);
}

LANEFOLD_END_NAMESPACE
