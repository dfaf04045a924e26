// SPDX-License-Identifier: Apache-2.0
/// Counts the gathers and scatters of launches in checked builds, for LANEFOLD_EXPLAIN.
#pragma once

#include <lanefold/detail/access_watch.hpp>

#include <atomic>
#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Holds how often a unit of a launch accessed elements that do not lie side by side, by any thread.
struct lane_counts {
  std::atomic<std::size_t> gathers{0};
  std::atomic<std::size_t> scatters{0};
};

#if defined(LANEFOLD_CHECKED)
/// While it lives, the accesses of lanes on this thread are counted. Lanes that access one element, or neighbours in
/// the order of a row of their shape, do not count.
class lane_counter final : public access_counter {
public:
  /// Null: nothing is counted.
  explicit lane_counter(lane_counts* into) noexcept;
  ~lane_counter();

  void lanes(const lane_access* first, std::size_t count, std::size_t columns, std::size_t bytes,
             element_use kind) override;
  void use_load() override;

private:
  lane_counts* m_into;
  const void* m_load = nullptr; ///< the first element of a gather that `x[i]` has made, and that a store may undo
};
#else
class lane_counter {
public:
  explicit lane_counter(lane_counts* /*into*/) noexcept {}
};
#endif

} // namespace detail
LANEFOLD_END_NAMESPACE
