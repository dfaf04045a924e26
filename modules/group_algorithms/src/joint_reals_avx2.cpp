// SPDX-License-Identifier: Apache-2.0
#include "joint_table.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

LANEFOLD_DETAIL_COMPILE(float)
LANEFOLD_DETAIL_COMPILE(double)

} // namespace detail
LANEFOLD_END_NAMESPACE
