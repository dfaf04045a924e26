// SPDX-License-Identifier: Apache-2.0
#include "launch_costs.hpp"

#include <algorithm>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Of a nanosecond: a group of a range may be one work-item of a vectorised loop.
constexpr double fractions = 256;

} // namespace

launch_costs::hint launch_costs::of(const launch& work) noexcept {
  const std::uint64_t tag = reinterpret_cast<std::uintptr_t>(&typeid(work)) >> 3;
  return {tag, m_entries[(tag ^ tag >> 8) % m_entries.size()], work.parts()};
}

double launch_costs::hint::of_group() const noexcept {
  const std::uint64_t word = m_entry.load(std::memory_order_relaxed);
  return word >> 32 != (m_tag & 0xffffffff) ? 0 : static_cast<double>(word & 0xffffffff) / (fractions * m_parts);
}

launch_costs::duration launch_costs::hint::expected(std::size_t groups) const noexcept {
  return duration_of(of_group() * static_cast<double>(groups));
}

launch_costs::duration launch_costs::duration_of(double nanoseconds) noexcept {
  return nanoseconds == 0 || nanoseconds > 1e12
             ? duration::max()
             : std::chrono::duration_cast<duration>(std::chrono::nanoseconds(static_cast<std::int64_t>(nanoseconds)));
}

void launch_costs::hint::learn(std::size_t groups, duration time) noexcept {
  if (groups == 0) {
    return;
  }
  const double nanoseconds = std::chrono::duration<double, std::nano>(time).count() / static_cast<double>(groups);
  const auto cost = static_cast<std::uint64_t>(std::clamp(nanoseconds * m_parts * fractions, 1.0, 4e9));
  const std::uint64_t old = m_entry.load(std::memory_order_relaxed);
  const std::uint64_t old_cost = old & 0xffffffff;
  if (old >> 32 != (m_tag & 0xffffffff) || cost > old_cost + old_cost / 4 || cost + old_cost / 4 < old_cost) {
    m_entry.store((m_tag & 0xffffffff) << 32 | cost, std::memory_order_relaxed);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
