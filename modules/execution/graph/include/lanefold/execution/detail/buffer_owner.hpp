// SPDX-License-Identifier: Apache-2.0
/// The end of a buffer.
#pragma once

#include <lanefold/version.hpp>

#include <memory>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct weak_access; // weak_object.hpp

class buffer_state;

/// The handles of a buffer share one. When it goes, it waits for the commands that use the buffer, then the contents
/// are written back. Inside a kernel, which might be one of them, a command is submitted that does this.
class buffer_owner {
public:
  explicit buffer_owner(std::shared_ptr<buffer_state> owned) noexcept : state(std::move(owned)) {}
  buffer_owner(const buffer_owner&) = delete;
  buffer_owner& operator=(const buffer_owner&) = delete;
  ~buffer_owner();

  const std::shared_ptr<buffer_state> state;
};

} // namespace detail
LANEFOLD_END_NAMESPACE
