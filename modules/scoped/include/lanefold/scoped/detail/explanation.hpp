// SPDX-License-Identifier: Apache-2.0
/// LANEFOLD_EXPLAIN=1: what became of the levels of a hierarchical or scoped kernel.
#pragma once

#include <lanefold/execution/launch.hpp>

#include <cstddef>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Notes what one call made of one level of a kernel.
struct level_note {
  const void* call; ///< an address for each call in the source
  int depth;        ///< of the group that was divided, the work-group being 0
  int dimensions;
  bool is_static;                     ///< the extents are known at compile time
  std::size_t whole[most_dimensions]; ///< extents of what was divided
  std::size_t tile[most_dimensions];  ///< extents of its tiles; 0 for items
  std::size_t rows;                   ///< the lanes of items, for tiles of a static size the lanes of theirs
  std::size_t columns;                ///< 0: one item at a time
  bool told_to_vectorise;             ///< omp_simd
};

/// The levels of the first work-group of a launch, in the order in which they were met.
struct explanation {
  static constexpr std::size_t most = 32;
  level_note levels[most];
  std::size_t count = 0;

  /// Returns the note in which to write the first visit of a call; null on later visits. Inlined, because a call,
  /// however rare, would cost the loops around it their registers.
  LANEFOLD_ALWAYS_INLINE level_note* first_visit(const void* call) {
    for (std::size_t i = 0; i < count; ++i) {
      if (levels[i].call == call) {
        return nullptr;
      }
    }
    if (count == most) {
      return nullptr;
    }
    levels[count].call = call;
    return &levels[count++];
  }
};

/// The address of a call, by the types that take part in it.
template <class... Types>
struct call_site {
  static constexpr char id = 0;
};

/// Returns whether LANEFOLD_EXPLAIN asks for explanations: 1, or 0 (default); other values throw errc::invalid.
bool explanations_wanted();

/// Describes a launch for its explanation.
struct explained_launch {
  const launch* work;
  const char* model;  ///< "scoped" or "hierarchical"
  std::string groups; ///< the number of groups, by dimension
  std::string local;  ///< the size of each
  std::size_t threads;
};
/// Prints to stderr where the levels run.
LANEFOLD_COLD void explain(const explained_launch& what, const explanation& levels);

} // namespace detail
LANEFOLD_END_NAMESPACE
