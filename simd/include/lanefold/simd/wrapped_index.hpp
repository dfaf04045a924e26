// SPDX-License-Identifier: Apache-2.0
/// Quotients and remainders of lane indices by a uniform number, without a division of lanes, as periodic neighbours
/// and positions in a plane have them.
#pragma once

#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/select.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

LANEFOLD_BEGIN_NAMESPACE

/// Is what `i % m` and `i / m` give for indices i of lanes in one row and a uniform m: an index that is affine but for
/// one place at most, lane `place()`, from which on each is less by `drop()`. It knows its values, too. Sums and
/// products with uniforms stay of this kind, and sums with others of these that have no place or the same one. An
/// access through it is that of an affine index, or two of consecutive lanes; a gather or scatter where the lanes are
/// more irregular, as of an m that is less than their number. Varying.
///
/// The base class has the values for everybody who takes it for a varying. Accesses use `values_for_access()` instead,
/// which asks for no values that are computed before: where a kernel only reads and writes through such indices, nobody
/// uses the others, and the optimiser leaves them out.
template <class Lanes>
class wrapped_index : public varying<std::size_t, Lanes::size, typename Lanes::isa> {
public:
  using lanes = Lanes;
  using value_type = varying<std::size_t, Lanes::size, typename Lanes::isa>;
  using affine_type = lane_index<Lanes, stride::zero, stride::dynamic>;

  /// Makes one of regular lanes.
  LANEFOLD_ALWAYS_INLINE wrapped_index(const value_type& value, const affine_type& affine, std::size_t place,
                                       std::size_t drop)
      : value_type(value), m_irregular_values(std::size_t{0}), m_affine(affine), m_place(place), m_drop(drop) {}
  /// Makes one of irregular lanes.
  LANEFOLD_ALWAYS_INLINE wrapped_index(detail::lane_context<Lanes>* context, const value_type& value)
      : value_type(value), m_irregular_values(value), m_affine(context, 0, 0, 0), m_is_regular(false) {}
  template <stride Row, stride Column>
  LANEFOLD_ALWAYS_INLINE wrapped_index(const lane_index<Lanes, Row, Column>& i)
      : wrapped_index(i.value(), {i.context(), i.base(), 0, i.column_stride()}, Lanes::size, 0) {}

  LANEFOLD_ALWAYS_INLINE const value_type& value() const { return *this; }
  LANEFOLD_ALWAYS_INLINE detail::lane_context<Lanes>* context() const { return m_affine.context(); }
  /// Returns whether more is known of the lanes than their values. Uniform, and so are the others.
  LANEFOLD_ALWAYS_INLINE bool is_regular() const { return m_is_regular; }
  /// Returns the values, computed from what regular lanes are known by. Varying.
  LANEFOLD_ALWAYS_INLINE value_type values_for_access() const {
    if (!m_is_regular) {
      return m_irregular_values;
    }
    return is_affine() ? m_affine.value()
                       : select(value_type::mask_type::first(m_place), m_affine.value(), (m_affine - m_drop).value());
  }
  /// Returns the index of the lanes below `place()`, as if it were that of all; of regular lanes.
  LANEFOLD_ALWAYS_INLINE const affine_type& affine() const { return m_affine; }
  /// Returns the first lane of those that are less by `drop()`, of regular lanes: at least 1, as many as there are
  /// lanes or more if there is none.
  LANEFOLD_ALWAYS_INLINE std::size_t place() const { return m_place; }
  LANEFOLD_ALWAYS_INLINE std::size_t drop() const { return m_drop; }
  LANEFOLD_ALWAYS_INLINE bool is_affine() const { return m_is_regular && m_place >= Lanes::size; }

  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator+(const wrapped_index& a, U u) {
    const auto more = static_cast<std::size_t>(u);
    return a.m_is_regular ? wrapped_index(a.value() + more, a.m_affine + u, a.m_place, a.m_drop)
                          : wrapped_index(a.context(), a.m_irregular_values + more);
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator+(U u, const wrapped_index& a) {
    return a + u;
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator-(const wrapped_index& a, U u) {
    return a + (std::size_t{0} - static_cast<std::size_t>(u));
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator*(const wrapped_index& a, U u) {
    const auto factor = static_cast<std::size_t>(u);
    return a.m_is_regular ? wrapped_index(a.value() * factor, a.m_affine * u, a.m_place, a.m_drop * factor)
                          : wrapped_index(a.context(), a.m_irregular_values * factor);
  }
  template <uniform_integer U>
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator*(U u, const wrapped_index& a) {
    return a * u;
  }
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator+(const wrapped_index& a, const wrapped_index& b) {
    const bool one_place = a.is_affine() || b.is_affine() || a.m_place == b.m_place;
    const std::size_t first = a.m_place < b.m_place ? a.m_place : b.m_place;
    return a.m_is_regular && b.m_is_regular && one_place
               ? wrapped_index(a.value() + b.value(), a.m_affine + b.m_affine, first,
                               (a.is_affine() ? 0 : a.m_drop) + (b.is_affine() ? 0 : b.m_drop))
               : wrapped_index(a.context(), a.values_for_access() + b.values_for_access());
  }
  template <stride Row, stride Column>
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator+(const wrapped_index& a,
                                                        const lane_index<Lanes, Row, Column>& b) {
    return a + wrapped_index(b);
  }
  template <stride Row, stride Column>
  LANEFOLD_ALWAYS_INLINE friend wrapped_index operator+(const lane_index<Lanes, Row, Column>& a,
                                                        const wrapped_index& b) {
    return wrapped_index(a) + b;
  }

private:
  value_type m_irregular_values; ///< 0 where lanes are regular
  affine_type m_affine;
  std::size_t m_place = 0;
  std::size_t m_drop = 0;
  bool m_is_regular = true;
};

namespace detail {

/// Divides lane by lane, for what is rare. Where nobody uses the result it is not called: it has no effect, and the
/// optimiser knows.
template <class Op, class V>
__attribute__((noinline, cold, const)) V divide_each(const V indices, std::size_t divisor) noexcept {
  return binary<Op>(indices, V(divisor));
}

/// Indices divided by a uniform number. Where their strides are 0 and 1, known to the compiler if not by the type, that
/// is one division of the first, and of the lanes' small distances from it a product or, where the divisor is no less
/// than the lanes, a comparison. Lanes with the same index have the same quotient.
template <class Index>
class divided_index {
public:
  using V = typename Index::varying_type;

  LANEFOLD_ALWAYS_INLINE divided_index(const Index& i, std::size_t divisor)
      : m_index(i), m_divisor(divisor),
        m_known(is_near(i) && divisor != 0 && (is_uniform(i) || base(i) <= s_most - V::size())),
        m_quotient(m_known ? base(i) / divisor : 0), m_first(base(i) - m_quotient * divisor) {}

  LANEFOLD_ALWAYS_INLINE V quotient() const { return wraps_once() ? near_quotient() : far_quotient(); }
  LANEFOLD_ALWAYS_INLINE V remainder() const { return wraps_once() ? near_remainder() : far_remainder(); }
  /// The same as indices of lanes in one row.
  LANEFOLD_ALWAYS_INLINE auto quotient_index() const {
    return wraps_once() ? index(near_quotient(), m_quotient, 0, std::size_t(-1))
                        : result(m_index.context(), far_quotient());
  }
  LANEFOLD_ALWAYS_INLINE auto remainder_index() const {
    return wraps_once() ? index(near_remainder(), m_first, m_index.column_stride(), m_divisor)
                        : result(m_index.context(), far_remainder());
  }

private:
  using result = wrapped_index<typename Index::lanes>;
  using small = varying<std::uint32_t, V::size(), typename V::isa>;
  static constexpr std::size_t s_most = std::numeric_limits<std::size_t>::max();
  static constexpr int s_shift = 18;

  LANEFOLD_ALWAYS_INLINE static std::size_t base(const Index& i) { return static_cast<std::size_t>(i.base()); }
  /// Returns whether the indices of all lanes are less than their number away from the first.
  LANEFOLD_ALWAYS_INLINE static bool is_near(const Index& i) { return (i.row_stride() | i.column_stride() | 1) == 1; }
  /// Returns whether the lanes pass one multiple of the divisor at most.
  LANEFOLD_ALWAYS_INLINE bool wraps_once() const { return m_known && (is_uniform(m_index) || m_divisor >= V::size()); }
  /// The indices less the quotient of the first times the divisor: below divisor + lanes.
  LANEFOLD_ALWAYS_INLINE Index rest() const {
    return {m_index.context(), static_cast<std::ptrdiff_t>(m_first), m_index.row_stride(), m_index.column_stride()};
  }
  LANEFOLD_ALWAYS_INLINE auto below_divisor() const {
    if (Index::lanes::rows == 1 && m_index.column_stride() == 1) {
      return V::mask_type::first(m_divisor - m_first);
    }
    return rest().value() < m_divisor;
  }
  LANEFOLD_ALWAYS_INLINE V near_quotient() const { return select(below_divisor(), V(m_quotient), V(m_quotient + 1)); }
  LANEFOLD_ALWAYS_INLINE V near_remainder() const {
    return select(below_divisor(), rest().value(), (rest() - m_divisor).value());
  }
  LANEFOLD_ALWAYS_INLINE V far_quotient() const { return m_known ? V(small_quotient()) + m_quotient : each<divide>(); }
  LANEFOLD_ALWAYS_INLINE V far_remainder() const {
    return m_known ? V(small_rest() - small_quotient() * static_cast<std::uint32_t>(m_divisor))
                   : each<detail::remainder>();
  }
  LANEFOLD_ALWAYS_INLINE auto index(const V& value, std::size_t first, std::ptrdiff_t step, std::size_t drop) const {
    const std::size_t place = m_index.column_stride() == 0 ? V::size() : m_divisor - m_first;
    return result(value, {m_index.context(), static_cast<std::ptrdiff_t>(first), 0, step}, place, drop);
  }
  LANEFOLD_ALWAYS_INLINE small small_rest() const { return static_cast<small>(rest()); }
  /// floor(x / d) is floor(x * m / 2^s) with m = floor(2^s / d) + 1 if x * d < 2^s; here x < 2^9, d < 2^8.
  LANEFOLD_ALWAYS_INLINE small small_quotient() const {
    return small_rest() * ((std::uint32_t{1} << s_shift) / static_cast<std::uint32_t>(m_divisor) + 1) >> s_shift;
  }
  template <class Op>
  LANEFOLD_ALWAYS_INLINE V each() const {
    if (!is_near(m_index)) {
      return binary<Op>(m_index.value(), V(m_divisor));
    }
    return divide_each<Op>(m_index.value(), m_divisor);
  }

  Index m_index;
  std::size_t m_divisor;
  bool m_known; ///< nothing wraps around beyond 2^64, and the divisor is not 0
  std::size_t m_quotient;
  std::size_t m_first;
};

/// Returns whether the remainders are those of the affine index, as in `(i % m + 1) % m`: the lanes from the place on
/// are less by the divisor, and none is below 0.
template <class Lanes>
LANEFOLD_ALWAYS_INLINE bool drops_a_period(const wrapped_index<Lanes>& i, std::size_t divisor) {
  const std::ptrdiff_t least = index_difference(i.affine().base(), static_cast<std::ptrdiff_t>(divisor));
  return i.is_regular() && i.drop() == divisor && static_cast<std::ptrdiff_t>(divisor) > 0 &&
         i.affine().column_stride() == 1 && i.affine().base() >= 0 &&
         index_sum(least, static_cast<std::ptrdiff_t>(i.place())) >= 0;
}

} // namespace detail

/// Quotients and remainders by a uniform number, as of std::size_t; 0 gives anything, but nothing traps. Varying.
template <class Lanes, stride Row, stride Column, uniform_integer U>
LANEFOLD_ALWAYS_INLINE auto operator/(const lane_index<Lanes, Row, Column>& a, U u) {
  const detail::divided_index<lane_index<Lanes, Row, Column>> divided(a, static_cast<std::size_t>(u));
  if constexpr (Lanes::rows == 1) {
    return divided.quotient_index();
  } else {
    return divided.quotient();
  }
}
template <class Lanes, stride Row, stride Column, uniform_integer U>
LANEFOLD_ALWAYS_INLINE auto operator%(const lane_index<Lanes, Row, Column>& a, U u) {
  const detail::divided_index<lane_index<Lanes, Row, Column>> divided(a, static_cast<std::size_t>(u));
  if constexpr (Lanes::rows == 1) {
    return divided.remainder_index();
  } else {
    return divided.remainder();
  }
}
/// The same of what is a quotient or remainder already, or a sum with one.
template <class Lanes, uniform_integer U>
LANEFOLD_ALWAYS_INLINE wrapped_index<Lanes> operator/(const wrapped_index<Lanes>& a, U u) {
  const auto divisor = static_cast<std::size_t>(u);
  if (a.is_affine()) [[likely]] {
    return detail::divided_index(a.affine(), divisor).quotient_index();
  }
  return {a.context(), detail::divide_each<detail::divide>(a.values_for_access(), divisor)};
}
template <class Lanes, uniform_integer U>
LANEFOLD_ALWAYS_INLINE wrapped_index<Lanes> operator%(const wrapped_index<Lanes>& a, U u) {
  const auto divisor = static_cast<std::size_t>(u);
  if (a.is_affine() || detail::drops_a_period(a, divisor)) [[likely]] {
    return detail::divided_index(a.affine(), divisor).remainder_index();
  }
  return {a.context(), detail::divide_each<detail::remainder>(a.values_for_access(), divisor)};
}
template <class Lanes, stride Row, stride Column, uniform_integer U>
LANEFOLD_ALWAYS_INLINE auto operator/(U u, const lane_index<Lanes, Row, Column>& a) {
  return u / a.value();
}
template <class Lanes, stride Row, stride Column, uniform_integer U>
LANEFOLD_ALWAYS_INLINE auto operator%(U u, const lane_index<Lanes, Row, Column>& a) {
  return u % a.value();
}

LANEFOLD_END_NAMESPACE
