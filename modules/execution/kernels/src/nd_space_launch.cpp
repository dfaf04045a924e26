// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/nd_space_launch.hpp>

#include <lanefold/memory/memory_order.hpp>

#include <algorithm>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <int D>
nd_space_launch<D>::nd_space_launch(const nd_settings<D>& how, const launch_settings& common,
                                    const std::type_info& kernel)
    : launch(how.space.get_group_range().size(), 1, common, kernel), m_space(how.space), m_order(how.order),
      m_sub_group_size(how.sub_group_size) {}

template <int D>
nd_space_launch<D>::~nd_space_launch() = default;

template <int D>
std::string nd_space_launch<D>::place(std::size_t position) const {
  return "work-group " + describe_id(group_cursor<D>(m_space.get_group_range(), m_order, position, checks()).get());
}

template <int D>
std::string nd_space_launch<D>::describe_unit(std::size_t position, const unit_origin<D>& unit) const {
  const id<D> group = group_cursor<D>(m_space.get_group_range(), m_order, position, checks()).get();
  const id<D> global = m_space.get_offset() + group * id<D>(m_space.get_local_range()) + unit.local;
  const std::string which =
      unit.lanes == 1 ? ", work-item " : ", one of the " + std::to_string(unit.lanes) + " work-items from ";
  return "work-group " + describe_id(group) + which + describe_id(global) + " with local id " + describe_id(unit.local);
}

template <int D>
void nd_space_launch<D>::divide(std::size_t pieces, kernel_findings& found) {
  if (local_bytes() != 0 || work_groups_stay_on_threads.load(std::memory_order_relaxed)) {
    return; // parts would have local memory of their own; atomic operations of a group are plain ones
  }
  const range<D> local = m_space.get_local_range();
  const std::size_t width = local[D - 1];
  m_divided = divided_groups::divide(size(), {width, local.size() / width, m_sub_group_size}, pieces, found);
  if (m_divided != nullptr) {
    divided_into(m_divided->parts());
  }
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

#define LANEFOLD_DETAIL_COMPILE_SPACES(D)                                                                              \
  template class nd_space_launch<D>;                                                                                   \
  template launch_description describe_groups(const nd_range<D>&, std::size_t, std::size_t);
LANEFOLD_DETAIL_COMPILE_SPACES(1)
LANEFOLD_DETAIL_COMPILE_SPACES(2)
LANEFOLD_DETAIL_COMPILE_SPACES(3)
LANEFOLD_DETAIL_COMPILE_SPACES(4)
LANEFOLD_DETAIL_COMPILE_SPACES(5)
LANEFOLD_DETAIL_COMPILE_SPACES(6)
#undef LANEFOLD_DETAIL_COMPILE_SPACES

} // namespace detail
LANEFOLD_END_NAMESPACE
