// SPDX-License-Identifier: Apache-2.0
/// A vec for each work-item of a sub-group.
#pragma once

#include <lanefold/memory/detail/composite.hpp>
#include <lanefold/memory/vec.hpp>
#include <lanefold/simd/detail/interleaved_memory.hpp>
#include <lanefold/simd/functional.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

/// A vec<T, M> for each lane, kept as M varyings of T: what `x[i]` is for a view of vectors in a lane-generic kernel.
/// Immutable, as every varying: `it.var(v)` makes a variable. Operators work element by element as those of vec; the
/// other operand may be a varying vec, a uniform vec, a number, or a varying of numbers, which counts for all elements.
/// Elements (`v.x()`, `v[2]`) are varyings; swizzles are varying vectors of their own.
template <class T, int M, std::size_t N, class Isa>
  requires Element<T>
class varying<vec<T, M>, N, Isa> : public detail::vec_elements<varying<vec<T, M>, N, Isa>, M>,
                                   public detail::composite_memory<varying<vec<T, M>, N, Isa>, vec<T, M>, N, Isa> {
  using flag = detail::vec_flag_t<T>;
  using flags = varying<vec<flag, M>, N, Isa>;
  static constexpr auto stored = static_cast<std::ptrdiff_t>(sizeof(vec<T, M>) / sizeof(T));
  using one_by_one = detail::composite_memory<varying, vec<T, M>, N, Isa>;
  using interleaved =
      detail::interleaved_memory<T, N, Isa, static_cast<std::size_t>(stored), static_cast<std::size_t>(M)>;

public:
  using value_type = vec<T, M>;
  using isa = Isa;
  using mask_type = mask<N, Isa>;
  using component = varying<T, N, Isa>;
  using components_type = detail::pack<component, static_cast<std::size_t>(M)>;

  /// Lanes.
  static constexpr std::size_t size() { return N; }

  /// Holds the same vec in every lane.
  LANEFOLD_ALWAYS_INLINE varying(const vec<T, M>& v)
      : m_components(components_type::generate(
            [&](std::size_t k) LANEFOLD_INLINE_LAMBDA { return component(v[static_cast<int>(k)]); })) {}
  /// Of its elements: varyings of T and numbers.
  template <class... C>
    requires(sizeof...(C) == M && M > 1 && (detail::Operand<C> && ...))
  LANEFOLD_ALWAYS_INLINE explicit varying(const C&... c) : varying(indices{}, c...) {}
  /// Holds the same varying in all elements.
  LANEFOLD_ALWAYS_INLINE explicit varying(const component& c)
      : m_components(components_type::generate([&](std::size_t) LANEFOLD_INLINE_LAMBDA { return c; })) {}
  /// Only the library calls this.
  LANEFOLD_ALWAYS_INLINE explicit varying(const components_type& c) : m_components(c) {}

  varying(const varying&) = default;
  varying& operator=(const varying&) = delete; // values are immutable: it.var(x) makes a variable

  /// Element i, which must be below M. Varying.
  LANEFOLD_ALWAYS_INLINE component operator[](int i) const {
    component chosen = m_components.template get<0>();
    m_components.each([&](const component& c, std::size_t k) LANEFOLD_INLINE_LAMBDA {
      if (static_cast<int>(k) == i) {
        detail::assign(chosen, c);
      }
    });
    return chosen;
  }
  template <int... I>
  LANEFOLD_ALWAYS_INLINE auto swizzle() const {
    return varying<vec<T, static_cast<int>(sizeof...(I))>, N, Isa>(
        m_components.template get<static_cast<std::size_t>(I)>()...);
  }
  /// Each element converted to To.
  template <class To>
  LANEFOLD_ALWAYS_INLINE auto convert() const {
    return by_element<To>([](const component& c) LANEFOLD_INLINE_LAMBDA { return varying<To, N, Isa>(c); }, *this);
  }
  /// The vec of lane i, which must be below N. Uniform.
  LANEFOLD_ALWAYS_INLINE vec<T, M> lane(std::size_t i) const {
    vec<T, M> result{};
    m_components.each([&](const component& c, std::size_t k)
                          LANEFOLD_INLINE_LAMBDA { result[static_cast<int>(k)] = c[i]; });
    return result;
  }

  // Vectors one behind the other are whole registers, whose elements are sorted by shuffles.
  template <class... Mask>
  LANEFOLD_ALWAYS_INLINE static varying load(const vec<T, M>* p, const Mask&... m) {
    if constexpr (interleaved::template loads_rows<N>) {
      return varying(interleaved::template load<N>(&(*p)[0], 0, m...));
    } else {
      return one_by_one::load(p, m...);
    }
  }
  template <std::size_t C, class... Mask>
  LANEFOLD_ALWAYS_INLINE static varying load_rows(const vec<T, M>* p, std::ptrdiff_t row_stride, const Mask&... m) {
    if constexpr (interleaved::template loads_rows<C>) {
      return varying(interleaved::template load<C>(&(*p)[0], row_stride, m...));
    } else {
      return one_by_one::template load_rows<C>(p, row_stride, m...);
    }
  }
  template <class... Mask>
  LANEFOLD_ALWAYS_INLINE void store(vec<T, M>* p, const Mask&... m) const {
    if constexpr (interleaved::template stores_rows<N>) {
      interleaved::template store<N>(m_components, &(*p)[0], 0, m...);
    } else {
      one_by_one::store(p, m...);
    }
  }
  template <std::size_t C, class... Mask>
  LANEFOLD_ALWAYS_INLINE void store_rows(vec<T, M>* p, std::ptrdiff_t row_stride, const Mask&... m) const {
    if constexpr (interleaved::template stores_rows<C>) {
      interleaved::template store<C>(m_components, &(*p)[0], row_stride, m...);
    } else {
      one_by_one::template store_rows<C>(p, row_stride, m...);
    }
  }
  template <class... Mask>
  LANEFOLD_ALWAYS_INLINE static varying load_strided(const vec<T, M>* p, std::ptrdiff_t stride, const Mask&... m) {
    const T* const first = &(*p)[0];
    return varying(components_type::generate([&](std::size_t k) LANEFOLD_INLINE_LAMBDA {
      return component::load_strided(first + k, stride * stored, m...);
    }));
  }
  template <class... Mask>
  LANEFOLD_ALWAYS_INLINE void store_strided(vec<T, M>* p, std::ptrdiff_t stride, const Mask&... m) const {
    T* const first = &(*p)[0];
    m_components.each([&](const component& c, std::size_t k)
                          LANEFOLD_INLINE_LAMBDA { c.store_strided(first + k, stride * stored, m...); });
  }
  template <std::integral I, class... Mask>
  LANEFOLD_ALWAYS_INLINE static varying gather(const vec<T, M>* p, const varying<I, N, Isa>& i, const Mask&... m) {
    const T* const first = &(*p)[0];
    if constexpr (interleaved::loads_anywhere) {
      return varying(interleaved::gather(first, i, m...));
    } else {
      const auto places = positions(i);
      return varying(components_type::generate(
          [&](std::size_t k) LANEFOLD_INLINE_LAMBDA { return component::gather(first + k, places, m...); }));
    }
  }
  template <std::integral I, class... Mask>
  LANEFOLD_ALWAYS_INLINE void scatter(vec<T, M>* p, const varying<I, N, Isa>& i, const Mask&... m) const {
    T* const first = &(*p)[0];
    if constexpr (interleaved::stores_anywhere && sizeof...(Mask) == 0) {
      interleaved::scatter(m_components, first, i);
    } else {
      const auto places = positions(i);
      m_components.each([&](const component& c, std::size_t k)
                            LANEFOLD_INLINE_LAMBDA { c.scatter(first + k, places, m...); });
    }
  }

#define LANEFOLD_DETAIL_VARYING_VEC_MIXED(op, Result)                                                                  \
  template <class U>                                                                                                   \
    requires(std::is_arithmetic_v<U> || std::is_same_v<detail::operand_type<U>, component>)                            \
  LANEFOLD_ALWAYS_INLINE friend Result operator op(const varying& a, const U& b) {                                     \
    return a op varying(detail::operand_as<component>(b));                                                             \
  }                                                                                                                    \
  template <class U>                                                                                                   \
    requires(std::is_arithmetic_v<U> || std::is_same_v<detail::operand_type<U>, component>)                            \
  LANEFOLD_ALWAYS_INLINE friend Result operator op(const U& a, const varying& b) {                                     \
    return varying(detail::operand_as<component>(a)) op b;                                                             \
  }
#define LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(op)                                                                       \
  LANEFOLD_ALWAYS_INLINE friend varying operator op(const varying& a, const varying& b)                                \
    requires requires(T x) { x op x; }                                                                                 \
  {                                                                                                                    \
    return by_element<T>(                                                                                              \
        [](const component& x, const component& y) LANEFOLD_INLINE_LAMBDA { return component(x op y); }, a, b);        \
  }                                                                                                                    \
  LANEFOLD_DETAIL_VARYING_VEC_MIXED(op, varying)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(+)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(-)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(*)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(/)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(%)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(&)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(|)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(^)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(<<)
  LANEFOLD_DETAIL_VARYING_VEC_OPERATOR(>>)
#undef LANEFOLD_DETAIL_VARYING_VEC_OPERATOR

#define LANEFOLD_DETAIL_VARYING_VEC_COMPARISON(op)                                                                     \
  LANEFOLD_ALWAYS_INLINE friend flags operator op(const varying& a, const varying& b) {                                \
    return by_element<flag>([](const component& x, const component& y)                                                 \
                                LANEFOLD_INLINE_LAMBDA { return select(x op y, flag(-1), flag(0)); },                  \
                            a, b);                                                                                     \
  }                                                                                                                    \
  LANEFOLD_DETAIL_VARYING_VEC_MIXED(op, flags)
  LANEFOLD_DETAIL_VARYING_VEC_COMPARISON(==)
  LANEFOLD_DETAIL_VARYING_VEC_COMPARISON(!=)
  LANEFOLD_DETAIL_VARYING_VEC_COMPARISON(<)
  LANEFOLD_DETAIL_VARYING_VEC_COMPARISON(<=)
  LANEFOLD_DETAIL_VARYING_VEC_COMPARISON(>)
  LANEFOLD_DETAIL_VARYING_VEC_COMPARISON(>=)
#undef LANEFOLD_DETAIL_VARYING_VEC_COMPARISON
#undef LANEFOLD_DETAIL_VARYING_VEC_MIXED

  LANEFOLD_ALWAYS_INLINE friend varying operator-(const varying& a) {
    return by_element<T>([](const component& x) LANEFOLD_INLINE_LAMBDA { return component(-x); }, a);
  }
  LANEFOLD_ALWAYS_INLINE friend varying min(const varying& a, const varying& b) {
    return by_element<T>(minimum<T>{}, a, b);
  }
  LANEFOLD_ALWAYS_INLINE friend varying max(const varying& a, const varying& b) {
    return by_element<T>(maximum<T>{}, a, b);
  }

  /// Variables call these, see variable.hpp.
  LANEFOLD_ALWAYS_INLINE friend void assign(varying& to, const varying& from) { to.assign_each(indices{}, from); }
  LANEFOLD_ALWAYS_INLINE friend void assign(varying& to, const varying& from, const mask_type& m) {
    to.assign_each(indices{}, from, m);
  }

  /// Only the library calls this: it returns f of the elements, which gives varyings of To.
  template <class To, class F, class... V>
  LANEFOLD_ALWAYS_INLINE static auto by_element(F f, const V&... v) {
    using result = varying<vec<To, M>, N, Isa>;
    return result(result::components_type::map(f, v.m_components...));
  }
  /// Its lanes moved by `move`, which does that to any varying.
  template <class Move>
  LANEFOLD_ALWAYS_INLINE varying moved(Move move) const {
    return by_element<T>(move, *this);
  }
  LANEFOLD_ALWAYS_INLINE varying blended(const mask_type& m, const varying& b) const {
    return by_element<T>([&](const component& x, const component& y)
                             LANEFOLD_INLINE_LAMBDA { return component(select(m, x, y)); },
                         *this, b);
  }
  LANEFOLD_ALWAYS_INLINE const components_type& components() const { return m_components; }

private:
  template <class, std::size_t, class>
  friend class varying;
  using indices = std::make_index_sequence<static_cast<std::size_t>(M)>;

  template <std::size_t... K, class... C>
  LANEFOLD_ALWAYS_INLINE varying(std::index_sequence<K...>, const C&... c)
      : m_components{detail::leaf<K, component>{component(detail::operand_as<component>(c))}...} {}

  template <std::size_t... K, class... Mask>
  LANEFOLD_ALWAYS_INLINE void assign_each(std::index_sequence<K...>, const varying& from, const Mask&... m) {
    (detail::assign(static_cast<detail::leaf<K, component>&>(m_components).value, from.m_components.template get<K>(),
                    m...),
     ...);
  }

  template <class I>
  LANEFOLD_ALWAYS_INLINE static auto positions(const varying<I, N, Isa>& i) {
    return varying<std::ptrdiff_t, N, Isa>(i) * stored;
  }

  components_type m_components;
};

LANEFOLD_END_NAMESPACE
