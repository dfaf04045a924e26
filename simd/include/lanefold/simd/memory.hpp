// SPDX-License-Identifier: Apache-2.0
/// Loads and stores the registers of a varying: contiguous, by rows of a lane shape, through indices; each also under a
/// mask, where lanes that are not set access nothing and load 0. Internal: `varying` has the public
/// functions of the same names.
///
/// Measured (AMD Zen 5, in L1, ns a lane): a strided load as a chain of scalar loads 0.15–0.18, as a gather 0.25–0.46;
/// a strided store lane by lane 0.14–0.18, as a scatter 0.26; a gather 0.30–0.44, by scalar loads 0.33–0.38; a scatter
/// 0.25–0.69, by scalar stores 0.32–0.75. So strides are known to be strides, and only indices use gather and scatter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/register_bits.hpp>
#include <lanefold/simd/detail/register_chunks.hpp>
#include <lanefold/simd/detail/register_convert.hpp>
#include <lanefold/simd/detail/register_gather.hpp>
#include <lanefold/simd/mask.hpp>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

/// f(lane) for every lane that is set, from the lowest.
template <std::size_t N, class Isa, class F>
LANEFOLD_ALWAYS_INLINE void for_lanes(const mask<N, Isa>& m, F f) {
  mask_access::pieces(m).each([&](auto bits, std::size_t k) LANEFOLD_INLINE_LAMBDA {
    for_bits(static_cast<std::uint64_t>(bits), [&](std::size_t i) LANEFOLD_INLINE_LAMBDA { f(k * 64 + i); });
  });
}

/// The accesses of a varying<T, N, Isa>. `registers` is its pack of registers.
template <class T, std::size_t N, class Isa>
struct lane_memory {
  static constexpr std::size_t lanes = register_lanes<T, N, Isa>();
  using reg = typename register_of<T, lanes, Isa>::type;
  using element = typename register_traits<reg>::element;
  using registers = pack<reg, N / lanes>;
  using mask_type = mask<N, Isa>;
  using single = pack<element, N>;
  /// Is true if elements are taken from and put into registers one after the other; otherwise they go through an array
  /// (small elements: too many instructions).
  static constexpr bool by_element = lanes == 1 || sizeof(T) >= 4;

  LANEFOLD_ALWAYS_INLINE static registers load(const T* p) {
    return registers::generate([=](std::size_t k) LANEFOLD_INLINE_LAMBDA { return load_register<reg>(p + k * lanes); });
  }
  /// Loads values that stay in registers until their last use. g++ otherwise reads memory that nothing changes again at
  /// each use, as an operand of the instruction. Half of those accesses cross a line of the cache where neighbours are
  /// read, which costs more than the registers do if there are 32 (docs/decisions/089).
  LANEFOLD_ALWAYS_INLINE static registers load_once(const T* p) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
    if constexpr (lanes > 1 && instructions<Isa>::has_mask_registers) {
      return registers::generate([=](std::size_t k) LANEFOLD_INLINE_LAMBDA {
        auto value = to_vector(load_register<reg>(p + k * lanes));
        asm("" : "+v"(value));
        return to_register<reg>(value);
      });
    }
#endif
    return load(p);
  }
  LANEFOLD_ALWAYS_INLINE static registers load(const T* p, const mask_type& m) {
    if constexpr (has_blocks) {
      registers r = registers::generate([](std::size_t) LANEFOLD_INLINE_LAMBDA { return zero_register(); });
      for_blocks(m, [&](auto k, auto b) LANEFOLD_INLINE_LAMBDA {
        r.template get<k()>() = load_register<Isa, reg>(p + k() * lanes, b);
      });
      return r;
    } else {
      return registers::map_indexed([=](auto b, std::size_t k)
                                        LANEFOLD_INLINE_LAMBDA { return load_register<Isa, reg>(p + k * lanes, b); },
                                    split<lanes>(m));
    }
  }
  LANEFOLD_ALWAYS_INLINE static void store(const registers& r, T* p) {
    r.each([=](const reg& x, std::size_t k) LANEFOLD_INLINE_LAMBDA { store_register(x, p + k * lanes); });
  }
  /// Stores the first register first. g++ sorts stores that nothing orders, and Intel's processors take up to 1.5 times
  /// as long for descending ones, each of which crosses a line of the cache (docs/decisions/073).
  LANEFOLD_ALWAYS_INLINE static void store_ascending(const registers& r, T* p) {
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
    if constexpr (lanes > 1 && registers::size > 1) {
      r.each([=](const reg& x, std::size_t k) LANEFOLD_INLINE_LAMBDA {
        auto value = to_vector(x);
        if (k > 0) { // it seems to depend on what was stored before
          asm("" : "+v"(value) : "m"(*reinterpret_cast<const char(*)[sizeof(value)]>(p + (k - 1) * lanes)));
        }
        store_register(to_register<reg>(value), p + k * lanes);
      });
      return;
    }
#endif
    store(r, p);
  }
  /// `Owned`: see store_register.
  template <bool Owned = false>
  LANEFOLD_ALWAYS_INLINE static void store(const registers& r, T* p, const mask_type& m) {
    if constexpr (has_blocks) {
      for_blocks(m, [&](auto k, auto b) LANEFOLD_INLINE_LAMBDA {
        store_register<Isa, Owned>(r.template get<k()>(), p + k() * lanes, b);
      });
    } else {
      r.each([=](const reg& x, auto b, std::size_t k)
                 LANEFOLD_INLINE_LAMBDA { store_register<Isa, Owned>(x, p + k * lanes, b); },
             split<lanes>(m));
    }
  }

  /// Lane i = *address(i).
  template <class F>
  LANEFOLD_ALWAYS_INLINE static registers load_lanes(F address) {
    if constexpr (by_element) {
      return from_chunks<reg, 1>(
          single::generate([=](std::size_t i) LANEFOLD_INLINE_LAMBDA { return static_cast<element>(*address(i)); }));
    } else {
      alignas(64) T all[N];
      for (std::size_t i = 0; i < N; ++i)
        all[i] = *address(i);
      return load(all);
    }
  }
  template <class F>
  LANEFOLD_ALWAYS_INLINE static registers load_lanes(F address, const mask_type& m) {
    alignas(64) T all[N] = {};
    for_lanes(m, [&](std::size_t i) LANEFOLD_INLINE_LAMBDA { all[i] = *address(i); });
    return load(all);
  }
  /// *address(i) = lane i, in order.
  template <class F>
  LANEFOLD_ALWAYS_INLINE static void store_lanes(const registers& r, F address) {
    if constexpr (by_element) {
      to_chunks<1>(r).each([=](element x, std::size_t i) LANEFOLD_INLINE_LAMBDA { *address(i) = static_cast<T>(x); });
    } else {
      alignas(64) T all[N];
      store(r, all);
      for (std::size_t i = 0; i < N; ++i)
        *address(i) = all[i];
    }
  }
  template <class F>
  LANEFOLD_ALWAYS_INLINE static void store_lanes(const registers& r, F address, const mask_type& m) {
    alignas(64) T all[N];
    store(r, all);
    for_lanes(m, [&](std::size_t i) LANEFOLD_INLINE_LAMBDA { *address(i) = all[i]; });
  }

  /// Rows of C lanes, `s` elements apart.
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static registers load_rows(const T* p, std::ptrdiff_t s, const M&... m) {
    const auto row = [=](std::size_t lane)
                         LANEFOLD_INLINE_LAMBDA { return p + static_cast<std::ptrdiff_t>(lane / C) * s + lane % C; };
    if constexpr (C == 1 || lanes == 1) {
      return load_lanes(row, m...);
    } else if constexpr (C % lanes == 0) {
      if constexpr (sizeof...(M) == 0)
        return registers::generate([=](std::size_t k)
                                       LANEFOLD_INLINE_LAMBDA { return load_register<reg>(row(k * lanes)); });
      else
        return registers::map_indexed([=](auto b, std::size_t k)
                                          LANEFOLD_INLINE_LAMBDA { return load_register<Isa, reg>(row(k * lanes), b); },
                                      split<lanes>(m...));
    } else if constexpr (sizeof...(M) == 0) {
      return from_chunks<reg, C>(pack<chunk_t<element, C>, N / C>::generate(
          [=](std::size_t r) LANEFOLD_INLINE_LAMBDA { return load_chunk<C>(row(r * C)); }));
    } else if constexpr (has_short_register<C>) {
      using part = typename register_of<T, C, Isa>::type;
      return from_chunks<reg, C>(pack<chunk_t<element, C>, N / C>::map_indexed(
          [=](auto b, std::size_t r)
              LANEFOLD_INLINE_LAMBDA { return to_vector(load_register<Isa, part>(row(r * C), b)); },
          split<C>(m...)));
    } else {
      return load_lanes(row, m...);
    }
  }
  template <std::size_t C, bool Owned = false, class... M>
  LANEFOLD_ALWAYS_INLINE static void store_rows(const registers& x, T* p, std::ptrdiff_t s, const M&... m) {
    const auto row = [=](std::size_t lane)
                         LANEFOLD_INLINE_LAMBDA { return p + static_cast<std::ptrdiff_t>(lane / C) * s + lane % C; };
    if constexpr (C == 1 || lanes == 1) {
      store_lanes(x, row, m...);
    } else if constexpr (C % lanes == 0) {
      if constexpr (sizeof...(M) == 0)
        x.each([=](const reg& r, std::size_t k) LANEFOLD_INLINE_LAMBDA { store_register(r, row(k * lanes)); });
      else
        x.each([=](const reg& r, auto b, std::size_t k)
                   LANEFOLD_INLINE_LAMBDA { store_register<Isa, Owned>(r, row(k * lanes), b); },
               split<lanes>(m...));
    } else if constexpr (sizeof...(M) == 0) {
      to_chunks<C>(x).each([=](const chunk_t<element, C>& c, std::size_t r)
                               LANEFOLD_INLINE_LAMBDA { __builtin_memcpy(row(r * C), &c, sizeof(c)); });
    } else if constexpr (has_short_register<C>) {
      using part = typename register_of<T, C, Isa>::type;
      to_chunks<C>(x).each(
          [=](const chunk_t<element, C>& c, auto b, std::size_t r)
              LANEFOLD_INLINE_LAMBDA { store_register<Isa, Owned>(to_register<part>(c), row(r * C), b); },
          split<C>(m...));
    } else {
      store_lanes(x, row, m...);
    }
  }
  /// Every lane of row r is p[r * s].
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static registers broadcast_rows(const T* p, std::ptrdiff_t s, const M&... m) {
    const auto row = [=](std::size_t lane)
                         LANEFOLD_INLINE_LAMBDA { return p + static_cast<std::ptrdiff_t>(lane / C) * s; };
    if constexpr (C == 1) {
      return load_lanes(row, m...);
    } else if constexpr (sizeof...(M) != 0) {
      const auto any_of_row = bits_of_rows<C>(m...);
      const auto values = pack<element, N / C>::map_indexed(
          [=](auto b, std::size_t r)
              LANEFOLD_INLINE_LAMBDA { return b != 0 ? static_cast<element>(*row(r * C)) : element{}; },
          any_of_row);
      return zero_unset(rows_of<C>(values), m...);
    } else if constexpr (C % lanes == 0) {
      return registers::generate([=](std::size_t k)
                                     LANEFOLD_INLINE_LAMBDA { return reg(static_cast<element>(*row(k * lanes))); });
    } else {
      return rows_of<C>(pack<element, N / C>::generate(
          [=](std::size_t r) LANEFOLD_INLINE_LAMBDA { return static_cast<element>(*row(r * C)); }));
    }
  }

  template <class Indices>
  LANEFOLD_ALWAYS_INLINE static registers gather(const T* p, const Indices& indices) {
    using J = typename register_traits<typename Indices::value_type>::element;
    constexpr std::size_t w = common_lanes<Indices>;
    if constexpr (has_gather<T, Isa> && w > 1) {
      const T* address = gather_address<J>(p);
      return from_chunks<reg, w>(pack<chunk_t<element, w>, N / w>::map(
          [=](const chunk_t<J, w>& i) LANEFOLD_INLINE_LAMBDA {
            return instructions<Isa>::template gather<element, J, w>(address, gather_indices<J, w>(i));
          },
          to_chunks<w>(indices)));
    } else if constexpr (by_element) {
      return from_chunks<reg, 1>(
          single::map([=](J i) LANEFOLD_INLINE_LAMBDA { return static_cast<element>(p[i]); }, to_chunks<1>(indices)));
    } else {
      alignas(64) J all[N];
      store_all(indices, all);
      return load_lanes([&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return p + all[i]; });
    }
  }
  template <class Indices>
  LANEFOLD_ALWAYS_INLINE static registers gather(const T* p, const Indices& indices, const mask_type& m) {
    using J = typename register_traits<typename Indices::value_type>::element;
    constexpr std::size_t w = common_lanes<Indices>;
    if constexpr (has_gather<T, Isa> && w > 1) {
      const T* address = gather_address<J>(p);
      return from_chunks<reg, w>(pack<chunk_t<element, w>, N / w>::map(
          [=](const chunk_t<J, w>& i, auto b) LANEFOLD_INLINE_LAMBDA {
            return instructions<Isa>::template gather<element, J, w>(address, gather_indices<J, w>(i), b);
          },
          to_chunks<w>(indices), split<w>(m)));
    } else {
      alignas(64) J all[N];
      store_all(indices, all);
      return load_lanes([&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return p + all[i]; }, m);
    }
  }
  template <class Indices, class... M>
  LANEFOLD_ALWAYS_INLINE static void scatter(const registers& r, T* p, const Indices& indices, const M&... m) {
    using J = typename register_traits<typename Indices::value_type>::element;
    constexpr std::size_t w = common_lanes<Indices>;
    if constexpr (has_scatter<T, Isa> && w > 1) {
      T* address = gather_address<J>(p);
      const auto parts = to_chunks<w>(indices);
      if constexpr (sizeof...(M) == 0)
        to_chunks<w>(r).each(
            [=](const chunk_t<element, w>& x, const chunk_t<J, w>& i, std::size_t) LANEFOLD_INLINE_LAMBDA {
              instructions<Isa>::template scatter<element, J, w>(address, gather_indices<J, w>(i), x);
            },
            parts);
      else
        to_chunks<w>(r).each(
            [=](const chunk_t<element, w>& x, const chunk_t<J, w>& i, auto b) LANEFOLD_INLINE_LAMBDA {
              instructions<Isa>::template scatter<element, J, w>(address, gather_indices<J, w>(i), x, b);
            },
            parts, split<w>(m)...);
    } else {
      alignas(64) J all[N];
      store_all(indices, all);
      store_lanes(r, [&](std::size_t i) LANEFOLD_INLINE_LAMBDA { return p + all[i]; }, m...);
    }
  }

  /// f(k, bits of register k) for the registers of every block in which a lane is active; k is an integral_constant.
  template <class F>
  LANEFOLD_ALWAYS_INLINE static void for_blocks(const mask_type& m, F f) {
    for_blocks(split<block * lanes>(m), f, std::make_index_sequence<registers::size / block>{});
  }

  /// Calls f for every register in which a lane is active: f(k) if all of its lanes are, f(k, bits) if some are.
  template <class F>
  LANEFOLD_ALWAYS_INLINE static void for_registers(const mask_type& m, F f) {
    for_blocks(m, [=](auto k, auto bits) LANEFOLD_INLINE_LAMBDA {
      if (bits == full_bits<lanes>)
        f(k);
      else if (bits != 0)
        f(k, bits);
    });
  }

private:
  // Many registers under a mask are accessed in blocks, and a block without active lanes not at all: in a tree the
  // active lanes are few soon (tree reduction, 128 lanes of double on AVX-512: 0.6 of the time; blocks of 2 the same,
  // of 8 0.75).
  static constexpr std::size_t block = std::min({registers::size, std::size_t(4), 64 / lanes});
  static constexpr bool has_blocks = registers::size > block;

  template <class Pack, class F, std::size_t... B>
  LANEFOLD_ALWAYS_INLINE static void for_blocks(const Pack& bits, [[maybe_unused]] F f, std::index_sequence<B...>) {
    (for_block<B * block>(bits.template get<B>(), f, std::make_index_sequence<block>{}), ...);
  }
  template <std::size_t First, class Bits, class F, std::size_t... J>
  LANEFOLD_ALWAYS_INLINE static void for_block(Bits bits, F f, std::index_sequence<J...>) {
    if (bits != 0)
      (f(std::integral_constant<std::size_t, First + J>{},
         native_instructions::in_general_register(
             static_cast<lane_bits<lanes>>((bits >> (J * lanes)) & full_bits<lanes>))),
       ...);
  }

  LANEFOLD_ALWAYS_INLINE static reg zero_register() {
    return to_register<reg>(decltype(to_vector(std::declval<const reg&>())){});
  }

  template <std::size_t C>
  static constexpr bool has_short_register = C > 1 && register_lanes<T, C, Isa>() == C;
  template <class Indices>
  static constexpr std::size_t common_lanes = lanes < register_traits<typename Indices::value_type>::lanes
                                                  ? lanes
                                                  : register_traits<typename Indices::value_type>::lanes;

  template <std::size_t C>
  LANEFOLD_ALWAYS_INLINE static chunk_t<element, C> load_chunk(const T* p) {
    chunk_t<element, C> c;
    __builtin_memcpy(&c, p, sizeof(c));
    return c;
  }

  template <class Indices, class J>
  LANEFOLD_ALWAYS_INLINE static void store_all(const Indices& indices, J* all) {
    constexpr std::size_t w = register_traits<typename Indices::value_type>::lanes;
    indices.each([=](const auto& i, std::size_t k) LANEFOLD_INLINE_LAMBDA { store_register(i, all + k * w); });
  }

  /// Not 0 for a row of C lanes in which any is set.
  template <std::size_t C>
  LANEFOLD_ALWAYS_INLINE static auto bits_of_rows(const mask_type& m) {
    if constexpr (C <= 64)
      return split<C>(m);
    else
      return pack<std::uint64_t, N / C>::generate([&](std::size_t r) LANEFOLD_INLINE_LAMBDA {
        std::uint64_t any = 0;
        for (std::size_t k = r * C / 64; k < (r + 1) * C / 64; ++k)
          any |= m.word(k);
        return any;
      });
  }

  /// Rows of C equal lanes.
  template <std::size_t C>
  LANEFOLD_ALWAYS_INLINE static registers rows_of(const pack<element, N / C>& values) {
    if constexpr (C % lanes == 0)
      return repeated<C>(values, std::make_index_sequence<N / lanes>{});
    else
      return from_chunks<reg, C>(pack<chunk_t<element, C>, N / C>::map(
          [](element x) LANEFOLD_INLINE_LAMBDA { return chunk_t<element, C>{} + x; }, values));
  }
  template <std::size_t C, std::size_t... K>
  LANEFOLD_ALWAYS_INLINE static registers repeated(const pack<element, N / C>& values, std::index_sequence<K...>) {
    return {leaf<K, reg>{reg(values.template get<K * lanes / C>())}...};
  }

  LANEFOLD_ALWAYS_INLINE static registers zero_unset(const registers& r, const mask_type& m) {
    const reg zero = zero_register();
    return registers::map([=](auto b, const reg& x) LANEFOLD_INLINE_LAMBDA { return blend<Isa>(b, x, zero); },
                          split<lanes>(m), r);
  }
};

/// base + row * row_step + column * column_step for every lane, rows of C lanes; integers modulo 2^bits.
template <class T, std::size_t N, class Isa, std::size_t C>
struct affine_lanes {
  static constexpr std::size_t lanes = register_lanes<T, N, Isa>();
  using reg = typename register_of<T, lanes, Isa>::type;
  using registers = pack<reg, N / lanes>;
  /// Integers are computed without sign, so that nothing overflows.
  using number =
      typename std::conditional_t<std::is_integral_v<T>, sized_integer<sizeof(T), false>, std::type_identity<T>>::type;

  LANEFOLD_ALWAYS_INLINE static number at(std::size_t lane, number base, number row, number column) {
    return static_cast<number>(base + static_cast<number>(lane / C) * row + static_cast<number>(lane % C) * column);
  }

  template <std::size_t... I>
  LANEFOLD_ALWAYS_INLINE static registers make(number base, number row, number column, std::index_sequence<I...>) {
    if constexpr (lanes == 1) {
      return registers::generate([=](std::size_t k)
                                     LANEFOLD_INLINE_LAMBDA { return static_cast<T>(at(k, base, row, column)); });
    } else {
      using vector = vector_t<number, lanes>;
      vector first = vector{static_cast<number>(I % C)...} * column;
      if constexpr (lanes > C)
        first = first + vector{static_cast<number>(I / C)...} * row;
      return registers::generate([=](std::size_t k) LANEFOLD_INLINE_LAMBDA {
        return to_register<reg>(first + at(k * lanes, base, row, column));
      });
    }
  }
  LANEFOLD_ALWAYS_INLINE static registers make(T base, T row, T column) {
    return make(static_cast<number>(base), static_cast<number>(row), static_cast<number>(column),
                std::make_index_sequence<lanes>{});
  }
};

} // namespace detail

LANEFOLD_END_NAMESPACE
