// SPDX-License-Identifier: Apache-2.0
/// Declares what varyings of vectors and of structs have in common.
#pragma once

#include <lanefold/simd/select.hpp>
#include <lanefold/simd/varying.hpp>

#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Elements of a varying that are no numbers: trivially copyable classes.
template <class T>
concept CompositeElement = std::is_class_v<T> && std::is_trivially_copyable_v<T> && !is_varying_v<T> && !is_mask_v<T>;

/// Positions in memory of the lanes of `C` columns.
template <std::size_t N, class Isa, std::size_t C>
LANEFOLD_ALWAYS_INLINE auto lane_positions(std::ptrdiff_t row_stride, std::ptrdiff_t column_stride) {
  return varying<std::ptrdiff_t, N, Isa>::template affine<C>(0, row_stride, column_stride);
}

/// The members of a varying of CompositeElement that access memory, by Self's `gather`, `scatter`, `load_strided` and
/// `store_strided`, each with and without a mask. See `varying` for what they do.
template <class Self, class T, std::size_t N, class Isa>
struct composite_memory {
  template <class... M>
  LANEFOLD_ALWAYS_INLINE static Self load(const T* p, const M&... m) {
    return Self::load_strided(p, 1, m...);
  }
  template <class... M>
  LANEFOLD_ALWAYS_INLINE void store(T* p, const M&... m) const {
    self().store_strided(p, 1, m...);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static Self load_rows(const T* p, std::ptrdiff_t row_stride, const M&... m) {
    return Self::gather(p, lane_positions<N, Isa, C>(row_stride, 1), m...);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE void store_rows(T* p, std::ptrdiff_t row_stride, const M&... m) const {
    self().scatter(p, lane_positions<N, Isa, C>(row_stride, 1), m...);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static Self load_row(const T* p, const M&... m) {
    return Self::gather(p, lane_positions<N, Isa, C>(0, 1), m...);
  }
  template <std::size_t C, class... M>
  LANEFOLD_ALWAYS_INLINE static Self broadcast_rows(const T* p, std::ptrdiff_t row_stride, const M&... m) {
    return Self::gather(p, lane_positions<N, Isa, C>(row_stride, 0), m...);
  }

private:
  LANEFOLD_ALWAYS_INLINE const Self& self() const { return static_cast<const Self&>(*this); }
};

} // namespace detail

/// `a` in the lanes where `condition` is set, `b` in the others; a or b may be uniform.
template <detail::CompositeElement T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> select(const mask<N, Isa>& condition, const varying<T, N, Isa>& a,
                                                 const std::type_identity_t<varying<T, N, Isa>>& b) {
  return a.blended(condition, b);
}
template <detail::CompositeElement T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> select(const mask<N, Isa>& condition, const T& a,
                                                 const varying<T, N, Isa>& b) {
  return varying<T, N, Isa>(a).blended(condition, b);
}

// These do on varyings of vectors and structs what horizontal.hpp does with numbers.

template <detail::CompositeElement T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> shift_left(const varying<T, N, Isa>& v, std::size_t n) {
  return v.moved([n](const auto& x) LANEFOLD_INLINE_LAMBDA { return shift_left(x, n); });
}
template <detail::CompositeElement T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> shift_right(const varying<T, N, Isa>& v, std::size_t n) {
  return v.moved([n](const auto& x) LANEFOLD_INLINE_LAMBDA { return shift_right(x, n); });
}
template <detail::CompositeElement T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> xor_exchange(const varying<T, N, Isa>& v, std::size_t m) {
  return v.moved([m](const auto& x) LANEFOLD_INLINE_LAMBDA { return xor_exchange(x, m); });
}
template <detail::CompositeElement T, std::size_t N, class Isa, class I>
LANEFOLD_ALWAYS_INLINE varying<T, N, Isa> permute(const varying<T, N, Isa>& v, const varying<I, N, Isa>& index) {
  return v.moved([&](const auto& x) LANEFOLD_INLINE_LAMBDA { return permute(x, index); });
}
template <detail::CompositeElement T, std::size_t N, class Isa>
LANEFOLD_ALWAYS_INLINE T broadcast(const varying<T, N, Isa>& v, std::size_t lane) {
  return v.lane(lane % N);
}

LANEFOLD_END_NAMESPACE
