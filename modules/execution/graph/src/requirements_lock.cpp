// SPDX-License-Identifier: Apache-2.0
#include "requirements_lock.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

requirements_lock::requirements_lock(std::vector<buffer_requirement>& requirements) : m_requirements(requirements) {
  if (requirements.size() > 1) {
    std::sort(requirements.begin(), requirements.end(),
              [](const buffer_requirement& a, const buffer_requirement& b) { return a.buffer.get() < b.buffer.get(); });
  }
  for (const buffer_requirement& r : requirements) {
    if (r.buffer->is_closed()) {
      throw exception(errc::accessor, "a buffer was destroyed before the command that uses it was submitted: it must "
                                      "live until the command group function has returned");
    }
  }
  const buffer_state* last = nullptr;
  for (const buffer_requirement& r : requirements) {
    if (r.buffer.get() != last) {
      r.buffer->m_guard.lock();
    }
    last = r.buffer.get();
  }
}

requirements_lock::~requirements_lock() {
  const buffer_state* last = nullptr;
  for (const buffer_requirement& r : m_requirements) {
    if (r.buffer.get() != last) {
      r.buffer->m_guard.unlock();
    }
    last = r.buffer.get();
  }
}

bool requirements_lock::prepare(bool elsewhere) {
  bool places = false;
  for (const buffer_requirement& r : m_requirements) {
    if (elsewhere) {
      r.buffer->make_places();
    }
    places = places || r.buffer->has_places();
    r.buffer->make_room(m_requirements.size());
  }
  return places;
}

std::size_t requirements_lock::count(const command& entering) const noexcept {
  std::size_t all = 0;
  for (const buffer_requirement& r : m_requirements) {
    all += r.buffer->count_before(entering, r);
  }
  return all;
}

void requirements_lock::enter(const command_ptr& command, std::vector<dependency>& found) noexcept {
  for (const buffer_requirement& r : m_requirements) {
    r.buffer->enter(command, r, found);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
