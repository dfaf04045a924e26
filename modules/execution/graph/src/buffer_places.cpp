// SPDX-License-Identifier: Apache-2.0
#include "buffer_places.hpp"

#include <lanefold/execution/info.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

buffer_places::~buffer_places() {
  for (const std::unique_ptr<place>& p : m_places) {
    for (const upload& u : p->uploads) {
      u.until->wait();
    }
  }
}

buffer_places::place& buffer_places::find(device_backend& device) {
  for (const std::unique_ptr<place>& p : m_places) {
    if (p->device == &device) {
      return *p;
    }
  }
  auto made = std::make_unique<place>();
  made->device = &device;
  made->memory = device.allocate(m_bytes);
  m_places.push_back(std::move(made));
  return *m_places.back();
}

device_memory& buffer_places::on(const device_backend& device) {
  const std::lock_guard lock(m_guard);
  const auto found =
      std::find_if(m_places.begin(), m_places.end(), [&](const auto& p) { return p->device == &device; });
  return *(*found)->memory;
}

void buffer_places::bring_to(device_queue& queue, byte_range part, access_kind kind,
                             std::vector<device_event_ptr>& after) {
  const std::lock_guard lock(m_guard);
  place& here = find(queue.home());
  std::erase_if(here.uploads, [](const upload& u) {
    return u.until->status() == info::event_command_status::complete && u.until->error() == nullptr;
  });
  if (kind.needs_old) {
    for (const byte_range& gap : here.valid.missing(part)) {
      fetch(gap);
      if (here.uploads.size() == here.uploads.capacity()) { // what the device reads must not be forgotten
        here.uploads.reserve(2 * here.uploads.size() + 1);
      }
      here.uploads.push_back({gap, here.memory->write(queue, gap.begin, m_host + gap.begin, gap.size())});
      here.valid.add(gap);
    }
  }
  for (const upload& u : here.uploads) {
    if (u.part.begin < part.end && part.begin < u.part.end) {
      after.push_back(u.until);
    }
  }
  if (kind.writes) {
    // In this order nothing is lost where memory is used up.
    m_host_stale.add(part);
    here.valid.add(part);
    for (const std::unique_ptr<place>& p : m_places) {
      if (p.get() != &here) {
        p->valid.remove(part);
      }
    }
  }
}

void buffer_places::bring_to_host(byte_range part, access_kind kind) {
  const std::lock_guard lock(m_guard);
  if (kind.needs_old) {
    fetch(part);
  }
  if (kind.writes) {
    m_host_stale.remove(part);
    for (const std::unique_ptr<place>& p : m_places) {
      p->valid.remove(part);
    }
  }
}

/// Under m_guard: makes a part valid on the host.
void buffer_places::fetch(byte_range part) {
  for (const byte_range& stale : m_host_stale.within(part)) {
    for (const std::unique_ptr<place>& p : m_places) {
      for (const byte_range& there : p->valid.within(stale)) {
        p->memory->read(there.begin, m_host + there.begin, there.size());
      }
    }
    m_host_stale.remove(stale);
    m_fetches.fetch_add(1, std::memory_order_release);
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
