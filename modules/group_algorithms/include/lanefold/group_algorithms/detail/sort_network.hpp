// SPDX-License-Identifier: Apache-2.0
/// Sorting whole numbers with registers, for one instruction set.
#pragma once

#include <lanefold/group_algorithms/detail/compiled_joint.hpp>
#include <lanefold/group_algorithms/detail/joint_loops.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Memory for largest_network elements of up to 8 bytes, of this thread, aligned to 64: stacks of units are small.
std::byte* sort_buffer() noexcept;

/// The lanes whose number has Bit set.
template <std::size_t W, std::size_t Bit>
constexpr std::uint64_t lanes_with_bit() {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < W; ++i) {
    bits |= std::uint64_t{(i & Bit) != 0} << i;
  }
  return bits;
}

/// Compares lane i with lane i ^ Exchange; the lane with Bit gets the larger one.
template <std::size_t Exchange, std::size_t Bit, class V>
LANEFOLD_ALWAYS_INLINE V compared_lanes(const V& v) {
  using T = typename V::value_type;
  using isa = typename V::isa;
  const V partner = one_register<T, isa>(shuffled<pattern::exchanged<static_cast<int>(Exchange)>>(register_at<0>(v)));
  const V low = minimum<T>{}(v, partner), high = maximum<T>{}(v, partner);
  constexpr auto upper = static_cast<lane_bits<V::size()>>(lanes_with_bit<V::size(), Bit>());
  return one_register<T, isa>(blend<isa>(upper, register_at<0>(high), register_at<0>(low)));
}

/// Sorts a register of which every Distance × 2 lanes are bitonic.
template <std::size_t Distance, class V>
LANEFOLD_ALWAYS_INLINE V cleaned_register(const V& v) {
  if constexpr (Distance == 0) {
    return v;
  } else {
    return cleaned_register<Distance / 2>(compared_lanes<Distance, Distance>(v));
  }
}

/// Sorts a register of which every Sorted lanes are sorted.
template <std::size_t Sorted, class V>
LANEFOLD_ALWAYS_INLINE V sorted_register(const V& v) {
  if constexpr (Sorted == V::size()) {
    return v;
  } else {
    const V bitonic = compared_lanes<2 * Sorted - 1, Sorted>(v); // the upper run read backwards
    return sorted_register<2 * Sorted>(cleaned_register<Sorted / 2>(bitonic));
  }
}

/// Sorts `size` elements, a power of two times the lanes of a register, in log2(size)² / 2 passes of minima and maxima.
template <class Isa, class T>
void sort_bitonically(T* data, std::size_t size) {
  constexpr std::size_t lanes = full_register_lanes<T, Isa>;
  using V = varying<T, lanes, Isa>;
  const auto compare = [](T* a, T* b) LANEFOLD_INLINE_LAMBDA {
    const V x = V::load(a), y = V::load(b);
    minimum<T>{}(x, y).store(a);
    maximum<T>{}(x, y).store(b);
  };
  for (T* p = data; p < data + size; p += lanes) {
    sorted_register<1>(V::load(p)).store(p);
  }
  for (std::size_t run = lanes; run < size; run *= 2) {
    for (T* block = data; block < data + size; block += 2 * run) {
      for (std::size_t i = 0; i < run; i += lanes) { // the second run read backwards
        T* const mirrored = block + 2 * run - lanes - i;
        const V x = V::load(block + i), y = reverse(V::load(mirrored));
        minimum<T>{}(x, y).store(block + i);
        reverse(maximum<T>{}(x, y)).store(mirrored);
      }
    }
    for (std::size_t distance = run / 2; distance >= lanes; distance /= 2) {
      for (T* block = data; block < data + size; block += 2 * distance) {
        for (std::size_t i = 0; i < distance; i += lanes) {
          compare(block + i, block + distance + i);
        }
      }
    }
    for (T* p = data; p < data + size; p += lanes) {
      cleaned_register<lanes / 2>(V::load(p)).store(p);
    }
  }
}

/// Whole numbers in the order of the floats that have the same bits; its own inverse.
template <class T>
LANEFOLD_ALWAYS_INLINE auto ordered_bits(T x) {
  using I = typename sized_integer<sizeof(T), true>::type;
  const auto bits = std::bit_cast<I>(x);
  if constexpr (std::is_floating_point_v<T>) {
    return static_cast<I>(bits ^ ((bits >> (8 * sizeof(T) - 1)) & std::numeric_limits<I>::max()));
  } else {
    return x;
  }
}
template <class T, class I>
LANEFOLD_ALWAYS_INLINE T from_ordered_bits(I x) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::bit_cast<T>(static_cast<I>(x ^ ((x >> (8 * sizeof(T) - 1)) & std::numeric_limits<I>::max())));
  } else {
    return x;
  }
}

/// Sorts up to largest_network elements, upwards or downwards. Floats in the order of IEEE 754 (totalOrder), which is
/// that of < where there is one.
template <class Isa, class T>
void sort_network(T* data, std::size_t n, bool downwards) {
  constexpr std::size_t lanes = full_register_lanes<T, Isa>;
  if constexpr (lanes == 1) {
    std::sort(data, data + n, [=](T a, T b) { return downwards ? b < a : a < b; });
  } else {
    using I = decltype(ordered_bits(T()));
    auto* const keys = reinterpret_cast<I*>(sort_buffer());
    const std::size_t size = std::bit_ceil(n < lanes ? lanes : n);
    for (std::size_t i = 0; i < n; ++i) {
      keys[i] = ordered_bits(data[i]);
    }
    for (std::size_t i = n; i < size; ++i) {
      keys[i] = std::numeric_limits<I>::max();
    }
    sort_bitonically<Isa>(keys, size);
    if (downwards) {
      for (std::size_t i = 0; i < n; ++i) {
        data[i] = from_ordered_bits<T>(keys[n - 1 - i]);
      }
    } else {
      for (std::size_t i = 0; i < n; ++i) {
        data[i] = from_ordered_bits<T>(keys[i]);
      }
    }
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
