// SPDX-License-Identifier: Apache-2.0
/// Remembers what a group of a kernel costs.
#pragma once

#include "executor_distribution.hpp"

#include <lanefold/execution/launch.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The time that a group of a kernel takes, by the type of its launch: hints, which threads may overwrite. Each word
/// holds a part of the type's address, whether groups are vectorised, and the time in parts of a nanosecond (16 ms at
/// most). Of a launch whose groups are divided, functions take and return numbers and times of parts.
class launch_costs {
public:
  using duration = std::chrono::steady_clock::duration;

  /// The entry of one type of launch. It stays valid when the launch is gone.
  class hint {
  public:
    hint(std::uint64_t tag, std::atomic<std::uint64_t>& entry, std::size_t parts) noexcept
        : m_tag(tag), m_entry(entry), m_parts(static_cast<double>(parts)) {}

    [[nodiscard]] group_cost of_group() const noexcept;
    /// Nothing known: a very long time.
    [[nodiscard]] duration expected(std::size_t groups) const noexcept;
    void learn(std::size_t groups, duration time) noexcept;
    /// Another launch need not find it out.
    void learn_vectorised() noexcept;

  private:
    std::uint64_t m_tag; ///< where it is in the entry
    std::atomic<std::uint64_t>& m_entry;
    double m_parts; ///< of a group
  };

  [[nodiscard]] hint of(const launch& work) noexcept;
  /// Not known, or longer than a quarter of an hour: a very long time.
  [[nodiscard]] static duration duration_of(double nanoseconds) noexcept;

private:
  std::array<std::atomic<std::uint64_t>, 1024> m_entries{};
};

} // namespace detail
LANEFOLD_END_NAMESPACE
