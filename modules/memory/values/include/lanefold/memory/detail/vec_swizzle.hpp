// SPDX-License-Identifier: Apache-2.0
/// Elements of a vec by name, and several of them in any order.
#pragma once

#include <lanefold/fwd.hpp>
#include <lanefold/memory/detail/vec_convert.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(SYCL_SIMPLE_SWIZZLES)
#include <lanefold/memory/detail/vec_named_swizzles.hpp>
#else
#define LANEFOLD_DETAIL_NAMED_SWIZZLES
#endif

LANEFOLD_BEGIN_NAMESPACE

/// The indices of elements by name, for `swizzle`. [sycl.4.14.2.1]
struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3;
  static constexpr int r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

namespace detail {

template <class Source, class Result, int... I>
class swizzled_vec;

/// Plain values that operators between a vec<T, N> and a number take.
template <class U, class T>
concept VecScalar = std::is_arithmetic_v<U> || is_small_real<U> || std::is_same_v<U, T>;

/// Is an argument that `vec::load` and `store` take besides plain pointers: a multi_ptr, of any address space.
template <class P>
concept MultiPtr = requires(const P& p) {
  P::address_space;
  p.get();
};

/// The signed integer of the size of T.
template <class T>
using vec_flag_t = std::conditional_t<
    sizeof(T) == 1, std::int8_t,
    std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

/// Counts the elements that an argument of a constructor of vec<T, N> stands for; more than there can be for what is
/// none.
template <class Part, class T>
struct vec_parts {
  static constexpr int count = std::is_arithmetic_v<Part> || is_small_real<Part> || std::is_same_v<Part, T> ? 1 : 1000;
};
template <class T, int N>
struct vec_parts<vec<T, N>, T> {
  static constexpr int count = N;
};
template <class Source, class T, int N, int... I>
struct vec_parts<swizzled_vec<Source, vec<T, N>, I...>, T> {
  static constexpr int count = N;
};

template <int... I>
constexpr bool all_different() {
  constexpr int all[] = {I...};
  for (std::size_t i = 0; i < sizeof...(I); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (all[i] == all[k]) {
        return false;
      }
    }
  }
  return true;
}

/// Is true if a vec of N elements has names of elements and they are among them. (For N = 4 only, where indices count
/// from N - 4.)
template <int N, int... I>
inline constexpr bool all_below = N <= 4 && ((I >= 0 && I < N) && ...);

/// Access by name for a vec or a swizzle of N elements: each gives a reference to the element; `lo`, `hi`, `odd`,
/// `even` are swizzles. Those of three elements count as four.
template <class Self, int N>
struct vec_elements {
#define LANEFOLD_DETAIL_VEC_ELEMENT(name, index, ...)                                                                  \
  constexpr decltype(auto) name()                                                                                      \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    return self()[index];                                                                                              \
  }                                                                                                                    \
  constexpr decltype(auto) name() const                                                                                \
    requires(__VA_ARGS__)                                                                                              \
  {                                                                                                                    \
    return self()[index];                                                                                              \
  }
  LANEFOLD_DETAIL_VEC_ELEMENT(x, 0, N <= 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(y, 1, N >= 2 && N <= 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(z, 2, N == 3 || N == 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(w, 3, N == 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(r, 0, N == 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(g, 1, N == 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(b, 2, N == 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(a, 3, N == 4)
  LANEFOLD_DETAIL_VEC_ELEMENT(s0, 0, N > 0)
  LANEFOLD_DETAIL_VEC_ELEMENT(s1, 1, N > 1)
  LANEFOLD_DETAIL_VEC_ELEMENT(s2, 2, N > 2)
  LANEFOLD_DETAIL_VEC_ELEMENT(s3, 3, N > 3)
  LANEFOLD_DETAIL_VEC_ELEMENT(s4, 4, N >= 8)
  LANEFOLD_DETAIL_VEC_ELEMENT(s5, 5, N >= 8)
  LANEFOLD_DETAIL_VEC_ELEMENT(s6, 6, N >= 8)
  LANEFOLD_DETAIL_VEC_ELEMENT(s7, 7, N >= 8)
  LANEFOLD_DETAIL_VEC_ELEMENT(s8, 8, N == 16)
  LANEFOLD_DETAIL_VEC_ELEMENT(s9, 9, N == 16)
  LANEFOLD_DETAIL_VEC_ELEMENT(sA, 10, N == 16)
  LANEFOLD_DETAIL_VEC_ELEMENT(sB, 11, N == 16)
  LANEFOLD_DETAIL_VEC_ELEMENT(sC, 12, N == 16)
  LANEFOLD_DETAIL_VEC_ELEMENT(sD, 13, N == 16)
  LANEFOLD_DETAIL_VEC_ELEMENT(sE, 14, N == 16)
  LANEFOLD_DETAIL_VEC_ELEMENT(sF, 15, N == 16)
#undef LANEFOLD_DETAIL_VEC_ELEMENT

#define LANEFOLD_DETAIL_VEC_HALF(name, first, step)                                                                    \
  constexpr auto name()                                                                                                \
    requires(N > 1)                                                                                                    \
  {                                                                                                                    \
    return every<first, step>(self(), std::make_integer_sequence<int, half>{});                                        \
  }                                                                                                                    \
  constexpr auto name() const                                                                                          \
    requires(N > 1)                                                                                                    \
  {                                                                                                                    \
    return every<first, step>(self(), std::make_integer_sequence<int, half>{});                                        \
  }
  LANEFOLD_DETAIL_VEC_HALF(lo, 0, 1)
  LANEFOLD_DETAIL_VEC_HALF(hi, half, 1)
  LANEFOLD_DETAIL_VEC_HALF(even, 0, 2)
  LANEFOLD_DETAIL_VEC_HALF(odd, 1, 2)
#undef LANEFOLD_DETAIL_VEC_HALF

  LANEFOLD_DETAIL_NAMED_SWIZZLES

private:
  static constexpr int half = (N + 1) / 2;

  constexpr Self& self() { return static_cast<Self&>(*this); }
  constexpr const Self& self() const { return static_cast<const Self&>(*this); }

  template <int First, int Step, class S, int... K>
  static constexpr auto every(S& s, std::integer_sequence<int, K...>) {
    return s.template swizzle<(First + Step * K)...>();
  }
};

/// Elements I... of a vec (`Source`, maybe const), as a `Result`: what `vec::swizzle` returns. Used like a Result whose
/// elements are those of the source.
template <class Source, class Result, int... I>
class swizzled_vec : public vec_elements<swizzled_vec<Source, Result, I...>, static_cast<int>(sizeof...(I))> {
  static_assert(
      ((I >= 0 && static_cast<std::size_t>(I) < Source::byte_size() / sizeof(typename Source::element_type)) && ...),
      "lanefold: a swizzle of an element that the vec has not");
  static constexpr bool assignable = !std::is_const_v<Source> && all_different<I...>();

public:
  using element_type = typename Result::element_type;
  using value_type = element_type;

  constexpr explicit swizzled_vec(Source* of) : m_source(of) {}
  constexpr swizzled_vec(const swizzled_vec&) = default;

  static constexpr std::size_t size() noexcept { return sizeof...(I); }
  static constexpr std::size_t get_count() noexcept { return sizeof...(I); }
  static constexpr std::size_t byte_size() noexcept { return sizeof(Result); }
  static constexpr std::size_t get_size() noexcept { return sizeof(Result); }

  constexpr operator Result() const {
    Result result{};
    int place = 0;
    ((result[place++] = (*m_source)[I]), ...);
    return result;
  }
  constexpr operator element_type() const
    requires(sizeof...(I) == 1)
  {
    return (*m_source)[first()];
  }

  constexpr auto& operator[](int i) const {
    constexpr int places[] = {I...};
    return (*m_source)[places[i]];
  }

  /// The source is read before it is written: `v.xy() = v.yx()` exchanges them.
  constexpr const swizzled_vec& operator=(const Result& v) const
    requires(assignable)
  {
    int place = 0;
    (((*m_source)[I] = v[place++]), ...);
    return *this;
  }
  constexpr const swizzled_vec& operator=(const swizzled_vec& v) const
    requires(assignable)
  {
    return *this = Result(v);
  }
  template <class U>
    requires(assignable && VecScalar<U, element_type>)
  constexpr const swizzled_vec& operator=(const U& x) const {
    return *this = Result(static_cast<element_type>(x));
  }

#define LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(op)                                                                         \
  template <class U>                                                                                                   \
    requires(assignable && requires(Result r, const U& u) { r op u; })                                                 \
  constexpr const swizzled_vec& operator op(const U & u) const {                                                       \
    Result result = *this;                                                                                             \
    result op u;                                                                                                       \
    return *this = result;                                                                                             \
  }
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(+=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(-=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(*=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(/=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(%=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(&=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(|=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(^=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(<<=)
  LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT(>>=)
#undef LANEFOLD_DETAIL_SWIZZLE_ASSIGNMENT
#define LANEFOLD_DETAIL_SWIZZLE_STEP(op)                                                                               \
  constexpr const swizzled_vec& operator op() const                                                                    \
    requires(assignable && requires(Result r) { op r; })                                                               \
  {                                                                                                                    \
    Result result = *this;                                                                                             \
    op result;                                                                                                         \
    return *this = result;                                                                                             \
  }                                                                                                                    \
  constexpr Result operator op(int) const                                                                              \
    requires(assignable && requires(Result r) { op r; })                                                               \
  {                                                                                                                    \
    const Result old = *this;                                                                                          \
    op* this;                                                                                                          \
    return old;                                                                                                        \
  }
  LANEFOLD_DETAIL_SWIZZLE_STEP(++)
  LANEFOLD_DETAIL_SWIZZLE_STEP(--)
#undef LANEFOLD_DETAIL_SWIZZLE_STEP

  template <int... J>
  constexpr auto swizzle() const {
    constexpr int places[] = {I...};
    static_assert(((J >= 0 && J < static_cast<int>(sizeof...(I))) && ...),
                  "lanefold: a swizzle of an element that the swizzle has not");
    return swizzled_vec<Source, vec<element_type, static_cast<int>(sizeof...(J))>, places[J]...>(m_source);
  }

  template <class To, rounding_mode Mode = rounding_mode::automatic>
  constexpr auto convert() const {
    return Result(*this).template convert<To, Mode>();
  }
  template <class As>
  constexpr As as() const {
    return Result(*this).template as<As>();
  }
  template <auto... Spelled, class P>
    requires assignable
  constexpr void load(std::size_t offset, const P& p) const {
    Result loaded;
    loaded.load(offset, p);
    *this = loaded;
  }
  template <auto... Spelled, class P>
  constexpr void store(std::size_t offset, const P& p) const {
    Result(*this).store(offset, p);
  }

private:
  static constexpr int first() {
    constexpr int places[] = {I...};
    return places[0];
  }

  Source* m_source;
};

// Swizzles of one element convert to a vec and to the element: operators take the vec.
#define LANEFOLD_DETAIL_SWIZZLE_OPERATOR(op)                                                                           \
  template <class T, class Source, int I, class Other, int J>                                                          \
  constexpr auto operator op(const swizzled_vec<Source, vec<T, 1>, I>& a,                                              \
                             const swizzled_vec<Other, vec<T, 1>, J>& b) {                                             \
    return vec<T, 1>(a) op vec<T, 1>(b);                                                                               \
  }                                                                                                                    \
  template <class T, class Source, int I, VecScalar<T> U>                                                              \
  constexpr auto operator op(const swizzled_vec<Source, vec<T, 1>, I>& a, const U& b) {                                \
    return vec<T, 1>(a) op b;                                                                                          \
  }                                                                                                                    \
  template <class T, class Source, int I, VecScalar<T> U>                                                              \
  constexpr auto operator op(const U& a, const swizzled_vec<Source, vec<T, 1>, I>& b) {                                \
    return a op vec<T, 1>(b);                                                                                          \
  }
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(+)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(-)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(*)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(/)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(%)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(&)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(|)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(^)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(<<)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(>>)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(==)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(!=)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(<)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(<=)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(>)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(>=)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(&&)
LANEFOLD_DETAIL_SWIZZLE_OPERATOR(||)
#undef LANEFOLD_DETAIL_SWIZZLE_OPERATOR
#define LANEFOLD_DETAIL_SWIZZLE_UNARY(op)                                                                              \
  template <class T, class Source, int I>                                                                              \
    requires requires(vec<T, 1> v) { op v; }                                                                           \
  constexpr auto operator op(const swizzled_vec<Source, vec<T, 1>, I>& a) {                                            \
    return op vec<T, 1>(a);                                                                                            \
  }
LANEFOLD_DETAIL_SWIZZLE_UNARY(+)
LANEFOLD_DETAIL_SWIZZLE_UNARY(-)
LANEFOLD_DETAIL_SWIZZLE_UNARY(~)
LANEFOLD_DETAIL_SWIZZLE_UNARY(!)
#undef LANEFOLD_DETAIL_SWIZZLE_UNARY

} // namespace detail
LANEFOLD_END_NAMESPACE
