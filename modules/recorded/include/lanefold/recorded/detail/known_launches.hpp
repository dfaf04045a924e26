// SPDX-License-Identifier: Apache-2.0
/// The launches that are known by what their kernels have captured, so that nothing is recorded again.
#pragma once

#include <lanefold/recorded/detail/kernel_recording.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct known_launch;

/// The launches of one kernel type at one place of the program. Thread-safe. Decision 052 says which are known.
class known_launches {
public:
  known_launches();
  known_launches(const known_launches&) = delete;
  known_launches& operator=(const known_launches&) = delete;
  ~known_launches();

private:
  friend class captured_launch;

  std::mutex m_guard;
  std::vector<std::unique_ptr<known_launch>> m_all;
  std::size_t m_next = 0;    ///< the one that a new one replaces
  bool m_reads_more = false; ///< what is recorded depends on more than on what is captured
};

/// A launch that a command is about to make. `kernel` are the bytes of a comparable_kernel, which must live as
/// long.
class captured_launch {
public:
  captured_launch(known_launches& all, handler& command, const launch_settings& settings,
                  const recorded_launch_space& where, const std::byte* kernel, std::size_t kernel_bytes);
  captured_launch(const captured_launch&) = delete;
  captured_launch& operator=(const captured_launch&) = delete;

  /// The launch, if it is known; null if the kernel is to be recorded. Errors: those of a launch of a gpu::kernel.
  [[nodiscard]] std::unique_ptr<launch> find();
  /// The kernel was recorded, and its launch made. Errors: errc::kernel if an earlier recording of the same was another
  /// one, because the kernel reads what it has not captured.
  void learn(kernel_recording& recording);

private:
  static constexpr std::size_t most_buffers = 16;

  [[nodiscard]] known_launch* same() const;
  [[nodiscard]] bool has_same_kernel(const known_launch& known) const;
  [[nodiscard]] bool has_same_buffers(const known_launch& known) const;
  [[nodiscard]] std::unique_ptr<known_launch> made(kernel_recording& recording) const;
  [[nodiscard]] bool depends_on_captured_bytes_only(const kernel_recording& recording) const;
  [[nodiscard]] bool is_known_memory(const std::byte* at) const;

  known_launches& m_all;
  handler& m_command;
  const launch_settings& m_settings;
  const recorded_launch_space& m_where;
  const std::byte* m_kernel;
  std::size_t m_kernel_bytes;
  std::size_t m_local_owner;
  bool m_is_settled = true; ///< no host memory of its buffers may be changing
  std::array<std::uint64_t, most_buffers> m_versions;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
