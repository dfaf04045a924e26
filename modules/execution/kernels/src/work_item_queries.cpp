// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/work_item_queries.hpp>

#include <lanefold/exception.hpp>

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

const running_group& group_that_runs(const worker& asked, int dimensions) {
  const running_group* const group = asked.group;
  if (group == nullptr || (dimensions != 0 && group->dimensions != dimensions)) {
    throw exception(make_error_code(errc::invalid),
                    group == nullptr
                        ? "the running work-item was asked for where no work-item kernel over an nd_range runs"
                        : "the running work-item was asked for as one of " + std::to_string(dimensions) +
                              " dimensions in a kernel of " + std::to_string(group->dimensions));
  }
  return *group;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
