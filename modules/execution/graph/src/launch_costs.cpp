// SPDX-License-Identifier: Apache-2.0
#include "launch_costs.hpp"

#include <algorithm>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Of a nanosecond: a group of a range may be one work-item of a vectorised loop.
constexpr double fractions = 256;

// A word's parts.
constexpr std::uint64_t cost_bits = 0xffffffff;
constexpr std::uint64_t vectorised_bit = std::uint64_t{1} << 32;
constexpr std::uint64_t tag_bits = ~(cost_bits | vectorised_bit);

} // namespace

launch_costs::hint launch_costs::of(const launch& work) noexcept {
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(&typeid(work)) >> 3;
  return {address << 33, m_entries[(address ^ address >> 8) % m_entries.size()], work.parts()};
}

group_cost launch_costs::hint::of_group() const noexcept {
  const std::uint64_t word = m_entry.load(std::memory_order_relaxed);
  if ((word & tag_bits) != m_tag) {
    return {};
  }
  return {static_cast<double>(word & cost_bits) / (fractions * m_parts), (word & vectorised_bit) != 0};
}

launch_costs::duration launch_costs::hint::expected(std::size_t groups) const noexcept {
  return duration_of(of_group().nanoseconds * static_cast<double>(groups));
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
  const bool is_known = (old & tag_bits) == m_tag;
  const std::uint64_t old_cost = old & cost_bits;
  if (!is_known || cost > old_cost + old_cost / 4 || cost + old_cost / 4 < old_cost) {
    m_entry.store(m_tag | (is_known ? old & vectorised_bit : 0) | cost, std::memory_order_relaxed);
  }
}

void launch_costs::hint::learn_vectorised() noexcept {
  const std::uint64_t old = m_entry.load(std::memory_order_relaxed);
  if ((old & (tag_bits | vectorised_bit)) == m_tag) {
    m_entry.store(old | vectorised_bit, std::memory_order_relaxed);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
