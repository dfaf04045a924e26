// SPDX-License-Identifier: Apache-2.0
/// Holds how arrays of one to six dimensions are indexed: all of it for integers and ids, and for lanes what does not
/// need them.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/detail/forward.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

[[noreturn]] LANEFOLD_COLD void throw_out_of_bounds(std::size_t index, std::size_t extent);

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
  } else if constexpr (!recorded_operand<Index>) { // the device checks nothing
    static_assert(lanes_included<Index>,
                  "lanefold: access by the indices of lanes needs #include <lanefold/memory/view.hpp>, which "
                  "<lanefold/execution/kernels.hpp> brings");
    if constexpr (checked_build) {
      lane_bounds<Index>::check(i, extent);
    }
  }
}

/// Is an integer that a varying index of elements T is computed in: `int` or wider, as C++ does.
template <class T, std::size_t N, class Isa>
decltype(+T()) computed_in(const varying<T, N, Isa>&);

/// Multiplies an index by an extent. `Local` says that the array is in local memory: all positions fit into 32 bits, so
/// that varying indices of 32 bits stay what they are and their gathers take twice as many lanes; and one thread alone
/// accesses it (see element).
template <bool Local, class I>
LANEFOLD_ALWAYS_INLINE auto scaled_index(const I& i, std::size_t extent) {
  if constexpr (std::integral<I>) {
    return static_cast<std::size_t>(i) * extent;
  } else if constexpr (Local && is_varying_v<I>) {
    return i * static_cast<decltype(computed_in(i))>(extent);
  } else {
    return i * extent;
  }
}

/// Adds two indices of which one is not an integer. Lane indices turn into what a varying one of `Local` has.
template <bool Local, class A, class B>
LANEFOLD_ALWAYS_INLINE auto sum_of_indices(const A& a, const B& b) {
  if constexpr (is_patterned_index_v<A> || is_patterned_index_v<B>) {
    return a + b;
  } else if constexpr (Local && is_lane_index_v<A> && is_varying_v<B>) {
    using lanes = typename A::lanes;
    return static_cast<varying<decltype(computed_in(b)), lanes::size, typename lanes::isa>>(a) + b;
  } else if constexpr (Local && is_varying_v<A> && is_lane_index_v<B>) {
    return sum_of_indices<Local>(b, a);
  } else {
    return a + b;
  }
}

/// Is no index itself and converts to one: an id or item of one dimension, an enumerator, an object of a program's
/// class.
template <class I>
concept converts_to_index = !element_index<I> && std::convertible_to<const I&, std::size_t>;

/// Is one index of an array of `D` dimensions, or converts to one and does not stand for all `D` of them.
template <class I, int D>
concept one_index = element_index<I> || (converts_to_index<I> && !std::convertible_to<const I&, id<D>>);

template <class I>
LANEFOLD_ALWAYS_INLINE decltype(auto) as_index(const I& i) {
  if constexpr (element_index<I>) {
    return (i);
  } else {
    return static_cast<std::size_t>(i);
  }
}

[[noreturn]] LANEFOLD_COLD void throw_null_elements();

/// Returns where an index I finds the elements of an array. In a recorded kernel those of an empty one lie behind a
/// null pointer, wherever they are said to be. Errors there: errc::kernel_argument if there are elements, and the
/// pointer is null.
template <class I, class T, int D>
LANEFOLD_ALWAYS_INLINE T* elements_for(T* data, const range<D>& extents) {
  if constexpr (recorded_operand<I>) {
    const bool is_empty = extents.size() == 0;
    if (data == nullptr && !is_empty) {
      throw_null_elements();
    }
    return is_empty ? nullptr : data;
  } else {
    return data;
  }
}

/// Is what `view[i]` gives when dimensions remain: it holds the offset reached so far, in rows.
template <class T, int D, int Remaining, class Offset, bool Local>
class view_row {
public:
  LANEFOLD_ALWAYS_INLINE view_row(T* data, const range<D>& extents, const Offset& offset)
      : m_data(data), m_extents(extents), m_offset(offset) {}

  template <class I>
    requires(element_index<I> || converts_to_index<I>)
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    return at(as_index(i));
  }

private:
  /// The uniform part of a position moves the address, so that varying indices keep their width. In recorded kernels it
  /// does not: an address is an argument of the kernel.
  template <element_index I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) at(const I& i) const {
    const std::size_t extent = m_extents[D - Remaining];
    check_index(i, extent);
    T* const data = elements_for<I>(m_data, m_extents);
    if constexpr (std::integral<Offset> && std::integral<I>) {
      return next(data, static_cast<std::size_t>(m_offset) * extent + static_cast<std::size_t>(i));
    } else if constexpr (std::integral<Offset> && !recorded_operand<I>) {
      return next(data + static_cast<std::size_t>(m_offset) * extent * below(), i);
    } else if constexpr (is_varying_v<Offset> && std::integral<I>) {
      return next(data + static_cast<std::size_t>(i) * below(), scaled_index<Local>(m_offset, extent));
    } else if constexpr (std::integral<I>) {
      return next(data, scaled_index<Local>(m_offset, extent) + static_cast<std::size_t>(i));
    } else {
      return next(data, sum_of_indices<Local>(scaled_index<Local>(m_offset, extent), i));
    }
  }

  /// The elements below one index of this dimension.
  [[nodiscard]] LANEFOLD_ALWAYS_INLINE std::size_t below() const {
    std::size_t elements = 1;
    for_each_dimension<Remaining - 1>([&](int d) LANEFOLD_INLINE_LAMBDA { elements *= m_extents[D - 1 - d]; });
    return elements;
  }

  template <class Next>
  LANEFOLD_ALWAYS_INLINE decltype(auto) next(T* data, const Next& offset) const {
    if constexpr (Remaining == 1) {
      return element<Local>(data, offset);
    } else {
      return view_row<T, D, Remaining - 1, Next, Local>(data, m_extents, offset);
    }
  }

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

/// Element access shared by view and local_accessor; see scaled_index for `Local`.
template <bool Local = false, class T, int D, class I>
LANEFOLD_ALWAYS_INLINE decltype(auto) view_element(T* data, const range<D>& extents, const I& i) {
  check_index(i, extents[0]);
  T* const its_data = elements_for<I>(data, extents);
  if constexpr (D == 1) {
    return element<Local>(its_data, i);
  } else {
    return view_row<T, D, D - 1, I, Local>(its_data, extents, i);
  }
}

/// Indexes a row by the other dimensions of an id, from `Dimension` on.
template <int Dimension, class Row, class Ids>
LANEFOLD_ALWAYS_INLINE decltype(auto) element_of_row(const Row& row, const Ids& i) {
  if constexpr (Dimension + 1 == Ids::dimensions) {
    return row[i.template get<Dimension>()];
  } else {
    return detail::element_of_row<Dimension + 1>(row[i.template get<Dimension>()], i);
  }
}

/// Gives access to the elements for all the indices of a sub-group at once.
template <bool Local = false, class T, int D, class Lanes>
LANEFOLD_ALWAYS_INLINE decltype(auto) view_element(T* data, const range<D>& extents, const lane_id<D, Lanes>& i) {
  return detail::element_of_row<1>(view_element(data, extents, i.template get<0>()), i);
}

template <int D>
LANEFOLD_ALWAYS_INLINE constexpr std::size_t linear_offset(const range<D>& extents, const id<D>& i) {
  std::size_t offset = i[0];
  for (int d = 1; d < D; ++d) {
    offset = offset * extents[d] + i[d];
  }
  return offset;
}

/// Returns the same for an element: checked builds throw errc::accessor where it lies outside of the extents.
template <int D>
LANEFOLD_ALWAYS_INLINE constexpr std::size_t offset_of_element(const range<D>& extents, const id<D>& i) {
  if constexpr (checked_build) {
    for (int d = 0; d < D; ++d) {
      if (i[d] >= extents[d]) {
        throw_out_of_bounds(i[d], extents[d]);
      }
    }
  }
  return linear_offset(extents, i);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
