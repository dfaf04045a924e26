// SPDX-License-Identifier: Apache-2.0
/// One value for each work-item of a sub-group.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/forward.hpp>
#include <lanefold/simd/detail/promotion.hpp>
#include <lanefold/simd/detail/register_bits.hpp>
#include <lanefold/simd/detail/register_convert.hpp>
#include <lanefold/simd/detail/run_memory.hpp>
#include <lanefold/simd/detail/small_integers.hpp>
#include <lanefold/simd/detail/std_functions.hpp>
#include <lanefold/simd/detail/strided_memory.hpp>
#include <lanefold/simd/detail/uniform_divide.hpp>
#include <lanefold/simd/mask.hpp>
#include <lanefold/simd/memory.hpp>

/// clang contracts a * b + c to one instruction within an expression only, and here every operator is a function: these
/// allow it between them, as g++ does on its own. Define LANEFOLD_NO_FP_CONTRACT (or, for g++, -ffp-contract=off) to
/// round after each operator.
#if defined(__clang__) && !defined(LANEFOLD_NO_FP_CONTRACT)
#define LANEFOLD_DETAIL_FP_CONTRACT _Pragma("clang fp contract(fast)")
#else
#define LANEFOLD_DETAIL_FP_CONTRACT
#endif

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// The way to the registers of a varying.
struct varying_access {
  template <class V>
  LANEFOLD_ALWAYS_INLINE static const auto& registers(const V& v) {
    return v.m_registers;
  }
  template <class V>
  LANEFOLD_ALWAYS_INLINE static V make(const typename V::registers_type& p) {
    return V(p);
  }
  template <class V>
  LANEFOLD_ALWAYS_INLINE static void assign(V& to, const typename V::registers_type& p) {
    to.m_registers = p;
  }
};

/// Is the type that C++ gives to an operation on one operand.
template <class T>
using promoted = decltype(+std::declval<T>());

} // namespace detail

/// One T for each lane of a sub-group; N is a power of two from 1 to 256. An immutable value: `it.var(v)` makes a
/// variable.
///
/// Operators work lane by lane, between varyings of any element types and plain values on either side, and give what
/// C++ gives for the element types (`varying<char> + varying<char>` is a `varying<int>`, `varying<float> * 2.0` a
/// `varying<double>`). Comparisons give a `mask`. Integer division never traps: where the divisor is 0 the lane is
/// unspecified (lanes that are not active may hold anything).
/// Multiplications and additions may contract to fused ones where the compiler's settings allow it.
///
/// Functions with a mask touch memory only for the lanes that are set; the other lanes load 0.
/// Pointers need the alignment of T, no more.
template <class T, std::size_t N, class Isa>
class varying {
  static_assert(!std::is_same_v<T, bool>,
                "lanefold: a varying bool is a mask<N>; bools in memory need a view<unsigned char>");
  static_assert(Element<T>, "lanefold: the element type of a varying is an arithmetic type");
  static_assert(N >= 1 && N <= 256 && (N & (N - 1)) == 0, "lanefold: a varying has a power of two of lanes, 1 to 256");
  using memory = detail::lane_memory<T, N, Isa>;
  using strided = detail::strided_memory<T, N, Isa>;

public:
  using value_type = T;
  using isa = Isa;
  using mask_type = mask<N, Isa>;
  /// Lanes of one register, its type, and all of them: an implementation detail that only functions of this library may
  /// depend on.
  static constexpr std::size_t register_lanes = memory::lanes;
  using register_type = typename memory::reg;
  using registers_type = typename memory::registers;
  using element_type = typename memory::element;

  static constexpr std::size_t size() { return N; }

  /// Holds the same value in every lane.
  LANEFOLD_ALWAYS_INLINE varying(T x)
      : m_registers(registers_type::generate(
            [=](std::size_t) LANEFOLD_INLINE_LAMBDA { return register_type(static_cast<element_type>(x)); })) {}
  template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>)
  LANEFOLD_ALWAYS_INLINE varying(U x) : varying(static_cast<T>(x)) {}
  /// Each lane converted as C++ converts.
  template <class U>
    requires(!std::is_same_v<U, T>)
  LANEFOLD_ALWAYS_INLINE explicit varying(const varying<U, N, Isa>& v)
      : m_registers(detail::convert_registers<register_type>(detail::varying_access::registers(v))) {}
  /// 1 where the mask is set, 0 elsewhere.
  template <class M>
    requires std::is_same_v<M, mask_type>
  LANEFOLD_ALWAYS_INLINE explicit varying(const M& m)
      : m_registers(registers_type::map(
            [](auto b) LANEFOLD_INLINE_LAMBDA {
              return detail::blend<Isa>(b, register_type(element_type(1)), register_type(element_type(0)));
            },
            detail::split<register_lanes>(m))) {}

  varying(const varying&) = default;
  varying& operator=(const varying&) = delete; // values are immutable: it.var(x) makes a variable

  template <class B>
    requires std::is_same_v<B, bool>
  explicit operator B() const {
    static_assert(!std::is_same_v<B, bool>, "lanefold: a varying is not one bool, it has a value for each work-item: "
                                            "compare it and write it.if_(condition, ...), or ask any(), all(), none()");
    return false;
  }

  /// Lane i, which must be below N. Uniform; slow for an i that is not a constant.
  LANEFOLD_ALWAYS_INLINE T operator[](std::size_t i) const {
    if (__builtin_constant_p(i)) {
      register_type chosen = m_registers.template get<0>();
      m_registers.each([&](const register_type& r, std::size_t k) LANEFOLD_INLINE_LAMBDA {
        if (k == i / register_lanes)
          chosen = r;
      });
      if constexpr (register_lanes == 1)
        return chosen;
      else
        return static_cast<T>(detail::to_vector(chosen)[i % register_lanes]);
    }
    alignas(64) T all[N];
    store(all);
    return all[i];
  }

  /// All lanes in memory.
  LANEFOLD_ALWAYS_INLINE std::array<T, N> to_array() const {
    std::array<T, N> all;
    store(all.data());
    return all;
  }

  /// Lane i = p[i].
  LANEFOLD_ALWAYS_INLINE static varying load(const T* p) { return varying(memory::load(p)); }
  LANEFOLD_ALWAYS_INLINE static varying load(const T* p, const mask_type& m) { return varying(memory::load(p, m)); }
  LANEFOLD_ALWAYS_INLINE void store(T* p) const { memory::store(m_registers, p); }
  LANEFOLD_ALWAYS_INLINE void store(T* p, const mask_type& m) const { memory::store(m_registers, p, m); }

  /// Lane i = p[i * stride].
  LANEFOLD_ALWAYS_INLINE static varying load_strided(const T* p, std::ptrdiff_t stride) {
    return varying(strided::load(p, stride));
  }
  LANEFOLD_ALWAYS_INLINE static varying load_strided(const T* p, std::ptrdiff_t stride, const mask_type& m) {
    return varying(strided::load(p, stride, m));
  }
  LANEFOLD_ALWAYS_INLINE void store_strided(T* p, std::ptrdiff_t stride) const {
    strided::store(m_registers, p, stride);
  }
  LANEFOLD_ALWAYS_INLINE void store_strided(T* p, std::ptrdiff_t stride, const mask_type& m) const {
    strided::store(m_registers, p, stride, m);
  }

  /// Lane l = p[indices[l]], for an index of any integer type. A scatter stores in the order of the lanes: where
  /// indices are equal, the highest lane stays.
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE static varying gather(const T* p, const varying<I, N, Isa>& indices) {
    return varying(memory::gather(p, index_registers(indices)));
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE static varying gather(const T* p, const varying<I, N, Isa>& indices, const mask_type& m) {
    return varying(memory::gather(p, index_registers(indices), m));
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE void scatter(T* p, const varying<I, N, Isa>& indices) const {
    memory::scatter(m_registers, p, index_registers(indices));
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE void scatter(T* p, const varying<I, N, Isa>& indices, const mask_type& m) const {
    memory::scatter(m_registers, p, index_registers(indices), m);
  }

  /// Do the same for memory whose indices are often consecutive: where they are, whole registers are loaded and stored.
  template <std::integral I, class... M>
  LANEFOLD_ALWAYS_INLINE static varying gather_runs(const T* p, const varying<I, N, Isa>& indices, const M&... m) {
    return varying(detail::run_memory<T, N, Isa>::gather(p, index_registers(indices), m...));
  }
  template <std::integral I>
  LANEFOLD_ALWAYS_INLINE static varying gather_table(const T* p, const varying<I, N, Isa>& indices) {
    return varying(detail::run_memory<T, N, Isa>::gather_table(p, index_registers(indices)));
  }
  template <std::integral I, class... M>
  LANEFOLD_ALWAYS_INLINE void scatter_runs(T* p, const varying<I, N, Isa>& indices, const M&... m) const {
    detail::run_memory<T, N, Isa>::scatter(m_registers, p, index_registers(indices), m...);
  }

  /// Load and store lanes in rows of C columns: lane r * C + c is p[r * row_stride + c].
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying load_rows(const T* p, std::ptrdiff_t row_stride, const M&... m) {
    return varying(memory::template load_rows<C>(p, row_stride, m...));
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE void store_rows(T* p, std::ptrdiff_t row_stride, const M&... m) const {
    memory::template store_rows<C>(m_registers, p, row_stride, m...);
  }
  /// Lane r * C + c = p[c].
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying load_row(const T* p, const M&... m) {
    return varying(memory::template load_rows<C>(p, 0, m...));
  }
  /// Lane r * C + c = p[r * row_stride].
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying broadcast_rows(const T* p, std::ptrdiff_t row_stride, const M&... m) {
    return varying(memory::template broadcast_rows<C>(p, row_stride, m...));
  }

  /// Lane r * C + c = base + r * row_step + c * column_step, integers modulo 2^bits.
  template <std::size_t C>
  LANEFOLD_ALWAYS_INLINE static varying affine(T base, T row_step, T column_step) {
    return varying(detail::affine_lanes<T, N, Isa, C>::make(base, row_step, column_step));
  }
  /// Lane i = base + i * step.
  LANEFOLD_ALWAYS_INLINE static varying iota(T base, T step = T(1)) { return affine<N>(base, T(0), step); }

private:
  friend struct detail::varying_access;
  LANEFOLD_ALWAYS_INLINE explicit varying(const registers_type& r) : m_registers(r) {}

  template <class I>
  LANEFOLD_ALWAYS_INLINE static auto index_registers(const varying<I, N, Isa>& i) {
    using index = varying<detail::gather_index<I>, N, Isa>;
    return detail::convert_registers<typename index::register_type>(detail::varying_access::registers(i));
  }

  registers_type m_registers;
};

/// Converted to element type U, as C++ converts; for plain values static_cast. `convert<float>(it.get_global_id(0))`.
template <class U, class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<U, N, Isa> convert(const varying<T, N, Isa>& v) {
  return varying<U, N, Isa>(v);
}
template <class U, class T>
  requires std::is_arithmetic_v<T>
LANEFOLD_ALWAYS_INLINE constexpr U convert(T x) {
  return static_cast<U>(x);
}

namespace detail {

/// a converted to V, a varying; a plain value goes to V's element type first.
template <class V, class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE V lanes_as(const varying<T, N, Isa>& a) {
  return V(a);
}
template <class V, class U>
  requires std::is_arithmetic_v<U>
LANEFOLD_ALWAYS_INLINE V lanes_as(U x) {
  return V(static_cast<typename V::value_type>(x));
}

/// op of the registers of two varyings of the same type.
template <class Op, class V>
LANEFOLD_ALWAYS_INLINE V binary(const V& a, const V& b) {
  using reg = typename V::register_type;
  return varying_access::make<V>(V::registers_type::map(
      [](const reg& x, const reg& y) LANEFOLD_INLINE_LAMBDA { return Op::template of<typename V::isa>(x, y); },
      varying_access::registers(a), varying_access::registers(b)));
}

template <comparison C, class V>
LANEFOLD_ALWAYS_INLINE auto compared(const V& a, const V& b) {
  using reg = typename V::register_type;
  constexpr std::size_t lanes = V::register_lanes;
  using bits = lane_bits<lanes>;
  return join<V::size(), typename V::isa, lanes>(pack<bits, V::size() / lanes>::map(
      [](const reg& x, const reg& y)
          LANEFOLD_INLINE_LAMBDA { return static_cast<bits>(compare<typename V::isa, C>(x, y)); },
      varying_access::registers(a), varying_access::registers(b)));
}

#define LANEFOLD_DETAIL_OPERATION(name, op)                                                                            \
  struct name {                                                                                                        \
    template <class, class R>                                                                                          \
    LANEFOLD_MAY_OVERFLOW LANEFOLD_ALWAYS_INLINE static R of(const R& a, const R& b) {                                 \
      LANEFOLD_DETAIL_FP_CONTRACT                                                                                      \
      return to_register<R>(to_vector(a) op to_vector(b));                                                             \
    }                                                                                                                  \
  };
LANEFOLD_DETAIL_OPERATION(add, +)
LANEFOLD_DETAIL_OPERATION(subtract, -)
LANEFOLD_DETAIL_OPERATION(multiply, *)
LANEFOLD_DETAIL_OPERATION(bitwise_and, &)
LANEFOLD_DETAIL_OPERATION(bitwise_or, |)
LANEFOLD_DETAIL_OPERATION(bitwise_xor, ^)
LANEFOLD_DETAIL_OPERATION(shift_left_each, <<)
LANEFOLD_DETAIL_OPERATION(shift_right_each, >>)
#undef LANEFOLD_DETAIL_OPERATION

/// op of lanes and one number, computed in lanes of V; lanes divide before they are promoted where that is the same.
template <class Op, class V, class Result = V, class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE Result binary_by_uniform(const varying<T, N, Isa>& a, typename V::element_type b) {
  if constexpr (DivisionOf<Op, typename V::element_type>) {
    using A = varying<T, N, Isa>;
    using reg = typename A::register_type;
    if (divides_as_known<Isa, reg>(b))
      return Result(varying_access::make<A>(A::registers_type::map(
          [b](const reg& x) LANEFOLD_INLINE_LAMBDA { return Op::template by_known<Isa>(x, element_t<reg>(b)); },
          varying_access::registers(a))));
    const uniform_divisor<Isa, typename V::register_type, T> d(b);
    return Result(varying_access::make<V>(V::registers_type::map(
        [d](const auto& x) LANEFOLD_INLINE_LAMBDA { return Op::by(x, d); }, varying_access::registers(V(a)))));
  } else {
    return binary<Op, V>(V(a), V(b));
  }
}

} // namespace detail

#define LANEFOLD_DETAIL_OPERATOR(op, operation, element)                                                               \
  template <element T, element U, std::size_t N, class Isa>                                                            \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, const varying<U, N, Isa>& b) {                  \
    using V = varying<detail::arithmetic_result<T, U>, N, Isa>;                                                        \
    return detail::binary<detail::operation, V>(V(a), V(b));                                                           \
  }                                                                                                                    \
  template <element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, U b) {                                          \
    using V = varying<detail::arithmetic_result<T, U>, N, Isa>;                                                        \
    return detail::binary_by_uniform<detail::operation, V>(a, static_cast<typename V::value_type>(b));                 \
  }                                                                                                                    \
  template <element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(U a, const varying<T, N, Isa>& b) {                                          \
    using V = varying<detail::arithmetic_result<T, U>, N, Isa>;                                                        \
    return detail::binary<detail::operation, V>(detail::lanes_as<V>(a), V(b));                                         \
  }
LANEFOLD_DETAIL_OPERATOR(+, add, Element)
LANEFOLD_DETAIL_OPERATOR(-, subtract, Element)
LANEFOLD_DETAIL_OPERATOR(*, multiply, Element)
LANEFOLD_DETAIL_OPERATOR(/, divide, Element)
LANEFOLD_DETAIL_OPERATOR(%, remainder, std::integral)
LANEFOLD_DETAIL_OPERATOR(&, bitwise_and, std::integral)
LANEFOLD_DETAIL_OPERATOR(|, bitwise_or, std::integral)
LANEFOLD_DETAIL_OPERATOR(^, bitwise_xor, std::integral)
#undef LANEFOLD_DETAIL_OPERATOR

// The type of a shift is that of its left operand, promoted.
#define LANEFOLD_DETAIL_SHIFT(op, operation, left)                                                                     \
  template <std::integral T, std::integral U, std::size_t N, class Isa>                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, const varying<U, N, Isa>& b) {                  \
    using V = varying<detail::promoted<T>, N, Isa>;                                                                    \
    return detail::binary<detail::operation, V>(V(a), V(b));                                                           \
  }                                                                                                                    \
  template <std::integral T, std::integral U, std::size_t N, class Isa>                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, U b) {                                          \
    using V = varying<detail::promoted<T>, N, Isa>;                                                                    \
    using reg = typename V::register_type;                                                                             \
    return detail::varying_access::make<V>(V::registers_type::map(                                                     \
        [b](const reg& x)                                                                                              \
            LANEFOLD_INLINE_LAMBDA { return detail::shift_register<left>(x, static_cast<unsigned>(b)); },              \
        detail::varying_access::registers(V(a))));                                                                     \
  }                                                                                                                    \
  template <std::integral T, std::integral U, std::size_t N, class Isa>                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(U a, const varying<T, N, Isa>& b) {                                          \
    using V = varying<detail::promoted<U>, N, Isa>;                                                                    \
    return detail::binary<detail::operation, V>(V(static_cast<detail::promoted<U>>(a)), V(b));                         \
  }
LANEFOLD_DETAIL_SHIFT(<<, shift_left_each, true)
LANEFOLD_DETAIL_SHIFT(>>, shift_right_each, false)
#undef LANEFOLD_DETAIL_SHIFT

#define LANEFOLD_DETAIL_COMPARISON(op, name)                                                                           \
  template <Element T, Element U, std::size_t N, class Isa>                                                            \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(const varying<T, N, Isa>& a, const varying<U, N, Isa>& b) {          \
    using V = varying<detail::compared_type<T, U>, N, Isa>;                                                            \
    return detail::compared<detail::comparison::name, V>(V(a), V(b));                                                  \
  }                                                                                                                    \
  template <Element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(const varying<T, N, Isa>& a, U b) {                                  \
    using V = varying<detail::arithmetic_result<T, U>, N, Isa>;                                                        \
    return detail::compared<detail::comparison::name, V>(V(a), detail::lanes_as<V>(b));                                \
  }                                                                                                                    \
  template <Element T, detail::PlainNumber U, std::size_t N, class Isa>                                                \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(U a, const varying<T, N, Isa>& b) {                                  \
    using V = varying<detail::arithmetic_result<T, U>, N, Isa>;                                                        \
    return detail::compared<detail::comparison::name, V>(detail::lanes_as<V>(a), V(b));                                \
  }
LANEFOLD_DETAIL_COMPARISON(==, equal)
LANEFOLD_DETAIL_COMPARISON(!=, not_equal)
LANEFOLD_DETAIL_COMPARISON(<, less)
LANEFOLD_DETAIL_COMPARISON(<=, less_equal)
LANEFOLD_DETAIL_COMPARISON(>, greater)
LANEFOLD_DETAIL_COMPARISON(>=, greater_equal)
#undef LANEFOLD_DETAIL_COMPARISON

template <Element T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto operator+(const varying<T, N, Isa>& a) {
  return varying<detail::promoted<T>, N, Isa>(a);
}

template <Element T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto operator-(const varying<T, N, Isa>& a) {
  using V = varying<detail::promoted<T>, N, Isa>;
  using reg = typename V::register_type;
  return detail::varying_access::make<V>(V::registers_type::map(
      [](const reg& x) LANEFOLD_INLINE_LAMBDA { return detail::to_register<reg>(-detail::to_vector(x)); },
      detail::varying_access::registers(V(a))));
}

template <std::integral T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto operator~(const varying<T, N, Isa>& a) {
  using V = varying<detail::promoted<T>, N, Isa>;
  using reg = typename V::register_type;
  return detail::varying_access::make<V>(V::registers_type::map(
      [](const reg& x) LANEFOLD_INLINE_LAMBDA { return detail::to_register<reg>(~detail::to_vector(x)); },
      detail::varying_access::registers(V(a))));
}

/// Returns a mask of the lanes that are 0.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator!(const varying<T, N, Isa>& a) {
  return detail::compared<detail::comparison::equal>(a, varying<T, N, Isa>(T(0)));
}

namespace detail {

/// Overwrites a varying, which has no assignment operator: for variables.
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE void assign(varying<T, N, Isa>& to, const varying<T, N, Isa>& from) {
  varying_access::assign(to, varying_access::registers(from));
}
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE void assign(varying<T, N, Isa>& to, const varying<T, N, Isa>& from, const mask<N, Isa>& m) {
  using V = varying<T, N, Isa>;
  using reg = typename V::register_type;
  varying_access::assign(to, V::registers_type::map([](auto b, const reg& yes, const reg& no)
                                                        LANEFOLD_INLINE_LAMBDA { return blend<Isa>(b, yes, no); },
                                                    split<V::register_lanes>(m), varying_access::registers(from),
                                                    varying_access::registers(to)));
}

} // namespace detail

LANEFOLD_END_NAMESPACE

#undef LANEFOLD_DETAIL_FP_CONTRACT
