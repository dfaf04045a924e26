// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/event.hpp>

#include "states.hpp"

#include <exception>
#include <memory>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {

namespace opencl {

cl_event event_state::handle() {
  const std::lock_guard lock(m_mutex);
  if (m_handle() == nullptr) {
    m_reached = m_queue->enqueued.load();
    cl_event made = nullptr;
    check(clEnqueueMarkerWithWaitList(queue(), 0, nullptr, &made), "marking the end of a command");
    m_handle = cl::Event(made);
  }
  return m_handle();
}

cl_int event_state::code() {
  if (is_known_complete())
    return CL_COMPLETE;
  cl_int now = CL_COMPLETE;
  check(clGetEventInfo(handle(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(now), &now, nullptr),
        "asking for the state of a command", errc::event);
  // Not m_place: threads that submit at the same time may be counted in another order than the driver has them.
  if (now == CL_COMPLETE && m_queue->in_order)
    m_queue->has_come_to(m_reached);
  return now;
}

/// False if OpenCL does not let this thread wait for the command alone. An in-order queue has then done what comes
/// before, too, of which nobody needs to ask OpenCL: a graph of 100 kernels would make as many markers.
bool event_state::wait_alone() noexcept {
  try {
    const cl_event waited_for = handle();
    if (clWaitForEvents(1, &waited_for) != CL_SUCCESS)
      return code() <= CL_COMPLETE;
    if (m_queue->in_order)
      m_queue->has_come_to(m_reached);
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

void event_state::await() {
  if (!is_known_complete() && !wait_alone())
    check(clFinish(queue()), "waiting for a command");
}

void event_state::check_success() {
  if (const cl_int now = code(); now < 0)
    raise(now, "the command " + text() + " failed", errc::kernel);
}

info::event_command_status event_state::current_status() {
  if (is_known_complete())
    return info::event_command_status::complete;
  clFlush(queue()); // else it may never begin
  const cl_int now = code();
  return now <= CL_COMPLETE  ? info::event_command_status::complete
         : now == CL_RUNNING ? info::event_command_status::running
                             : info::event_command_status::submitted;
}

// ---- as the command graph asks

info::event_command_status event_state::status() noexcept {
  for (int i = 0; i < 2; ++i) {
    try {
      return current_status();
    } catch (const std::exception&) { // it may know in a moment
    }
  }
  m_lost.store(true); // a device that is gone answers nothing any more
  return info::event_command_status::complete;
}

void event_state::wait() noexcept {
  try {
    await();
  } catch (const std::exception&) { // error() tells
    m_lost.store(true);
  }
}

namespace {

struct notification {
  void (*call)(void*);
  void* argument;
};

void CL_CALLBACK notify(cl_event, cl_int, void* data) {
  const std::unique_ptr<notification> n(static_cast<notification*>(data));
  n->call(n->argument);
}

} // namespace

void event_state::when_complete(void (*call)(void*), void* argument) noexcept {
  try {
    auto n = std::make_unique<notification>(notification{call, argument});
    check(clSetEventCallback(handle(), CL_COMPLETE, &notify, n.get()), "asking to be told");
    static_cast<void>(n.release());
    clFlush(queue());
  } catch (const std::exception&) { // nobody is told, but somebody waits
    wait();
    call(argument);
  }
}

// Called where OpenCL allows no call that waits.
std::exception_ptr event_state::error() noexcept {
  try {
    check_success();
    if (m_lost.load())
      throw exception(make_error_code(errc::platform),
                      "the command " + text() + " may not have ended: OpenCL did not let the host wait");
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

ld::device_event::times event_state::profile() {
  const cl_event its = handle();
  const auto at = [its](cl_profiling_info what) {
    cl_ulong time = 0;
    check(clGetEventProfilingInfo(its, what, sizeof(time), &time, nullptr), "asking for the times of a command",
          errc::profiling);
    return static_cast<std::uint64_t>(time);
  };
  return {at(CL_PROFILING_COMMAND_QUEUED), at(CL_PROFILING_COMMAND_START), at(CL_PROFILING_COMMAND_END)};
}

} // namespace opencl

namespace {

std::uint64_t profiling_of(const event& e, cl_profiling_info what) {
  if (!e.state())
    throw exception(make_error_code(errc::profiling), "profiling: an event without a command");
  cl_command_queue_properties properties = 0;
  clGetCommandQueueInfo(e.state()->queue(), CL_QUEUE_PROPERTIES, sizeof(properties), &properties, nullptr);
  if ((properties & CL_QUEUE_PROFILING_ENABLE) == 0)
    throw exception(make_error_code(errc::profiling),
                    "profiling: the queue was made without property::queue::enable_profiling");
  e.wait();
  cl_ulong time = 0;
  opencl::check(clGetEventProfilingInfo(e.state()->handle(), what, sizeof(time), &time, nullptr), "profiling",
                errc::profiling);
  return time;
}

} // namespace

void event::wait() const {
  if (!m_state)
    return;
  m_state->await();
  m_state->check_success();
}

void event::wait(const std::vector<event>& events) {
  for (const event& e : events)
    e.wait();
}

info::event_command_status event::get_status() const {
  return m_state ? m_state->current_status() : info::event_command_status::complete;
}

std::uint64_t event::profiling_submit() const { return profiling_of(*this, CL_PROFILING_COMMAND_SUBMIT); }
std::uint64_t event::profiling_start() const { return profiling_of(*this, CL_PROFILING_COMMAND_START); }
std::uint64_t event::profiling_end() const { return profiling_of(*this, CL_PROFILING_COMMAND_END); }

} // namespace gpu
LANEFOLD_END_NAMESPACE
