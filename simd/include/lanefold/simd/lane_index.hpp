// SPDX-License-Identifier: Apache-2.0
/// Indices of the lanes of a sub-group, affine in row and column of the lane shape.
#pragma once

#include <lanefold/simd/lane_context.hpp>
#include <lanefold/simd/varying.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// Says what the type of a lane_index knows of a stride.
enum class stride : signed char {
  zero = 0,    ///< all lanes of that direction have the same index: a broadcast
  one = 1,     ///< consecutive: a contiguous access
  dynamic = -1 ///< known at run time only
};

namespace detail {

constexpr stride stride_sum(stride a, stride b) {
  return a == stride::zero ? b : (b == stride::zero ? a : stride::dynamic);
}
constexpr stride stride_scaled(stride a) { return a == stride::zero ? stride::zero : stride::dynamic; }

// Indices are std::size_t: what is beyond 2^64 wraps around, and nothing overflows.
LANEFOLD_ALWAYS_INLINE constexpr std::ptrdiff_t index_sum(std::ptrdiff_t a, std::ptrdiff_t b) {
  return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(a) + static_cast<std::size_t>(b));
}
LANEFOLD_ALWAYS_INLINE constexpr std::ptrdiff_t index_difference(std::ptrdiff_t a, std::ptrdiff_t b) {
  return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(a) - static_cast<std::size_t>(b));
}
LANEFOLD_ALWAYS_INLINE constexpr std::ptrdiff_t index_product(std::ptrdiff_t a, std::ptrdiff_t b) {
  return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(a) * static_cast<std::size_t>(b));
}

} // namespace detail

template <class T>
concept uniform_integer = std::integral<T> && !std::same_as<T, bool>;

/// The index of each lane of a sub-group: lane (r, c) has the index `base + r * row_stride + c * column_stride`.
/// Strides of 0 and 1 are known in the type, so that an access through it is a vector access, a broadcast or a strided
/// access by its type. Varying; made by the items, never by the user. Sums with uniforms and with other lane indices
/// stay affine, and so does a product with a uniform; everything else converts to a varying integer (`std::size_t`, as
/// the ids of SYCL).
template <class Lanes, stride Row, stride Column>
class lane_index {
public:
  using lanes = Lanes;
  using value_type = std::size_t;
  using context_type = detail::lane_context<Lanes>;
  using varying_type = varying<std::size_t, Lanes::size, typename Lanes::isa>;
  using mask_type = mask<Lanes::size, typename Lanes::isa>;
  static constexpr stride row_kind = Lanes::rows == 1 ? stride::zero : Row;
  static constexpr stride column_kind = Column;

  LANEFOLD_ALWAYS_INLINE constexpr lane_index(context_type* context, std::ptrdiff_t base, std::ptrdiff_t row_stride,
                                              std::ptrdiff_t column_stride)
      : m_context(context), m_base(base), m_row(row_stride), m_column(column_stride) {}
  lane_index(const lane_index&) = default;
  lane_index& operator=(const lane_index&) = delete; // indices do not change: auto v = it.var(i) makes a variable

  /// Index of lane (0, 0). Uniform.
  LANEFOLD_ALWAYS_INLINE constexpr std::ptrdiff_t base() const { return m_base; }
  LANEFOLD_ALWAYS_INLINE constexpr std::ptrdiff_t row_stride() const {
    return row_kind == stride::dynamic ? m_row : static_cast<std::ptrdiff_t>(row_kind);
  }
  LANEFOLD_ALWAYS_INLINE constexpr std::ptrdiff_t column_stride() const {
    return column_kind == stride::dynamic ? m_column : static_cast<std::ptrdiff_t>(column_kind);
  }
  LANEFOLD_ALWAYS_INLINE constexpr context_type* context() const { return m_context; }

  /// The index of one lane. Uniform.
  constexpr std::size_t lane(std::size_t l) const {
    return static_cast<std::size_t>(m_base) + l / Lanes::columns * static_cast<std::size_t>(row_stride()) +
           l % Lanes::columns * static_cast<std::size_t>(column_stride());
  }
  /// A one-dimensional id is its own dimension 0, as `id<1>` is. Varying.
  LANEFOLD_ALWAYS_INLINE constexpr lane_index operator[](int) const { return *this; }

  /// The indices as values. Varying.
  LANEFOLD_ALWAYS_INLINE varying_type value() const {
    return varying_type::template affine<Lanes::columns>(static_cast<std::size_t>(m_base),
                                                         static_cast<std::size_t>(row_stride()),
                                                         static_cast<std::size_t>(column_stride()));
  }
  LANEFOLD_ALWAYS_INLINE operator varying_type() const { return value(); }
  /// The indices converted to another arithmetic type.
  template <class U>
    requires std::is_arithmetic_v<U>
  LANEFOLD_ALWAYS_INLINE explicit operator varying<U, Lanes::size, typename Lanes::isa>() const {
    using result = varying<U, Lanes::size, typename Lanes::isa>;
    if constexpr (std::is_floating_point_v<U>) {
      // In floating point only while all indices are exact in it, and where it is cheaper.
      if constexpr (row_kind == stride::dynamic || column_kind == stride::dynamic) {
        return result(value());
      } else if (static_cast<std::size_t>(m_base) >
                 (std::size_t{1} << (std::numeric_limits<U>::digits < 63 ? std::numeric_limits<U>::digits : 63)) -
                     2 * Lanes::size) [[unlikely]] {
        return large_values<result>(*this);
      }
    }
    return result::template affine<Lanes::columns>(static_cast<U>(m_base), static_cast<U>(row_stride()),
                                                   static_cast<U>(column_stride()));
  }

  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend constexpr lane_index operator+(lane_index a, U u) {
    return {a.m_context, detail::index_sum(a.m_base, static_cast<std::ptrdiff_t>(u)), a.m_row, a.m_column};
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend constexpr lane_index operator+(U u, lane_index a) {
    return a + u;
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend constexpr lane_index operator-(lane_index a, U u) {
    return {a.m_context, detail::index_difference(a.m_base, static_cast<std::ptrdiff_t>(u)), a.m_row, a.m_column};
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend constexpr auto operator*(lane_index a, U u) {
    const auto factor = static_cast<std::ptrdiff_t>(u);
    return lane_index<Lanes, detail::stride_scaled(Row), detail::stride_scaled(Column)>{
        a.m_context, detail::index_product(a.m_base, factor), detail::index_product(a.row_stride(), factor),
        detail::index_product(a.column_stride(), factor)};
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend constexpr auto operator*(U u, lane_index a) {
    return a * u;
  }
  /// All bits inverted, as of std::size_t: affine, too.
  LANEFOLD_ALWAYS_INLINE friend constexpr auto operator~(lane_index a) { return a * -1 - 1; }
  LANEFOLD_ALWAYS_INLINE friend constexpr auto operator-(lane_index a) { return a * -1; }
  LANEFOLD_ALWAYS_INLINE friend constexpr lane_index operator+(lane_index a) { return a; }
  LANEFOLD_ALWAYS_INLINE friend constexpr mask_type operator!(lane_index a) { return a.value() == std::size_t{0}; }
  template <stride Row2, stride Column2>
  LANEFOLD_ALWAYS_INLINE friend constexpr auto operator+(lane_index a, lane_index<Lanes, Row2, Column2> b) {
    return lane_index<Lanes, detail::stride_sum(Row, Row2), detail::stride_sum(Column, Column2)>{
        a.m_context, detail::index_sum(a.base(), b.base()), detail::index_sum(a.row_stride(), b.row_stride()),
        detail::index_sum(a.column_stride(), b.column_stride())};
  }

private:
  template <class Result>
  LANEFOLD_COLD static Result large_values(lane_index i) {
    return Result(i.value());
  }

  // Mutable, though nothing changes it: g++ never splits const objects without mutable members (`const auto i = …` in
  // a kernel), and would read this from memory behind every barrier.
  mutable context_type* m_context;
  std::ptrdiff_t m_base;
  std::ptrdiff_t m_row;
  std::ptrdiff_t m_column;
};

/// The indices converted to `U`, as `convert<U>` does for values. Varying.
template <class U, class Lanes, stride Row, stride Column>
LANEFOLD_ALWAYS_INLINE auto convert(const lane_index<Lanes, Row, Column>& i) {
  if constexpr (std::is_arithmetic_v<U>) {
    return static_cast<varying<U, Lanes::size, typename Lanes::isa>>(i);
  } else { // a half or a bfloat16
    return convert<U>(i.value());
  }
}

/// `i ^ m` for consecutive indices i and a uniform m: the value, and what it was made of. An access through it moves
/// whole registers and exchanges their lanes; it is no gather or scatter. Varying.
template <class Lanes>
class exchanged_index : public varying<std::size_t, Lanes::size, typename Lanes::isa> {
public:
  using lanes = Lanes;
  using value_type = varying<std::size_t, Lanes::size, typename Lanes::isa>;

  template <class Index>
  LANEFOLD_ALWAYS_INLINE exchanged_index(const Index& i, std::size_t m)
      : value_type(i.value() ^ m), m_context(i.context()), m_first(static_cast<std::size_t>(i.base())), m_bits(m) {}

  LANEFOLD_ALWAYS_INLINE const value_type& value() const { return *this; }
  /// Returns the index i of the first lane. Uniform.
  LANEFOLD_ALWAYS_INLINE std::size_t first() const { return m_first; }
  /// Returns m. Uniform.
  LANEFOLD_ALWAYS_INLINE std::size_t bits() const { return m_bits; }
  LANEFOLD_ALWAYS_INLINE const detail::lane_context<Lanes>* context() const { return m_context; }

private:
  const detail::lane_context<Lanes>* m_context;
  std::size_t m_first;
  std::size_t m_bits;
};

namespace detail {

/// A lane index as varying value, a reference to a bit as bool, anything else as it is.
template <class T>
LANEFOLD_ALWAYS_INLINE decltype(auto) index_value(const T& x) {
  if constexpr (is_lane_index_v<T>) {
    return x.value();
  } else if constexpr (reference_to_bit<T>) {
    return static_cast<bool>(x);
  } else {
    return (x);
  }
}

/// The comparison that lanes_below shortens, for indices or bounds that have wrapped around below zero.
template <class Index>
LANEFOLD_COLD typename Index::mask_type wrapped_lanes_below(Index i, std::size_t bound) {
  return i.value() < bound;
}

/// The lanes of the first `count` columns, in every row.
template <class Lanes>
LANEFOLD_ALWAYS_INLINE auto lanes_of_columns(std::size_t count) {
  using mask_type = mask<Lanes::size, typename Lanes::isa>;
  if constexpr (Lanes::rows == 1) {
    return mask_type::first(count);
  } else {
    static_assert(Lanes::columns <= 64);
    constexpr std::uint64_t each_row = full_bits<64> / full_bits<Lanes::columns>;
    const std::uint64_t row = count >= 64 ? full_bits<64> : (std::uint64_t{1} << count) - 1;
    std::uint64_t words[mask_type::words];
    for (std::uint64_t& word : words) {
      word = row * each_row;
    }
    return mask_type::from_words(words);
  }
}

/// Lanes whose index is below `bound`, for indices that are consecutive by row or by column: leading rows or columns,
/// no comparison of vectors.
template <class Index>
LANEFOLD_ALWAYS_INLINE typename Index::mask_type lanes_below(const Index& i, std::size_t bound) {
  using lanes = typename Index::lanes;
  const auto signed_bound = static_cast<std::ptrdiff_t>(bound);
  if ((i.base() | signed_bound) < 0) [[unlikely]] {
    return wrapped_lanes_below(i, bound);
  }
  const auto most = static_cast<std::ptrdiff_t>(i.column_stride() != 0 ? lanes::columns : lanes::rows);
  const std::ptrdiff_t below = signed_bound - i.base();
  const auto count = static_cast<std::size_t>(below <= 0 ? 0 : (below < most ? below : most));
  return i.column_stride() != 0 ? lanes_of_columns<lanes>(count) : Index::mask_type::first(count * lanes::columns);
}

/// Lanes whose index is at most `u`.
template <class Index>
LANEFOLD_ALWAYS_INLINE typename Index::mask_type lanes_at_most(const Index& i, std::size_t u) {
  if (u == std::numeric_limits<std::size_t>::max()) [[unlikely]] {
    return Index::mask_type::all_true();
  }
  return lanes_below(i, u + 1);
}

/// Lanes whose index is `u`: one row, one column or one lane, which a shift finds where a word holds all lanes.
template <class Index>
LANEFOLD_ALWAYS_INLINE typename Index::mask_type lanes_equal(const Index& i, std::size_t u) {
  using lanes = typename Index::lanes;
  if constexpr (lanes::size <= 64) {
    constexpr std::uint64_t row = full_bits<lanes::columns>, each_row = full_bits<lanes::size> / row;
    const std::size_t at = u - static_cast<std::size_t>(i.base());
    if (i.column_stride() != 0) {
      return Index::mask_type::from_bits(at < lanes::columns ? each_row << at : 0);
    }
    return Index::mask_type::from_bits(at < lanes::rows ? row << (at * lanes::columns) : 0);
  } else {
    return lanes_at_most(i, u) & ~lanes_below(i, u);
  }
}

/// Is true if a comparison with U may be one of bits of the mask: it is, where the strides are 0 and 1.
template <class Index, class U>
inline constexpr bool compares_by_prefix = std::integral<U> && (Index::lanes::rows == 1 || Index::lanes::columns <= 64);

/// Says whether indices are the same for all lanes, or consecutive by row or by column. Known to the compiler, if not
/// by the type then from what the kernel has written.
template <class Index>
LANEFOLD_ALWAYS_INLINE constexpr bool is_uniform(const Index& i) {
  return i.row_stride() == 0 && i.column_stride() == 0;
}
template <class Index>
LANEFOLD_ALWAYS_INLINE constexpr bool is_consecutive(const Index& i) {
  return (i.row_stride() == 0 && i.column_stride() == 1) || (i.row_stride() == 1 && i.column_stride() == 0);
}

} // namespace detail

/// An operand that an operator on a lane index takes besides the affine cases above.
template <class T>
concept lane_index_operand = is_lane_index_v<T> || std::is_arithmetic_v<T> || is_varying_v<T>;

#define LANEFOLD_LANE_INDEX_OPERATOR(op, affine)                                                                       \
  template <class Lanes, stride Row, stride Column, lane_index_operand T>                                              \
    requires(!(affine))                                                                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(const lane_index<Lanes, Row, Column>& a, const T& b) {                       \
    return a.value() op detail::index_value(b);                                                                        \
  }                                                                                                                    \
  template <class Lanes, stride Row, stride Column, class T>                                                           \
    requires(!(affine) && (std::is_arithmetic_v<T> || is_varying_v<T>))                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(const T& a, const lane_index<Lanes, Row, Column>& b) {                       \
    return a op b.value();                                                                                             \
  }
LANEFOLD_LANE_INDEX_OPERATOR(+, uniform_integer<T> || is_lane_index_v<T>)
LANEFOLD_LANE_INDEX_OPERATOR(*, uniform_integer<T>)
LANEFOLD_LANE_INDEX_OPERATOR(/, uniform_integer<T>)
LANEFOLD_LANE_INDEX_OPERATOR(%, uniform_integer<T>)
LANEFOLD_LANE_INDEX_OPERATOR(&, false)
LANEFOLD_LANE_INDEX_OPERATOR(|, false)
LANEFOLD_LANE_INDEX_OPERATOR(^, uniform_integer<T>)
LANEFOLD_LANE_INDEX_OPERATOR(<<, false)
LANEFOLD_LANE_INDEX_OPERATOR(>>, false)
#undef LANEFOLD_LANE_INDEX_OPERATOR

template <class Lanes, stride Row, stride Column, uniform_integer U>
LANEFOLD_ALWAYS_INLINE auto operator^(const lane_index<Lanes, Row, Column>& a, U u) {
  if constexpr (Lanes::rows == 1 && Column == stride::one) {
    return exchanged_index<Lanes>(a, static_cast<std::size_t>(u));
  } else {
    return a.value() ^ u;
  }
}
template <class Lanes, stride Row, stride Column, uniform_integer U>
LANEFOLD_ALWAYS_INLINE auto operator^(U u, const lane_index<Lanes, Row, Column>& a) {
  return a ^ u;
}

template <class Lanes, stride Row, stride Column, lane_index_operand T>
  requires(!uniform_integer<T>)
LANEFOLD_ALWAYS_INLINE auto operator-(const lane_index<Lanes, Row, Column>& a, const T& b) {
  return a.value() - detail::index_value(b);
}
template <class Lanes, stride Row, stride Column, class T>
  requires(std::is_arithmetic_v<T> || is_varying_v<T>)
LANEFOLD_ALWAYS_INLINE auto operator-(const T& a, const lane_index<Lanes, Row, Column>& b) {
  return a - b.value();
}

#define LANEFOLD_LANE_INDEX_COMPARISON(op, swapped, prefix)                                                            \
  template <class Lanes, stride Row, stride Column, lane_index_operand T>                                              \
  LANEFOLD_ALWAYS_INLINE auto operator op(const lane_index<Lanes, Row, Column>& a, const T& b) {                       \
    using index = lane_index<Lanes, Row, Column>;                                                                      \
    if constexpr (detail::compares_by_prefix<index, T>) {                                                              \
      if (detail::is_uniform(a)) {                                                                                     \
        return typename index::mask_type(static_cast<std::size_t>(a.base()) op static_cast<std::size_t>(b));           \
      }                                                                                                                \
      if (detail::is_consecutive(a)) {                                                                                 \
        return prefix;                                                                                                 \
      }                                                                                                                \
      return a.value() op b;                                                                                           \
    } else {                                                                                                           \
      return a.value() op detail::index_value(b);                                                                      \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class Lanes, stride Row, stride Column, class T>                                                           \
    requires(std::is_arithmetic_v<T> || is_varying_v<T>)                                                               \
  LANEFOLD_ALWAYS_INLINE auto operator op(const T& a, const lane_index<Lanes, Row, Column>& b) {                       \
    return b swapped a;                                                                                                \
  }
LANEFOLD_LANE_INDEX_COMPARISON(<, >, detail::lanes_below(a, static_cast<std::size_t>(b)))
LANEFOLD_LANE_INDEX_COMPARISON(<=, >=, detail::lanes_at_most(a, static_cast<std::size_t>(b)))
LANEFOLD_LANE_INDEX_COMPARISON(>, <, !detail::lanes_at_most(a, static_cast<std::size_t>(b)))
LANEFOLD_LANE_INDEX_COMPARISON(>=, <=, !detail::lanes_below(a, static_cast<std::size_t>(b)))
LANEFOLD_LANE_INDEX_COMPARISON(==, ==, detail::lanes_equal(a, static_cast<std::size_t>(b)))
LANEFOLD_LANE_INDEX_COMPARISON(!=, !=, !detail::lanes_equal(a, static_cast<std::size_t>(b)))
#undef LANEFOLD_LANE_INDEX_COMPARISON

// Compilers show the line of the operator where a kernel tries to change a value: so each says what to write.
#define LANEFOLD_NO_CHANGE(op)                                                                                         \
  template <class T, std::size_t N, class Isa, class U>                                                                \
  void operator op(const varying<T, N, Isa>&, const U&) = delete;                                                      \
  template <class Lanes, stride Row, stride Column, class U>                                                           \
  void operator op(const lane_index<Lanes, Row, Column>&, const U&) = delete;
LANEFOLD_NO_CHANGE(+=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(-=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(*=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(/=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(%=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(&=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(|=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(^=)  // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(<<=) // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_CHANGE(>>=) // values of lanes do not change: auto v = it.var(x) makes a variable
#undef LANEFOLD_NO_CHANGE
#define LANEFOLD_NO_STEP(op, ...)                                                                                      \
  template <class T, std::size_t N, class Isa>                                                                         \
  void operator op(const varying<T, N, Isa>& __VA_OPT__(, ) __VA_ARGS__) = delete;                                     \
  template <class Lanes, stride Row, stride Column>                                                                    \
  void operator op(const lane_index<Lanes, Row, Column>& __VA_OPT__(, ) __VA_ARGS__) = delete;
LANEFOLD_NO_STEP(++)      // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_STEP(--)      // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_STEP(++, int) // values of lanes do not change: auto v = it.var(x) makes a variable
LANEFOLD_NO_STEP(--, int) // values of lanes do not change: auto v = it.var(x) makes a variable
#undef LANEFOLD_NO_STEP

LANEFOLD_END_NAMESPACE
