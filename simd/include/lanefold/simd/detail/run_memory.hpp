// SPDX-License-Identifier: Apache-2.0
/// Gathers and scatters that look first which indices are consecutive. Internal.
#pragma once

#include <lanefold/simd/detail/strided_memory.hpp>
#include <lanefold/simd/memory.hpp>

#include <algorithm>
#include <array>
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
      return from_chunks<reg, w>(pack<chunk_t<element, w>, N / w>::map(
          [=](const auto& i, auto... b) LANEFOLD_INLINE_LAMBDA { return load_chunk(p, i, b...); }, indices,
          split<w>(m)...));
    } else {
      return base::gather(p, indices, m...);
    }
  }
  /// Gathers from a table. The first register of several tells whether it is worth to look at the others: where its
  /// indices are consecutive, 2 or 4 apart (then loads are shuffled), or those of the second register, too, as with
  /// `i % k` for a small k: then one is gathered.
  template <class Indices>
  LANEFOLD_ALWAYS_INLINE static registers gather_table(const T* p, const Indices& indices) {
    using R = typename Indices::value_type;
    constexpr std::size_t w = register_traits<R>::lanes;
    if constexpr (has_gather<T, Isa> && has_runs<w> && Indices::size > 1) {
      const R& first = indices.template get<0>();
      if (compare<Isa, comparison::equal>(first, indices.template get<1>()) == full_bits<w>) [[unlikely]] {
        lane_bits<w> same = full_bits<w>;
        indices.each([&](const R& i, std::size_t) LANEFOLD_INLINE_LAMBDA {
          same = static_cast<lane_bits<w>>(same & compare<Isa, comparison::equal>(first, i));
        });
        if (same == full_bits<w>) {
          const auto values = load_chunk(p, first);
          return from_chunks<reg, w>(
              pack<chunk_t<element, w>, N / w>::generate([&](std::size_t) LANEFOLD_INLINE_LAMBDA { return values; }));
        }
      } else if (are_consecutive(first)) [[unlikely]] {
        return gather(p, indices);
      } else if constexpr (w > 2) {
        const auto step = static_cast<number<R>>(static_cast<number<R>>(to_vector(first)[1]) -
                                                 static_cast<number<R>>(to_vector(first)[0]));
        if (step == 2 && are_apart<2>(indices)) [[unlikely]] {
          return load_apart<2>(p, indices);
        }
        if (step == 4 && are_apart<4>(indices)) [[unlikely]] {
          return load_apart<4>(p, indices);
        }
      }
    }
    return base::gather(p, indices);
  }
  template <class Indices, class... M>
  LANEFOLD_ALWAYS_INLINE static void scatter(const registers& r, T* p, const Indices& indices, const M&... m) {
    constexpr std::size_t w = register_traits<typename Indices::value_type>::lanes;
    if constexpr (has_scatter<T, Isa> && has_runs<w>) {
      if constexpr (sizeof...(M) == 0 && instructions<Isa>::has_compress && w >= 4 && Indices::size > 1) {
        if (store_all_packed(to_chunks<w>(r), p, indices))
          return;
      }
      const auto store_at = [=](const chunk_t<element, w>& x, const auto& i, auto... b) LANEFOLD_INLINE_LAMBDA {
        using J = typename register_traits<typename Indices::value_type>::element;
        if (!store_packed(x, p, i, b...)) {
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

  template <class R>
  using number = typename sized_integer<sizeof(typename register_traits<R>::element), false>::type;
  template <class R, std::size_t... L>
  LANEFOLD_ALWAYS_INLINE static auto lane_numbers(std::index_sequence<L...>) {
    return vector_t<number<R>, sizeof...(L)>{static_cast<number<R>>(L)...};
  }
  /// first, first + 1, …, computed without sign.
  template <class R>
  LANEFOLD_ALWAYS_INLINE static auto consecutive_from(typename register_traits<R>::element first) {
    return lane_numbers<R>(std::make_index_sequence<register_traits<R>::lanes>{}) + static_cast<number<R>>(first);
  }
  /// Returns whether the indices of all lanes, or of those that are set, are consecutive.
  template <class R, class... Bits>
  LANEFOLD_ALWAYS_INLINE static bool are_consecutive(const R& i, Bits... bits) {
    constexpr std::size_t w = register_traits<R>::lanes;
    using J = typename register_traits<R>::element;
    const J first = to_vector(i)[0];
    const auto equal = compare<Isa, comparison::equal>(i, to_register<R>(consecutive_from<R>(first)));
    const auto others =
        static_cast<lane_bits<w>>((full_bits<w> & ... & ~bits) & (sizeof...(Bits) == 0 ? 0 : full_bits<w>));
    return static_cast<lane_bits<w>>(equal | others) == full_bits<w> &&
           first <= std::numeric_limits<J>::max() - static_cast<J>(w);
  }
  /// Loads one register: by a gather unless its indices are consecutive.
  template <class R, class... Bits>
  LANEFOLD_ALWAYS_INLINE static auto load_chunk(const T* p, const R& i, Bits... bits) {
    constexpr std::size_t w = register_traits<R>::lanes;
    using J = typename register_traits<R>::element;
    using part = typename register_of<T, w, Isa>::type;
    if (are_consecutive(i, bits...)) {
      const T* const first = p + to_vector(i)[0];
      if constexpr (sizeof...(Bits) == 0)
        return chunk_t<element, w>(to_vector(load_register<part>(first)));
      else
        return chunk_t<element, w>(to_vector(load_register<Isa, part>(first, bits...)));
    }
    return chunk_t<element, w>(instructions<Isa>::template gather<element, J, w>(
        gather_address<J>(p), gather_indices<J, w>(to_vector(i)), bits...));
  }

  /// Looks at the indices of several registers, each counted from its first one.
  template <class Indices>
  struct first_indices {
    using R = typename Indices::value_type;
    using J = typename register_traits<R>::element;
    static constexpr std::size_t w = register_traits<R>::lanes;

    LANEFOLD_ALWAYS_INLINE static J of(const R& i) { return to_vector(i)[0]; }
    /// The indices of a register, counted from its first one.
    LANEFOLD_ALWAYS_INLINE static auto distances(const R& i) {
      return same_bits<vector_t<number<R>, w>>(to_vector(i)) - static_cast<number<R>>(of(i));
    }
    /// Returns whether the distances of all registers are these, which are less than `reach`, and none wraps: one
    /// comparison for all of them.
    template <class V>
    LANEFOLD_ALWAYS_INLINE static bool have_distances(const Indices& indices, const V& expected, std::size_t reach) {
      V wrong{};
      J most = std::numeric_limits<J>::min();
      indices.each([&](const R& i, std::size_t) LANEFOLD_INLINE_LAMBDA {
        wrong = wrong | (distances(i) ^ expected);
        most = std::max(most, of(i));
      });
      return compare<Isa, comparison::equal>(to_register<R>(wrong), to_register<R>(V{})) == full_bits<w> &&
             most <= std::numeric_limits<J>::max() - static_cast<J>(reach);
    }
  };
  /// Returns whether the indices of each register are S apart, and are faster to load so.
  template <int S, class Indices>
  LANEFOLD_ALWAYS_INLINE static bool are_apart(const Indices& indices) {
    using R = typename Indices::value_type;
    constexpr std::size_t w = register_traits<R>::lanes;
    return reads_between_lanes && strided_register<T, w, Isa>::template loads<S> &&
           first_indices<Indices>::have_distances(
               indices, lane_numbers<R>(std::make_index_sequence<w>{}) * static_cast<number<R>>(S), S * w);
  }
  template <int S, class Indices>
  static registers load_apart(const T* p, const Indices& indices) {
    using R = typename Indices::value_type;
    constexpr std::size_t w = register_traits<R>::lanes;
    return from_chunks<reg, w>(pack<chunk_t<element, w>, N / w>::map(
        [=](const R& i) LANEFOLD_INLINE_LAMBDA {
          const auto values = strided_register<T, w, Isa>::template load<S>(p + first_indices<Indices>::of(i));
          return chunk_t<element, w>(to_vector(values));
        },
        indices));
  }

  /// Which of W places belong to the runs of `length` lanes that have gaps of the same length behind them; 0 if
  /// `length` is no power of two.
  template <std::size_t W>
  static constexpr auto runs_of = [] {
    std::array<lane_bits<W>, W / 2 + 1> places{};
    for (std::size_t length = 1; length <= W / 2; length *= 2)
      for (std::size_t place = 0; place < W; ++place)
        places[length] = static_cast<lane_bits<W>>(places[length] | (lane_bits<W>{(place & length) == 0} << place));
    return places;
  }();
  /// Stores the lanes if their places are consecutive, or in runs of 1, 2, 4, … with gaps of the same length behind
  /// them, as `2 * i - i % length`: those of one side of a butterfly, or of the real parts of complex numbers. Returns
  /// whether they are. Then lane l is to go to first + l + (l & ~(length - 1)).
  template <class R, std::size_t W = register_traits<R>::lanes>
  LANEFOLD_ALWAYS_INLINE static bool store_packed(const chunk_t<element, W>& x, T* p, const R& i) {
    using have = instructions<Isa>;
    using part = typename register_of<T, W, Isa>::type;
    using J = typename register_traits<R>::element;
    const J first = to_vector(i)[0];
    if constexpr (!have::has_compress || W < 4) {
      if (!are_consecutive(i))
        return false;
      store_register(to_register<part>(x), p + first);
      return true;
    } else {
      constexpr auto all = std::make_index_sequence<W>{};
      const auto gaps = same_bits<vector_t<number<R>, W>>(to_vector(i)) - consecutive_from<R>(first);
      const auto widest = shuffled_vector<pattern::last_lane>(gaps, gaps, all);
      const auto expected = to_register<R>(lane_numbers<R>(all) & widest);
      if (compare<Isa, comparison::equal>(to_register<R>(gaps), expected) != full_bits<W> ||
          first > std::numeric_limits<J>::max() - static_cast<J>(2 * W))
        return false;
      const number<R> length = static_cast<number<R>>(W - widest[0]);
      if (length == W) {
        store_register(to_register<part>(x), p + first);
        return true;
      }
      if (length > W / 2 || runs_of<W>[length] == 0)
        return false;
      const auto places = runs_of<W>[length];
      store_in_runs<part, W>(x, p + first, places);
      return true;
    }
  }
  /// Does the same for several registers whose places lie alike, as most do: one look at all of them.
  template <class Chunks, class Indices>
  LANEFOLD_ALWAYS_INLINE static bool store_all_packed(const Chunks& x, T* p, const Indices& indices) {
    using firsts = first_indices<Indices>;
    using R = typename Indices::value_type;
    constexpr std::size_t w = firsts::w;
    using part = typename register_of<T, w, Isa>::type;
    constexpr auto all = std::make_index_sequence<w>{};
    const auto widest = firsts::distances(indices.template get<0>())[w - 1] - static_cast<number<R>>(w - 1);
    const number<R> length = static_cast<number<R>>(w - widest);
    if (length != w && (length > w / 2 || runs_of<w>[length] == 0))
      return false;
    const auto gaps = lane_numbers<R>(all) & static_cast<number<R>>(widest);
    if (!firsts::have_distances(indices, lane_numbers<R>(all) + gaps, 2 * w))
      return false;
    if (length == w) {
      x.each([=](const auto& values, const R& i, std::size_t)
                 LANEFOLD_INLINE_LAMBDA { store_register(to_register<part>(values), p + firsts::of(i)); },
             indices);
    } else {
      x.each([=, places = runs_of<w>[length]](const auto& values, const R& i, std::size_t)
                 LANEFOLD_INLINE_LAMBDA { store_in_runs<part, w>(values, p + firsts::of(i), places); },
             indices);
    }
    return true;
  }
  /// Stores the lanes to the places of two registers that are set.
  template <class Part, std::size_t W, class Chunk, class Places>
  LANEFOLD_ALWAYS_INLINE static void store_in_runs(const Chunk& x, T* p, Places places) {
    using have = instructions<Isa>;
    const auto upper = shuffled_vector<pattern::from_lane<W / 2>>(x, x, std::make_index_sequence<W>{});
    store_register<Isa>(to_register<Part>(have::template expand<element, W>(x, places)), p, places);
    store_register<Isa>(to_register<Part>(have::template expand<element, W>(upper, places)), p + W, places);
  }
  /// Stores the lanes that are set if their places are consecutive, or follow each other, as those of a compaction:
  /// `y[place] = v` under a condition, where `place` counts the lanes below for which it holds. Returns whether they
  /// do.
  template <class R, class Bits, std::size_t W = register_traits<R>::lanes>
  LANEFOLD_ALWAYS_INLINE static bool store_packed(const chunk_t<element, W>& x, T* p, const R& i, Bits set) {
    using have = instructions<Isa>;
    using part = typename register_of<T, W, Isa>::type;
    using J = typename register_traits<R>::element;
    if (are_consecutive(i, set)) {
      store_register<Isa>(to_register<part>(x), p + to_vector(i)[0], set);
      return true;
    }
    if constexpr (have::has_compress) {
      const auto first_lanes = static_cast<lane_bits<W>>((std::uint64_t{1} << std::popcount(set)) - 1);
      const R places = to_register<R>(have::template compress<J, W>(chunk_t<J, W>(to_vector(i)), set));
      if (are_consecutive(places, first_lanes)) {
        const auto values = to_register<part>(have::template compress<element, W>(x, set));
        store_register<Isa>(values, p + to_vector(places)[0], first_lanes);
        return true;
      }
    }
    return false;
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE
