// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/launch_maker.hpp>
#include <lanefold/execution/nd_range.hpp>
#include <lanefold/id.hpp>
#include <lanefold/range.hpp>

#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <int D>
index_space::index_space(const range<D>& extents) : dimensions(D) {
  for (int d = 0; d < D; ++d) {
    global[d] = extents[d];
  }
}

template <int D>
index_space::index_space(const nd_range<D>& space) : dimensions(D), has_groups(true) {
  for (int d = 0; d < D; ++d) {
    global[d] = space.get_global_range()[d];
    local[d] = space.get_local_range()[d];
    offset[d] = space.get_offset()[d];
  }
}

template <int D>
void index_space::get(range<D>& to) const {
  for (int d = 0; d < D; ++d) {
    to[d] = global[d];
  }
}

template <int D>
void index_space::get(nd_range<D>& to) const {
  range<D> extents = to.get_global_range();
  range<D> size = to.get_local_range();
  id<D> first = to.get_offset();
  for (int d = 0; d < D; ++d) {
    extents[d] = global[d];
    size[d] = local[d];
    first[d] = offset[d];
  }
  to = nd_range<D>(extents, size, first);
}

#define LANEFOLD_INSTANTIATE(D)                                                                                        \
  template index_space::index_space(const range<D>&);                                                                  \
  template index_space::index_space(const nd_range<D>&);                                                               \
  template void index_space::get(range<D>&) const;                                                                     \
  template void index_space::get(nd_range<D>&) const
LANEFOLD_INSTANTIATE(1);
LANEFOLD_INSTANTIATE(2);
LANEFOLD_INSTANTIATE(3);
LANEFOLD_INSTANTIATE(4);
LANEFOLD_INSTANTIATE(5);
LANEFOLD_INSTANTIATE(6);
#undef LANEFOLD_INSTANTIATE

launch_recipe::launch_recipe(launch_recipe&& other) noexcept
    : space(other.space), m_launch(std::exchange(other.m_launch, nullptr)), m_act(other.m_act) {}

launch_recipe::~launch_recipe() {
  if (m_launch != nullptr) {
    m_act(m_launch, nullptr, space);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
