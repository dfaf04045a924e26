// SPDX-License-Identifier: Apache-2.0
/// Arrays of numbers that compute element by element. [sycl.4.14.3]
#pragma once

#include <lanefold/memory/half.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

template <class T, std::size_t N>
class marray;

namespace detail {

/// Counts the elements that an argument of a constructor of an marray of T stands for; more than there can be for what
/// is none.
template <class Part, class T>
inline constexpr std::size_t marray_parts = std::is_arithmetic_v<Part> || std::is_same_v<Part, T> ? 1 : 1U << 20;
template <class T, std::size_t N>
inline constexpr std::size_t marray_parts<marray<T, N>, T> = N;

/// Plain values that operators between an marray of T and a number take.
template <class U, class T>
concept MarrayScalar =
    std::is_arithmetic_v<U> || std::is_same_v<U, T> || (std::is_same_v<U, half> && std::is_arithmetic_v<T>);

} // namespace detail

/// N elements of T, any number of any numeric type, one after the other in memory: a plain, trivially copyable value
/// with the alignment of T. Operators work element by element, between two of the same type and between one and a
/// number, which is converted to T; the result has elements T, that of comparisons and logical operators bool.
// [sycl.4.14.3]
template <class T, std::size_t N>
class marray {
  static_assert(N > 0, "lanefold: an marray has elements");
  using flags = marray<bool, N>;
  static constexpr bool is_integer = std::is_integral_v<T>;
  static constexpr bool is_counter = !std::is_same_v<T, bool>;

public:
  using value_type = T;
  using reference = T&;
  using const_reference = const T&;
  using iterator = T*;
  using const_iterator = const T*;

  /// All elements 0.
  constexpr marray() = default;
  /// All elements `x`.
  explicit constexpr marray(const T& x) {
    for (T& element : m_data) {
      element = x;
    }
  }
  /// The elements of the arguments one after the other: numbers, and arrays of elements T.
  template <class... Parts>
    requires(sizeof...(Parts) > 1 && (detail::marray_parts<Parts, T> + ...) == N)
  constexpr marray(const Parts&... parts) {
    std::size_t place = 0;
    (put(place, parts), ...);
  }
  /// All elements become `x`.
  template <detail::MarrayScalar<T> U>
  constexpr marray& operator=(const U& x) {
    return *this = marray(static_cast<T>(x));
  }

  /// An array of one element is that element, too.
  constexpr operator T() const
    requires(N == 1)
  {
    return m_data[0];
  }

  static constexpr std::size_t size() noexcept { return N; }
  /// Element i, which must be below N.
  constexpr T& operator[](std::size_t i) { return m_data[i]; }
  constexpr const T& operator[](std::size_t i) const { return m_data[i]; }
  constexpr iterator begin() { return m_data; }
  constexpr const_iterator begin() const { return m_data; }
  constexpr iterator end() { return m_data + N; }
  constexpr const_iterator end() const { return m_data + N; }

#define LANEFOLD_DETAIL_MARRAY_BINARY(op, Result, ...)                                                                 \
  friend constexpr Result operator op(const marray& a, const marray& b)                                                \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    Result result;                                                                                                     \
    for (std::size_t i = 0; i < N; ++i) {                                                                              \
      result[i] = element<Result>(computed(a[i]) op computed(b[i]));                                                   \
    }                                                                                                                  \
    return result;                                                                                                     \
  }                                                                                                                    \
  template <detail::MarrayScalar<T> U>                                                                                 \
    requires(__VA_ARGS__)                                                                                              \
  friend constexpr Result operator op(const marray& a, const U& b) {                                                   \
    return a op marray(static_cast<T>(b));                                                                             \
  }                                                                                                                    \
  template <detail::MarrayScalar<T> U>                                                                                 \
    requires(__VA_ARGS__)                                                                                              \
  friend constexpr Result operator op(const U& a, const marray& b) {                                                   \
    return marray(static_cast<T>(a)) op b;                                                                             \
  }
#define LANEFOLD_DETAIL_MARRAY_OPERATOR(op, ...)                                                                       \
  LANEFOLD_DETAIL_MARRAY_BINARY(op, marray, __VA_ARGS__)                                                               \
  friend constexpr marray& operator op##=(marray & a, const marray & b)                                                \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    return a = a op b;                                                                                                 \
  }                                                                                                                    \
  template <detail::MarrayScalar<T> U>                                                                                 \
    requires(__VA_ARGS__)                                                                                              \
  friend constexpr marray& operator op##=(marray & a, const U & b) {                                                   \
    return a = a op b;                                                                                                 \
  }
  LANEFOLD_DETAIL_MARRAY_OPERATOR(+, true)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(-, true)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(*, true)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(/, true)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(%, is_integer)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(&, is_integer)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(|, is_integer)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(^, is_integer)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(<<, is_integer)
  LANEFOLD_DETAIL_MARRAY_OPERATOR(>>, is_integer)
  LANEFOLD_DETAIL_MARRAY_BINARY(==, flags, true)
  LANEFOLD_DETAIL_MARRAY_BINARY(!=, flags, true)
  LANEFOLD_DETAIL_MARRAY_BINARY(<, flags, true)
  LANEFOLD_DETAIL_MARRAY_BINARY(<=, flags, true)
  LANEFOLD_DETAIL_MARRAY_BINARY(>, flags, true)
  LANEFOLD_DETAIL_MARRAY_BINARY(>=, flags, true)
  LANEFOLD_DETAIL_MARRAY_BINARY(&&, flags, true)
  LANEFOLD_DETAIL_MARRAY_BINARY(||, flags, true)
#undef LANEFOLD_DETAIL_MARRAY_OPERATOR
#undef LANEFOLD_DETAIL_MARRAY_BINARY

#define LANEFOLD_DETAIL_MARRAY_UNARY(op, Result, ...)                                                                  \
  friend constexpr Result operator op(const marray& a)                                                                 \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    Result result;                                                                                                     \
    for (std::size_t i = 0; i < N; ++i) {                                                                              \
      result[i] = element<Result>(op computed(a[i]));                                                                  \
    }                                                                                                                  \
    return result;                                                                                                     \
  }
  LANEFOLD_DETAIL_MARRAY_UNARY(+, marray, true)
  LANEFOLD_DETAIL_MARRAY_UNARY(-, marray, true)
  LANEFOLD_DETAIL_MARRAY_UNARY(~, marray, is_integer)
  LANEFOLD_DETAIL_MARRAY_UNARY(!, flags, true)
#undef LANEFOLD_DETAIL_MARRAY_UNARY

  friend constexpr marray& operator++(marray& a)
    requires(is_counter)
  {
    return a += T(1);
  }
  friend constexpr marray& operator--(marray& a)
    requires(is_counter)
  {
    return a -= T(1);
  }
  friend constexpr marray operator++(marray& a, int)
    requires(is_counter)
  {
    const marray old = a;
    ++a;
    return old;
  }
  friend constexpr marray operator--(marray& a, int)
    requires(is_counter)
  {
    const marray old = a;
    --a;
    return old;
  }

private:
  /// An element as what operators take: bool as the int that C++ makes of it.
  static constexpr decltype(auto) computed(const T& x) {
    if constexpr (std::is_same_v<T, bool>) {
      return static_cast<int>(x);
    } else {
      return (x);
    }
  }
  /// The result of an operator as an element. (A function: compilers warn about products that become bools in place.)
  template <class Result, class R>
  static constexpr typename Result::value_type element(const R& result) {
    return static_cast<typename Result::value_type>(result);
  }

  template <class Part>
  constexpr void put(std::size_t& place, const Part& part) {
    if constexpr (detail::MarrayScalar<Part, T>) {
      m_data[place++] = static_cast<T>(part);
    } else {
      for (const T& element : part) {
        m_data[place++] = element;
      }
    }
  }

  T m_data[N] = {};
};

template <class T, class... U>
  requires(std::is_same_v<T, U> && ...)
marray(T, U...) -> marray<T, 1 + sizeof...(U)>;

#define LANEFOLD_DETAIL_MARRAY_ALIASES(name, T)                                                                        \
  using m##name##2 = marray<T, 2>;                                                                                     \
  using m##name##3 = marray<T, 3>;                                                                                     \
  using m##name##4 = marray<T, 4>;                                                                                     \
  using m##name##8 = marray<T, 8>;                                                                                     \
  using m##name##16 = marray<T, 16>;
LANEFOLD_DETAIL_MARRAY_ALIASES(bool, bool)
LANEFOLD_DETAIL_MARRAY_ALIASES(char, std::int8_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(uchar, std::uint8_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(short, std::int16_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(ushort, std::uint16_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(int, std::int32_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(uint, std::uint32_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(long, std::int64_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(ulong, std::uint64_t)
LANEFOLD_DETAIL_MARRAY_ALIASES(half, half)
LANEFOLD_DETAIL_MARRAY_ALIASES(float, float)
LANEFOLD_DETAIL_MARRAY_ALIASES(double, double)
#undef LANEFOLD_DETAIL_MARRAY_ALIASES

LANEFOLD_END_NAMESPACE
