// SPDX-License-Identifier: Apache-2.0
/// Checks what a kernel captures: it may capture the accessors of its own command.
#pragma once

#include <lanefold/execution/detail/buffer_requirement.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// The requirements of the command whose kernel the calling thread is copying, null if it copies none. Accessors look
/// here when they are copied: this is how one that belongs to another command is found before anything runs.
inline constinit thread_local const std::vector<buffer_requirement>* capturing = nullptr;

/// While it lives, kernels are copied for a command with these requirements.
class capture_scope {
public:
  explicit capture_scope(const std::vector<buffer_requirement>& requirements) noexcept : m_outer(capturing) {
    capturing = &requirements;
  }
  capture_scope(const capture_scope&) = delete;
  capture_scope& operator=(const capture_scope&) = delete;
  ~capture_scope() { capturing = m_outer; }

private:
  const std::vector<buffer_requirement>* m_outer;
};

/// Throws errc::accessor unless the command being made requires the memory [begin, end) of that buffer.
void check_captured(std::uint64_t buffer, const void* begin, const void* end, bool writes);

} // namespace detail
LANEFOLD_END_NAMESPACE
