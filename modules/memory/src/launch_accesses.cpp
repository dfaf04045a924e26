// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/detail/launch_accesses.hpp>

#if defined(LANEFOLD_CHECKED)

#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

launch_accesses::found launch_accesses::note(const void* element, std::size_t group, bool writes, bool atomic,
                                             const void* code) {
  shard& of = m_shards[(reinterpret_cast<std::uintptr_t>(element) >> 6) % shards];
  const std::lock_guard lock(of.mutex);
  entry& seen = of.elements[element];
  const auto other = [group](const party& who) { return who.group != nobody && who.group != group; };
  const party self{group, code};
  found result;
  if (other(seen.writer)) {
    result = {true, seen.writer.group, true, false, seen.writer.code};
  } else if (!atomic && other(seen.atomic) && (writes || seen.atomic_writes)) {
    result = {true, seen.atomic.group, seen.atomic_writes, true, seen.atomic.code};
  } else if (writes && other(seen.reader)) {
    result = {true, seen.reader.group, false, false, seen.reader.code};
  } else if (writes && other(seen.other_reader)) {
    result = {true, seen.other_reader.group, false, false, seen.other_reader.code};
  }
  if (atomic) {
    seen.atomic = self;
    seen.atomic_writes = seen.atomic_writes || writes;
  } else if (writes) {
    seen.writer = self;
  } else {
    (other(seen.reader) ? seen.other_reader : seen.reader) = self;
  }
  return result;
}

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
