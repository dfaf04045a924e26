// SPDX-License-Identifier: Apache-2.0
/// Gathers and scatters that look first which indices are consecutive. Internal.
#pragma once

#include <lanefold/simd/memory.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// Accesses memory through indices of which many are consecutive, as `2 * i - k` in a Fourier transform: each register
/// of such indices is a load or a store. To look costs a few instructions for a register, where a gather of 16 lanes
/// has 20 micro-operations and a scatter 40.
template <class T, std::size_t N, class Isa>
struct run_memory {
  using base = lane_memory<T, N, Isa>;
  using registers = typename base::registers;
  using reg = typename base::reg;
  using element = typename base::element;
  static constexpr std::size_t lanes = base::lanes;

  template <class Indices, class... M>
  LANEFOLD_ALWAYS_INLINE static registers gather(const T* p, const Indices& indices, const M&... m) {
    constexpr std::size_t w = register_traits<typename Indices::value_type>::lanes;
    if constexpr (has_gather<T, Isa> && has_runs<w>) {
      using chunk = chunk_t<element, w>;
      const auto chunk_at = [=](const auto& i, auto... b) LANEFOLD_INLINE_LAMBDA {
        using J = typename register_traits<typename Indices::value_type>::element;
        if (are_consecutive(i, b...)) {
          return chunk(to_vector(load_part<w>(p + to_vector(i)[0], b...)));
        }
        return chunk(instructions<Isa>::template gather<element, J, w>(gather_address<J>(p),
                                                                       gather_indices<J, w>(to_vector(i)), b...));
      };
      return from_chunks<reg, w>(pack<chunk, N / w>::map(chunk_at, indices, split<w>(m)...));
    } else {
      return base::gather(p, indices, m...);
    }
  }
  template <class Indices, class... M>
  LANEFOLD_ALWAYS_INLINE static void scatter(const registers& r, T* p, const Indices& indices, const M&... m) {
    constexpr std::size_t w = register_traits<typename Indices::value_type>::lanes;
    if constexpr (has_scatter<T, Isa> && has_runs<w>) {
      const auto store_at = [=](const chunk_t<element, w>& x, const auto& i, auto... b) LANEFOLD_INLINE_LAMBDA {
        using J = typename register_traits<typename Indices::value_type>::element;
        using part = typename register_of<T, w, Isa>::type;
        if (are_consecutive(i, b...)) {
          T* const first = p + to_vector(i)[0];
          if constexpr (sizeof...(b) == 0)
            store_register(to_register<part>(x), first);
          else
            store_register<Isa>(to_register<part>(x), first, b...);
        } else if (!store_packed<J, w>(x, p, i, b...)) {
          instructions<Isa>::template scatter<element, J, w>(gather_address<J>(p), gather_indices<J, w>(to_vector(i)),
                                                             x, b...);
        }
      };
      if constexpr (sizeof...(M) == 0)
        to_chunks<w>(r).each([=](const auto& x, const auto& i, std::size_t) LANEFOLD_INLINE_LAMBDA { store_at(x, i); },
                             indices);
      else
        to_chunks<w>(r).each([=](const auto& x, const auto& i, auto b) LANEFOLD_INLINE_LAMBDA { store_at(x, i, b); },
                             indices, split<w>(m)...);
    } else {
      base::scatter(r, p, indices, m...);
    }
  }

private:
  /// Is true if registers of W indices can be looked at: as many lanes make a register of elements.
  template <std::size_t W>
  static constexpr bool has_runs = W > 1 && W <= lanes&& register_lanes<T, W, Isa>() == W;

  template <class I, std::size_t... L>
  LANEFOLD_ALWAYS_INLINE static auto consecutive_from(I first, std::index_sequence<L...>) {
    using number = typename sized_integer<sizeof(I), false>::type;
    return vector_t<number, sizeof...(L)>{static_cast<number>(L)...} + static_cast<number>(first);
  }
  /// Returns whether the indices of all lanes, or of those that are set, are consecutive.
  template <class R, class... Bits>
  LANEFOLD_ALWAYS_INLINE static bool are_consecutive(const R& i, Bits... bits) {
    constexpr std::size_t w = register_traits<R>::lanes;
    using J = typename register_traits<R>::element;
    const J first = to_vector(i)[0];
    const R expected = to_register<R>(consecutive_from(first, std::make_index_sequence<w>{}));
    const auto equal = compare<Isa, comparison::equal>(i, expected);
    const auto others =
        static_cast<lane_bits<w>>((full_bits<w> & ... & ~bits) & (sizeof...(Bits) == 0 ? 0 : full_bits<w>));
    return static_cast<lane_bits<w>>(equal | others) == full_bits<w> &&
           first <= std::numeric_limits<J>::max() - static_cast<J>(w);
  }
  /// Stores the lanes that are set if their places follow each other, as those of a compaction: `y[place] = v` under a
  /// condition, where `place` counts the lanes below for which it holds. Returns whether they do.
  template <class J, std::size_t W, class R, class... Bits>
  LANEFOLD_ALWAYS_INLINE static bool store_packed([[maybe_unused]] const chunk_t<element, W>& x, [[maybe_unused]] T* p,
                                                  [[maybe_unused]] const R& i, [[maybe_unused]] Bits... bits) {
    using have = instructions<Isa>;
    if constexpr (have::has_compress && sizeof(J) >= 4 && sizeof...(Bits) == 1) {
      const lane_bits<W> set = (bits, ...);
      const auto first_lanes = static_cast<lane_bits<W>>((std::uint64_t{1} << std::popcount(set)) - 1);
      const R places = to_register<R>(have::template compress<J, W>(chunk_t<J, W>(to_vector(i)), set));
      if (are_consecutive(places, first_lanes)) {
        using part = typename register_of<T, W, Isa>::type;
        const auto values = to_register<part>(have::template compress<element, W>(x, set));
        store_register<Isa>(values, p + to_vector(places)[0], first_lanes);
        return true;
      }
    }
    return false;
  }
  template <std::size_t W, class... Bits>
  LANEFOLD_ALWAYS_INLINE static auto load_part(const T* p, Bits... bits) {
    using part = typename register_of<T, W, Isa>::type;
    if constexpr (sizeof...(Bits) == 0)
      return load_register<part>(p);
    else
      return load_register<Isa, part>(p, bits...);
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE
