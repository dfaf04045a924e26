// SPDX-License-Identifier: Apache-2.0
/// Walks over the elements of a part of an array of two or three dimensions.
#pragma once

#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <compare>
#include <cstddef>
#include <iterator>
#include <type_traits>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Random access, in row-major order of `part`, whose first element is `data` and which lies in an array of extents
/// `pitch`.
template <class T, int D>
class accessor_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<T>;
  using difference_type = std::ptrdiff_t;
  using pointer = T*;
  using reference = T&;

  accessor_iterator() = default;
  accessor_iterator(T* data, const range<D>& pitch, const range<D>& part, std::size_t position) noexcept
      : m_data(data), m_pitch(pitch), m_part(part), m_position(static_cast<difference_type>(position)) {}

  reference operator*() const noexcept { return *place(m_position); }
  pointer operator->() const noexcept { return place(m_position); }
  reference operator[](difference_type n) const noexcept { return *place(m_position + n); }

  accessor_iterator& operator+=(difference_type n) noexcept {
    m_position += n;
    return *this;
  }
  accessor_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  accessor_iterator& operator++() noexcept { return *this += 1; }
  accessor_iterator& operator--() noexcept { return *this -= 1; }
  accessor_iterator operator++(int) noexcept {
    accessor_iterator old = *this;
    ++*this;
    return old;
  }
  accessor_iterator operator--(int) noexcept {
    accessor_iterator old = *this;
    --*this;
    return old;
  }
  friend accessor_iterator operator+(accessor_iterator i, difference_type n) noexcept { return i += n; }
  friend accessor_iterator operator+(difference_type n, accessor_iterator i) noexcept { return i += n; }
  friend accessor_iterator operator-(accessor_iterator i, difference_type n) noexcept { return i -= n; }
  friend difference_type operator-(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.m_position - b.m_position;
  }
  friend bool operator==(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.m_position == b.m_position;
  }
  friend auto operator<=>(const accessor_iterator& a, const accessor_iterator& b) noexcept {
    return a.m_position <=> b.m_position;
  }

private:
  T* place(difference_type position) const noexcept {
    auto rest = static_cast<std::size_t>(position);
    std::size_t offset = 0;
    std::size_t stride = 1;
    for (int d = D - 1; d > 0; --d) {
      offset += rest % m_part[d] * stride;
      rest /= m_part[d];
      stride *= m_pitch[d];
    }
    return m_data + offset + rest * stride;
  }

  T* m_data = nullptr;
  range<D> m_pitch{};
  range<D> m_part{};
  difference_type m_position = 0;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
