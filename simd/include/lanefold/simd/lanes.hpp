// SPDX-License-Identifier: Apache-2.0
/// Declares what a work-item is made of: one plain value (`scalar`) or the lanes of a shape (`simd<N>`, `simd<R, C>`).
#pragma once

#include <cstddef>

#include <lanefold/simd/isa.hpp>
#include <lanefold/version.hpp>

LANEFOLD_BEGIN_NAMESPACE

/// One work-item at a time: values are plain C++ values, conditions are `bool`.
struct scalar {
  static constexpr std::size_t rows = 1;
  static constexpr std::size_t columns = 1;
  static constexpr std::size_t size = 1;
};

/// R rows of C columns of lanes; lane r * C + c lies at row r and column c. R * C is a power of two from 1 to 256.
template <std::size_t Rows, std::size_t Columns, class Isa = native_isa>
struct lane_shape {
  static constexpr std::size_t rows = Rows;
  static constexpr std::size_t columns = Columns;
  static constexpr std::size_t size = Rows * Columns;
  using isa = Isa;

  static_assert(size >= 1 && size <= 256 && (size & (size - 1)) == 0,
                "lanefold: a lane shape has a power of two of lanes, from 1 to 256");
};

namespace detail {
template <std::size_t A, std::size_t B>
struct simd_shape {
  using type = lane_shape<A, B>;
};
template <std::size_t A>
struct simd_shape<A, 0> {
  using type = lane_shape<1, A>;
};
} // namespace detail

/// `simd<N>`: N lanes along the last dimension. `simd<R, C>`: R rows of C columns.
template <std::size_t A, std::size_t B = 0>
using simd = typename detail::simd_shape<A, B>::type;

LANEFOLD_END_NAMESPACE
