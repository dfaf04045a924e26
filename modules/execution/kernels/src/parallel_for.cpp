// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/parallel_for.hpp>

#include <lanefold/exception.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void throw_too_many_work_items(const std::string& extents) {
  throw exception(make_error_code(errc::nd_range),
                  "the index space " + extents + " has more work-items than 64 bits can count");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
