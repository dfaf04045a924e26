// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/event.hpp>

#include "states.hpp"

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

cl_event detail::event_state::handle() {
  const std::lock_guard lock(m_mutex);
  if (m_handle() == nullptr) {
    cl_event made = nullptr;
    check(clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &made), "marking the end of a command");
    m_handle = cl::Event(made);
  }
  return m_handle();
}

namespace {

cl_int status_of(detail::event_state& state) {
  cl_int status = CL_COMPLETE;
  detail::check(clGetEventInfo(state.handle(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status, nullptr),
                "asking for the state of a command", errc::event);
  return status;
}

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

void detail::event_state::check_success() {
  if (const cl_int status = status_of(*this); status < 0)
    raise(status, "the command " + text() + " failed", errc::kernel);
}

void event::wait() const {
  if (!m_state)
    return;
  const cl_event handle = m_state->handle();
  const cl_int result = clWaitForEvents(1, &handle);
  m_state->check_success();
  detail::check(result, "waiting for a command");
}

void event::wait(const std::vector<event>& events) {
  for (const event& e : events)
    e.wait();
}

info::event_command_status event::get_status() const {
  if (!m_state)
    return info::event_command_status::complete;
  clFlush(m_state->queue()); // else it may never begin
  const cl_int status = status_of(*m_state);
  return status <= CL_COMPLETE  ? info::event_command_status::complete
         : status == CL_RUNNING ? info::event_command_status::running
                                : info::event_command_status::submitted;
}

std::uint64_t event::profiling_submit() const { return profiling_of(*this, CL_PROFILING_COMMAND_SUBMIT); }
std::uint64_t event::profiling_start() const { return profiling_of(*this, CL_PROFILING_COMMAND_START); }
std::uint64_t event::profiling_end() const { return profiling_of(*this, CL_PROFILING_COMMAND_END); }

} // namespace gpu
LANEFOLD_END_NAMESPACE
