// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/parallel_for.hpp>

#include <lanefold/exception.hpp>

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

[[noreturn]] void throw_bad_range(const std::string& why) { throw exception(make_error_code(errc::nd_range), why); }

[[noreturn]] void throw_too_many_work_items(const std::string& extents) {
  throw_bad_range("the index space " + extents + " has more work-items than 64 bits can count");
}

} // namespace

template <int D>
void check_range(const range<D>& extents) {
  if (saturated_size(extents) == static_cast<std::size_t>(-1)) {
    throw_too_many_work_items(describe_id(extents));
  }
}

template <int D>
nd_range<D> nd_range_of_groups(const range<D>& groups, const range<D>& local) {
  for (int d = 0; d < D; ++d) {
    if (local[d] != 0 && groups[d] > static_cast<std::size_t>(-1) / local[d]) {
      throw_too_many_work_items(describe_id(groups) + " groups of " + describe_id(local));
    }
  }
  return {groups * local, local};
}

template <int D>
void check_nd_range(const nd_range<D>& space) {
  const range<D> global = space.get_global_range();
  const range<D> local = space.get_local_range();
  std::size_t work_items = 1;
  for (int d = 0; d < D; ++d) {
    if (local[d] == 0) {
      throw_bad_range("the local size " + describe_id(local) + " is zero in dimension " + std::to_string(d));
    }
    if (global[d] % local[d] != 0) {
      throw_bad_range("the local size " + describe_id(local) + " does not divide the global size " +
                      describe_id(global) + " in dimension " + std::to_string(d));
    }
    if (local[d] > most_work_items / work_items) { // more than the device tells of, see device::max_work_group_size
      throw_bad_range("a work-group of " + describe_id(local) + " is larger than the " +
                      std::to_string(most_work_items) + " work-items that a work-group may have");
    }
    work_items *= local[d];
  }
  check_range(global);
}

template <int D>
void check_local_size(const range<D>& local, const range<D>& promised) {
  if (local != promised) {
    throw_bad_range("the local size " + describe_id(local) + " is not the work_group_size " + describe_id(promised) +
                    " given at compile time");
  }
}

template <int D>
void check_columns(const range<D>& local, std::size_t columns) {
  if (local[D - 1] != columns) {
    throw_bad_range("the lane shape has " + std::to_string(columns) +
                    " columns, which must be the last extent of the local size " + describe_id(local));
  }
}

void check_sub_group_size(unsigned size) {
  if (size == 0 || size > largest_sub_group) {
    throw exception(make_error_code(errc::invalid),
                    "a sub-group size of " + std::to_string(size) + " is not in 1 to 256");
  }
}

template <int D>
launch_description describe_extents(const range<D>& extents, std::size_t lanes) {
  launch_description told;
  told.dimensions = D;
  for (int d = 0; d < D; ++d) {
    told.extents[d] = extents[d];
  }
  told.columns = lanes;
  return told;
}

#define LANEFOLD_DETAIL_COMPILE_CHECKS(D)                                                                              \
  template void check_range(const range<D>&);                                                                          \
  template nd_range<D> nd_range_of_groups(const range<D>&, const range<D>&);                                           \
  template void check_nd_range(const nd_range<D>&);                                                                    \
  template void check_local_size(const range<D>&, const range<D>&);                                                    \
  template void check_columns(const range<D>&, std::size_t);                                                           \
  template launch_description describe_extents(const range<D>&, std::size_t);
LANEFOLD_DETAIL_COMPILE_CHECKS(1)
LANEFOLD_DETAIL_COMPILE_CHECKS(2)
LANEFOLD_DETAIL_COMPILE_CHECKS(3)
LANEFOLD_DETAIL_COMPILE_CHECKS(4)
LANEFOLD_DETAIL_COMPILE_CHECKS(5)
LANEFOLD_DETAIL_COMPILE_CHECKS(6)
#undef LANEFOLD_DETAIL_COMPILE_CHECKS

} // namespace detail
LANEFOLD_END_NAMESPACE
