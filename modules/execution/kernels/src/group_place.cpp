// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/group_place.hpp>

#include <lanefold/exception.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void throw_divergent_barrier() {
  throw exception(
      make_error_code(errc::kernel),
      "a barrier was reached in divergent code (if_, while_ or for_ with a varying condition): only some of "
      "the work-items of the sub-group are running");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
