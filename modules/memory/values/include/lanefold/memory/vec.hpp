// SPDX-License-Identifier: Apache-2.0
/// Small vectors of 1, 2, 3, 4, 8 or 16 elements. [sycl.4.14.2]
#pragma once

#include <lanefold/detail/access_watch.hpp>
#include <lanefold/memory/detail/vec_convert.hpp>
#include <lanefold/memory/detail/vec_swizzle.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Is the type in which an operator computes: small unsigned integers without the sign that C++ would give them, bool
/// as the int that C++ makes of it.
template <class T>
using vec_operand_t = std::conditional_t<std::is_same_v<T, bool>, int,
                                         std::conditional_t<std::is_unsigned_v<T> && (sizeof(T) < 4), unsigned, T>>;

/// `vec::load` through a pointer that cannot be one to its element. Throws errc::invalid.
[[noreturn]] void throw_misaligned_vec(const char* call, const void* p, std::size_t alignment);

} // namespace detail

/// N elements of T, a fundamental arithmetic type, half, bfloat16 or std::byte: a plain, trivially copyable value. N is
/// 1, 2, 3, 4, 8 or 16. Takes the memory of N elements (of four where N is 3) and is aligned to that, to 64 bytes at
/// most.
///
/// Operators work element by element, between vectors of the same type, and between one and a number, which is
/// converted to T and counts as a vector of equal elements. The result has elements T, without promotion; that of
/// comparisons and logical operators has signed integers of the size of T, -1 where the comparison holds and 0
/// elsewhere. Integers divide as C++ divides: a divisor of 0 is undefined behaviour. In lane-generic kernels a vec for
/// each work-item is a `varying<vec<T, N>, lanes>` (see varying_vec.hpp).
///
/// A vec may be read and written through a pointer to a vec of another type, and memory of any type as a whole vec:
/// `*reinterpret_cast<uint4*>(halves) = …` (docs/decisions/021-vec-may-alias.md).
// [sycl.4.14.2]
template <class T, int N>
class [[gnu::may_alias]] alignas((N == 3 ? 4 : N) * sizeof(T) < 64 ? (N == 3 ? 4 : N) * sizeof(T) : 64) vec
    : public detail::vec_elements<vec<T, N>, N> {
  static_assert(N == 1 || N == 2 || N == 3 || N == 4 || N == 8 || N == 16,
                "lanefold: a vec has 1, 2, 3, 4, 8 or 16 elements");
  static_assert((std::is_arithmetic_v<T> && !std::is_same_v<T, long double>) || detail::is_small_real<T> ||
                    std::is_same_v<T, std::byte>,
                "lanefold: the elements of a vec are numbers of up to 8 bytes, bool or std::byte");

  using wide = detail::vec_operand_t<T>;
  using flags = vec<detail::vec_flag_t<T>, N>;
  static constexpr bool is_number = !std::is_same_v<T, std::byte>;
  static constexpr bool is_counter = is_number && !std::is_same_v<T, bool>;
  static constexpr bool is_integer = std::is_integral_v<T>;
  static constexpr bool has_bits = is_integer || !is_number;
  static constexpr int stored = N == 3 ? 4 : N;
  /// Three real numbers are computed one by one into a vec of which the fourth is the third again: compilers make that
  /// one instruction for all four, which reads no fourth element (`vec v;` leaves it without a value). Loops over three
  /// suit integers better.
  static constexpr bool in_one_go = N == 3 && std::is_floating_point_v<T>;

public:
  using element_type = T;
  using value_type = T;

  /// `vec()` and `vec v{}`: all elements 0. `vec v;` has no values, as numbers have none, and unions may hold it.
  constexpr vec() = default;
  /// All elements `x`.
  explicit constexpr vec(const T& x) : m_data{} {
    for (int i = 0; i < N; ++i) {
      m_data[i] = x;
    }
  }
  /// The elements of the arguments one after the other: numbers, and vectors or swizzles of elements T.
  template <class... Parts>
    requires(sizeof...(Parts) > 1 && (detail::vec_parts<Parts, T>::count + ...) == N)
  constexpr vec(const Parts&... parts) : m_data{} {
    int place = 0;
    (put(place, parts), ...);
  }

  /// All elements become `x`; for a vector of one element all that converts to it, such as `v1 == w1`.
  template <class U>
    requires(detail::VecScalar<U, T> || (N == 1 && std::is_convertible_v<const U&, T> && !std::derived_from<U, vec>))
  constexpr vec& operator=(const U& x) {
    return *this = vec(static_cast<T>(x));
  }

  /// A vector of one element is that element, too.
  constexpr operator T() const
    requires(N == 1)
  {
    return m_data[0];
  }

  static constexpr std::size_t size() noexcept { return N; }
  static constexpr std::size_t get_count() noexcept { return N; }
  static constexpr std::size_t byte_size() noexcept { return sizeof(vec); }
  static constexpr std::size_t get_size() noexcept { return sizeof(vec); }

  /// Element i, which must be below N. (A vec of three has a fourth one in memory, of which nothing may be expected.)
  constexpr T& operator[](int i) { return m_data[i]; }
  constexpr const T& operator[](int i) const { return m_data[i]; }

  /// The elements at I…, in that order: a view of this vector that can be assigned to where it is not const and no
  /// index is there twice; converts to a vec of as many elements. Valid as long as this vector.
  template <int... I>
  constexpr auto swizzle() {
    return detail::swizzled_vec<vec, vec<T, sizeof...(I)>, I...>(this);
  }
  template <int... I>
  constexpr auto swizzle() const {
    return detail::swizzled_vec<const vec, vec<T, sizeof...(I)>, I...>(this);
  }

  /// Each element converted to `To`. Without a rounding mode to the nearest number, also of integers: 2.7f becomes 3.
  template <class To, rounding_mode Mode = rounding_mode::automatic>
  constexpr vec<To, N> convert() const {
    vec<To, N> result{};
    for (int i = 0; i < N; ++i) {
      result[i] = detail::rounded_to<To, Mode>(m_data[i]);
    }
    return result;
  }
  /// Returns the same bits as another vec of the same size.
  template <class As>
  constexpr As as() const {
    static_assert(sizeof(As) == sizeof(vec), "lanefold: vec::as needs a vec that is as large");
    using element = typename As::element_type;
    const auto elements = std::bit_cast<std::array<element, sizeof(As) / sizeof(element)>>(m_data);
    As result{};
    for (std::size_t i = 0; i < As::size(); ++i) {
      result[static_cast<int>(i)] = elements[i];
    }
    return result;
  }

  /// The N elements from p + offset * N on; p, a plain pointer or a multi_ptr, needs the alignment of T, no more.
  /// Errors: in checked builds a pointer that is not aligned to T throws errc::invalid.
  constexpr void load(std::size_t offset, const T* p) {
    check_alignment("vec::load", p);
    for (int i = 0; i < N; ++i) {
      m_data[i] = p[offset * N + static_cast<std::size_t>(i)];
    }
  }
  constexpr void store(std::size_t offset, T* p) const {
    check_alignment("vec::store", p);
    for (int i = 0; i < N; ++i) {
      p[offset * N + static_cast<std::size_t>(i)] = m_data[i];
    }
  }
  /// `char4` and its like, which were of `char` before SYCL 2020, also load and store strings.
  constexpr void load(std::size_t offset, const char* p)
    requires std::is_same_v<T, signed char>
  {
    for (int i = 0; i < N; ++i) {
      m_data[i] = static_cast<T>(p[offset * N + static_cast<std::size_t>(i)]);
    }
  }
  constexpr void store(std::size_t offset, char* p) const
    requires std::is_same_v<T, signed char>
  {
    for (int i = 0; i < N; ++i) {
      p[offset * N + static_cast<std::size_t>(i)] = static_cast<char>(m_data[i]);
    }
  }
  // Programs may spell its address space, and whether it is decorated.
  template <auto... Spelled, detail::MultiPtr P>
  constexpr void load(std::size_t offset, const P& p) {
    load(offset, p.get());
  }
  template <auto... Spelled, detail::MultiPtr P>
  constexpr void store(std::size_t offset, const P& p) const {
    store(offset, p.get());
  }

#define LANEFOLD_DETAIL_VEC_MIXED(op, Result, ...)                                                                     \
  template <detail::VecScalar<T> U>                                                                                    \
    requires(__VA_ARGS__)                                                                                              \
  friend constexpr Result operator op(const vec& a, const U& b) {                                                      \
    return a op vec(static_cast<T>(b));                                                                                \
  }                                                                                                                    \
  template <detail::VecScalar<T> U>                                                                                    \
    requires(__VA_ARGS__)                                                                                              \
  friend constexpr Result operator op(const U& a, const vec& b) {                                                      \
    return vec(static_cast<T>(a)) op b;                                                                                \
  }

#define LANEFOLD_DETAIL_VEC_OPERATOR(op, ...)                                                                          \
  friend constexpr vec operator op(const vec& a, const vec& b)                                                         \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    if constexpr (in_one_go) {                                                                                         \
      return vec(repeat_last(), a.m_data[0] op b.m_data[0], a.m_data[1] op b.m_data[1], a.m_data[2] op b.m_data[2]);   \
    }                                                                                                                  \
    vec result{};                                                                                                      \
    for (int i = 0; i < N; ++i) {                                                                                      \
      result.m_data[i] = element(static_cast<wide>(a.m_data[i]) op static_cast<wide>(b.m_data[i]));                    \
    }                                                                                                                  \
    return result;                                                                                                     \
  }                                                                                                                    \
  LANEFOLD_DETAIL_VEC_MIXED(op, vec, __VA_ARGS__)                                                                      \
  friend constexpr vec& operator op##=(vec & a, const vec & b)                                                         \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    return a = a op b;                                                                                                 \
  }                                                                                                                    \
  template <detail::VecScalar<T> U>                                                                                    \
    requires(__VA_ARGS__)                                                                                              \
  friend constexpr vec& operator op##=(vec & a, const U & b) {                                                         \
    return a = a op b;                                                                                                 \
  }
  LANEFOLD_DETAIL_VEC_OPERATOR(+, is_number)
  LANEFOLD_DETAIL_VEC_OPERATOR(-, is_number)
  LANEFOLD_DETAIL_VEC_OPERATOR(*, is_number)
  LANEFOLD_DETAIL_VEC_OPERATOR(/, is_number)
  LANEFOLD_DETAIL_VEC_OPERATOR(%, is_integer)
  LANEFOLD_DETAIL_VEC_OPERATOR(&, has_bits)
  LANEFOLD_DETAIL_VEC_OPERATOR(|, has_bits)
  LANEFOLD_DETAIL_VEC_OPERATOR(^, has_bits)
  LANEFOLD_DETAIL_VEC_OPERATOR(<<, is_integer)
  LANEFOLD_DETAIL_VEC_OPERATOR(>>, is_integer)
#undef LANEFOLD_DETAIL_VEC_OPERATOR

#define LANEFOLD_DETAIL_VEC_COMPARISON(op, ...)                                                                        \
  friend constexpr flags operator op(const vec& a, const vec& b)                                                       \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    flags result{};                                                                                                    \
    for (int i = 0; i < N; ++i) {                                                                                      \
      result[i] = static_cast<detail::vec_flag_t<T>>((a.m_data[i] op b.m_data[i]) ? -1 : 0);                           \
    }                                                                                                                  \
    return result;                                                                                                     \
  }                                                                                                                    \
  LANEFOLD_DETAIL_VEC_MIXED(op, flags, __VA_ARGS__)
  LANEFOLD_DETAIL_VEC_COMPARISON(==, true)
  LANEFOLD_DETAIL_VEC_COMPARISON(!=, true)
  LANEFOLD_DETAIL_VEC_COMPARISON(<, true)
  LANEFOLD_DETAIL_VEC_COMPARISON(<=, true)
  LANEFOLD_DETAIL_VEC_COMPARISON(>, true)
  LANEFOLD_DETAIL_VEC_COMPARISON(>=, true)
  LANEFOLD_DETAIL_VEC_COMPARISON(&&, !std::is_same_v<T, std::byte>)
  LANEFOLD_DETAIL_VEC_COMPARISON(||, !std::is_same_v<T, std::byte>)
#undef LANEFOLD_DETAIL_VEC_COMPARISON
#undef LANEFOLD_DETAIL_VEC_MIXED

  friend constexpr vec operator+(const vec& a)
    requires(is_number)
  {
    return a;
  }
  friend constexpr vec operator-(const vec& a)
    requires(is_number)
  {
    if constexpr (in_one_go) {
      return vec(repeat_last(), -a.m_data[0], -a.m_data[1], -a.m_data[2]);
    }
    vec result{};
    for (int i = 0; i < N; ++i) {
      result.m_data[i] = element(-static_cast<wide>(a.m_data[i]));
    }
    return result;
  }
  friend constexpr vec operator~(const vec& a)
    requires(has_bits)
  {
    vec result{};
    for (int i = 0; i < N; ++i) {
      result.m_data[i] = element(~static_cast<wide>(a.m_data[i]));
    }
    return result;
  }
  friend constexpr flags operator!(const vec& a) { return a == vec(); }

  friend constexpr vec& operator++(vec& a)
    requires(is_counter)
  {
    return a += T(1);
  }
  friend constexpr vec& operator--(vec& a)
    requires(is_counter)
  {
    return a -= T(1);
  }
  friend constexpr vec operator++(vec& a, int)
    requires(is_counter)
  {
    const vec old = a;
    ++a;
    return old;
  }
  friend constexpr vec operator--(vec& a, int)
    requires(is_counter)
  {
    const vec old = a;
    --a;
    return old;
  }

  /// The smaller and the greater of each two elements, `a` where neither is smaller.
  friend constexpr vec min(const vec& a, const vec& b) {
    vec result{};
    for (int i = 0; i < N; ++i) {
      result.m_data[i] = b.m_data[i] < a.m_data[i] ? b.m_data[i] : a.m_data[i];
    }
    return result;
  }
  friend constexpr vec max(const vec& a, const vec& b) {
    vec result{};
    for (int i = 0; i < N; ++i) {
      result.m_data[i] = a.m_data[i] < b.m_data[i] ? b.m_data[i] : a.m_data[i];
    }
    return result;
  }

private:
  struct repeat_last {};
  constexpr vec(repeat_last, T x, T y, T z)
    requires(N == 3)
      : m_data{x, y, z, z} {}

  /// The result of an operator as an element. (A function: compilers warn about products that become bools in place.)
  template <class R>
  static constexpr T element(R result) {
    return static_cast<T>(result);
  }
  static constexpr void check_alignment([[maybe_unused]] const char* call, [[maybe_unused]] const T* p) {
    if constexpr (detail::checked_build) {
      if (!std::is_constant_evaluated() && reinterpret_cast<std::uintptr_t>(p) % alignof(T) != 0) {
        detail::throw_misaligned_vec(call, p, alignof(T));
      }
    }
  }

  template <class Part>
  constexpr void put(int& place, const Part& part) {
    if constexpr (detail::VecScalar<Part, T>) {
      m_data[place++] = static_cast<T>(part);
    } else {
      for (int i = 0; i < static_cast<int>(Part::size()); ++i) {
        m_data[place++] = part[i];
      }
    }
  }

#if defined(__GNUC__) && !defined(__clang__)
  /// The byte lets a variable be storage of any type: `reinterpret_cast<float*>(&v)[i] = …` of an int4. g++ heeds
  /// may_alias where a pointer is followed, and not where a variable is named (docs/decisions/021-vec-may-alias.md). It
  /// also puts a vec that is passed by value into other registers than clang's;
  /// LANEFOLD_DETAIL_VEC_ABI makes an error of the linker of that.
  union {
    T m_data[static_cast<std::size_t>(stored)];
    std::byte m_storage[1];
  };
#else
  T m_data[static_cast<std::size_t>(stored)];
#endif
};

template <class T, class... U>
  requires(std::is_same_v<T, U> && ...)
vec(T, U...) -> vec<T, 1 + static_cast<int>(sizeof...(U))>;

template <class T, int N>
inline constexpr bool detail::is_one_value<vec<T, N>> = true;

#define LANEFOLD_DETAIL_VEC_ALIASES(name, T)                                                                           \
  using name##2 = vec<T, 2>;                                                                                           \
  using name##3 = vec<T, 3>;                                                                                           \
  using name##4 = vec<T, 4>;                                                                                           \
  using name##8 = vec<T, 8>;                                                                                           \
  using name##16 = vec<T, 16>;
LANEFOLD_DETAIL_VEC_ALIASES(bool, bool)
LANEFOLD_DETAIL_VEC_ALIASES(char, std::int8_t)
LANEFOLD_DETAIL_VEC_ALIASES(schar, std::int8_t)
LANEFOLD_DETAIL_VEC_ALIASES(uchar, std::uint8_t)
LANEFOLD_DETAIL_VEC_ALIASES(short, std::int16_t)
LANEFOLD_DETAIL_VEC_ALIASES(ushort, std::uint16_t)
LANEFOLD_DETAIL_VEC_ALIASES(int, std::int32_t)
LANEFOLD_DETAIL_VEC_ALIASES(uint, std::uint32_t)
LANEFOLD_DETAIL_VEC_ALIASES(long, std::int64_t)
LANEFOLD_DETAIL_VEC_ALIASES(ulong, std::uint64_t)
LANEFOLD_DETAIL_VEC_ALIASES(longlong, long long)
LANEFOLD_DETAIL_VEC_ALIASES(ulonglong, unsigned long long)
LANEFOLD_DETAIL_VEC_ALIASES(byte, std::byte)
LANEFOLD_DETAIL_VEC_ALIASES(half, half)
LANEFOLD_DETAIL_VEC_ALIASES(float, float)
LANEFOLD_DETAIL_VEC_ALIASES(double, double)
#undef LANEFOLD_DETAIL_VEC_ALIASES

LANEFOLD_END_NAMESPACE
