// SPDX-License-Identifier: Apache-2.0
/// A part of an array, for copies.
#pragma once

#include <lanefold/version.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Up to three dimensions of elements, the last one contiguous.
struct region {
  std::byte* first;
  std::size_t width;                  ///< bytes of an element
  std::array<std::size_t, 3> extents; ///< elements
  std::array<std::size_t, 2> strides; ///< from one index to the next of dimensions 0 and 1, in bytes

  [[nodiscard]] std::size_t size() const noexcept { return extents[0] * extents[1] * extents[2]; }
  [[nodiscard]] std::size_t rows() const noexcept { return extents[0] * extents[1]; }
  [[nodiscard]] std::size_t row_bytes() const noexcept { return extents[2] * width; }
  [[nodiscard]] std::byte* row(std::size_t r) const noexcept {
    return first + r / extents[1] * strides[0] + r % extents[1] * strides[1];
  }
  /// The rows follow each other without gaps.
  [[nodiscard]] bool is_contiguous() const noexcept {
    return (extents[1] == 1 || strides[1] == row_bytes()) &&
           (extents[0] == 1 || strides[0] == extents[1] * row_bytes());
  }
};

/// `count` elements of host memory, of `width` bytes each, whatever they are called there. Copies read or write, never
/// both, so that const does not matter here.
template <class T>
region host_region(T* first, std::size_t width, std::size_t count) noexcept {
  return {reinterpret_cast<std::byte*>(const_cast<std::remove_cv_t<T>*>(first)), width, {1, 1, count}, {0, 0}};
}

} // namespace detail
LANEFOLD_END_NAMESPACE
