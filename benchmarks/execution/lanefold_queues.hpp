// SPDX-License-Identifier: Apache-2.0
/// Queues of a number of threads, and launch properties, for Lanefold's sides.
#pragma once

#include "lanefold_sides.hpp"

#include <lanefold/lanefold.hpp>

namespace lanefold_benchmarks::ours {

namespace lf = lanefold;

/// A warm in-order queue that uses `threads` threads.
lf::queue& queue_with(unsigned threads);

inline lf::fiber_engine to_lanefold(engine e) {
  return e == engine::native ? lf::fiber_engine::native : lf::fiber_engine::boost_fiber;
}

/// The properties of a launch; `Group` where the work-group size is known at compile time.
template <class Strategy, std::size_t... Group>
auto how(lf::fiber_engine engine = lf::fiber_engine::automatic) {
  if constexpr (sizeof...(Group) == 0) {
    return lf::properties{lf::property::strategy<Strategy>{}, lf::property::fiber_engine{engine}};
  } else {
    return lf::properties{lf::property::strategy<Strategy>{}, lf::property::fiber_engine{engine},
                          lf::property::work_group_size<Group...>{}};
  }
}

/// "4x16 lanes", "work-items", or "work-items, omp_simd".
template <class Strategy>
std::string form_name() {
  if constexpr (std::is_same_v<Strategy, lf::omp_simd>) {
    return "work-items, omp_simd";
  } else if constexpr (std::is_base_of_v<lf::scalar, Strategy>) {
    return "work-items";
  } else {
    return std::to_string(Strategy::rows) + "x" + std::to_string(Strategy::columns) + " lanes";
  }
}

} // namespace lanefold_benchmarks::ours
