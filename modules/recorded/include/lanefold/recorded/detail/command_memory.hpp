// SPDX-License-Identifier: Apache-2.0
/// Finds the memory of a command that a recorded kernel accesses.
#pragma once

#include <lanefold/execution/handler.hpp>
#include <lanefold/gpu/command.hpp>
#include <lanefold/recorded/detail/recorded_streams.hpp>
#include <lanefold/recorded/detail/recorder.hpp>

#include <cstddef>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Finds the memory of a command: what its accessors give access to, its local memory, USM of its device. Everything
/// that the kernel uses becomes an argument.
class command_memory final : public memory_map, public stream_memory {
public:
  /// Without a command every pointer is one to memory of its own. `filling`: what local memory is filled with.
  command_memory(handler* command, const launch_settings& settings, std::byte filling);

  place place_of(const void* pointer, bool reads) override;
  place find(const void* pointer, bool on_stack) override;

  std::size_t add_stream(const void* stream) override;

  /// Local accessors point there while the kernel is recorded; no kernel may read or write it.
  [[nodiscard]] std::byte* local_memory() noexcept { return m_local.empty() ? nullptr : m_local_begin; }
  /// Returns whether local memory holds what it was filled with.
  [[nodiscard]] bool is_local_memory_unchanged() const noexcept;
  [[nodiscard]] std::size_t count() const noexcept { return m_arguments.size(); }
  /// Returns which of the arguments are USM that the device takes as addresses; nothing if it takes none.
  [[nodiscard]] std::vector<bool> addresses() const;
  /// The arguments, of the types that the kernel gives them.
  [[nodiscard]] std::vector<gpu::opencl::command_argument> arguments(const recorder& what) const;

private:
  struct argument {
    const std::byte* begin;
    std::size_t bytes;
    gpu::opencl::command_argument given;
  };

  [[nodiscard]] place local_place(const std::byte* at) const;
  place buffer_place(const std::byte* at, bool reads);
  /// Returns whether an accessor of the command to no elements begins there.
  [[nodiscard]] bool is_empty_part(const std::byte* at) const;

  handler* m_command;
  const launch_settings& m_settings;
  std::byte m_filling;
  std::vector<std::byte> m_local;
  std::byte* m_local_begin = nullptr;
  std::size_t m_local_bytes;
  std::vector<argument> m_arguments;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
