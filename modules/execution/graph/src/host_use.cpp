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

/// Is the host's use of a part of a buffer, until it is destroyed.
class host_use {
public:
  host_use(shared_part<buffer_owner> buffer, const accessed_part& part);
  host_use(const host_use&) = delete;
  host_use& operator=(const host_use&) = delete;
  ~host_use() { scheduler::release(m_command); }

private:
  shared_part<buffer_owner> m_buffer; ///< may go when the use has ended
  command_ptr m_command;
};

host_use::host_use(shared_part<buffer_owner> buffer, const accessed_part& part) : m_buffer(std::move(buffer)) {
  const buffer_requirement r = requirement_by(*m_buffer, part);
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

shared_object use_on_host(const shared_part<buffer_owner>& buffer, const accessed_part& part) {
  return shared_object(std::make_shared<host_use>(buffer, part));
}

} // namespace detail
LANEFOLD_END_NAMESPACE
