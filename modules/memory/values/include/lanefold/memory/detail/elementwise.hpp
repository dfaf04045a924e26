// SPDX-License-Identifier: Apache-2.0
/// Functions of numbers applied to the elements of vec, swizzles, marray, varying vectors, and to half, varying or not.
/// Internal.
#pragma once

#include <lanefold/memory/marray.hpp>
#include <lanefold/memory/varying_small_real.hpp>
#include <lanefold/memory/varying_vec.hpp>
#include <lanefold/memory/vec.hpp>
#include <lanefold/simd/isa/square_root.hpp>
#include <lanefold/simd/select.hpp>

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Return an object that has elements, or is a half, as the class that functions compute with. (An object that is
/// derived from or stands for one, such as a variable or a swizzle, counts too.)
template <class T, int N>
LANEFOLD_ALWAYS_INLINE const vec<T, N>& math_object(const vec<T, N>& x) {
  return x;
}
template <class Source, class T, int N, int... I>
LANEFOLD_ALWAYS_INLINE vec<T, N> math_object(const swizzled_vec<Source, vec<T, N>, I...>& x) {
  return x;
}
template <class T, std::size_t N>
LANEFOLD_ALWAYS_INLINE const marray<T, N>& math_object(const marray<T, N>& x) {
  return x;
}
template <class T, int M, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const varying<vec<T, M>, N, Isa>& math_object(const varying<vec<T, M>, N, Isa>& x) {
  return x;
}
template <class X>
  requires std::is_same_v<X, half>
LANEFOLD_ALWAYS_INLINE half math_object(X x) {
  return x;
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE const varying<half, N, Isa>& math_object(const varying<half, N, Isa>& x) {
  return x;
}

template <class X>
concept MathObject = std::is_class_v<X> && requires(const X& x) { detail::math_object(x); };

/// Numbers and varyings as they are.
template <class X>
LANEFOLD_ALWAYS_INLINE decltype(auto) math_argument(const X& x) {
  if constexpr (MathObject<X>) {
    return math_object(x);
  } else {
    return operand(x);
  }
}
template <class X>
using math_type = std::remove_cvref_t<decltype(math_argument(std::declval<const X&>()))>;

/// The elements of a math_type; `rank` says whose shape a result has. Half counts as a number, varying or not.
template <class X>
struct math_shape {
  static constexpr int rank = 0;
  using element = X;
};
template <>
struct math_shape<half> {
  static constexpr int rank = 1;
  using element = half;
};
template <std::size_t N, class Isa>
struct math_shape<varying<half, N, Isa>> : math_shape<half> {};
template <class T, int N>
struct math_shape<vec<T, N>> {
  static constexpr int rank = 2, size = N;
  static constexpr bool in_lanes = false;
  using element = T;
  using flag = vec_flag_t<T>; ///< the element that says whether a relation holds: -1 or 0
  static constexpr flag yes = flag(-1);
  template <class U>
  using with = vec<U, N>;
};
template <class T, std::size_t N>
struct math_shape<marray<T, N>> {
  static constexpr int rank = 2, size = static_cast<int>(N);
  static constexpr bool in_lanes = false;
  using element = T;
  using flag = bool;
  static constexpr flag yes = true;
  template <class U>
  using with = marray<U, N>;
};
template <class T, int M, std::size_t N, class Isa>
struct math_shape<varying<vec<T, M>, N, Isa>> {
  static constexpr int rank = 3, size = M;
  static constexpr bool in_lanes = true;
  using element = T;
  using flag = vec_flag_t<T>;
  static constexpr flag yes = flag(-1);
  template <class U>
  using with = varying<vec<U, M>, N, Isa>;
};

/// The shape of the result of a function of X…: that of the argument of the greatest rank.
template <class X, class... Rest>
struct common_shape : math_shape<X> {};
template <class X, class Y, class... Rest>
struct common_shape<X, Y, Rest...>
    : common_shape<std::conditional_t<(math_shape<Y>::rank > math_shape<X>::rank), Y, X>, Rest...> {};
template <class... X>
using shape_of = common_shape<math_type<X>...>;

/// Arguments of the functions here: any mix with at least one MathObject; `MathArguments`: or numbers and varyings.
template <class... X>
concept MathArguments = ((MathObject<X> || Operand<X>) && ...);
template <class... X>
concept MathObjects = MathArguments<X...> && (MathObject<X> || ...);
/// Is a MathObject that is not half.
template <class X>
inline constexpr bool has_elements = false;
template <MathObject X>
inline constexpr bool has_elements<X> = math_shape<math_type<X>>::rank >= 2;

/// Is half, varying or not.
template <class X>
inline constexpr bool is_half = false;
template <MathObject X>
inline constexpr bool is_half<X> = math_shape<math_type<X>>::rank == 1;

/// Element i of an argument; a number counts as each element, converted to E (or as it is if E is void).
template <class E, class X>
LANEFOLD_ALWAYS_INLINE constexpr decltype(auto) math_element(const X& x, int i) {
  if constexpr (math_shape<X>::rank >= 2) {
    return x[static_cast<std::conditional_t<math_shape<X>::rank == 3, int, std::size_t>>(i)];
  } else if constexpr (std::is_same_v<E, half> && is_varying_v<X> && !is_real_operand<X> && !SmallRealLanes<X>) {
    return varying<half, X::size(), typename X::isa>(x);
  } else if constexpr (std::is_void_v<E> || is_varying_v<X>) {
    return (x);
  } else {
    return static_cast<E>(x);
  }
}

/// The element type of a result, and the type of a number of it.
template <class R>
using element_number = typename value_traits<R>::element;

/// Returns halves as the floats that they are, everything else as it is.
template <class X>
LANEFOLD_ALWAYS_INLINE constexpr auto halves_as_floats(const X& x) {
  if constexpr (std::is_same_v<X, half>) {
    return static_cast<float>(x);
  } else if constexpr (SmallRealLanes<X>) {
    return x.floats();
  } else {
    return x;
  }
}
/// Returns what f returned for float, as what it is for half.
template <class R>
LANEFOLD_ALWAYS_INLINE constexpr auto back_to_half(const R& r) {
  if constexpr (std::is_same_v<R, float>) {
    return half(r);
  } else {
    return r;
  }
}
template <std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<half, N, Isa> back_to_half(const varying<float, N, Isa>& r) {
  return varying<half, N, Isa>(r);
}

template <class S, class E, class F, std::size_t... K, class... X>
LANEFOLD_ALWAYS_INLINE auto varying_elements(F f, std::index_sequence<K...>, const X&... x) {
  const auto one = [&](int i) LANEFOLD_INLINE_LAMBDA { return f(math_element<E>(x, i)...); };
  using R = element_number<decltype(one(0))>;
  using result = typename S::template with<R>;
  using component = typename result::component;
  return result(component(one(static_cast<int>(K)))...);
}

/// f of the elements with index 0, 1, …; numbers among the arguments become E. Halves compute as float.
template <class E, class F, class... X>
LANEFOLD_ALWAYS_INLINE constexpr auto by_element(F f, const X&... x) {
  using S = common_shape<X...>;
  if constexpr (S::rank <= 1) {
    if constexpr ((is_real_operand<X> || ...)) {
      return f(halves_as_floats(x)...);
    } else {
      return back_to_half(
          f(halves_as_floats(math_element<std::conditional_t<std::is_void_v<E>, void, half>>(x, 0))...));
    }
  } else if constexpr (S::in_lanes) {
    return varying_elements<S, E>(f, std::make_index_sequence<static_cast<std::size_t>(S::size)>{}, x...);
  } else {
    using R = std::remove_cvref_t<decltype(f(math_element<E>(x, 0)...))>;
    typename S::template with<R> result{};
    for (int i = 0; i < S::size; ++i) {
      result[static_cast<std::size_t>(i)] = f(math_element<E>(x, i)...);
    }
    return result;
  }
}

/// f, a function of numbers and varyings, of the elements of the arguments.
template <class F, class... X>
LANEFOLD_ALWAYS_INLINE constexpr auto elementwise(F f, const X&... x) {
  using E = typename shape_of<X...>::element;
  return by_element<E>(f, math_argument(x)...);
}
/// Does the same as `elementwise` with numbers as they are: for functions whose arguments have different types.
template <class F, class... X>
LANEFOLD_ALWAYS_INLINE constexpr auto elementwise_as_given(F f, const X&... x) {
  return by_element<void>(f, math_argument(x)...);
}

template <class X>
inline constexpr bool has_square_roots = false;
template <class T, int N>
inline constexpr bool has_square_roots<vec<T, N>> =
    std::is_floating_point_v<T> && sizeof(vec<T, N>) >= 16 && square_root_bytes != 0;

/// Does the same as `elementwise` for the square root, and takes those of a vector's elements together.
template <class F, class X>
LANEFOLD_ALWAYS_INLINE auto elementwise_sqrt(F f, const X& x) {
  using V = math_type<X>;
  if constexpr (has_square_roots<V>) {
    const V v = math_argument(x);
    V result;
    square_roots<sizeof(V) / sizeof(v[0])>(&v[0], &result[0]);
    return result;
  } else {
    return elementwise(f, x);
  }
}

/// A function that says yes or no, of the elements: -1 and 0 in a vec, bools in an marray.
template <class F, class... X>
LANEFOLD_ALWAYS_INLINE constexpr auto relation(F f, const X&... x) {
  using S = shape_of<X...>;
  if constexpr (S::rank <= 1) {
    return elementwise(f, x...);
  } else {
    return elementwise(
        [f](const auto&... v) LANEFOLD_INLINE_LAMBDA {
          const auto holds = f(v...);
          if constexpr (is_mask_v<decltype(holds)>) {
            return select(holds, S::yes, typename S::flag(0));
          } else {
            return holds ? S::yes : typename S::flag(0);
          }
        },
        x...);
  }
}

/// F::of of the arguments, which are numbers, varyings and MathObjects in any mix: numbers and varyings are converted
/// to the real type that they have in common, then F::of computes with plain values or with varyings of that type.
template <class F>
struct real_function {
  template <class... X>
  LANEFOLD_ALWAYS_INLINE auto operator()(const X&... x) const {
    if constexpr (MathObjects<X...>) {
      return elementwise(*this, x...);
    } else {
      using V = with_lanes_t<common_real_t<X...>, X...>;
      return F::of(V(operand_as<V>(x))...);
    }
  }
};
/// Does the same for functions of the type itself, also of half, which do not compute that as float.
template <class F>
struct exact_function {
  template <class... X>
  LANEFOLD_ALWAYS_INLINE auto operator()(const X&... x) const {
    if constexpr ((std::is_same_v<X, half> && ...)) {
      return F::of(x...);
    } else if constexpr ((is_half<X> && ...)) {
      return lane_wise([](const auto&... y) LANEFOLD_INLINE_LAMBDA { return F::of(y...); }, x...);
    } else if constexpr (MathObjects<X...>) {
      return elementwise(*this, x...);
    } else {
      return real_function<F>{}(x...);
    }
  }
};
/// Does the same as real_function for the type that integers have in common, without promotion.
template <class F>
struct integer_function {
  template <class... X>
  LANEFOLD_ALWAYS_INLINE auto operator()(const X&... x) const {
    if constexpr (MathObjects<X...>) {
      return elementwise(*this, x...);
    } else {
      using V = with_lanes_t<common_element_t<X...>, X...>;
      return F::of(V(operand_as<V>(x))...);
    }
  }
};

/// f of each lane, for functions that only plain values have. R is the type of the result of f.
template <class R, class F, class V, class... Rest>
LANEFOLD_ALWAYS_INLINE auto lane_by_lane(F f, const V& v, const Rest&... rest) {
  if constexpr (is_varying_v<V>) {
    return [f](const auto&... all) {
      std::array<R, V::size()> results;
      for (std::size_t lane = 0; lane < V::size(); ++lane) {
        results[lane] = f(all[lane]...);
      }
      return varying<R, V::size(), typename V::isa>::load(results.data());
    }(v.to_array(), rest.to_array()...);
  } else {
    return f(v, rest...);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
