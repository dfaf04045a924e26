// SPDX-License-Identifier: Apache-2.0
#include <lanefold/scoped/detail/explanation.hpp>

#include <lanefold/execution/detail/environment_variable.hpp>

#include <cstdio>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

std::string extents_of(const std::size_t (&extents)[most_dimensions], int dimensions) {
  std::string text;
  for (int d = 0; d < dimensions; ++d) {
    text += (d == 0 ? "(" : ", ") + std::to_string(extents[d]);
  }
  return text + ")";
}

std::string lanes_of_items(const level_note& note) {
  if (note.columns == 0) {
    return note.told_to_vectorise ? "one at a time, in a loop that the compiler is told to vectorise (omp_simd)"
                                  : "one at a time (scalar)";
  }
  if (note.rows == 1) {
    return "N = " + std::to_string(note.columns) + " lanes at a time";
  }
  return "N = " + std::to_string(note.rows * note.columns) + " lanes at a time, " + std::to_string(note.rows) + " x " +
         std::to_string(note.columns);
}

std::string line_of(const level_note& note) {
  std::string text(2 * static_cast<std::size_t>(note.depth + 1), ' ');
  const std::string size = extents_of(note.whole, note.dimensions) + (note.is_static ? ", static" : "");
  if (note.tile[0] == 0) {
    return text + "items of a group of " + size + ": " + lanes_of_items(note) + "\n";
  }
  std::size_t tiles = 1;
  for (int d = 0; d < note.dimensions; ++d) {
    tiles *= (note.whole[d] + note.tile[d] - 1) / note.tile[d];
  }
  return text + std::to_string(tiles) + " tiles of " + extents_of(note.tile, note.dimensions) + " in a group of " +
         size + ": one after the other on the thread of the group" +
         (note.columns == 0 ? "" : "; their items, in generic callables: " + lanes_of_items(note)) + "\n";
}

} // namespace

bool explanations_wanted() { return value_of(environment_variables::explain).value_or(0) == 1; }

void explain(const explained_launch& what, const explanation& levels) {
  std::string text = "lanefold: " + std::string(what.model) + " kernel '" + what.work->kernel_name() +
                     "': " + what.groups + " work-groups of " + what.local + ", shared by up to " +
                     std::to_string(what.threads) + (what.threads == 1 ? " thread\n" : " threads\n");
  for (std::size_t i = 0; i < levels.count; ++i) {
    text += line_of(levels.levels[i]);
  }
  std::fputs(text.c_str(), stderr); // one call, so that launches do not mix
}

} // namespace detail
LANEFOLD_END_NAMESPACE
