// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/nd_space_launch.hpp>

#include <lanefold/execution/detail/watched_group.hpp>
#include <lanefold/memory/memory_order.hpp>

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <int D>
nd_space_launch<D>::nd_space_launch(const nd_settings<D>& how, const launch_settings& common,
                                    const std::type_info& kernel, const unit_shape& units)
    : launch(how.space.get_group_range().size(), 1, common, kernel), m_space(how.space), m_order(how.order),
      m_sub_group_size(how.sub_group_size), m_shape(units),
      m_layout(how.space.get_local_range(), units.rows, std::max<std::size_t>(units.columns, 1)) {}

template <int D>
nd_space_launch<D>::~nd_space_launch() = default;

template <int D>
void nd_space_launch<D>::note_apart(bool is_apart) {
  m_is_apart_in_int = is_apart && ids_fit_in_int(m_space.get_global_range(), m_space.get_offset());
}

template <int D>
std::string nd_space_launch<D>::place(std::size_t position) const {
  return "work-group " + describe_id(group_cursor<D>(m_space.get_group_range(), m_order, position, checks()).get());
}

template <int D>
std::string nd_space_launch<D>::place(std::size_t position, unsigned unit) const {
  const unit_origin<D> origin = m_layout.origin(unit);
  const id<D> group = group_cursor<D>(m_space.get_group_range(), m_order, position, checks()).get();
  const id<D> global = m_space.get_offset() + group * id<D>(m_space.get_local_range()) + origin.local;
  const std::string which =
      origin.lanes == 1 ? ", work-item " : ", one of the " + std::to_string(origin.lanes) + " work-items from ";
  return "work-group " + describe_id(group) + which + describe_id(global) + " with local id " +
         describe_id(origin.local);
}

template <int D>
launch_description nd_space_launch<D>::describe() const {
  launch_description told = describe_groups(m_space, m_shape.rows, m_shape.columns);
  told.why = why();
  told.is_omp_simd = m_shape.is_omp_simd;
  told.one_unit = m_shape.one_unit;
  return told;
}

template <int D>
void nd_space_launch<D>::divide_groups(std::size_t pieces, bool few) {
  if (m_found == nullptr || !m_is_apart_in_int || m_found->units_meet.load(std::memory_order_relaxed) ||
      stacks_from_start()) {
    return;
  }
  if (local_bytes() != 0 || work_groups_stay_on_threads.load(std::memory_order_relaxed)) {
    return; // parts would have local memory of their own; atomic operations of a group are plain ones
  }
  const range<D> local = m_space.get_local_range();
  const std::size_t width = local[D - 1];
  const group_grid grid{width, local.size() / width, m_sub_group_size};
  m_divided = divided_groups::divide(size(), grid, pieces, few, *m_found);
  if (m_divided != nullptr) {
    divided_into(m_divided->parts());
  }
}

template <int D>
void nd_space_launch<D>::run(std::size_t first, std::size_t last) {
  if (m_divided == nullptr) [[likely]] {
    run_stretch(first, last, {}, m_layout.size());
    return;
  }
  const auto run_one = [](launch& self, std::size_t group, const group_part& part, unsigned units) {
    return static_cast<nd_space_launch&>(self).run_stretch(group, group + 1, part, units);
  };
  m_divided->run(*this, first, last, run_one);
}

/// Runs the groups [first, last), or a part of a divided one, up to unit `units`. Returns whether units met.
template <int D>
bool nd_space_launch<D>::run_stretch(std::size_t first, std::size_t last, const group_part& part, unsigned units) {
  worker& owner = this_worker();
  frame f{{{D, m_sub_group_size}, &m_space, {m_space.get_group_range(), m_order, first, checks()}},
          this,
          last,
          false,
          part};
  owner.begin(*this, units, &run_other_unit, &f);
  if (m_shape.columns == 0) {
    owner.group = &f;
  }
  owner.position = first;
  bool met = false;
  std::exception_ptr failure;
  [[maybe_unused]] const watched_launch watched(*this, m_space.get_local_range(), owner.local_memory());
  try {
    if (m_layout.size() > 1 && m_divided == nullptr && stacks_from_start()) {
      run_on_stacks(owner, f);
    } else if (run_groups(owner, f)) {
      met = true;
      go_on_on_stacks(owner, f);
    }
  } catch (...) {
    converge();
    failure = std::current_exception();
  }
  owner.leave(std::move(failure));
  return met;
}

/// Says whether units have stacks of their own before one of them meets a barrier.
template <int D>
bool nd_space_launch<D>::stacks_from_start() const {
  return lenient_barriers() || (m_shape.columns == 0 && work_items_are_asked_for.load(std::memory_order_relaxed));
}

/// Runs groups whose units all have stacks of their own from the start.
template <int D>
void nd_space_launch<D>::run_on_stacks(worker& owner, frame& f) {
  begin_watched_group(owner.position, owner.local_memory(), local_bytes());
  unit_state first{&owner, nullptr, 0, m_layout.size(), true};
  owner.start_units(first);
  owner.failed_unit = 0;
  run_other_unit(&f, owner, 0);
}

/// Ends a group in which units have met, and runs unit 0 of those behind it.
template <int D>
void nd_space_launch<D>::go_on_on_stacks(worker& owner, frame& f) {
  unit_state first{&owner, owner.first_unit == 0 ? owner.inline_slot(0) : nullptr, 0, m_layout.size(), true};
  end_group(first);
  if (next_group(owner, f)) {
    owner.failed_unit = 0; // whatever leaves the kernel on this stack from now on
    run_other_unit(&f, owner, 0);
  }
}

template <int D>
void nd_space_launch<D>::run_other_unit(void* shared, worker& owner, unsigned unit) {
  frame& f = *static_cast<frame*>(shared);
  if (!f.done) { // else the unit had no stack before the last group, and the engine starts it only now
    f.self->run_unit(owner, f, unit);
  }
}

template <int D>
bool nd_space_launch<D>::next_group(worker& owner, frame& f) const {
  if (++owner.position == f.last) {
    f.done = true;
    return false;
  }
  f.cursor.next();
  begin_watched_group(owner.position, owner.local_memory(), local_bytes());
  return true;
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
