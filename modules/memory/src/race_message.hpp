// SPDX-License-Identifier: Apache-2.0
/// Declares what is said of races. Checked builds only.
#pragma once

#include <lanefold/memory/detail/launch_accesses.hpp>
#include <lanefold/memory/detail/watched_groups.hpp>

#if defined(LANEFOLD_CHECKED)

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// An element, and where it is used.
struct element_place {
  const void* base;
  const std::byte* element;
  std::size_t bytes;
};
struct accessed_as {
  bool writes;
  bool atomic;
};
[[noreturn]] LANEFOLD_COLD void throw_race(const watched_groups& groups, const element_place& where,
                                           const accessing_party& first, accessed_as first_access,
                                           const accessing_party& second, accessed_as second_access);
[[noreturn]] LANEFOLD_COLD void throw_race_of_groups(const watched_groups& groups, const element_place& where,
                                                     const launch_accesses::found& first, const accessing_party& second,
                                                     accessed_as second_access);
[[noreturn]] LANEFOLD_COLD void throw_uninitialised(const watched_groups& groups, const element_place& where,
                                                    const accessing_party& reader);

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
