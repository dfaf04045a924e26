// SPDX-License-Identifier: Apache-2.0
#include "reserve_threads.hpp"

#include <lanefold/execution/detail/pipe_gate.hpp>
#include <lanefold/execution/launch.hpp>

#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

using namespace std::chrono_literals;

/// Who has waited for so long says so.
constexpr auto silence = 2s;
/// After so many operations without success others get a turn.
constexpr std::uint32_t tries = 64;

} // namespace

pipe_gate::reserve::reserve() { reserve_threads::all().begin_wait(); }
pipe_gate::reserve::~reserve() { reserve_threads::all().end_wait(); }

void pipe_gate::sleep(lock& held, waits_to what) {
  const std::uint64_t before = m_changes;
  if (m_changed.wait_for(held, silence) == std::cv_status::no_timeout || m_changes != before ||
      std::exchange(m_told, true)) {
    return;
  }
  const bool reads = what == waits_to::read;
  std::fprintf(stderr,
               "lanefold: a kernel has waited for two seconds to %s pipe '%s', which is %s; it waits until another one "
               "%s. Is that one submitted, and does it not depend on the kernel that waits, as it does in the same "
               "in-order queue? In a command graph it needs a thread of its own.\n",
               reads ? "read from" : "write to", type_name(m_id).c_str(), reads ? "empty" : "full",
               reads ? "writes to it" : "reads from it");
}

void pipe_gate::failed(lock& held) {
  const bool gives_way = ++m_failures % tries == 0;
  held.unlock();
  if (gives_way) {
    reserve_threads::all().begin_poll();
    std::this_thread::yield();
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
