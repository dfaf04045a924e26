// SPDX-License-Identifier: Apache-2.0
/// Values of groups that lie side by side in the lanes of one unit.
#pragma once

#include <lanefold/group_algorithms/detail/lane_values.hpp>
#include <lanefold/group_algorithms/detail/meeting_point.hpp>

#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Calls `f(values, n)` for each part of the unit with its values in memory, in the order of its work-items; returns
/// what then stands at each lane's place.
template <class G, class V, class F>
V parts_in_memory(const G& g, const V& v, F& f) {
  using access = group_access<G>;
  using E = typename V::value_type;
  constexpr std::size_t size = V::size();
  alignas(64) E lanes[size];
  alignas(64) E values[size] = {};
  alignas(64) std::uint32_t places[size]; // parts lie behind each other
  v.store(lanes);
  access::places(g).store(places);
  const std::size_t count = active_count(*access::context(g));
  for (std::size_t i = 0; i < count; ++i) {
    values[places[i]] = lanes[i];
  }
  access::for_each_part(g, [&](std::size_t first, std::size_t n) {
    if (n > 0) {
      f(values + first, n);
    }
  });
  for (std::size_t i = 0; i < count; ++i) {
    lanes[i] = values[places[i]];
  }
  return V::load(lanes);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
