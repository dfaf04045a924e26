// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "states.hpp"

#include <lanefold/gpu/queue.hpp>

#include <cstddef>
#include <memory>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

/// Borrows a workspace of the queue, of at least `bytes` zeroed when it was made, and gives it back with the last
/// command that uses it.
class borrowed_workspace {
public:
  borrowed_workspace(queue& q, workspace::use what, std::size_t bytes);
  ~borrowed_workspace();
  borrowed_workspace(const borrowed_workspace&) = delete;
  borrowed_workspace& operator=(const borrowed_workspace&) = delete;

  workspace& operator*() const noexcept { return *m_workspace; }
  workspace* operator->() const noexcept { return m_workspace.get(); }

  /// Returns `dependencies`, and the last command that used the workspace.
  std::vector<event> behind(std::vector<event> dependencies) const;

  /// Returns the memory as an argument for a pointer.
  kernel_argument argument();

private:
  std::shared_ptr<workspace> take(workspace::use what, std::size_t bytes);
  workspace make(workspace::use what, std::size_t bytes);

  queue& m_queue;
  std::shared_ptr<workspace> m_workspace;
  memory_state m_memory;
};

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
