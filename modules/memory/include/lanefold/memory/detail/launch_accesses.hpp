// SPDX-License-Identifier: Apache-2.0
/// Checked builds: what the groups of a launch access, for the race detector. Internal.
#pragma once

#include <lanefold/version.hpp>

#if defined(LANEFOLD_CHECKED)

#include <cstddef>
#include <mutex>
#include <unordered_map>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Remembers what the groups of a launch access, on all threads.
class launch_accesses {
public:
  /// Returns what another group does with an element that this one has now accessed, if that is a race.
  struct found {
    bool race = false;
    std::size_t group = 0;
    bool writes = false;
    bool atomic = false;
    const void* code = nullptr;
  };
  found note(const void* element, std::size_t group, bool writes, bool atomic, const void* code);

private:
  static constexpr std::size_t nobody = ~std::size_t{0};
  struct party {
    std::size_t group = nobody;
    const void* code = nullptr;
  };
  struct entry {
    party writer;
    party reader;
    party other_reader;
    party atomic;
    bool atomic_writes = false;
  };
  struct shard {
    std::mutex mutex;
    std::unordered_map<const void*, entry> elements;
  };
  static constexpr std::size_t shards = 64;

  shard m_shards[shards];
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
