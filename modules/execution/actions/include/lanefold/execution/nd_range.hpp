// SPDX-License-Identifier: Apache-2.0
/// The index space of a kernel with work-groups.
#pragma once

#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Work-items of a group at most, in all dimensions together.
inline constexpr std::size_t most_work_items = 8192;

} // namespace detail

/// A global range divided into work-groups of one local range [sycl.4.9.1.2]. Nothing is checked here: a local range
/// that does not divide the global range, or is zero or too large, makes the submission throw errc::nd_range.
template <int D = 1>
class nd_range {
public:
  static constexpr int dimensions = D;

  /// Without work-items: a place for one that is assigned later. SYCL does not ask for it.
  constexpr nd_range() = default;
  constexpr nd_range(range<D> global_size, range<D> local_size, id<D> offset = id<D>())
      : m_global(global_size), m_local(local_size), m_offset(offset) {}

  [[nodiscard]] constexpr range<D> get_global_range() const { return m_global; }
  [[nodiscard]] constexpr range<D> get_local_range() const { return m_local; }
  /// Number of work-groups in each dimension; 0 where the local size is 0.
  [[nodiscard]] constexpr range<D> get_group_range() const {
    range<D> groups = m_global;
    detail::for_each_dimension<D>(
        [&](int d) LANEFOLD_INLINE_LAMBDA { groups[d] = m_local[d] == 0 ? 0 : m_global[d] / m_local[d]; });
    return groups;
  }
  /// Deprecated in SYCL 2020: added to every global id.
  [[nodiscard]] constexpr id<D> get_offset() const { return m_offset; }

  friend constexpr bool operator==(const nd_range& a, const nd_range& b) {
    return a.m_global == b.m_global && a.m_local == b.m_local && a.m_offset == b.m_offset;
  }

private:
  range<D> m_global;
  range<D> m_local;
  id<D> m_offset;
};

template <int D>
nd_range(range<D>, range<D>) -> nd_range<D>;
template <int D>
nd_range(range<D>, range<D>, id<D>) -> nd_range<D>;

LANEFOLD_END_NAMESPACE
