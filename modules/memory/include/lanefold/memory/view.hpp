// SPDX-License-Identifier: Apache-2.0
/// Memory with a shape, as kernels capture it.
#pragma once

#include <lanefold/detail/access_watch.hpp>
#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/id.hpp>
#include <lanefold/memory/detail/indexing.hpp>
#include <lanefold/memory/varying_record.hpp>
#include <lanefold/memory/varying_small_real.hpp>
#include <lanefold/memory/varying_vec.hpp>
#include <lanefold/range.hpp>
#include <lanefold/simd/lane_id.hpp>
#include <lanefold/simd/reference.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE

namespace detail {

[[noreturn]] LANEFOLD_COLD void throw_misaligned_view(std::size_t alignment);

template <class Index>
struct lane_bounds {
  LANEFOLD_ALWAYS_INLINE static void check(const Index& i, std::size_t extent) {
    if constexpr (is_lane_index_v<Index>) {
      for (std::size_t lane = 0; lane < Index::lanes::size; ++lane) {
        if (i.lane(lane) >= extent && (i.context()->all || i.context()->active[lane])) {
          throw_out_of_bounds(i.lane(lane), extent);
        }
      }
    } else {
      const auto* active = announced_mask<Index::size(), typename Index::isa>();
      for (std::size_t lane = 0; lane < Index::size(); ++lane) {
        if (static_cast<std::size_t>(i[lane]) >= extent && (active == nullptr || (*active)[lane])) {
          throw_out_of_bounds(static_cast<std::size_t>(i[lane]), extent);
        }
      }
    }
  }
};

} // namespace detail

/// A row-major array of one to six dimensions over memory that somebody else owns: USM, a std::vector, a stack array.
/// Captured by value in kernels; copying it copies the pointer and the extents. As with `std::span`, a const view gives
/// access to mutable elements unless `T` is const.
///
/// Indexing gives, by the kind of the index: for an integer (uniform) a `T&`; for a lane index or a varying integer the
/// varying value, which can also be assigned to when `T` is not const (see lane_reference). Lane indices become vector
/// accesses, broadcasts or strided accesses by their type; varying integers gather and scatter.
///
/// Errors: with LANEFOLD_CHECKED an index out of bounds throws errc::accessor, and a pointer that is not aligned to T
/// (a `float*` made a `float4*`) errc::invalid; without, both are undefined behaviour.
template <class T, int D = 1>
class view {
  static_assert(D >= 1 && D <= detail::most_dimensions, "a view has one to six dimensions");

public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  static constexpr int dimensions = D;

  view() = default;
  /// `data` points to `extents.size()` elements.
  constexpr view(T* data, range<D> extents) : m_data(data), m_extents(extents) {
    if constexpr (detail::checked_build) {
      if (!std::is_constant_evaluated()) {
        if (reinterpret_cast<std::uintptr_t>(data) % alignof(T) != 0) {
          detail::throw_misaligned_view(alignof(T));
        }
        if (auto* const watch = detail::access_watch::current()) {
          watch->made_view(data, extents.size() * sizeof(T));
        }
      }
    }
  }
  /// A view of const elements from one of mutable elements.
  template <class U>
    requires(std::is_same_v<const U, T>)
  constexpr view(const view<U, D>& other) : m_data(other.data()), m_extents(other.get_range()) {}

  [[nodiscard]] constexpr T* data() const { return m_data; }
  [[nodiscard]] constexpr std::size_t size() const { return m_extents.size(); }
  [[nodiscard]] constexpr range<D> get_range() const { return m_extents; }
  [[nodiscard]] constexpr std::size_t extent(int dimension) const { return m_extents[dimension]; }
  [[nodiscard]] constexpr T* begin() const { return m_data; }
  [[nodiscard]] constexpr T* end() const { return m_data + size(); }

  /// One index a dimension: `v[i]`, `v[y][x]`, `v[z][y][x]`. What converts to one index is one, too: `v[y][i]` with the
  /// id of a kernel over a range of one dimension.
  template <detail::one_index<D> I>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const I& i) const {
    return detail::view_element(m_data, m_extents, detail::as_index(i));
  }
  /// All indices at once. Uniform.
  LANEFOLD_ALWAYS_INLINE constexpr T& operator[](const id<D>& i) const {
    return detail::watched(m_data, m_data[detail::offset_of_element(m_extents, i)]);
  }

  /// Takes all indices at once as the id that an item gives: `v[it.get_global_id()]`.
  template <class Lanes>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const lane_id<D, Lanes>& i) const {
    return detail::view_element(m_data, m_extents, i);
  }
  /// Takes the item of a kernel over a range for its id: `v[i]` in `parallel_for(range, [=](auto i) {…})`.
  template <detail::lane_item<D> Item>
  LANEFOLD_ALWAYS_INLINE decltype(auto) operator[](const Item& it) const {
    return (*this)[it.get_id()];
  }

private:
  T* m_data = nullptr;
  range<D> m_extents{};
};

template <class T>
view(T*, std::size_t) -> view<T, 1>;
template <class T, int D>
view(T*, range<D>) -> view<T, D>;

LANEFOLD_END_NAMESPACE
