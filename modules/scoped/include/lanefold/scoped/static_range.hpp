// SPDX-License-Identifier: Apache-2.0
/// Extents that are known at compile time.
#pragma once

#include <lanefold/range.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE

/// A range whose extents are part of its type: `static_range<8, 32>` is `range<2>(8, 32)`. Groups and tiles of such a
/// size are unrolled, and their private memory can live in registers. Uniform.
template <std::size_t... Extents>
struct static_range {
  static_assert(sizeof...(Extents) >= 1 && sizeof...(Extents) <= detail::most_dimensions,
                "lanefold: a static_range has one to six extents");
  static_assert(((Extents > 0) && ...), "lanefold: the extents of a static_range are greater than zero");

  static constexpr int dimensions = sizeof...(Extents);
  static constexpr range<dimensions> value{Extents...};

  constexpr operator range<dimensions>() const { return value; }
  constexpr std::size_t operator[](int dimension) const { return value[dimension]; }
  static constexpr std::size_t size() { return (Extents * ...); }
};

namespace detail {

template <class T>
inline constexpr bool is_static_range_v = false;
template <std::size_t... Extents>
inline constexpr bool is_static_range_v<static_range<Extents...>> = true;

/// The static_range of D extents that ends with rows and columns; in one dimension the rows lie behind each other.
template <int D, std::size_t Rows, std::size_t Columns, std::size_t... Ones>
struct static_rows : static_rows<D - 1, Rows, Columns, Ones..., 1> {};
template <std::size_t Rows, std::size_t Columns, std::size_t... Ones>
struct static_rows<2, Rows, Columns, Ones...> {
  using type = static_range<Ones..., Rows, Columns>;
};
template <std::size_t Rows, std::size_t Columns>
struct static_rows<1, Rows, Columns> {
  using type = static_range<Rows * Columns>;
};

template <class T>
inline constexpr bool is_range_v = is_static_range_v<T>;
template <int D>
inline constexpr bool is_range_v<range<D>> = true;

/// A range<D> or a static_range of D extents.
template <class T, int D>
concept Extents = is_range_v<T> && T::dimensions == D;

/// Returns whether a range of `Whole` is a number of whole tiles of `Part`, known at compile time.
template <class Whole, class Part>
constexpr bool divides_statically() {
  if constexpr (is_static_range_v<Whole> && is_static_range_v<Part>) {
    for (int d = 0; d < Whole::dimensions; ++d) {
      if (Whole::value[d] % Part::value[d] != 0) {
        return false;
      }
    }
    return true;
  } else {
    return false;
  }
}

} // namespace detail

LANEFOLD_END_NAMESPACE
