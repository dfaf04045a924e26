// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/host_use.hpp>

#include "buffer_places.hpp"
#include "host_queue.hpp"
#include "requirements_lock.hpp"
#include "scheduler.hpp"

#include <lanefold/execution/detail/buffer_access.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <memory>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// The host's use of a part of a buffer, until it is destroyed.
class host_use {
public:
  explicit host_use(const buffer_requirement& r);
  host_use(const host_use&) = delete;
  host_use& operator=(const host_use&) = delete;
  ~host_use() { scheduler::release(m_command); }

private:
  command_ptr m_command;
};

/// Ends before the buffer may go.
struct host_buffer_use {
  host_buffer_use(std::shared_ptr<buffer_owner> b, const accessed_part& part)
      : buffer(std::move(b)), host(requirement_by(*buffer, part)) {}
  std::shared_ptr<buffer_owner> buffer;
  host_use host;
};

host_use::host_use(const buffer_requirement& r) {
  kernel_scope::refuse_inside();
  std::vector<buffer_requirement> requirements{r};
  requirements.front().by_part = true; // a thread may have several, of parts that do not overlap
  std::vector<dependency> before;
  m_command = host_queue()->hold(host_queue(), r.buffer->bytes());
  try {
    {
      requirements_lock lock(requirements);
      lock.prepare(false);
      before.reserve(lock.count(*m_command));
      lock.enter(m_command, before);
    }
    for (const dependency& d : before) {
      scheduler::wait(d.on);
    }
    if (r.buffer->has_places()) {
      r.buffer->places().bring_to_host({r.begin, r.end}, r.kind);
    }
  } catch (...) {
    scheduler::release(m_command);
    throw;
  }
}

} // namespace

std::shared_ptr<void> use_on_host(const std::shared_ptr<buffer_owner>& buffer, const accessed_part& part) {
  return std::make_shared<host_buffer_use>(buffer, part);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
