// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/nd_launch.hpp>

#include <algorithm>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <int D>
std::string describe_group(const launch& of, const nd_range<D>& space, walk_order order, std::size_t position) {
  return "work-group " + describe_id(group_cursor<D>(space.get_group_range(), order, position, of.checks()).get());
}

template <int D>
std::string describe_unit(const launch& of, const nd_range<D>& space, walk_order order, std::size_t position,
                          const unit_origin<D>& unit) {
  const id<D> group = group_cursor<D>(space.get_group_range(), order, position, of.checks()).get();
  const id<D> global = space.get_offset() + group * id<D>(space.get_local_range()) + unit.local;
  const std::string which =
      unit.lanes == 1 ? ", work-item " : ", one of the " + std::to_string(unit.lanes) + " work-items from ";
  return "work-group " + describe_id(group) + which + describe_id(global) + " with local id " + describe_id(unit.local);
}

template <int D>
launch_description describe_groups(const nd_range<D>& space, std::size_t rows, std::size_t columns) {
  launch_description told;
  told.dimensions = D;
  for (int d = 0; d < D; ++d) {
    told.extents[d] = space.get_global_range()[d];
    told.local[d] = space.get_local_range()[d];
  }
  told.rows = rows;
  told.columns = columns;
  const std::size_t lanes = std::max<std::size_t>(columns, 1);
  const std::size_t width = told.local[D - 1];
  const std::size_t height = D > 1 ? told.local[D - 2] : 1;
  const std::size_t planes = planes_of(space.get_local_range());
  const std::size_t down = (height + rows - 1) / rows;
  told.units = planes * down * ((width + lanes - 1) / lanes);
  told.masked_units = planes * (width % lanes != 0 ? down : height % rows != 0 ? 1 : 0);
  return told;
}

#define LANEFOLD_DETAIL_COMPILE_PLACES(D)                                                                              \
  template std::string describe_group(const launch&, const nd_range<D>&, walk_order, std::size_t);                     \
  template std::string describe_unit(const launch&, const nd_range<D>&, walk_order, std::size_t,                       \
                                     const unit_origin<D>&);                                                           \
  template launch_description describe_groups(const nd_range<D>&, std::size_t, std::size_t);
LANEFOLD_DETAIL_COMPILE_PLACES(1)
LANEFOLD_DETAIL_COMPILE_PLACES(2)
LANEFOLD_DETAIL_COMPILE_PLACES(3)
LANEFOLD_DETAIL_COMPILE_PLACES(4)
LANEFOLD_DETAIL_COMPILE_PLACES(5)
LANEFOLD_DETAIL_COMPILE_PLACES(6)
#undef LANEFOLD_DETAIL_COMPILE_PLACES

} // namespace detail
LANEFOLD_END_NAMESPACE
