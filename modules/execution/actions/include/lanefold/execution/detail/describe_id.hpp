// SPDX-License-Identifier: Apache-2.0
/// Ids in messages.
#pragma once

#include <lanefold/id.hpp>

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// "(3, 0)"; for ids and ranges.
template <class Coordinates>
std::string describe_id(const Coordinates& place) {
  std::string text = "(";
  text += std::to_string(place[0]);
  for (int d = 1; d < Coordinates::dimensions; ++d) {
    text += ", ";
    text += std::to_string(place[d]);
  }
  text += ")";
  return text;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
