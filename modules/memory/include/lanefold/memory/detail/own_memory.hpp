// SPDX-License-Identifier: Apache-2.0
/// Checked builds: which memory belongs to single work-items. Internal.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/version.hpp>

#if defined(LANEFOLD_CHECKED)

#include <cstddef>
#include <cstdint>
#include <map>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The memory of which the work-items of a group have made views themselves.
class own_memory {
public:
  void add(const void* data, std::size_t bytes);
  [[nodiscard]] bool contains(const void* element) const noexcept { return !m_parts.empty() && find(element); }
  void clear() noexcept { m_parts.clear(); }

private:
  [[nodiscard]] bool find(const void* element) const noexcept;

  std::map<std::uintptr_t, std::uintptr_t> m_parts; ///< beginning and end of each
};

} // namespace detail
LANEFOLD_END_NAMESPACE

#endif
