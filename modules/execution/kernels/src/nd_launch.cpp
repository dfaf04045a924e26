// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/nd_launch.hpp>

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

#define LANEFOLD_DETAIL_COMPILE_PLACES(D)                                                                              \
  template std::string describe_group(const launch&, const nd_range<D>&, walk_order, std::size_t);                     \
  template std::string describe_unit(const launch&, const nd_range<D>&, walk_order, std::size_t, const unit_origin<D>&);
LANEFOLD_DETAIL_COMPILE_PLACES(1)
LANEFOLD_DETAIL_COMPILE_PLACES(2)
LANEFOLD_DETAIL_COMPILE_PLACES(3)
#undef LANEFOLD_DETAIL_COMPILE_PLACES

} // namespace detail
LANEFOLD_END_NAMESPACE
