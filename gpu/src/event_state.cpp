// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/event.hpp>

#include "states.hpp"

#include <algorithm>
#include <exception>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace detail {

cl_event event_state::handle() {
  const std::lock_guard lock(m_mutex);
  if (m_handle() == nullptr) {
    m_reached = m_progress->enqueued.load();
    cl_event made = nullptr;
    check(clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &made), "marking the end of a command");
    m_handle = cl::Event(made);
  }
  return m_handle();
}

cl_int event_state::status() {
  if (is_known_complete())
    return CL_COMPLETE;
  cl_int now = CL_COMPLETE;
  check(clGetEventInfo(handle(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(now), &now, nullptr),
        "asking for the state of a command", errc::event);
  if (now == CL_COMPLETE && m_progress)
    m_progress->has_come_to(std::max(m_reached, m_place));
  return now;
}

/// False if OpenCL does not let this thread wait for the command alone.
bool event_state::wait_alone() noexcept {
  try {
    const cl_event waited_for = handle();
    return clWaitForEvents(1, &waited_for) == CL_SUCCESS || status() <= CL_COMPLETE;
  } catch (const std::exception&) {
    return false;
  }
}

void event_state::wait() {
  if (!is_known_complete() && !wait_alone())
    check(clFinish(queue()), "waiting for a command");
}

void event_state::check_success() {
  if (const cl_int now = status(); now < 0)
    raise(now, "the command " + text() + " failed", errc::kernel);
}

} // namespace detail

namespace {

std::uint64_t profiling_of(const event& e, cl_profiling_info what) {
  if (!e.state())
    throw exception(make_error_code(errc::profiling), "profiling: an event without a command");
  cl_command_queue_properties properties = 0;
  clGetCommandQueueInfo(e.state()->queue(), CL_QUEUE_PROPERTIES, sizeof(properties), &properties, nullptr);
  if ((properties & CL_QUEUE_PROFILING_ENABLE) == 0)
    throw exception(make_error_code(errc::profiling), "profiling: the queue was made without enable_profiling");
  e.wait();
  cl_ulong time = 0;
  detail::check(clGetEventProfilingInfo(e.state()->handle(), what, sizeof(time), &time, nullptr), "profiling",
                errc::profiling);
  return time;
}

} // namespace

void event::wait() const {
  if (!m_state)
    return;
  m_state->wait();
  m_state->check_success();
}

void event::wait(const std::vector<event>& events) {
  for (const event& e : events)
    e.wait();
}

info::event_command_status event::get_status() const {
  if (!m_state)
    return info::event_command_status::complete;
  clFlush(m_state->queue()); // else it may never begin
  const cl_int status = m_state->status();
  return status <= CL_COMPLETE  ? info::event_command_status::complete
         : status == CL_RUNNING ? info::event_command_status::running
                                : info::event_command_status::submitted;
}

std::uint64_t event::profiling_submit() const { return profiling_of(*this, CL_PROFILING_COMMAND_SUBMIT); }
std::uint64_t event::profiling_start() const { return profiling_of(*this, CL_PROFILING_COMMAND_START); }
std::uint64_t event::profiling_end() const { return profiling_of(*this, CL_PROFILING_COMMAND_END); }

} // namespace gpu
LANEFOLD_END_NAMESPACE
