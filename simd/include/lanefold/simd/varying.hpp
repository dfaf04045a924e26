// SPDX-License-Identifier: Apache-2.0
/// One value for each work-item of a sub-group.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <lanefold/simd/detail/register_bits.hpp>
#include <lanefold/simd/mask.hpp>

LANEFOLD_BEGIN_NAMESPACE

template <class T, std::size_t N, class Isa = native_isa>
class varying;

namespace detail {

template <class T, std::size_t N, class Isa>
void is_varying_test(const varying<T, N, Isa>&);
template <std::size_t N, class Isa>
void is_mask_test(const mask<N, Isa>&);

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

template <class T, class U>
using arithmetic_result = decltype(std::declval<T>() + std::declval<U>());

} // namespace detail

template <class T>
concept varying_value = requires(const T& x) { detail::is_varying_test(x); };
template <class T>
inline constexpr bool is_varying_v = varying_value<T>;
template <class T>
inline constexpr bool is_mask_v = requires(const T& x) { detail::is_mask_test(x); };

template <class T, std::size_t N, class Isa>
class varying {
public:
  using value_type = T;
  using isa = Isa;
  using mask_type = mask<N, Isa>;
  static constexpr std::size_t register_lanes = detail::register_lanes<T, N, Isa>();
  using register_type = typename detail::register_of<T, register_lanes, Isa>::type;
  using registers_type = detail::pack<register_type, N / register_lanes>;
  using element_type = typename detail::register_traits<register_type>::element;

  static constexpr std::size_t size() { return N; }

  LANEFOLD_ALWAYS_INLINE varying(T x)
      : m_registers(registers_type::generate([=](std::size_t) { return broadcast(x); })) {}
  template <class U>
    requires(std::is_arithmetic_v<U> && !std::is_same_v<U, T>)
  LANEFOLD_ALWAYS_INLINE varying(U x) : varying(static_cast<T>(x)) {}
  template <class U>
    requires(!std::is_same_v<U, T>)
  LANEFOLD_ALWAYS_INLINE explicit varying(const varying<U, N, Isa>& v) : m_registers(converted(v)) {}
  varying(const varying&) = default;
  varying& operator=(const varying&) = delete;

  LANEFOLD_ALWAYS_INLINE T operator[](std::size_t i) const {
    alignas(64) T all[N];
    store(all);
    return all[i];
  }

  LANEFOLD_ALWAYS_INLINE static varying load(const T* p) {
    return varying(registers_type::generate(
        [=](std::size_t k) { return detail::load_register<register_type>(address(p + k * register_lanes)); }));
  }
  LANEFOLD_ALWAYS_INLINE static varying load(const T* p, const mask_type& m) {
    const auto bits = detail::split<register_lanes>(m);
    return varying(registers_type::map_indexed(
        [=](auto b, std::size_t k) {
          return detail::load_register<Isa, register_type>(address(p + k * register_lanes), b);
        },
        bits));
  }
  LANEFOLD_ALWAYS_INLINE void store(T* p) const {
    m_registers.each([=](const register_type& r, std::size_t k) {
      detail::store_register(r, address(p + k * register_lanes));
    });
  }
  LANEFOLD_ALWAYS_INLINE void store(T* p, const mask_type& m) const {
    const auto bits = detail::split<register_lanes>(m);
    m_registers.each(
        [=](const register_type& r, auto b, std::size_t k) {
          detail::store_register<Isa>(r, address(p + k * register_lanes), b);
        },
        bits);
  }

  template <class F>
  LANEFOLD_ALWAYS_INLINE static varying by_lane(F f) {
    alignas(64) T all[N];
    for (std::size_t i = 0; i < N; ++i)
      all[i] = f(i);
    return load(all);
  }

  LANEFOLD_ALWAYS_INLINE static varying load_strided(const T* p, std::ptrdiff_t s) {
    return by_lane([=](std::size_t i) { return p[static_cast<std::ptrdiff_t>(i) * s]; });
  }
  LANEFOLD_ALWAYS_INLINE static varying load_strided(const T* p, std::ptrdiff_t s, const mask_type& m) {
    return by_lane([=](std::size_t i) { return m[i] ? p[static_cast<std::ptrdiff_t>(i) * s] : T(0); });
  }
  LANEFOLD_ALWAYS_INLINE void store_strided(T* p, std::ptrdiff_t s) const {
    each_lane([=](std::size_t i, T x) { p[static_cast<std::ptrdiff_t>(i) * s] = x; });
  }
  LANEFOLD_ALWAYS_INLINE void store_strided(T* p, std::ptrdiff_t s, const mask_type& m) const {
    each_lane([=](std::size_t i, T x) {
      if (m[i])
        p[static_cast<std::ptrdiff_t>(i) * s] = x;
    });
  }
  template <class I>
  LANEFOLD_ALWAYS_INLINE static varying gather(const T* p, const varying<I, N, Isa>& i) {
    return by_lane([=](std::size_t l) { return p[i[l]]; });
  }
  template <class I>
  LANEFOLD_ALWAYS_INLINE static varying gather(const T* p, const varying<I, N, Isa>& i, const mask_type& m) {
    return by_lane([=](std::size_t l) { return m[l] ? p[i[l]] : T(0); });
  }
  template <class I>
  LANEFOLD_ALWAYS_INLINE void scatter(T* p, const varying<I, N, Isa>& i) const {
    each_lane([=](std::size_t l, T x) { p[i[l]] = x; });
  }
  template <class I>
  LANEFOLD_ALWAYS_INLINE void scatter(T* p, const varying<I, N, Isa>& i, const mask_type& m) const {
    each_lane([=](std::size_t l, T x) {
      if (m[l])
        p[i[l]] = x;
    });
  }

  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying load_rows(const T* p, std::ptrdiff_t s, const M&... m) {
    if constexpr (C % register_lanes == 0 && register_lanes > 1 && sizeof...(M) == 0)
      return varying(registers_type::generate([=](std::size_t k) {
        return detail::load_register<register_type>(address(
            p + static_cast<std::ptrdiff_t>(k * register_lanes / C) * s + k * register_lanes % C));
      }));
    else
      return by_lane([&](std::size_t i) {
        return on(i, m...) ? p[static_cast<std::ptrdiff_t>(i / C) * s + static_cast<std::ptrdiff_t>(i % C)] : T(0);
      });
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying load_row(const T* p, const M&... m) {
    return load_rows<C>(p, 0, m...);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static varying broadcast_rows(const T* p, std::ptrdiff_t s, const M&... m) {
    if constexpr (C % register_lanes == 0 && sizeof...(M) == 0)
      return varying(registers_type::generate([=](std::size_t k) {
        return broadcast(p[static_cast<std::ptrdiff_t>(k * register_lanes / C) * s]);
      }));
    else
      return by_lane(
          [&](std::size_t i) { return on(i, m...) ? p[static_cast<std::ptrdiff_t>(i / C) * s] : T(0); });
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE void store_rows(T* p, std::ptrdiff_t s, const M&... m) const {
    if constexpr (C % register_lanes == 0 && register_lanes > 1 && sizeof...(M) == 0)
      m_registers.each([=](const register_type& r, std::size_t k) {
        detail::store_register(r, address(p + static_cast<std::ptrdiff_t>(k * register_lanes / C) * s +
                                          k * register_lanes % C));
      });
    else
      each_lane([&](std::size_t i, T x) {
        if (on(i, m...))
          p[static_cast<std::ptrdiff_t>(i / C) * s + static_cast<std::ptrdiff_t>(i % C)] = x;
      });
  }
  template <std::size_t C>
  LANEFOLD_ALWAYS_INLINE static varying affine(T base, T row, T column) {
    return by_lane([=](std::size_t i) {
      return static_cast<T>(base + static_cast<T>(i / C) * row + static_cast<T>(i % C) * column);
    });
  }
  LANEFOLD_ALWAYS_INLINE static varying iota(T base, T step = T(1)) { return affine<N>(base, T(0), step); }

private:
  friend struct detail::varying_access;
  LANEFOLD_ALWAYS_INLINE explicit varying(const registers_type& r) : m_registers(r) {}

  LANEFOLD_ALWAYS_INLINE static register_type broadcast(T x) { return register_type(static_cast<element_type>(x)); }
  LANEFOLD_ALWAYS_INLINE static const element_type* address(const T* p) {
    return reinterpret_cast<const element_type*>(p);
  }
  LANEFOLD_ALWAYS_INLINE static element_type* address(T* p) { return reinterpret_cast<element_type*>(p); }
  static bool on(std::size_t) { return true; }
  static bool on(std::size_t i, const mask_type& m) { return m[i]; }
  template <class F>
  LANEFOLD_ALWAYS_INLINE void each_lane(F f) const {
    alignas(64) T all[N];
    store(all);
    for (std::size_t i = 0; i < N; ++i)
      f(i, all[i]);
  }
  template <class U>
  LANEFOLD_ALWAYS_INLINE static registers_type converted(const varying<U, N, Isa>& v) {
    alignas(64) U from[N];
    v.store(from);
    return by_lane([&](std::size_t i) { return static_cast<T>(from[i]); }).m_registers;
  }

  registers_type m_registers;
};

template <class U, class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<U, N, Isa> convert(const varying<T, N, Isa>& v) {
  return varying<U, N, Isa>(v);
}
template <class U, class T>
  requires std::is_arithmetic_v<T>
LANEFOLD_ALWAYS_INLINE constexpr U convert(T x) {
  return static_cast<U>(x);
}

#define LF_OP(op)                                                                                                      \
  template <class T, class U, std::size_t N, class Isa>                                                                \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, const varying<U, N, Isa>& b) {                  \
    using R = detail::arithmetic_result<T, U>;                                                                         \
    using V = varying<R, N, Isa>;                                                                                      \
    if constexpr (std::is_same_v<R, T> && std::is_same_v<R, U>) {                                                      \
      using A = detail::varying_access;                                                                                \
      using reg = typename V::register_type;                                                                           \
      return A::make<V>(V::registers_type::map(                                                                        \
          [](const reg& x, const reg& y) {                                                                             \
            return detail::to_register<reg>(detail::to_vector(x) op detail::to_vector(y));                             \
          },                                                                                                           \
          A::registers(a), A::registers(b)));                                                                          \
    } else {                                                                                                           \
      return V(a) op V(b);                                                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class T, class U, std::size_t N, class Isa>                                                                \
    requires std::is_arithmetic_v<U>                                                                                   \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, U b) {                                          \
    return a op varying<U, N, Isa>(b);                                                                                 \
  }                                                                                                                    \
  template <class T, class U, std::size_t N, class Isa>                                                                \
    requires std::is_arithmetic_v<U>                                                                                   \
  LANEFOLD_ALWAYS_INLINE auto operator op(U a, const varying<T, N, Isa>& b) {                                          \
    return varying<U, N, Isa>(a) op b;                                                                                 \
  }
LF_OP(+)
LF_OP(-)
LF_OP(*)
LF_OP(/)
LF_OP(%)
LF_OP(&)
LF_OP(|)
LF_OP(^)
LF_OP(<<)
LF_OP(>>)
#undef LF_OP

#define LF_CMP(op, name)                                                                                               \
  template <class T, class U, std::size_t N, class Isa>                                                                \
  LANEFOLD_ALWAYS_INLINE mask<N, Isa> operator op(const varying<T, N, Isa>& a, const varying<U, N, Isa>& b) {          \
    using R = detail::arithmetic_result<T, U>;                                                                         \
    using V = varying<R, N, Isa>;                                                                                      \
    if constexpr (std::is_same_v<R, T> && std::is_same_v<R, U>) {                                                      \
      using A = detail::varying_access;                                                                                \
      using reg = typename V::register_type;                                                                           \
      using bits = detail::lane_bits<V::register_lanes>;                                                               \
      return detail::join<N, Isa, V::register_lanes>(detail::pack<bits, N / V::register_lanes>::map(                   \
          [](const reg& x, const reg& y) {                                                                             \
            return static_cast<bits>(detail::compare<Isa, detail::comparison::name>(x, y));                                 \
          },                                                                                                           \
          A::registers(a), A::registers(b)));                                                                          \
    } else {                                                                                                           \
      return V(a) op V(b);                                                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  template <class T, class U, std::size_t N, class Isa>                                                                \
    requires std::is_arithmetic_v<U>                                                                                   \
  LANEFOLD_ALWAYS_INLINE auto operator op(const varying<T, N, Isa>& a, U b) {                                          \
    return a op varying<U, N, Isa>(b);                                                                                 \
  }                                                                                                                    \
  template <class T, class U, std::size_t N, class Isa>                                                                \
    requires std::is_arithmetic_v<U>                                                                                   \
  LANEFOLD_ALWAYS_INLINE auto operator op(U a, const varying<T, N, Isa>& b) {                                          \
    return varying<U, N, Isa>(a) op b;                                                                                 \
  }
LF_CMP(==, equal)
LF_CMP(!=, not_equal)
LF_CMP(<, less)
LF_CMP(<=, less_equal)
LF_CMP(>, greater)
LF_CMP(>=, greater_equal)
#undef LF_CMP

template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE auto operator-(const varying<T, N, Isa>& a) {
  return T(0) - a;
}

namespace detail {
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE void assign(varying<T, N, Isa>& to, const varying<T, N, Isa>& from) {
  varying_access::assign(to, varying_access::registers(from));
}
template <class T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE void assign(varying<T, N, Isa>& to, const varying<T, N, Isa>& from, const mask<N, Isa>& m) {
  using V = varying<T, N, Isa>;
  using reg = typename V::register_type;
  const auto bits = split<V::register_lanes>(m);
  varying_access::assign(to, V::registers_type::map([](auto b, const reg& yes, const reg& no) { return blend<Isa>(b, yes, no); },
                                                    bits, varying_access::registers(from), varying_access::registers(to)));
}
} // namespace detail

LANEFOLD_END_NAMESPACE

#include <lanefold/simd/arithmetic.hpp>
