// SPDX-License-Identifier: Apache-2.0
/// What a command says of a buffer that it uses.
#pragma once

#include <lanefold/execution/access.hpp>

#include <cstddef>
#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

class buffer_state;

/// A part of a buffer, in bytes from its beginning, and what a command does to it.
struct buffer_requirement {
  std::shared_ptr<buffer_state> buffer;
  std::size_t begin;
  std::size_t end;
  access_kind kind;
  /// The part that the buffer object stands for from which the accessor was made: all of it, or a sub-buffer.
  std::size_t object_begin;
  std::size_t object_end;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
