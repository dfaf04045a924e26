// SPDX-License-Identifier: Apache-2.0
/// Loads and stores lanes a fixed distance apart: backwards, or elements of arrays of pairs, of three and of four, as
/// whole registers that are shuffled. Internal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/vectors.hpp>
#include <lanefold/simd/memory.hpp>

#ifdef __has_feature // of clang
#define LANEFOLD_DETAIL_THREAD_SANITIZER __has_feature(thread_sanitizer)
#else
#define LANEFOLD_DETAIL_THREAD_SANITIZER 0
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Loads read what lies between the lanes' elements, too, and drop it. Another thread may write there, which does no
/// harm, but is a race to this sanitizer.
#if defined(__SANITIZE_THREAD__) || LANEFOLD_DETAIL_THREAD_SANITIZER
inline constexpr bool reads_between_lanes = false;
#else
inline constexpr bool reads_between_lanes = true;
#endif
#undef LANEFOLD_DETAIL_THREAD_SANITIZER

namespace pattern {

/// Returns where S * l lies, for lane l of w, in registers that cover the elements from 0 to S * (w - 1): register k
/// begins at w * k, but the last one so that it ends with the last lane's element. So nothing behind it is read. And
/// what the next lanes read does not wait for a store: a load of bytes that a masked store covers, also of those that
/// it leaves alone, waits until they are in the cache (twice the time of a plate in two colours, AMD Zen 5).
template <int S>
struct covering {
  static constexpr int begin(int k, int w) { return k < S - 1 ? w * k : (w - 1) * (S - 1); }
  static constexpr int register_of(int l, int w) { return S * l / w < S - 1 ? S * l / w : S - 1; }
  static constexpr int position(int l, int w) { return S * l - begin(register_of(l, w), w); }
};
/// Keeps the lanes of the registers before register K (the first operand is register 0 for K = 1), and takes those of
/// register K from the second operand.
template <int S, int K>
struct gathered_from {
  static constexpr int at(int l, int w) {
    const int k = covering<S>::register_of(l, w), position = covering<S>::position(l, w);
    return k == K ? w + position : (K == 1 && k == 0 ? position : l);
  }
};
/// Moves the lanes that lie in register K of S to the places that they have there; the other places get lane 0.
template <int S, int K>
struct spread_to {
  static constexpr int at(int i, int w) {
    const int element = covering<S>::begin(K, w) + i;
    return element % S == 0 ? element / S : 0;
  }
};

} // namespace pattern

/// One register of W lanes, S elements apart, S being -1, 2, 3 or 4: as many registers as that, shuffled. A load reads
/// what lies between the lanes, a store leaves it alone. `spread`, where it is given, are the elements to access.
template <class T, std::size_t W, class Isa>
struct strided_register {
  using reg = typename register_of<T, W, Isa>::type;
  static constexpr int w = static_cast<int>(W);
  static constexpr bool has_masks = instructions<Isa>::has_mask_registers;
  /// Is true if shuffles are faster than one access a lane. They are not for a stride of 3 in registers of four lanes
  /// or fewer, nor for a stride of 4 in registers of two.
  template <int S>
  static constexpr bool loads = S == -1 || S == 2 || (S == 3 && W > 4) || (S == 4 && W > 2);
  /// Is true if a register can store them: what lies between is left alone by registers of masks, or nothing lies
  /// there.
  template <int S>
  static constexpr bool stores = loads<S> && (S == -1 || has_masks);
  /// Is true if it can load and store some of the lanes.
  template <int S>
  static constexpr bool has_masked = loads<S> && S > 0 && has_masks;

  /// Returns bit S * l for every bit l that is set: the elements of lanes. Four times sixteen are the most.
  template <int S>
  LANEFOLD_ALWAYS_INLINE static std::uint64_t spread_bits(std::uint64_t bits) {
    return instructions<Isa>::deposit(bits, elements<S>);
  }

  template <int S, class... Bits>
  LANEFOLD_ALWAYS_INLINE static reg load(const T* first, Bits... spread) {
    if constexpr (S == -1) {
      const reg r = load_register<reg>(first - (w - 1));
      return moved<pattern::reversed>(r, r);
    } else {
      return with_registers_from<S, 1>(first, load_part(first, 0, spread...), spread...);
    }
  }
  template <int S>
  LANEFOLD_ALWAYS_INLINE static void store(const reg& x, T* first, std::uint64_t spread = elements<S>) {
    if constexpr (S == -1) {
      store_register(moved<pattern::reversed>(x, x), first - (w - 1));
    } else {
      store_parts<S>(x, first, spread, std::make_integer_sequence<int, S>{});
    }
  }

private:
  /// Holds the bits of the elements of all lanes.
  template <int S>
  static constexpr std::uint64_t elements = [] {
    std::uint64_t bits = 0;
    for (int l = 0; l < w && S > 0; ++l) {
      bits |= std::uint64_t{1} << (S * l);
    }
    return bits;
  }();

  /// Returns the lanes of a and b as the pattern says.
  template <class Pattern>
  LANEFOLD_ALWAYS_INLINE static reg moved(const reg& a, const reg& b) {
    return to_register<reg>(shuffled_vector<Pattern>(to_vector(a), to_vector(b), std::make_index_sequence<W>{}));
  }
  LANEFOLD_ALWAYS_INLINE static lane_bits<W> bits_from(std::uint64_t spread, int begin) {
    return static_cast<lane_bits<W>>(spread >> begin & full_bits<W>);
  }

  LANEFOLD_ALWAYS_INLINE static reg load_part(const T* first, int begin) { return load_register<reg>(first + begin); }
  LANEFOLD_ALWAYS_INLINE static reg load_part(const T* first, int begin, std::uint64_t spread) {
    return load_register<Isa, reg>(first + begin, bits_from(spread, begin));
  }
  /// Adds to `r` the lanes of register K and of those behind it.
  template <int S, int K, class... Bits>
  LANEFOLD_ALWAYS_INLINE static reg with_registers_from(const T* first, const reg& r, Bits... spread) {
    if constexpr (K == S) {
      return r;
    } else {
      const reg next = load_part(first, pattern::covering<S>::begin(K, w), spread...);
      return with_registers_from<S, K + 1>(first, moved<pattern::gathered_from<S, K>>(r, next), spread...);
    }
  }
  template <int S, int... K>
  LANEFOLD_ALWAYS_INLINE static void store_parts(const reg& x, T* first, std::uint64_t spread,
                                                 std::integer_sequence<int, K...>) {
    (store_register<Isa>(moved<pattern::spread_to<S, K>>(x, x), first + pattern::covering<S>::begin(K, w),
                         bits_from(spread, pattern::covering<S>::begin(K, w))),
     ...);
  }
};

/// Accesses p[i * s] for every lane i, or for those that are set. Where s is -1, 2, 3 or 4 a load is shuffles of whole
/// registers, of which no element lies before the first lane's or behind the last one's, and so are some stores, see
/// strided_register. Else lanes are accessed one by one. What it saves is in docs/decisions/082.
template <class T, std::size_t N, class Isa>
struct strided_memory {
  using base = lane_memory<T, N, Isa>;
  using registers = typename base::registers;
  using reg = typename base::reg;
  using element = typename base::element;

  LANEFOLD_ALWAYS_INLINE static registers load(const T* p, std::ptrdiff_t s) { return load_rows<N>(p, 0, s); }
  LANEFOLD_ALWAYS_INLINE static registers load(const T* p, std::ptrdiff_t s, const mask<N, Isa>& m) {
    return load_rows<N>(p, 0, s, m);
  }
  LANEFOLD_ALWAYS_INLINE static void store(const registers& r, T* p, std::ptrdiff_t s) { store_rows<N>(r, p, 0, s); }
  LANEFOLD_ALWAYS_INLINE static void store(const registers& r, T* p, std::ptrdiff_t s, const mask<N, Isa>& m) {
    store_rows<N>(r, p, 0, s, m);
  }

  /// Accesses rows of C lanes, `row_stride` elements apart.
  template <std::size_t C, class... Mask>
  LANEFOLD_ALWAYS_INLINE static registers load_rows(const T* p, std::ptrdiff_t row_stride, std::ptrdiff_t s,
                                                    const Mask&... m) {
    if constexpr (loads_known<-1, C, Mask...>) {
      if (s == -1) {
        return load_known<-1, C>(p, row_stride, m...);
      }
    }
    if constexpr (loads_known<2, C, Mask...>) {
      if (s == 2) {
        return load_known<2, C>(p, row_stride, m...);
      }
    }
    if constexpr (loads_known<3, C, Mask...>) {
      if (s == 3) {
        return load_known<3, C>(p, row_stride, m...);
      }
    }
    if constexpr (loads_known<4, C, Mask...>) {
      if (s == 4) {
        return load_known<4, C>(p, row_stride, m...);
      }
    }
    return load_each<C>(p, row_stride, s, m...);
  }
  template <std::size_t C, class... Mask>
  LANEFOLD_ALWAYS_INLINE static void store_rows(const registers& r, T* p, std::ptrdiff_t row_stride, std::ptrdiff_t s,
                                                const Mask&... m) {
    if constexpr (stores_known<-1, C, Mask...>) {
      if (s == -1) {
        return store_known<-1, C>(r, p, row_stride, m...);
      }
    }
    if constexpr (stores_known<2, C, Mask...>) {
      if (s == 2) {
        return store_known<2, C>(r, p, row_stride, m...);
      }
    }
    if constexpr (stores_known<3, C, Mask...>) {
      if (s == 3) {
        return store_known<3, C>(r, p, row_stride, m...);
      }
    }
    if constexpr (stores_known<4, C, Mask...>) {
      if (s == 4) {
        return store_known<4, C>(r, p, row_stride, m...);
      }
    }
    store_each<C>(r, p, row_stride, s, m...);
  }

private:
  /// Small elements are shuffled by 16 bytes, as AVX2 moves no bytes further.
  template <std::size_t C>
  static constexpr std::size_t most_lanes =
      std::min(C, sizeof(T) >= 4 ? base::lanes : std::min(base::lanes, 16 / sizeof(T)));
  /// How many lanes of a row of C are one register that is shuffled; 1 if there is none.
  template <std::size_t C>
  static constexpr std::size_t piece =
      reads_between_lanes && register_lanes<T, most_lanes<C>, Isa>() == most_lanes<C> &&
              (sizeof(T) >= 4 || !instructions<Isa>::has_slow_shuffles)
          ? most_lanes<C>
          : 1;

  template <int S, std::size_t C, class... Mask>
  static constexpr bool
      loads_known = piece<C> > 1 && (sizeof...(Mask) == 0 ? strided_register<T, piece<C>, Isa>::template loads<S>
                                                          : strided_register<T, piece<C>, Isa>::template has_masked<S>);
  template <int S, std::size_t C, class... Mask>
  static constexpr bool stores_known = piece<C> > 1 &&
                                       (sizeof...(Mask) == 0
                                            ? strided_register<T, piece<C>, Isa>::template stores<S>
                                            : strided_register<T, piece<C>, Isa>::template has_masked<S>);

  /// Returns a function from a lane to its element.
  template <std::size_t C, class U>
  LANEFOLD_ALWAYS_INLINE static auto places(U* p, std::ptrdiff_t row_stride, std::ptrdiff_t s) {
    return [=](std::size_t i) LANEFOLD_INLINE_LAMBDA {
      return p + static_cast<std::ptrdiff_t>(i / C) * row_stride + static_cast<std::ptrdiff_t>(i % C) * s;
    };
  }

  // The compiler decides which of these are parts of a kernel. Nearly all accesses whose type does not tell the stride
  // have a stride of 1, and the optimiser finds that out: then they are dropped before that costs anything. As parts of
  // every access they doubled the time to compile a kernel of three dimensions.

  template <int S, std::size_t C, class... Mask>
  static inline registers load_known(const T* p, std::ptrdiff_t row_stride, const Mask&... m) {
    constexpr std::size_t w = piece<C>;
    using one = strided_register<T, w, Isa>;
    using chunks = pack<chunk_t<element, w>, N / w>;
    const auto place = places<C>(p, row_stride, S);
    if constexpr (sizeof...(Mask) == 0) {
      return from_chunks<reg, w>(chunks::generate([=](std::size_t k) LANEFOLD_INLINE_LAMBDA {
        return chunk_t<element, w>(to_vector(one::template load<S>(place(k * w))));
      }));
    } else {
      return from_chunks<reg, w>(chunks::map_indexed(
          [=](auto bits, std::size_t k) LANEFOLD_INLINE_LAMBDA {
            return chunk_t<element, w>(
                to_vector(one::template load<S>(place(k * w), one::template spread_bits<S>(bits))));
          },
          split<w>(m...)));
    }
  }
  template <int S, std::size_t C, class... Mask>
  static inline void store_known(const registers& r, T* p, std::ptrdiff_t row_stride, const Mask&... m) {
    constexpr std::size_t w = piece<C>;
    using one = strided_register<T, w, Isa>;
    const auto place = places<C>(p, row_stride, S);
    if constexpr (sizeof...(Mask) == 0) {
      to_chunks<w>(r).each([=](const chunk_t<element, w>& x, std::size_t k) LANEFOLD_INLINE_LAMBDA {
        one::template store<S>(to_register<typename one::reg>(x), place(k * w));
      });
    } else {
      to_chunks<w>(r).each(
          [=](const chunk_t<element, w>& x, auto bits, std::size_t k) LANEFOLD_INLINE_LAMBDA {
            one::template store<S>(to_register<typename one::reg>(x), place(k * w), one::template spread_bits<S>(bits));
          },
          split<w>(m...));
    }
  }
  template <std::size_t C, class... Mask>
  static inline registers load_each(const T* p, std::ptrdiff_t row_stride, std::ptrdiff_t s, const Mask&... m) {
    return base::load_lanes(places<C>(p, row_stride, s), m...);
  }
  template <std::size_t C, class... Mask>
  static inline void store_each(const registers& r, T* p, std::ptrdiff_t row_stride, std::ptrdiff_t s,
                                const Mask&... m) {
    base::store_lanes(r, places<C>(p, row_stride, s), m...);
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
