// SPDX-License-Identifier: Apache-2.0
/// The work-items of a kernel over a plain range.
#pragma once

#include <lanefold/execution/control_flow.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/lane_id.hpp>

#include <concepts>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

/// One work-item of a kernel over a range (`item<D>`: SYCL's class [sycl.4.9.1.4]), or as many as there are lanes
/// (`item_of<D, simd<N>>`, along the last dimension). It has no group, no barrier and no local memory. Ids are varying,
/// ranges uniform. Trivially copyable; equal if they are the same work-items of the same range.
template <int D, class Lanes>
class item_of : public control_flow<Lanes> {
public:
  using lanes = Lanes;
  static constexpr int dimensions = D;

  /// Only the library calls this: launches make items.
  LANEFOLD_ALWAYS_INLINE constexpr item_of(const range<D>& extents, const id<D>& first,
                                           detail::lane_context<Lanes>* context)
      : control_flow<Lanes>(context), m_extents(extents), m_first(first), m_context(context) {}

  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_id() const {
    if constexpr (std::is_same_v<Lanes, scalar>) {
      return m_first;
    } else if constexpr (D == 1) {
      return detail::id_in_dimension<1, Lanes, 0>(m_context, m_first[0]);
    } else {
      return lane_id<D, Lanes>(m_context, m_first);
    }
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_id(Dimension dimension) const {
    return get_id()[dimension];
  }
  template <class Dimension>
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto operator[](Dimension dimension) const {
    return get_id()[dimension];
  }
  /// Row-major position in the range (without the offset).
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr auto get_linear_id() const {
    std::size_t first = 0;
    detail::for_each_dimension<D>(
        [&](int d) LANEFOLD_INLINE_LAMBDA { first = first * m_extents[d] + (m_first[d] - m_offset[d]); });
    if constexpr (std::is_same_v<Lanes, scalar>) {
      return first;
    } else {
      return lane_index<Lanes, stride::zero, stride::one>(m_context, static_cast<std::ptrdiff_t>(first), 0, 1);
    }
  }
  [[nodiscard]] constexpr range<D> get_range() const { return m_extents; }
  [[nodiscard]] constexpr std::size_t get_range(int dimension) const { return m_extents[dimension]; }

  /// Returns where the ids of the range begin: 0, but for the kernels that are given an offset.
  [[nodiscard]] constexpr id<D> get_offset() const { return m_offset; }
  /// Only the library calls this: it returns the same work-items, of a range whose ids begin at `offset`.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE constexpr item_of moved_by(const id<D>& offset) const {
    item_of moved = *this;
    moved.m_first = m_first + offset;
    moved.m_offset = offset;
    return moved;
  }

  /// A one-dimensional item is its index.
  constexpr operator std::size_t() const
    requires(D == 1 && std::is_same_v<Lanes, scalar>)
  {
    return m_first[0];
  }
  template <std::integral T>
    requires(!std::is_same_v<Lanes, scalar>)
  operator T() const = delete; // lanefold: lanes have an index each: use lf::view instead of a raw pointer

  friend constexpr bool operator==(const item_of& a, const item_of& b) {
    return a.m_extents == b.m_extents && a.m_first == b.m_first && a.m_offset == b.m_offset;
  }

private:
  range<D> m_extents;
  id<D> m_first;
  id<D> m_offset{};
  detail::lane_context<Lanes>* m_context;
};

/// The work-item of a work-item kernel: SYCL's class. All items have an offset, if only 0; the second argument is that
/// of SYCL 1.2.1.
template <int D = 1, bool WithOffset = true>
using item = item_of<D, scalar>;

LANEFOLD_END_NAMESPACE
