// SPDX-License-Identifier: Apache-2.0
/// Holds how arrays of one to three dimensions are indexed: all of it for integers and ids, and for lanes what does not
/// need them.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/detail/forward.hpp>

#include <concepts>
#include <cstddef>
#include <string>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] LANEFOLD_COLD inline void throw_out_of_bounds(std::size_t index, std::size_t extent) {
  throw exception(make_error_code(errc::accessor),
                  "index " + std::to_string(index) + " is outside of an extent of " + std::to_string(extent));
}

/// Checks indices of lanes. It is defined in <lanefold/memory/view.hpp>, which brings what lanes need.
template <class Index>
struct lane_bounds;

/// Is true where indices of lanes can be used. `Index` makes the answer that of the access.
template <class Index>
concept lanes_included = requires { sizeof(lane_bounds<Index>); };

/// Checked builds: every active lane of an index lies in [0, extent).
template <class Index>
LANEFOLD_ALWAYS_INLINE void check_index(const Index& i, std::size_t extent) {
  if constexpr (std::integral<Index>) {
    if constexpr (checked_build) {
      if (static_cast<std::size_t>(i) >= extent) {
        throw_out_of_bounds(static_cast<std::size_t>(i), extent);
      }
    }
  } else {
    static_assert(lanes_included<Index>,
                  "lanefold: access by the indices of lanes needs #include <lanefold/memory/view.hpp>, which "
                  "<lanefold/execution/kernels.hpp> brings");
    if constexpr (checked_build) {
      lane_bounds<Index>::check(i, extent);
    }
  }
}

/// `a * extent + b` for any two kinds of index. Integers are widened to std::size_t first.
template <class A, class B>
LANEFOLD_ALWAYS_INLINE auto row_major(const A& a, std::size_t extent, const B& b) {
  constexpr auto widen = [](const auto& x) LANEFOLD_INLINE_LAMBDA {
    if constexpr (std::integral<std::remove_cvref_t<decltype(x)>>) {
      return static_cast<std::size_t>(x);
    } else {
      return x;
    }
  };
  return widen(a) * extent + widen(b);
}

/// Is what `view[i]` gives when dimensions remain: it holds the offset reached so far.
template <class T, int D, int Remaining, class Offset>
class view_row {
public:
  LANEFOLD_ALWAYS_INLINE view_row(T* data, const range<D>& extents, const Offset& offset)
      : m_data(data), m_extents(extents), m_offset(offset) {}

  template <element_index I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    const std::size_t extent = m_extents[D - Remaining];
    check_index(i, extent);
    if constexpr (Remaining == 1) {
      return element(m_data, row_major(m_offset, extent, i));
    } else {
      const auto offset = row_major(m_offset, extent, i);
      return view_row<T, D, Remaining - 1, std::remove_const_t<decltype(offset)>>(m_data, m_extents, offset);
    }
  }

private:
  T* m_data;
  range<D> m_extents;
  Offset m_offset;
};

/// An item of a kernel over a range, whose ids are those of lanes: it stands for its id.
template <class Item, int D>
concept lane_item = requires(const Item& it) {
  it.get_id();
  requires Item::dimensions == D;
  requires !std::is_same_v<decltype(it.get_id()), id<D>>;
};

/// Element access shared by view and local_accessor.
template <class T, int D, class I>
LANEFOLD_ALWAYS_INLINE decltype(auto) view_element(T* data, const range<D>& extents, const I& i) {
  check_index(i, extents[0]);
  if constexpr (D == 1) {
    return element(data, i);
  } else {
    return view_row<T, D, D - 1, I>(data, extents, i);
  }
}

/// Gives access to the elements for all the indices of a sub-group at once.
template <class T, int D, class Lanes>
LANEFOLD_ALWAYS_INLINE decltype(auto) view_element(T* data, const range<D>& extents, const lane_id<D, Lanes>& i) {
  if constexpr (D == 2) {
    return view_element(data, extents, i.template get<0>())[i.template get<1>()];
  } else {
    return view_element(data, extents, i.template get<0>())[i.template get<1>()][i.template get<2>()];
  }
}

template <int D>
LANEFOLD_ALWAYS_INLINE constexpr std::size_t linear_offset(const range<D>& extents, const id<D>& i) {
  std::size_t offset = i[0];
  for (int d = 1; d < D; ++d) {
    offset = offset * extents[d] + i[d];
  }
  return offset;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
