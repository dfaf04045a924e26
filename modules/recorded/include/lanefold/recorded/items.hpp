// SPDX-License-Identifier: Apache-2.0
/// The items and groups of recorded kernels.
#pragma once

#include <lanefold/execution/item.hpp>
#include <lanefold/execution/nd_item.hpp>
#include <lanefold/recorded/control_flow.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A value that OpenCL C has a function for, `get_global_id(0)`, as the T that SYCL has. SYCL's last dimension is
/// OpenCL's first.
template <class T>
recorded_value<T> recorded_query(recorder& r, const std::string& text, recorded_type given, bool uniform) {
  const node_number n = r.add_query(text.c_str(), given, uniform);
  return {r, given == recorded_type_of<T>() ? n : r.add(recorded_op::convert, recorded_type_of<T>(), 0, n)};
}

/// One of the three ids that OpenCL C knows, in a dimension of OpenCL's.
inline recorded_value<std::size_t> device_id(recorder& r, const char* function, int dimension, bool uniform) {
  return recorded_query<std::size_t>(r, std::string(function) + "(" + std::to_string(dimension) + ")",
                                     recorded_type::u64, uniform);
}

/// The coordinate of a plane (id.hpp) in one of the first D - 2 dimensions: OpenCL's dimension 2 counts planes.
template <int D>
recorded_value<std::size_t> coordinate_of_plane(recorder& r, const char* function, const range<D>& extents,
                                                int dimension, bool uniform) {
  std::size_t behind = 1;
  for (int d = dimension + 1; d < D - 2; ++d) {
    behind *= extents[d];
  }
  const recorded_value<std::size_t> plane = detail::device_id(r, function, 2, uniform);
  const recorded_value<std::size_t> reached = behind == 1 ? plane : plane / behind;
  return dimension == 0 ? reached : reached % std::size_t(extents[dimension]);
}

/// One of the three ids that OpenCL C knows, of one dimension. `space` has no local range where there are no groups.
template <int D>
recorded_value<std::size_t> recorded_id(recorder& r, const char* function, [[maybe_unused]] const nd_range<D>& space,
                                        int dimension, bool uniform) {
  if constexpr (D > 3) {
    const std::string_view name = function;
    const range<D> global = space.get_global_range(), local = space.get_local_range();
    const bool has_groups = local[0] != 0;
    if (dimension < D - 2 && name == "get_global_id" && has_groups) {
      const auto group = detail::recorded_id(r, "get_group_id", space, dimension, true);
      const auto own = detail::recorded_id(r, "get_local_id", space, dimension, false);
      return group * std::size_t(local[dimension]) + own + std::size_t(space.get_offset()[dimension]);
    }
    if (dimension < D - 2) {
      return detail::coordinate_of_plane(r, function,
                                         name == "get_local_id" ? local
                                         : has_groups           ? space.get_group_range()
                                                                : global,
                                         dimension, uniform);
    }
  }
  return detail::device_id(r, function, D - 1 - dimension, uniform);
}

/// Row-major position of the ids in extents that the program knows.
template <int D>
recorded_value<std::size_t> recorded_linear_id(recorder& r, const char* function, const nd_range<D>& space,
                                               const range<D>& extents, const id<D>& offset, bool uniform) {
  const auto at = [&](int d) {
    const auto i = detail::recorded_id(r, function, space, d, uniform);
    return offset[d] == 0 ? i : i - std::size_t(offset[d]);
  };
  if constexpr (D == 1) {
    return at(0);
  } else if constexpr (D == 2) {
    return at(0) * std::size_t(extents[1]) + at(1);
  } else if constexpr (D == 3) {
    return (at(0) * std::size_t(extents[1]) + at(1)) * std::size_t(extents[2]) + at(2);
  } else {
    node_number position = at(0).node();
    for (int d = 1; d < D; ++d) {
      position = (recorded_value<std::size_t>(r, position) * std::size_t(extents[d]) + at(d)).node();
    }
    return {r, position};
  }
}

/// An id whose dimensions were recorded.
template <int D>
using id_nodes = std::array<node_number, static_cast<std::size_t>(D)>;

/// Holds what the items of a kernel over an ND-range know.
template <int D>
struct recorded_place {
  recorder* record;
  nd_range<D> space;
};

} // namespace detail

/// The id of each work-item of a recorded kernel, in two dimensions or more; in one it is a value.
template <int D>
class lane_id<D, recorded> {
public:
  static constexpr int dimensions = D;

  /// Only the library calls these. `function` is one of OpenCL C's.
  lane_id(detail::recorder& r, const char* function, bool uniform)
      : m_recorder(&r), m_function(function), m_uniform(uniform) {}
  lane_id(detail::recorder& r, const detail::id_nodes<D>& ids) : m_recorder(&r), m_ids(ids) {}

  template <int Dimension>
  [[nodiscard]] recorded_value<std::size_t> get() const {
    static_assert(Dimension >= 0 && Dimension < D, "no such dimension");
    return (*this)[Dimension];
  }
  recorded_value<std::size_t> operator[](int dimension) const {
    if (m_function == nullptr) {
      return {*m_recorder, m_ids[static_cast<std::size_t>(dimension)]};
    }
    return detail::device_id(*m_recorder, m_function, D - 1 - dimension, m_uniform);
  }

private:
  detail::recorder* m_recorder;
  const char* m_function = nullptr;
  bool m_uniform = false;
  detail::id_nodes<D> m_ids{}; ///< the ids where no function gives them
};

namespace detail {

/// All dimensions of an id: a value in one dimension.
template <int D>
auto recorded_ids(recorder& r, const char* function, const nd_range<D>& space, bool uniform) {
  if constexpr (D == 1) {
    return recorded_coordinate<std::size_t>(detail::recorded_id(r, function, space, 0, uniform));
  } else if constexpr (D <= 3) {
    return lane_id<D, recorded>(r, function, uniform);
  } else {
    id_nodes<D> ids;
    for (int d = 0; d < D; ++d) {
      ids[static_cast<std::size_t>(d)] = detail::recorded_id(r, function, space, d, uniform).node();
    }
    return lane_id<D, recorded>(r, ids);
  }
}

} // namespace detail

/// The work-group of a recorded kernel. Ids are recorded, ranges plain.
template <int D>
class group<D, recorded> {
public:
  using id_type = id<D>;
  using range_type = range<D>;
  using linear_id_type = std::size_t;
  using lanes = recorded;
  static constexpr int dimensions = D;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  [[nodiscard]] auto get_group_id() const {
    return detail::recorded_ids(its_recorder(), "get_group_id", m_place.space, true);
  }
  [[nodiscard]] auto get_group_id(int dimension) const {
    return detail::recorded_id(its_recorder(), "get_group_id", m_place.space, dimension, true);
  }
  [[nodiscard]] auto operator[](int dimension) const { return get_group_id(dimension); }
  [[nodiscard]] range<D> get_group_range() const { return m_place.space.get_group_range(); }
  [[nodiscard]] std::size_t get_group_range(int dimension) const { return get_group_range()[dimension]; }
  [[nodiscard]] range<D> get_local_range() const { return m_place.space.get_local_range(); }
  [[nodiscard]] std::size_t get_local_range(int dimension) const { return get_local_range()[dimension]; }
  [[nodiscard]] range<D> get_max_local_range() const { return get_local_range(); }
  [[nodiscard]] auto get_group_linear_id() const {
    return detail::recorded_linear_id(its_recorder(), "get_group_id", m_place.space, get_group_range(), {}, true);
  }
  // SYCL 1.2.1 spells them so.
  [[nodiscard]] auto get_id() const { return get_group_id(); }
  [[nodiscard]] auto get_id(int dimension) const { return get_group_id(dimension); }
  [[nodiscard]] auto get_linear_id() const { return get_group_linear_id(); }
  [[nodiscard]] auto get_linear() const { return get_group_linear_id(); }
  [[nodiscard]] range<D> get_global_range() const { return m_place.space.get_global_range(); }
  [[nodiscard]] std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  [[nodiscard]] std::size_t get_group_linear_range() const { return get_group_range().size(); }
  [[nodiscard]] std::size_t get_local_linear_range() const { return get_local_range().size(); }
  [[nodiscard]] auto get_local_id() const {
    return detail::recorded_ids(its_recorder(), "get_local_id", m_place.space, false);
  }
  template <class Dimension>
  [[nodiscard]] auto get_local_id(Dimension dimension) const {
    return detail::recorded_id(its_recorder(), "get_local_id", m_place.space, dimension, false);
  }
  [[nodiscard]] auto get_local_linear_id() const {
    return detail::recorded_linear_id(its_recorder(), "get_local_id", m_place.space, get_local_range(), {}, false);
  }
  [[nodiscard]] auto leader() const { return get_local_linear_id() == std::size_t(0); }

  /// Only the library calls these.
  explicit group(const detail::recorded_place<D>& place) : m_place(place) {}
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_place.record; }

private:
  detail::recorded_place<D> m_place;
};

/// The sub-group of a recorded kernel: that of the device, or of the device library where the device has none.
template <>
class sub_group_of<recorded> {
public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  using lanes = recorded;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;
  using value = recorded_value<std::uint32_t>;
  using coordinate = recorded_coordinate<std::uint32_t>;

  [[nodiscard]] coordinate get_local_id() const { return get_local_linear_id(); }
  [[nodiscard]] value get_local_linear_id() const { return number("lf_lane()"); }
  /// Recorded, as other devices have other sub-groups.
  [[nodiscard]] coordinate get_local_range() const { return get_local_linear_range(); }
  [[nodiscard]] value get_local_linear_range() const { return number("lf_sub_group_items()"); }
  /// Returns how many work-items a full sub-group has.
  [[nodiscard]] coordinate get_max_local_range() const { return number("lf_sub_group_most_items()", true); }
  [[nodiscard]] coordinate get_group_id() const { return get_group_linear_id(); }
  [[nodiscard]] value get_group_linear_id() const { return number("lf_sub_group_id()"); }
  [[nodiscard]] coordinate get_group_range() const { return get_group_linear_range(); }
  [[nodiscard]] value get_group_linear_range() const { return number("lf_sub_groups()"); }
  [[nodiscard]] auto leader() const { return get_local_linear_id() == 0U; }

  /// Only the library calls these.
  explicit sub_group_of(detail::recorder& r) : m_recorder(&r) {}
  [[nodiscard]] detail::recorder& its_recorder() const { return *m_recorder; }

private:
  [[nodiscard]] recorded_value<std::uint32_t> number(const char* text, bool uniform = false) const {
    return detail::recorded_query<std::uint32_t>(*m_recorder, text, detail::recorded_type::u32, uniform);
  }

  detail::recorder* m_recorder;
};

/// One work-item of a recorded kernel over an ND-range. Ids are recorded, ranges plain: the program knows them.
template <int D>
class nd_item<D, recorded> : public control_flow<recorded> {
public:
  using lanes = recorded;
  static constexpr int dimensions = D;

  [[nodiscard]] auto get_global_id() const {
    return detail::recorded_ids(its_recorder(), "get_global_id", m_place.space, false);
  }
  template <class Dimension>
  [[nodiscard]] auto get_global_id(Dimension dimension) const {
    return detail::recorded_id(its_recorder(), "get_global_id", m_place.space, dimension, false);
  }
  [[nodiscard]] auto get_global_linear_id() const {
    return detail::recorded_linear_id(its_recorder(), "get_global_id", m_place.space, get_global_range(), get_offset(),
                                      false);
  }
  [[nodiscard]] auto get_local_id() const { return get_group().get_local_id(); }
  template <class Dimension>
  [[nodiscard]] auto get_local_id(Dimension dimension) const {
    return get_group().get_local_id(dimension);
  }
  [[nodiscard]] auto get_local_linear_id() const { return get_group().get_local_linear_id(); }

  [[nodiscard]] group<D, recorded> get_group() const { return group<D, recorded>(m_place); }
  [[nodiscard]] auto get_group(int dimension) const { return get_group().get_group_id(dimension); }
  [[nodiscard]] auto get_group_linear_id() const { return get_group().get_group_linear_id(); }
  [[nodiscard]] range<D> get_group_range() const { return m_place.space.get_group_range(); }
  [[nodiscard]] std::size_t get_group_range(int dimension) const { return get_group_range()[dimension]; }
  [[nodiscard]] sub_group_of<recorded> get_sub_group() const { return sub_group_of<recorded>(its_recorder()); }

  [[nodiscard]] range<D> get_global_range() const { return m_place.space.get_global_range(); }
  [[nodiscard]] std::size_t get_global_range(int dimension) const { return get_global_range()[dimension]; }
  [[nodiscard]] range<D> get_local_range() const { return m_place.space.get_local_range(); }
  [[nodiscard]] std::size_t get_local_range(int dimension) const { return get_local_range()[dimension]; }
  [[nodiscard]] id<D> get_offset() const { return m_place.space.get_offset(); }
  [[nodiscard]] nd_range<D> get_nd_range() const { return m_place.space; }

  void barrier(access::fence_space = access::fence_space::global_and_local) const { group_barrier(get_group()); }
  /// Orders the accesses of the work-item to memory, for the others of its work-group. In any code.
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const {
    detail::recorder& r = its_recorder();
    r.add(detail::recorded_op::barrier, detail::recorded_type::boolean,
          r.text("mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"));
  }

  /// Only the library calls this.
  explicit nd_item(const detail::recorded_place<D>& place) : control_flow<recorded>(*place.record), m_place(place) {}

private:
  detail::recorded_place<D> m_place;
};

/// One work-item of a recorded kernel over a range.
template <int D>
class item_of<D, recorded> : public control_flow<recorded> {
public:
  using lanes = recorded;
  static constexpr int dimensions = D;

  [[nodiscard]] auto get_id() const { return detail::recorded_ids(its_recorder(), "get_global_id", space(), false); }
  template <class Dimension>
  [[nodiscard]] auto get_id(Dimension dimension) const {
    return detail::recorded_id(its_recorder(), "get_global_id", space(), dimension, false);
  }
  template <class Dimension>
  [[nodiscard]] auto operator[](Dimension dimension) const {
    return get_id(dimension);
  }
  [[nodiscard]] auto get_linear_id() const {
    return detail::recorded_linear_id(its_recorder(), "get_global_id", space(), m_extents, m_offset, false);
  }
  [[nodiscard]] range<D> get_range() const { return m_extents; }
  [[nodiscard]] std::size_t get_range(int dimension) const { return m_extents[dimension]; }
  [[nodiscard]] id<D> get_offset() const { return m_offset; }

  /// Only the library calls this.
  item_of(detail::recorder& r, const range<D>& extents, const id<D>& offset)
      : control_flow<recorded>(r), m_extents(extents), m_offset(offset) {}

private:
  [[nodiscard]] nd_range<D> space() const { return {m_extents, range<D>(), m_offset}; }

  range<D> m_extents;
  id<D> m_offset;
};

namespace detail {

/// A barrier of the work-group; `what` needs it, for messages.
inline void record_work_group_barrier(recorder& r, const char* what) {
  r.check_converged(what);
  r.add(recorded_op::barrier, recorded_type::boolean, r.text("barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);"));
}

} // namespace detail

/// A barrier of the work-group, for local and global memory. Errors (errc::kernel): called in divergent code.
template <int D>
void group_barrier(const group<D, recorded>& g, memory_scope /*scope*/ = memory_scope::work_group) {
  detail::record_work_group_barrier(g.its_recorder(), "group_barrier");
}
/// A barrier of the sub-group. Errors (errc::kernel): called in divergent code.
inline void group_barrier(const sub_group_of<recorded>& g, memory_scope /*scope*/ = memory_scope::sub_group) {
  detail::recorder& r = g.its_recorder();
  r.check_converged("group_barrier");
  r.add(detail::recorded_op::barrier, detail::recorded_type::boolean, r.text("lf_sub_group_barrier();"));
}

LANEFOLD_END_NAMESPACE
