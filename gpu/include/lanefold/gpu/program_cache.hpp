// SPDX-License-Identifier: Apache-2.0
/// Counts what became of programs that were asked for, and says where they are kept.
///
/// A program is looked for in memory, then on disk, then built. Files lie in $LANEFOLD_CACHE_DIR, else in
/// $XDG_CACHE_HOME/lanefold or ~/.cache/lanefold; LANEFOLD_CACHE_DIR set to nothing: no files. All files together take
/// at most $LANEFOLD_CACHE_SIZE bytes (256 MiB); those unused for longest go first. Several processes may share the
/// folder. A file that is damaged, or a folder that cannot be written, costs a build, never an error. A program that
/// includes files is built each time that it is asked for: they may have changed.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

/// Counts what happened in this process so far.
struct program_cache_counters {
  std::size_t memory_hits = 0;
  std::size_t disk_hits = 0;
  std::size_t builds = 0;
  std::size_t bad_files = 0;     ///< damaged, or of another program
  std::size_t failed_writes = 0; ///< programs that could not be written
};

[[nodiscard]] program_cache_counters get_program_cache_counters();

/// Returns the folder where files lie now; empty: no files are kept.
[[nodiscard]] std::string program_cache_directory();

} // namespace gpu
LANEFOLD_END_NAMESPACE
