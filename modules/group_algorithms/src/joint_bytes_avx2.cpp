// SPDX-License-Identifier: Apache-2.0
#include "joint_table.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

LANEFOLD_DETAIL_COMPILE(std::int8_t)
LANEFOLD_DETAIL_COMPILE(std::uint8_t)

} // namespace detail
LANEFOLD_END_NAMESPACE
