// SPDX-License-Identifier: Apache-2.0
/// Loads and stores arrays of structures, which lie one behind the other, as one varying for each member: whole
/// registers that are sorted by shuffles. Internal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include <lanefold/simd/detail/shuffle.hpp>
#include <lanefold/simd/mask.hpp>
#include <lanefold/simd/select.hpp>
#include <lanefold/simd/varying.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace pattern {
/// The lower (Upper = 0) or upper (Upper = 1) halves of two registers, their lanes by turns.
template <int Upper>
struct by_turns {
  static constexpr int at(int i, int w) { return (i % 2) * w + Upper * w / 2 + i / 2; }
};
/// Takes blocks of B lanes from two registers by turns: lane i of the result comes from lane i of the first one, or,
/// where i has the bit B, from lane i - B of the second one. With Upper = 1 all come from B lanes further up.
template <int B, int Upper>
struct blocks_by_turns {
  static constexpr int at(int i, int w) { return (i & B) == 0 ? i + Upper * B : w + i - B + Upper * B; }
};
} // namespace pattern

/// Transposes as many registers as each has lanes: lane i of register k becomes lane k of register i. Blocks of B
/// lanes, then of B / 2, change places with those of another register, which is one instruction each, also where AVX2
/// cannot move lanes between the halves of a register.
template <std::size_t B, class R, std::size_t S>
LANEFOLD_ALWAYS_INLINE pack<R, S> transposed(const pack<R, S>& r) {
  if constexpr (B == 0) {
    return r;
  } else {
    return transposed<B / 2, R, S>(generated_pack<R>(
        [&](auto k) LANEFOLD_INLINE_LAMBDA {
          constexpr std::size_t lower = k() & ~B;
          return shuffled<pattern::blocks_by_turns<static_cast<int>(B), (k() & B) != 0>>(r.template get<lower>(),
                                                                                         r.template get<(lower | B)>());
        },
        std::make_index_sequence<S>{}));
  }
}

/// Is true where `transposed` is faster. Registers of 16 bytes take two instructions where every second lane is one.
template <class R, std::size_t S>
inline constexpr bool are_transposed = S == register_traits<R>::lanes && sizeof(R) > 16;

/// Registers of structures of S elements, one behind the other, as a register for each element. S is a power of two.
template <class R, std::size_t S>
LANEFOLD_ALWAYS_INLINE pack<R, S> separated(const pack<R, S>& r) {
  if constexpr (S == 1) {
    return r;
  } else if constexpr (are_transposed<R, S>) {
    return transposed<S / 2, R, S>(r);
  } else {
    // Every second element of all are those of structures that are half as large.
    using half = std::make_index_sequence<S / 2>;
    const auto alternate = [&](auto odd) LANEFOLD_INLINE_LAMBDA {
      return separated<R, S / 2>(generated_pack<R>(
          [&](auto k) LANEFOLD_INLINE_LAMBDA {
            return shuffled<pattern::every_second<static_cast<int>(odd())>>(r.template get<2 * k()>(),
                                                                            r.template get<2 * k() + 1>());
          },
          half{}));
    };
    const auto even = alternate(std::integral_constant<std::size_t, 0>{});
    const auto odd = alternate(std::integral_constant<std::size_t, 1>{});
    return generated_pack<R>(
        [&](auto k) LANEFOLD_INLINE_LAMBDA {
          if constexpr (k() % 2 == 0) {
            return even.template get<k() / 2>();
          } else {
            return odd.template get<k() / 2>();
          }
        },
        std::make_index_sequence<S>{});
  }
}

/// Does the opposite of `separated`.
template <class R, std::size_t S>
LANEFOLD_ALWAYS_INLINE pack<R, S> joined_by_turns(const pack<R, S>& r) {
  if constexpr (S == 1) {
    return r;
  } else if constexpr (are_transposed<R, S>) {
    return transposed<S / 2, R, S>(r);
  } else {
    using half = std::make_index_sequence<S / 2>;
    const auto alternate = [&](auto odd) LANEFOLD_INLINE_LAMBDA {
      return joined_by_turns<R, S / 2>(
          generated_pack<R>([&](auto k) LANEFOLD_INLINE_LAMBDA { return r.template get<2 * k() + odd()>(); }, half{}));
    };
    const auto even = alternate(std::integral_constant<std::size_t, 0>{});
    const auto odd = alternate(std::integral_constant<std::size_t, 1>{});
    return generated_pack<R>(
        [&](auto k) LANEFOLD_INLINE_LAMBDA {
          return shuffled<pattern::by_turns<static_cast<int>(k() % 2)>>(even.template get<k() / 2>(),
                                                                        odd.template get<k() / 2>());
        },
        std::make_index_sequence<S>{});
  }
}

/// The accesses of N lanes to structures of S elements of T, of which the first M count: lane i accesses p[i * S] to
/// p[i * S + M - 1]. The other elements are gaps, which may have another owner: nothing is stored there.
template <class T, std::size_t N, class Isa, std::size_t S, std::size_t M>
struct interleaved_memory {
  using value = varying<T, N, Isa>;
  using mask_type = mask<N, Isa>;
  using members = pack<value, M>;
  using reg = typename value::register_type;
  static constexpr std::size_t lanes = value::register_lanes;
  static constexpr std::size_t blocks = N / lanes; ///< of as many structures as a register has lanes

  /// Is true if registers can do it in rows of C lanes, which lie anywhere. Shuffles of small elements cost too many
  /// instructions, more than eight elements too many registers, and two doubles of SSE2 are loaded one by one as fast.
  template <std::size_t C>
  static constexpr bool loads_rows =
      sizeof(T) >= 4 && C * S % lanes == 0 && (lanes >= 4 ? S == 2 || S == 4 || S == 8 : lanes == 2 && S == 2);
  /// Is true if registers can store them. Where there are gaps, masks leave these out, which costs nothing if the
  /// processor has registers of masks.
  template <std::size_t C>
  static constexpr bool stores_rows = loads_rows<C> && (M == S || instructions<Isa>::has_mask_registers);

  /// The rows of C lanes are `row_stride` structures apart. Lanes that are not set access nothing and load 0.
  template <std::size_t C, class... Mask>
  LANEFOLD_ALWAYS_INLINE static members load(const T* p, std::ptrdiff_t row_stride, const Mask&... m) {
    return members_of([&](std::size_t n) LANEFOLD_INLINE_LAMBDA {
      return load_part(p + place<C>(n, row_stride), part_bits(n, m)...);
    });
  }
  template <std::size_t C, class... Mask>
  LANEFOLD_ALWAYS_INLINE static void store(const members& x, T* p, std::ptrdiff_t row_stride, const Mask&... m) {
    if constexpr (M < S && sizeof...(Mask) == 0) {
      store<C>(x, p, row_stride, mask_type::all_true());
    } else {
      parts_of(x, [&](const reg& r, std::size_t n)
                      LANEFOLD_INLINE_LAMBDA { store_part(r, p + place<C>(n, row_stride), part_bits(n, m)...); });
    }
  }

  /// Is true if structures that lie anywhere are faster one by one, as parts of registers that are sorted, than by
  /// gathers and scatters of each member.
  static constexpr bool loads_anywhere = loads_rows<N> && S * sizeof(T) >= 16;
  static constexpr bool stores_anywhere = loads_anywhere && M == S;
  /// Lane i accesses structure i of `indices`. Lanes that are not set access nothing and load 0.
  template <class I>
  LANEFOLD_ALWAYS_INLINE static members gather(const T* p, const varying<I, N, Isa>& indices) {
    const auto all = indices.to_array();
    return members_of([&](std::size_t n) LANEFOLD_INLINE_LAMBDA {
      if constexpr (lanes <= S) {
        return load_register<reg>(p + place_of(all[n * lanes / S]) + n * lanes % S);
      } else {
        return from_chunks<reg, S>(pack<part, lanes / S>::generate([&](std::size_t k) LANEFOLD_INLINE_LAMBDA {
                 part result;
                 __builtin_memcpy(&result, p + place_of(all[n * lanes / S + k]), sizeof(result));
                 return result;
               }))
            .template get<0>();
      }
    });
  }
  template <class I>
  LANEFOLD_ALWAYS_INLINE static members gather(const T* p, const varying<I, N, Isa>& indices, const mask_type& m) {
    const value zero(T{});
    const std::size_t first = m.find_low();
    if (first == N) {
      return members::generate([&](std::size_t) LANEFOLD_INLINE_LAMBDA { return zero; });
    }
    const auto allowed = select(m, indices, indices[first]);
    return members::map([&](const value& x) LANEFOLD_INLINE_LAMBDA { return value(select(m, x, zero)); },
                        gather(p, varying<I, N, Isa>(allowed)));
  }
  template <class I>
  LANEFOLD_ALWAYS_INLINE static void scatter(const members& x, T* p, const varying<I, N, Isa>& indices) {
    const auto all = indices.to_array();
    parts_of(x, [&](const reg& r, std::size_t n) LANEFOLD_INLINE_LAMBDA {
      if constexpr (lanes <= S) {
        store_register(r, p + place_of(all[n * lanes / S]) + n * lanes % S);
      } else {
        to_chunks<S>(pack<reg, 1>{leaf<0, reg>{r}}).each([&](const part& x_, std::size_t k) LANEFOLD_INLINE_LAMBDA {
          __builtin_memcpy(p + place_of(all[n * lanes / S + k]), &x_, sizeof(x_));
        });
      }
    });
  }

private:
  using part = chunk_t<element_t<reg>, S>;

  /// Returns where a structure lies.
  template <class I>
  LANEFOLD_ALWAYS_INLINE static std::ptrdiff_t place_of(I index) {
    return static_cast<std::ptrdiff_t>(index) * static_cast<std::ptrdiff_t>(S);
  }

  /// Returns the members of structures of which `part(n)` is the n-th register.
  template <class Part>
  LANEFOLD_ALWAYS_INLINE static members members_of(Part part) {
    using all = pack<pack<reg, S>, blocks>;
    const all by_member = all::generate([&](std::size_t b) LANEFOLD_INLINE_LAMBDA {
      return separated<reg, S>(
          pack<reg, S>::generate([&](std::size_t k) LANEFOLD_INLINE_LAMBDA { return part(b * S + k); }));
    });
    return generated_pack<value>(
        [&](auto k) LANEFOLD_INLINE_LAMBDA {
          return generate<value>(
              [&](auto b) LANEFOLD_INLINE_LAMBDA { return by_member.template get<b()>().template get<k()>(); });
        },
        std::make_index_sequence<M>{});
  }
  /// Returns where the n-th register in memory lies.
  template <std::size_t C>
  LANEFOLD_ALWAYS_INLINE static std::ptrdiff_t place(std::size_t n, std::ptrdiff_t row_stride) {
    const std::size_t element = n * lanes, row = element / (C * S);
    return static_cast<std::ptrdiff_t>(row * S) * row_stride + static_cast<std::ptrdiff_t>(element % (C * S));
  }
  /// Returns the bits of its elements: where a lane is set those that are no gaps.
  LANEFOLD_ALWAYS_INLINE static lane_bits<lanes> part_bits(std::size_t n, const mask_type& m) {
    constexpr std::size_t elements = std::min(lanes, S); // of one structure
    constexpr std::uint64_t members_of_all = (std::uint64_t{1} << M) - 1;
    const std::uint64_t bits_of_one = members_of_all >> (n * lanes % S) & full_bits<elements>;
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < lanes / elements; ++k) {
      bits |= m[n * lanes / S + k] ? bits_of_one << (k * elements) : 0;
    }
    return static_cast<lane_bits<lanes>>(bits);
  }
  LANEFOLD_ALWAYS_INLINE static reg load_part(const T* p) { return load_register<reg>(p); }
  LANEFOLD_ALWAYS_INLINE static reg load_part(const T* p, lane_bits<lanes> b) { return load_register<Isa, reg>(p, b); }
  LANEFOLD_ALWAYS_INLINE static void store_part(const reg& r, T* p) { store_register(r, p); }
  LANEFOLD_ALWAYS_INLINE static void store_part(const reg& r, T* p, lane_bits<lanes> b) {
    store_register<Isa>(r, p, b);
  }

  /// Calls `store(r, n)` with the n-th register of the structures that have these members. Gaps hold unspecified
  /// values.
  template <class Store>
  LANEFOLD_ALWAYS_INLINE static void parts_of(const members& x, Store store) {
    parts_of(std::make_index_sequence<blocks>{}, x, store);
  }
  template <std::size_t... B, class Store>
  LANEFOLD_ALWAYS_INLINE static void parts_of(std::index_sequence<B...>, const members& x, Store store) {
    const auto block = [&](auto b) LANEFOLD_INLINE_LAMBDA {
      const auto members_of_block = generated_pack<reg>(
          [&](auto k) LANEFOLD_INLINE_LAMBDA { return register_at<b()>(x.template get<(k() < M ? k() : 0)>()); },
          std::make_index_sequence<S>{});
      joined_by_turns<reg, S>(members_of_block).each([&](const reg& r, std::size_t k) LANEFOLD_INLINE_LAMBDA {
        store(r, b() * S + k);
      });
    };
    (block(std::integral_constant<std::size_t, B>{}), ...);
  }
};

} // namespace detail
LANEFOLD_END_NAMESPACE
