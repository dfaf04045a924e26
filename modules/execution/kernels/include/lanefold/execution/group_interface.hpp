// SPDX-License-Identifier: Apache-2.0
/// Groups as the extension SYCL_KHR_GROUP_INTERFACE spells them, for work-item kernels: `khr::work_group<D>`,
/// `khr::sub_group` and `khr::member_item`, made from SYCL's groups and converting to them.
#pragma once

#include <lanefold/execution/group.hpp>
#include <lanefold/execution/sub_group.hpp>

#include <cstddef>
#include <cstdint>
#include <version>

#if defined(__cpp_lib_mdspan)
#include <array>
#include <mdspan>
#endif

LANEFOLD_BEGIN_NAMESPACE
namespace khr {

#if defined(__cpp_lib_mdspan)
namespace detail {

template <class Index, std::size_t D>
constexpr std::dextents<Index, D> extents_of(const lanefold::range<static_cast<int>(D)>& sizes) {
  std::array<Index, D> each{};
  for (std::size_t d = 0; d < D; ++d) {
    each[d] = static_cast<Index>(sizes[static_cast<int>(d)]);
  }
  return std::dextents<Index, D>(each);
}

/// Has the members by which the standard's extents describe a group. `Self` has extents().
template <class Self, class Extents>
class group_extents {
public:
  using extents_type = Extents;
  [[nodiscard]] constexpr typename Extents::index_type extent(typename Extents::rank_type r) const noexcept {
    return static_cast<const Self&>(*this).extents().extent(r);
  }
  [[nodiscard]] static constexpr typename Extents::rank_type rank() noexcept { return Extents::rank(); }
  [[nodiscard]] static constexpr typename Extents::rank_type rank_dynamic() noexcept { return Extents::rank_dynamic(); }
  [[nodiscard]] static constexpr std::size_t static_extent(typename Extents::rank_type r) noexcept {
    return Extents::static_extent(r);
  }
};

} // namespace detail
#define LANEFOLD_DETAIL_GROUP_EXTENTS(self, extents) : public detail::group_extents<self, extents>
#else
#define LANEFOLD_DETAIL_GROUP_EXTENTS(self, extents)
#endif

#define LANEFOLD_DETAIL_COMMA ,

/// The work-group of the calling work-item. `id` and `range` are its place among the work-groups, `size` counts its
/// work-items. Uniform.
template <int Dimensions = 1>
class work_group
LANEFOLD_DETAIL_GROUP_EXTENTS(work_group<Dimensions>,
                              std::dextents<std::size_t LANEFOLD_DETAIL_COMMA static_cast<std::size_t>(Dimensions)>) {
public:
  using id_type = lanefold::id<Dimensions>;
  using linear_id_type = std::size_t;
  using range_type = lanefold::range<Dimensions>;
  using size_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  work_group(const group<Dimensions>& g) noexcept : m_group(g) {}
  operator group<Dimensions>() const noexcept { return m_group; }

  [[nodiscard]] id_type id() const noexcept { return m_group.get_group_id(); }
  [[nodiscard]] linear_id_type linear_id() const noexcept { return m_group.get_group_linear_id(); }
  [[nodiscard]] range_type range() const noexcept { return m_group.get_group_range(); }
  [[nodiscard]] size_type size() const noexcept { return m_group.get_local_linear_range(); }
#if defined(__cpp_lib_mdspan)
  [[nodiscard]] auto extents() const noexcept {
    return detail::extents_of<std::size_t, static_cast<std::size_t>(Dimensions)>(m_group.get_local_range());
  }
#endif

  friend bool operator==(const work_group&, const work_group&) = default;

private:
  group<Dimensions> m_group;
};

/// The sub-group of the calling work-item. `id` and `range` are its place in its work-group, `size` counts its
/// work-items. Uniform.
class sub_group LANEFOLD_DETAIL_GROUP_EXTENTS(sub_group, std::dextents<std::uint32_t LANEFOLD_DETAIL_COMMA 1>) {
public:
  using id_type = lanefold::id<1>;
  using linear_id_type = std::uint32_t;
  using range_type = lanefold::range<1>;
  using size_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  sub_group(const lanefold::sub_group& g) noexcept : m_group(g) {}
  operator lanefold::sub_group() const noexcept { return m_group; }

  [[nodiscard]] id_type id() const noexcept { return m_group.get_group_id(); }
  [[nodiscard]] linear_id_type linear_id() const noexcept { return m_group.get_group_linear_id(); }
  [[nodiscard]] range_type range() const noexcept { return m_group.get_group_range(); }
  [[nodiscard]] size_type size() const noexcept { return m_group.get_local_linear_range(); }
  /// The most work-items that a sub-group of the kernel has.
  [[nodiscard]] size_type max_size() const noexcept { return static_cast<size_type>(m_group.get_max_local_range()[0]); }
#if defined(__cpp_lib_mdspan)
  [[nodiscard]] auto extents() const noexcept {
    return detail::extents_of<std::uint32_t, 1>(m_group.get_local_range());
  }
#endif

  friend bool operator==(const sub_group&, const sub_group&) = default;

private:
  lanefold::sub_group m_group;
};

template <class Group>
class member_item;

namespace detail {

template <class Group>
inline constexpr bool has_members = false;
template <int D>
inline constexpr bool has_members<work_group<D>> = true;
template <>
inline constexpr bool has_members<sub_group> = true;

template <int D>
group<D> plain_group(const work_group<D>& g) {
  return g;
}
inline lanefold::sub_group plain_group(const sub_group& g) { return g; }

} // namespace detail

/// Returns the calling work-item as a member of the group.
template <class Group>
  requires detail::has_members<Group>
[[nodiscard]] member_item<Group> get_member_item(const Group& g) noexcept {
  return member_item<Group>(g);
}

/// A work-item, and where it is in a group: `id` and `range` count the members. Varying. get_member_item makes it.
template <class ParentGroup>
class member_item {
public:
  using id_type = typename ParentGroup::id_type;
  using linear_id_type = typename ParentGroup::linear_id_type;
  using range_type = typename ParentGroup::range_type;
  using size_type = typename ParentGroup::size_type;
  static constexpr int dimensions = ParentGroup::dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_item;

  [[nodiscard]] id_type id() const noexcept { return m_id; }
  [[nodiscard]] linear_id_type linear_id() const noexcept { return m_linear_id; }
  [[nodiscard]] range_type range() const noexcept { return m_range; }
  [[nodiscard]] constexpr size_type size() const noexcept { return 1; }

  friend bool operator==(const member_item&, const member_item&) = default;

private:
  friend member_item get_member_item<ParentGroup>(const ParentGroup& g) noexcept;

  explicit member_item(const ParentGroup& parent) {
    const auto g = detail::plain_group(parent);
    m_id = g.get_local_id();
    m_linear_id = static_cast<linear_id_type>(g.get_local_linear_id());
    m_range = g.get_local_range();
  }

  id_type m_id;
  linear_id_type m_linear_id = 0;
  range_type m_range;
};

/// Returns whether the calling work-item is the first of the group. Varying.
template <class Group>
  requires detail::has_members<Group>
[[nodiscard]] bool leader_of(const Group& g) noexcept {
  return detail::plain_group(g).leader();
}
template <class Group>
[[nodiscard]] bool leader_of(const member_item<Group>&) noexcept {
  return true;
}

#undef LANEFOLD_DETAIL_GROUP_EXTENTS
#undef LANEFOLD_DETAIL_COMMA

} // namespace khr
LANEFOLD_END_NAMESPACE
