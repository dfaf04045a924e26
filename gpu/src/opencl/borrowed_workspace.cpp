// SPDX-License-Identifier: Apache-2.0
#include "borrowed_workspace.hpp"

#include <mutex>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

borrowed_workspace::borrowed_workspace(queue& q, workspace::use what, std::size_t bytes)
    : m_queue(q), m_workspace(take(what, bytes)) {
  if (m_workspace->bytes < bytes)
    *m_workspace = make(what, bytes);
}

borrowed_workspace::~borrowed_workspace() {
  const std::lock_guard lock(m_queue.state().workspaces_mutex);
  m_queue.state().workspaces.push_back(std::move(m_workspace));
}

std::vector<event> borrowed_workspace::behind(std::vector<event> dependencies) const {
  dependencies.push_back(m_workspace->last);
  return dependencies;
}

kernel_argument borrowed_workspace::argument() {
  m_memory = {m_queue.get_device().shared_state(), m_workspace->memory, m_workspace->bytes};
  return {kernel_argument::kind::memory, {}, 0, nullptr, 0, &m_memory};
}

std::shared_ptr<workspace> borrowed_workspace::take(workspace::use what, std::size_t bytes) {
  const std::lock_guard lock(m_queue.state().workspaces_mutex);
  auto& all = m_queue.state().workspaces;
  auto chosen = all.end();
  for (auto w = all.begin(); w != all.end(); ++w)
    if ((*w)->what == what && (chosen == all.end() || (*chosen)->bytes < bytes))
      chosen = w;
  if (chosen == all.end())
    return std::make_shared<workspace>();
  std::shared_ptr<workspace> taken = *chosen;
  all.erase(chosen);
  return taken;
}

workspace borrowed_workspace::make(workspace::use what, std::size_t bytes) {
  workspace made;
  made.what = what;
  m_workspace->last.wait(); // the old memory may go
  made.bytes = (bytes + 255) / 256 * 256;
  const std::shared_ptr<memory_state> memory = allocate_memory(m_queue.get_device(), made.bytes);
  made.memory = memory->handle;
  const cl_uint zero = 0;
  cl_event handle = nullptr;
  check(clEnqueueFillBuffer(m_queue.state().handle(), made.memory(), &zero, sizeof(zero), 0, made.bytes, 0, nullptr,
                            &handle),
        "clearing memory");
  auto filled = std::make_shared<event_state>(m_queue.state().native, "fill");
  filled->begin(handle, m_queue.state().native->count());
  made.last = event(std::move(filled));
  return made;
}

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
