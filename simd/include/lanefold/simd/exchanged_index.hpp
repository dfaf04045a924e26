// SPDX-License-Identifier: Apache-2.0
/// Memory through `i ^ m`, as butterflies and sorting networks access it.
#pragma once

#include <lanefold/simd/horizontal.hpp>
#include <lanefold/simd/lane_index.hpp>
#include <lanefold/simd/memory.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Words whose bit i is set where bit k of i is not, k < 6.
inline constexpr std::uint64_t lanes_without_bit[] = {0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
                                                      0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff};

/// Lane i gets lane i ^ m, for m below Most, at most 64.
template <std::size_t Most, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE mask<N, Isa> exchanged_lanes(const mask<N, Isa>& of, std::size_t m) {
  std::uint64_t words[mask<N, Isa>::words];
  for (std::size_t w = 0; w < mask<N, Isa>::words; ++w) {
    std::uint64_t all = of.word(w);
    const auto exchange = [&](std::size_t k) LANEFOLD_INLINE_LAMBDA {
      const std::size_t step = std::size_t{1} << k;
      if (step < Most && (m & step) != 0) {
        all = ((all & lanes_without_bit[k]) << step) | ((all >> step) & lanes_without_bit[k]);
      }
    };
    exchange(0), exchange(1), exchange(2), exchange(3), exchange(4), exchange(5);
    words[w] = all;
  }
  return mask<N, Isa>::from_words(words);
}

/// The lanes whose index i has no bit k; `first`, the index of lane 0, is a multiple of their number.
template <class Mask>
LANEFOLD_ALWAYS_INLINE Mask lanes_without(std::size_t k, std::size_t first) {
  if ((std::size_t{1} << k) >= Mask::size) {
    return Mask((first >> k & 1) == 0);
  }
  std::uint64_t words[Mask::words];
  for (std::size_t w = 0; w < Mask::words; ++w) {
    words[w] = k < 6 ? lanes_without_bit[k] : (w * 64 >> k & 1) == 0 ? ~std::uint64_t{0} : 0;
  }
  return Mask::from_words(words);
}

/// Accesses the elements of consecutive indices ^ m from `first` on, a multiple of the lanes of a register: the
/// registers lie contiguously in memory, in another order, and so do the lanes of each.
template <class V>
struct exchanged_memory {
  using T = typename V::value_type;
  using memory = lane_memory<T, V::size(), typename V::isa>;
  static constexpr std::size_t lanes = memory::lanes;

  LANEFOLD_ALWAYS_INLINE static std::size_t place(std::size_t first, std::size_t m, std::size_t k) {
    return (first + k * lanes) ^ (m - m % lanes);
  }
  LANEFOLD_ALWAYS_INLINE static V exchanged(const V& v, std::size_t m) {
    V result(v);
    if (m % lanes != 0) {
      assign(result, xor_exchange(v, m % lanes));
    }
    return result;
  }

  LANEFOLD_ALWAYS_INLINE static V load(const T* p, std::size_t first, std::size_t m) {
    using reg = typename V::register_type;
    return exchanged(varying_access::make<V>(V::registers_type::generate([=](std::size_t k) LANEFOLD_INLINE_LAMBDA {
                       return load_register<reg>(p + place(first, m, k));
                     })),
                     m);
  }
  template <class Mask>
  LANEFOLD_ALWAYS_INLINE static V load(const T* p, std::size_t first, std::size_t m, const Mask& active) {
    using reg = typename V::register_type;
    const auto load_part = [=](auto bits, std::size_t k) LANEFOLD_INLINE_LAMBDA {
      return load_register<typename V::isa, reg>(p + place(first, m, k), bits);
    };
    return exchanged(varying_access::make<V>(
                         V::registers_type::map_indexed(load_part, split<lanes>(exchanged_lanes<lanes>(active, m)))),
                     m);
  }
  LANEFOLD_ALWAYS_INLINE static void store(const V& v, T* p, std::size_t first, std::size_t m) {
    varying_access::registers(exchanged(v, m)).each([=](const auto& r, std::size_t k) LANEFOLD_INLINE_LAMBDA {
      store_register(r, p + place(first, m, k));
    });
  }
  template <bool Owned, class Mask>
  LANEFOLD_ALWAYS_INLINE static void store(const V& v, T* p, std::size_t first, std::size_t m, const Mask& active) {
    const auto store_part = [=](const auto& r, auto bits, std::size_t k) LANEFOLD_INLINE_LAMBDA {
      store_register<typename V::isa, Owned>(r, p + place(first, m, k), bits);
    };
    varying_access::registers(exchanged(v, m)).each(store_part, split<lanes>(exchanged_lanes<lanes>(active, m)));
  }
};

/// Loads p[i] for the active lanes; 0 for the others.
template <class T, class Lanes>
LANEFOLD_ALWAYS_INLINE auto load_patterned(const T* p, const exchanged_index<Lanes>& i) {
  using V = varying<std::remove_cv_t<T>, Lanes::size, typename Lanes::isa>;
  const auto* context = i.context();
  if (i.first() % V::register_lanes != 0) [[unlikely]] {
    return context->all ? V::gather(p, i.value()) : V::gather(p, i.value(), context->active);
  }
  return context->all ? exchanged_memory<V>::load(p, i.first(), i.bits())
                      : exchanged_memory<V>::load(p, i.first(), i.bits(), context->active);
}

/// Stores v to p[i] for the active lanes. `Owned`: see store_register.
template <bool Owned, class T, class Lanes>
LANEFOLD_ALWAYS_INLINE void store_patterned(T* p, const exchanged_index<Lanes>& i,
                                            const varying<T, Lanes::size, typename Lanes::isa>& v) {
  using V = varying<T, Lanes::size, typename Lanes::isa>;
  const auto* context = i.context();
  if (i.first() % V::register_lanes != 0) [[unlikely]] {
    context->all ? v.scatter(p, i.value()) : v.scatter(p, i.value(), context->active);
  } else if (context->all) {
    exchanged_memory<V>::store(v, p, i.first(), i.bits());
  } else {
    exchanged_memory<V>::template store<Owned>(v, p, i.first(), i.bits(), context->active);
  }
}

/// The lanes for which i ^ m > i, of the same i: the highest bit of m decides.
template <class Lanes, class Index>
LANEFOLD_ALWAYS_INLINE auto lanes_exchanged_upwards(const exchanged_index<Lanes>& a, const Index& i) {
  using mask_type = typename Index::mask_type;
  if (a.first() != static_cast<std::size_t>(i.base()) || !is_consecutive(i) || a.first() % Lanes::size != 0)
      [[unlikely]] {
    return a.value() > i.value();
  }
  return a.bits() == 0 ? mask_type(false)
                       : lanes_without<mask_type>(static_cast<std::size_t>(std::bit_width(a.bits())) - 1, a.first());
}

} // namespace detail

/// Comparisons of partners, `(i ^ m) > i`, are patterns of bits. A mask.
template <class Lanes, stride Row, stride Column>
LANEFOLD_ALWAYS_INLINE auto operator>(const exchanged_index<Lanes>& a, const lane_index<Lanes, Row, Column>& i) {
  return detail::lanes_exchanged_upwards(a, i);
}
template <class Lanes, stride Row, stride Column>
LANEFOLD_ALWAYS_INLINE auto operator<=(const exchanged_index<Lanes>& a, const lane_index<Lanes, Row, Column>& i) {
  return !detail::lanes_exchanged_upwards(a, i);
}
template <class Lanes, stride Row, stride Column>
LANEFOLD_ALWAYS_INLINE auto operator<(const lane_index<Lanes, Row, Column>& i, const exchanged_index<Lanes>& a) {
  return detail::lanes_exchanged_upwards(a, i);
}
template <class Lanes, stride Row, stride Column>
LANEFOLD_ALWAYS_INLINE auto operator>=(const lane_index<Lanes, Row, Column>& i, const exchanged_index<Lanes>& a) {
  return !detail::lanes_exchanged_upwards(a, i);
}

LANEFOLD_END_NAMESPACE
