// SPDX-License-Identifier: Apache-2.0
#include <lanefold/gpu/queue.hpp>

#include "arguments.hpp"
#include "launch_space.hpp"
#include "states.hpp"

#include <lanefold/memory/detail/unreachable_memory.hpp>

#include <atomic>
#include <cstring>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu {
namespace opencl {

std::uint64_t memory_state::new_id() noexcept {
  static constinit std::atomic<std::uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::shared_ptr<memory_state> allocate_memory(const device& on, std::size_t bytes) {
  auto memory = std::make_shared<memory_state>(memory_state{on.shared_state(), {}, bytes});
  if (bytes == 0)
    return memory;
  // Some drivers promise any amount and fail at the first use.
  cl_int code = bytes > on.global_memory_bytes() ? CL_MEM_OBJECT_ALLOCATION_FAILURE : CL_SUCCESS;
  if (code == CL_SUCCESS)
    memory->handle = cl::Buffer(clCreateBuffer(on.state().context()(), CL_MEM_READ_WRITE, bytes, nullptr, &code));
  if (code != CL_SUCCESS)
    raise(code, "allocating " + std::to_string(bytes) + " bytes of a device", errc::memory_allocation);
  return memory;
}

namespace {

cl_context context_of(cl_command_queue queue) {
  cl_context found = nullptr;
  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(found), &found, nullptr);
  return found;
}

/// Holds what a command waits for, as OpenCL wants it. Throws errc::backend_mismatch for events of other devices.
class wait_list {
public:
  wait_list(const queue_state& queue, const std::vector<event>& events) {
    for (const event& e : events) {
      if (!e.state())
        continue;
      const bool same = e.state()->queue() == queue.handle();
      if (same && queue.native->in_order)
        continue; // it comes first anyway
      if (!same && context_of(e.state()->queue()) != context_of(queue.handle()))
        throw exception(make_error_code(errc::backend_mismatch),
                        "a command depends on an event of another device: wait for the event, or use lanefold::queue");
      m_events.push_back(e.state()->handle());
      if (!same)
        clFlush(e.state()->queue()); // else it may never begin
    }
  }
  cl_uint size() const noexcept { return static_cast<cl_uint>(m_events.size()); }
  const cl_event* data() const noexcept { return m_events.empty() ? nullptr : m_events.data(); }

private:
  std::vector<cl_event> m_events;
};

/// Fills a little memory: once a queue has done so, NVIDIA's driver takes 0.5 to 0.6 µs (5 %) less for each launch that
/// follows a wait (H100, driver 580.159; no kernel or copy does the same, nor a fill in another queue). No failure
/// matters.
void fill_little(const queue_state& queue) noexcept {
  const cl_uint nothing = 0;
  if (const cl::Buffer memory(
          clCreateBuffer(queue.device.state().context()(), CL_MEM_READ_WRITE, sizeof(nothing), nullptr, nullptr));
      memory() != nullptr)
    clEnqueueFillBuffer(queue.handle(), memory(), &nothing, sizeof(nothing), 0, sizeof(nothing), 0, nullptr, nullptr);
}

/// Counts a command that the driver has, and returns its place. The fill takes 0.1 to 0.4 ms: only queues that are used
/// for long have it.
std::uint64_t count_command(const queue_state& queue) noexcept {
  constexpr std::uint64_t long_use = 64;
  const std::uint64_t place = queue.native->count();
  if (place == long_use && queue.device.state().target.nv)
    fill_little(queue);
  return place;
}

/// Calls `enqueue(count, events, cl_event*)` and makes the event.
template <class Enqueue>
event enqueue(const queue_state& queue, const char* what, const std::vector<event>& dependencies, Enqueue call,
              const std::string& name = {}) {
  const wait_list waits(queue, dependencies);
  cl_event handle = nullptr;
  const bool needed = !queue.native->in_order || queue.profiling;
  auto state = std::make_shared<event_state>(queue.native, what, name);
  const cl_int code = call(waits.size(), waits.data(), needed ? &handle : nullptr);
  if (code != CL_SUCCESS)
    raise(code, "submitting " + state->text());
  state->begin(handle, count_command(queue));
  return event(std::move(state));
}

void check_room(const memory_state& memory, std::size_t offset, std::size_t bytes, const char* what) {
  if (offset > memory.bytes || bytes > memory.bytes - offset)
    throw exception(make_error_code(errc::invalid), std::string(what) + ": " + std::to_string(bytes) + " bytes at " +
                                                        std::to_string(offset) + " of a buffer of " +
                                                        std::to_string(memory.bytes));
}

void check_device(const queue_state& queue, const memory_state& memory, const char* what) {
  if (memory.device.get() != &queue.device.state())
    throw exception(make_error_code(errc::backend_mismatch), std::string(what) + ": the buffer is of another device");
}

void check_pointer(const void* pointer, std::size_t bytes, const char* what) {
  if (pointer == nullptr && bytes != 0)
    throw exception(make_error_code(errc::invalid), std::string(what) + ": null pointer");
}

/// Throws for null pointers, and for memory that the host does not access.
void check_host_pointer(const void* pointer, std::size_t bytes, const char* what) {
  check_pointer(pointer, bytes, what);
  if (bytes != 0)
    lanefold::detail::check_reached_by_host(pointer, what);
}

} // namespace

void check_copied(device_state& device, const void* pointer, std::size_t bytes, const char* what) {
  check_pointer(pointer, bytes, what);
  if (bytes != 0 && lanefold::detail::is_unreachable_memory(pointer))
    check_reached(device, pointer, [&] { return std::string(what); });
}

event nothing_behind(const queue_state& queue, const std::vector<event>& dependencies) {
  return enqueue(queue, "nothing", dependencies, [&](cl_uint count, const cl_event* events, cl_event* made) {
    return clEnqueueMarkerWithWaitList(queue.handle(), count, events, made);
  });
}

event launch_checked(queue_state& on, const kernel_state& kernel, built_kernel& built, const launch_space& space,
                     const argument_list& arguments, const std::vector<event>& dependencies) {
  if (is_empty(space))
    return nothing_behind(on, dependencies);
  const std::lock_guard lock(built.mutex);
  const prepared_kernel prepared = set_arguments(on.device, kernel, built, arguments);
  const auto call = [&](cl_uint waits, const cl_event* events, cl_event* made) {
    return clEnqueueNDRangeKernel(on.handle(), prepared.object.handle(), static_cast<cl_uint>(space.dimensions),
                                  space.offset.data(), space.global.data(), space.local.data(), waits, events, made);
  };
  return enqueue(on, "kernel", dependencies, call, kernel.title());
}

std::uint64_t launch_counted(const queue_state& on, const kernel_state& kernel, built_kernel& built,
                             const launch_space& space, const argument_list& arguments) {
  const std::lock_guard lock(built.mutex);
  const prepared_kernel prepared = set_arguments(on.device, kernel, built, arguments);
  const cl_int code =
      clEnqueueNDRangeKernel(on.handle(), prepared.object.handle(), static_cast<cl_uint>(space.dimensions),
                             space.offset.data(), space.global.data(), space.local.data(), 0, nullptr, nullptr);
  if (code != CL_SUCCESS)
    raise(code, "submitting kernel '" + kernel.title() + "'");
  return count_command(on);
}

} // namespace opencl

queue::queue(const device& on, const property_list& properties)
    : m_state(std::make_shared<opencl::queue_state>(
          on, std::make_shared<opencl::native_queue>(properties.has_property<lanefold::property::queue::in_order>()),
          properties.has_property<property::enable_profiling>())) {
  cl_command_queue_properties supported = 0;
  clGetDeviceInfo(on.state().handle(), CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof(supported), &supported, nullptr);
  cl_command_queue_properties wanted = m_state->profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
  if (!is_in_order())
    wanted |= supported & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  m_state->native->handle = opencl::guarded(
      "making an OpenCL queue", [&] { return cl::CommandQueue(on.state().context(), on.state().handle, wanted); });
}

event queue::launch(const kernel& k, const opencl::launch_space& space, const opencl::kernel_argument* arguments,
                    std::size_t count, const std::vector<event>& dependencies) {
  opencl::kernel_state& kernel = k.state();
  const opencl::argument_list list(arguments, count);
  opencl::built_kernel& built = opencl::checked_kernel(m_state->device, kernel, space, list);
  return opencl::launch_checked(*m_state, kernel, built, space, list, dependencies);
}

void queue::build(const kernel& k) { k.state().on(m_state->device); }

event queue::write(opencl::memory_state& to, std::size_t offset, const void* from, std::size_t bytes,
                   const std::vector<event>& dependencies) {
  opencl::check_device(*m_state, to, "copy");
  opencl::check_room(to, offset, bytes, "copy");
  opencl::check_host_pointer(from, bytes, "copy");
  if (bytes == 0)
    return opencl::nothing_behind(*m_state, dependencies);
  return opencl::enqueue(*m_state, "copy", dependencies, [&](cl_uint waits, const cl_event* events, cl_event* made) {
    return clEnqueueWriteBuffer(m_state->handle(), to.handle(), CL_FALSE, offset, bytes, from, waits, events, made);
  });
}

event queue::read(opencl::memory_state& from, std::size_t offset, void* to, std::size_t bytes,
                  const std::vector<event>& dependencies) {
  opencl::check_device(*m_state, from, "copy");
  opencl::check_room(from, offset, bytes, "copy");
  opencl::check_host_pointer(to, bytes, "copy");
  if (bytes == 0)
    return opencl::nothing_behind(*m_state, dependencies);
  return opencl::enqueue(*m_state, "copy", dependencies, [&](cl_uint waits, const cl_event* events, cl_event* made) {
    return clEnqueueReadBuffer(m_state->handle(), from.handle(), CL_FALSE, offset, bytes, to, waits, events, made);
  });
}

event queue::copy_memory(opencl::memory_state& from, std::size_t from_offset, opencl::memory_state& to,
                         std::size_t to_offset, std::size_t bytes, const std::vector<event>& dependencies) {
  for (const opencl::memory_state* const memory : {&from, &to})
    opencl::check_device(*m_state, *memory, "copy");
  opencl::check_room(from, from_offset, bytes, "copy");
  opencl::check_room(to, to_offset, bytes, "copy");
  if (bytes == 0)
    return opencl::nothing_behind(*m_state, dependencies);
  return opencl::enqueue(*m_state, "copy", dependencies, [&](cl_uint waits, const cl_event* events, cl_event* made) {
    return clEnqueueCopyBuffer(m_state->handle(), from.handle(), to.handle(), from_offset, to_offset, bytes, waits,
                               events, made);
  });
}

event queue::fill_memory(opencl::memory_state& to, std::size_t offset, const void* pattern, std::size_t width,
                         std::size_t bytes, const std::vector<event>& dependencies) {
  opencl::check_device(*m_state, to, "fill");
  if (bytes == 0)
    return opencl::nothing_behind(*m_state, dependencies);
  return opencl::enqueue(*m_state, "fill", dependencies, [&](cl_uint waits, const cl_event* events, cl_event* made) {
    return clEnqueueFillBuffer(m_state->handle(), to.handle(), pattern, width, offset, bytes, waits, events, made);
  });
}

event queue::memcpy_handles(void* to, const void* from, std::size_t bytes, const std::vector<event>& dependencies) {
  const opencl::usm_place target = opencl::place_of(m_state->device.state(), to);
  const opencl::usm_place source = opencl::place_of(m_state->device.state(), from);
  if (target.memory && source.memory)
    return copy_memory(*source.memory, source.offset, *target.memory, target.offset, bytes, dependencies);
  if (target.memory)
    return write(*target.memory, target.offset, from, bytes, dependencies);
  if (source.memory)
    return read(*source.memory, source.offset, to, bytes, dependencies);
  // Host memory only, of which OpenCL knows nothing: here, now.
  event before = opencl::nothing_behind(*m_state, dependencies);
  before.wait();
  std::memcpy(to, from, bytes);
  return before;
}

event queue::memcpy(void* to, const void* from, std::size_t bytes, const std::vector<event>& dependencies) {
  opencl::check_copied(m_state->device.state(), to, bytes, "memcpy");
  opencl::check_copied(m_state->device.state(), from, bytes, "memcpy");
  if (!m_state->device.has_usm_device())
    throw exception(make_error_code(errc::feature_not_supported), "memcpy: the device has no USM; use gpu::buffer");
  if (bytes == 0)
    return opencl::nothing_behind(*m_state, dependencies);
  const usm_support way = m_state->device.get_usm_support();
  if (way == usm_support::handles)
    return memcpy_handles(to, from, bytes, dependencies);
  return opencl::enqueue(*m_state, "memcpy", dependencies, [&](cl_uint waits, const cl_event* events, cl_event* made) {
    const auto& usm = m_state->device.state().usm;
    return way == usm_support::intel
               ? usm.memcpy(m_state->handle(), CL_FALSE, to, from, bytes, waits, events, made)
               : clEnqueueSVMMemcpy(m_state->handle(), CL_FALSE, to, from, bytes, waits, events, made);
  });
}

event queue::prefetch(const void* memory, std::size_t bytes, const std::vector<event>& dependencies) {
  opencl::device_state& device = m_state->device.state();
  const usm_support way = device.usm_way;
  const bool can = way == usm_support::intel
                       ? device.usm.migrate != nullptr
                       : way == usm_support::svm && device.handle.getInfo<CL_DEVICE_VERSION>() >= "OpenCL 2.1";
  if (!can || bytes == 0 || !opencl::is_shared_usm(device, memory, bytes))
    return opencl::nothing_behind(*m_state, dependencies);
  return opencl::enqueue(
      *m_state, "prefetch", dependencies, [&](cl_uint waits, const cl_event* events, cl_event* made) {
        const cl_int status =
            way == usm_support::intel
                ? device.usm.migrate(m_state->handle(), memory, bytes, 0, waits, events, made)
                : clEnqueueSVMMigrateMem(m_state->handle(), 1, &memory, &bytes, 0, waits, events, made);
        return status == CL_SUCCESS ? status : clEnqueueMarkerWithWaitList(m_state->handle(), waits, events, made);
      });
}

event queue::memset(void* to, int value, std::size_t bytes, const std::vector<event>& dependencies) {
  const auto byte = static_cast<unsigned char>(value);
  return fill_usm(to, &byte, 1, bytes, dependencies);
}

event queue::fill_usm(void* to, const void* pattern, std::size_t width, std::size_t bytes,
                      const std::vector<event>& dependencies) {
  opencl::check_copied(m_state->device.state(), to, bytes, "fill");
  if (!m_state->device.has_usm_device())
    throw exception(make_error_code(errc::feature_not_supported), "fill: the device has no USM; use gpu::buffer");
  if (bytes == 0)
    return opencl::nothing_behind(*m_state, dependencies);
  const usm_support way = m_state->device.get_usm_support();
  if (way == usm_support::handles) {
    const opencl::usm_place place = opencl::place_of(m_state->device.state(), to);
    if (!place.memory)
      throw exception(make_error_code(errc::invalid), "fill: the pointer is of no live USM allocation of the device");
    opencl::check_room(*place.memory, place.offset, bytes, "fill");
    return fill_memory(*place.memory, place.offset, pattern, width, bytes, dependencies);
  }
  return opencl::enqueue(*m_state, "fill", dependencies, [&](cl_uint waits, const cl_event* events, cl_event* made) {
    const auto& usm = m_state->device.state().usm;
    return way == usm_support::intel
               ? usm.fill(m_state->handle(), to, pattern, width, bytes, waits, events, made)
               : clEnqueueSVMMemFill(m_state->handle(), to, pattern, width, bytes, waits, events, made);
  });
}

event queue::ext_oneapi_submit_barrier(const std::vector<event>& events) {
  return opencl::enqueue(*m_state, "barrier", events, [&](cl_uint waits, const cl_event* list, cl_event* made) {
    return clEnqueueBarrierWithWaitList(m_state->handle(), waits, list, made);
  });
}

void queue::wait() {
  opencl::native_queue& native = *m_state->native;
  const std::uint64_t reached = native.enqueued.load();
  opencl::check(clFinish(native.handle()), "waiting for a queue", errc::kernel);
  native.has_come_to(reached);
}

const device& queue::get_device() const noexcept { return m_state->device; }
bool queue::is_in_order() const noexcept { return m_state->native->in_order; }
bool queue::is_profiling() const noexcept { return m_state->profiling; }

} // namespace gpu
LANEFOLD_END_NAMESPACE
