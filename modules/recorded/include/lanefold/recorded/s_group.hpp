// SPDX-License-Identifier: Apache-2.0
/// The groups and items of scoped kernels that are recorded. An item of the device is the same logical item in all
/// groups around it: tiles of a group run side by side.
#pragma once

#include <lanefold/recorded/detail/scoped_frame.hpp>
#include <lanefold/scoped/s_item.hpp>

#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Says where a group lies, and where in it the work-item of the device is.
template <int D>
struct recorded_group_place {
  id_nodes<D> id;        ///< of the group, in the group around it
  id_nodes<D> local;     ///< of the work-item in this group
  id_nodes<D> first;     ///< of the group's first item, in the work-group
  range<D> groups;       ///< how many there are in the group around it
  node_number instance;  ///< which it is of all groups of its kind in the work-group
  std::size_t instances; ///< how many of them there are
};

/// The ids of the logical items that the callable of distribute_items gets.
template <int D>
struct recorded_item_ids {
  range<D> global_range; ///< all items of the launch
  range<D> size;         ///< the items of the innermost group
  id_nodes<D> global;
  id_nodes<D> local; ///< in the innermost group
  id_nodes<D> first; ///< of the innermost group's first item, in the work-group
};

} // namespace detail

/// A group of a scoped kernel that is recorded. Ids are recorded, ranges plain. See s_group.
template <detail::RecordedScope Scope>
class s_group<Scope> : private control_flow<recorded> {
  using size_type = typename Scope::size_type;
  static constexpr int D = Scope::dimensions;

public:
  static constexpr int dimensions = D;
  using id_type = id<D>;
  using range_type = range<D>;
  using linear_id_type = std::uint64_t;
  using lanes = recorded;
  static constexpr memory_scope fence_scope = detail::fence_scope_of(Scope::kind);

  using control_flow<recorded>::if_;
  using control_flow<recorded>::for_;

  [[nodiscard]] auto get_group_id() const { return detail::all_ids<D>(record(), m_place.id); }
  [[nodiscard]] auto get_group_id(int dimension) const { return value(m_place.id, dimension); }
  [[nodiscard]] auto operator[](int dimension) const { return get_group_id(dimension); }
  [[nodiscard]] auto get_group_linear_id() const { return linear(m_place.id, m_place.groups); }
  [[nodiscard]] range<D> get_group_range() const { return m_place.groups; }
  [[nodiscard]] std::size_t get_group_range(int dimension) const { return m_place.groups[dimension]; }
  [[nodiscard]] std::size_t get_group_linear_range() const { return m_place.groups.size(); }

  [[nodiscard]] range<D> get_logical_local_range() const { return m_size; }
  [[nodiscard]] std::size_t get_logical_local_range(int dimension) const { return m_size[dimension]; }
  [[nodiscard]] std::size_t get_logical_local_linear_range() const { return get_logical_local_range().size(); }
  [[nodiscard]] range<D> get_local_range() const { return m_size; }
  [[nodiscard]] std::size_t get_local_range(int dimension) const { return m_size[dimension]; }
  [[nodiscard]] range<D> get_max_local_range() const { return m_size; }
  [[nodiscard]] std::size_t get_local_linear_range() const { return get_logical_local_linear_range(); }

  template <class Item, class... Dimension>
  [[nodiscard]] auto get_logical_local_id(const Item& item, Dimension... dimension) const {
    return item.get_local_id(*this, dimension...);
  }
  template <class Item>
  [[nodiscard]] auto get_logical_local_linear_id(const Item& item) const {
    return item.get_local_linear_id(*this);
  }
  template <class Item, class... Dimension>
  [[nodiscard]] auto get_local_id(const Item& item, Dimension... dimension) const {
    return item.get_local_id(*this, dimension...);
  }
  template <class Item>
  [[nodiscard]] auto get_local_linear_id(const Item& item) const {
    return item.get_local_linear_id(*this);
  }

  /// A group is executed by its items on a device.
  [[nodiscard]] auto get_physical_local_id() const { return detail::all_ids<D>(record(), m_place.local); }
  [[nodiscard]] auto get_physical_local_id(int dimension) const { return value(m_place.local, dimension); }
  [[nodiscard]] auto get_physical_local_linear_id() const { return linear(m_place.local, m_size); }
  [[nodiscard]] range<D> get_physical_local_range() const { return m_size; }
  [[nodiscard]] std::size_t get_physical_local_range(int dimension) const { return m_size[dimension]; }
  [[nodiscard]] std::size_t get_physical_local_linear_range() const { return get_logical_local_linear_range(); }
  [[nodiscard]] auto leader() const { return get_physical_local_linear_id() == std::size_t(0); }

  [[nodiscard]] range<D> get_global_range() const { return frame().space.get_global_range(); }

  /// Only the library calls these.
  s_group(detail::recorded_scope_frame<D>& frame, const size_type& size, const detail::recorded_group_place<D>& place)
      : control_flow<recorded>(*frame.record), m_frame(&frame), m_size(size), m_place(place) {}
  [[nodiscard]] detail::recorded_scope_frame<D>& frame() const { return *m_frame; }
  [[nodiscard]] detail::recorder& record() const { return *m_frame->record; }
  [[nodiscard]] const size_type& size() const { return m_size; }
  [[nodiscard]] const detail::recorded_group_place<D>& place() const { return m_place; }
  /// Group algorithms that take the values of items ask for it: inside of the code of items they take the sub-group.
  [[nodiscard]] detail::recorder& its_recorder() const { detail::refuse_scoped_group_algorithm(); }

private:
  [[nodiscard]] recorded_value<std::size_t> value(const detail::id_nodes<D>& ids, int dimension) const {
    return detail::id_value(record(), ids[static_cast<std::size_t>(dimension)]);
  }
  [[nodiscard]] recorded_value<std::size_t> linear(const detail::id_nodes<D>& ids, const range<D>& extents) const {
    return detail::id_value(record(), detail::linear_node<D>(record(), ids, extents));
  }

  detail::recorded_scope_frame<D>* m_frame;
  [[no_unique_address]] size_type m_size;
  detail::recorded_group_place<D> m_place;
};

/// A logical item of a scoped kernel that is recorded. Ids are recorded, ranges plain. See s_item.
template <int D>
class s_item<D, recorded> : public control_flow<recorded> {
public:
  using lanes = recorded;
  static constexpr int dimensions = D;

  [[nodiscard]] auto get_global_id() const { return detail::all_ids<D>(its_recorder(), m_ids.global); }
  template <class Dimension>
  [[nodiscard]] auto get_global_id(Dimension dimension) const {
    return value(m_ids.global, dimension);
  }
  [[nodiscard]] auto get_global_linear_id() const { return linear(m_ids.global, m_ids.global_range); }
  [[nodiscard]] range<D> get_global_range() const { return m_ids.global_range; }
  [[nodiscard]] std::size_t get_global_range(int dimension) const { return m_ids.global_range[dimension]; }
  [[nodiscard]] std::size_t get_global_linear_range() const { return m_ids.global_range.size(); }

  [[nodiscard]] auto get_innermost_local_id() const { return detail::all_ids<D>(its_recorder(), m_ids.local); }
  template <class Dimension>
  [[nodiscard]] auto get_innermost_local_id(Dimension dimension) const {
    return value(m_ids.local, dimension);
  }
  [[nodiscard]] auto get_innermost_local_linear_id() const { return linear(m_ids.local, m_ids.size); }
  [[nodiscard]] range<D> get_innermost_local_range() const { return m_ids.size; }
  [[nodiscard]] std::size_t get_innermost_local_range(int dimension) const { return m_ids.size[dimension]; }
  [[nodiscard]] std::size_t get_innermost_local_linear_range() const { return m_ids.size.size(); }

  template <class Group>
  [[nodiscard]] auto get_local_id(const Group& group) const {
    return detail::all_ids<D>(its_recorder(), ids_in(group));
  }
  template <class Group, class Dimension>
  [[nodiscard]] auto get_local_id(const Group& group, Dimension dimension) const {
    return value(ids_in(group), dimension);
  }
  template <class Group>
  [[nodiscard]] auto get_local_linear_id(const Group& group) const {
    return linear(ids_in(group), group.get_logical_local_range());
  }
  template <class Group>
  [[nodiscard]] range<D> get_local_range(const Group& group) const {
    return group.get_logical_local_range();
  }
  template <class Group>
  [[nodiscard]] std::size_t get_local_range(const Group& group, int dimension) const {
    return group.get_logical_local_range(dimension);
  }
  template <class Group>
  [[nodiscard]] std::size_t get_local_linear_range(const Group& group) const {
    return group.get_logical_local_linear_range();
  }

  /// The sub-group of the device. Group algorithms take it inside of distribute_items.
  [[nodiscard]] sub_group_of<recorded> get_sub_group() const { return sub_group_of<recorded>(its_recorder()); }

  /// Only the library calls this: distribute_items makes items.
  s_item(detail::recorder& r, const detail::recorded_item_ids<D>& ids) : control_flow<recorded>(r), m_ids(ids) {}

private:
  template <class Dimension>
  [[nodiscard]] recorded_value<std::size_t> value(const detail::id_nodes<D>& ids, Dimension dimension) const {
    return detail::id_value(its_recorder(), ids[static_cast<std::size_t>(int(dimension))]);
  }
  [[nodiscard]] recorded_value<std::size_t> linear(const detail::id_nodes<D>& ids, const range<D>& extents) const {
    return detail::id_value(its_recorder(), detail::linear_node<D>(its_recorder(), ids, extents));
  }
  /// Ids in the innermost group or in one around it.
  template <class Group>
  [[nodiscard]] detail::id_nodes<D> ids_in(const Group& group) const {
    static_assert(Group::dimensions == D, "lanefold: the group has other dimensions than the item");
    const detail::id_nodes<D>& its_first = group.place().first;
    detail::id_nodes<D> result = m_ids.local;
    for (std::size_t d = 0; d < result.size(); ++d) {
      if (its_first[d] != m_ids.first[d]) {
        const auto in_work_group =
            detail::id_value(its_recorder(), detail::sum_of_ids(its_recorder(), m_ids.first[d], result[d]));
        result[d] = its_first[d] == detail::no_node
                        ? in_work_group.node()
                        : (in_work_group - detail::id_value(its_recorder(), its_first[d])).node();
      }
    }
    return result;
  }

  detail::recorded_item_ids<D> m_ids;
};

LANEFOLD_END_NAMESPACE
