// SPDX-License-Identifier: Apache-2.0
/// Allocations that fail on purpose: failing_allocations.cpp replaces operator new of the program.
#pragma once

#include <cstddef>

namespace failing_allocations {

enum class how {
  once,      ///< the n-th allocation fails, later ones do not
  from_there ///< all fail from the n-th on
};

/// Counts the allocations of all threads from now on; the n-th (0 is the first one) throws std::bad_alloc.
void begin(std::size_t n, how which) noexcept;
/// Ends that. Returns whether an allocation has failed.
bool end() noexcept;

/// Allocations of the program that are not returned.
std::ptrdiff_t live() noexcept;

} // namespace failing_allocations
