// SPDX-License-Identifier: Apache-2.0
/// The CPU as a device.
#pragma once

#include <lanefold/version.hpp>

#include <cstddef>
#include <string>

LANEFOLD_BEGIN_NAMESPACE

/// The CPU that the process runs on. Every device object stands for the same device.
class device {
public:
  /// A device is a place for USM.
  using usm_place = void;

  constexpr bool is_cpu() const noexcept { return true; }
  constexpr bool is_gpu() const noexcept { return false; }
  constexpr bool is_accelerator() const noexcept { return false; }

  /// The model name that the operating system reports.
  std::string get_name() const;
  /// Cores that the process may use.
  std::size_t max_compute_units() const;
  /// Work-items per work-group.
  static constexpr std::size_t max_work_group_size() noexcept { return 8192; }
  /// Bytes of local memory per work-group.
  static constexpr std::size_t local_memory_bytes() noexcept { return 256 * 1024; }

  friend constexpr bool operator==(const device&, const device&) noexcept { return true; }
};

LANEFOLD_END_NAMESPACE
