// SPDX-License-Identifier: Apache-2.0
/// Says how a command uses a buffer, and checks that its kernel captures the accessors of this command only.
#pragma once

#include <lanefold/execution/access.hpp>
#include <lanefold/execution/detail/shared_part.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class buffer_state;
class dynamic_value;

/// Holds what an accessor says of its part of a buffer. The library makes a requirement of it, so that programs compile
/// no shares in buffers.
struct accessed_part {
  const std::byte* first;
  std::size_t bytes;        ///< up to behind the last element
  std::size_t object_begin; ///< see buffer_requirement
  std::size_t object_end;
  access_kind kind;
  bool by_part;
};

/// A part of a buffer, in bytes from its beginning, and what a command does to it.
struct buffer_requirement {
  shared_part<buffer_state> buffer;
  std::size_t begin;
  std::size_t end;
  access_kind kind;
  /// The part that the buffer object stands for from which the accessor was made: all of it, or a sub-buffer. The
  /// command is ordered against all that use some of it.
  std::size_t object_begin;
  std::size_t object_end;
  /// Commands of which this is true are ordered among each other by the parts that they use.
  bool by_part = false;
};

/// A dynamic parameter that a kernel captures.
struct captured_parameter {
  shared_part<dynamic_value> value;
  std::uint64_t version; ///< the kernel has this value or a later one
};

class capture_scope;
/// Points to the scope of the command whose kernel the calling thread is copying, null if it copies none. Accessors
/// look here when they are copied: this is how one that belongs to another command is found before anything runs.
/// Dynamic parameters make themselves known here.
inline constinit thread_local const capture_scope* capturing = nullptr;

/// While it lives, kernels are copied for a command with these requirements.
class capture_scope {
public:
  capture_scope(const std::vector<buffer_requirement>& of_command, std::vector<captured_parameter>* found) noexcept
      : requirements(of_command), parameters(found), m_outer(capturing) {
    capturing = this;
  }
  capture_scope(const capture_scope&) = delete;
  capture_scope& operator=(const capture_scope&) = delete;
  ~capture_scope() { capturing = m_outer; }

  const std::vector<buffer_requirement>& requirements;
  std::vector<captured_parameter>* parameters; ///< gets those that the kernel captures; null: nobody asks

private:
  const capture_scope* m_outer;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
