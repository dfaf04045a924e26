// SPDX-License-Identifier: Apache-2.0
/// Declares the states behind the handles.
#pragma once

#include "opencl.hpp"

#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/gpu/device.hpp>
#include <lanefold/gpu/event.hpp>
#include <lanefold/memory/usm.hpp>

#include <atomic>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

namespace ld = lanefold::detail;

/// The functions of cl_intel_unified_shared_memory; null where the device lacks it.
struct usm_functions {
  clHostMemAllocINTEL_fn host_alloc = nullptr;
  clDeviceMemAllocINTEL_fn device_alloc = nullptr;
  clSharedMemAllocINTEL_fn shared_alloc = nullptr;
  clMemBlockingFreeINTEL_fn free = nullptr;
  clSetKernelArgMemPointerINTEL_fn set_argument = nullptr;
  clEnqueueMemcpyINTEL_fn memcpy = nullptr;
  clEnqueueMemFillINTEL_fn fill = nullptr;
  clEnqueueMigrateMemINTEL_fn migrate = nullptr; ///< may be null

  explicit operator bool() const noexcept { return memcpy != nullptr; }
};

struct memory_state;

struct device_state {
  explicit device_state(const cl::Device& on);

  /// Made at the first use: it takes some 300 ms on a GPU.
  const cl::Context& context();

  /// Returns whether kernels may take USM as numbers, its addresses. All SVM of these devices can be reached without
  /// being announced, and NVIDIA's driver takes 0.9 us for each pointer to SVM that is an argument.
  [[nodiscard]] bool takes_addresses() const noexcept {
    return usm_way == usm_support::svm && (target.nv || target.cpu);
  }

  /// Returns whether kernels reach memory of the host that is no USM.
  [[nodiscard]] bool reaches_host_memory() const noexcept {
    return usm_way != usm_support::handles &&
           ((svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0 || (usm_way == usm_support::intel && intel_system_usm));
  }

  cl::Device handle;
  cl::Platform platform;
  cl_device_type type;
  std::string extensions; // between spaces
  gpu::library_target target;
  usm_functions usm;
  cl_device_svm_capabilities svm = 0;
  bool intel_system_usm = false;     // kernels reach memory of the host as USM of that extension
  bool checks_argument_sizes = true; // PoCL 3.1 takes values of any size for structs
  std::size_t local_memory_bytes;    // of a work-group; each launch is checked with it
  gpu::usm_support usm_way = usm_support::none;

  // Programs by text and options.
  std::mutex programs_mutex;
  std::map<std::string, cl::Program> programs;
  std::set<std::size_t> programs_without_info; // hashes of those that cannot be built so that they tell parameters

  // Live USM allocations by address.
  struct usm_allocation {
    std::size_t bytes;
    lanefold::usm::alloc kind;
    gpu::usm_support way;
    std::shared_ptr<memory_state> buffer; // of a handle
  };
  std::mutex usm_mutex;
  std::map<const char*, usm_allocation> usm_allocations;

private:
  std::once_flag m_context_made;
  cl::Context m_context;
};

/// Found once.
const std::vector<device>& all_devices();

/// "a b c" -> a, b, c
std::vector<std::string> words_of(const std::string& text);

struct memory_state {
  /// Never used for another memory.
  static std::uint64_t new_id() noexcept;

  std::shared_ptr<device_state> device;
  cl::Buffer handle; // null for 0 bytes
  std::size_t bytes;
  std::uint64_t id = new_id();
};

/// Holds the memory that a handle points into; no memory: it is not a handle.
struct usm_place {
  std::shared_ptr<memory_state> memory;
  std::size_t offset = 0;
};
/// Also of the end of an allocation.
usm_place place_of(device_state& device, const void* pointer);
/// Returns whether it points into a live allocation of the device, or to the end of one.
bool is_usm(device_state& device, const void* pointer);
/// Throws errc::backend_mismatch if kernels of the device do not reach what the pointer points to because it is of
/// another device, errc::kernel_argument for other such memory. It is no USM of the device. `what` begins the message.
void check_memory_of_others(device_state& device, const void* pointer, const std::string& what);
/// The check of any pointer. `what()` is called, for the message, where the pointer is neither null nor the device's
/// USM.
template <class What>
void check_reached(device_state& device, const void* pointer, const What& what) {
  if (pointer != nullptr && !is_usm(device, pointer))
    check_memory_of_others(device, pointer, what());
}
/// Throws for a null pointer, and for memory that neither the device nor the host accesses: that of another device.
void check_copied(device_state& device, const void* pointer, std::size_t bytes, const char* what);
/// Returns whether all of it lies in one allocation of shared USM.
bool is_shared_usm(device_state& device, const void* memory, std::size_t bytes);

/// A queue of OpenCL's. One that is in order counts how far it has come: commands are counted once the driver has them.
/// Whoever learns that the queue has come to a command knows it of all before.
struct native_queue {
  explicit native_queue(bool has_order) : in_order(has_order) {}

  cl::CommandQueue handle;
  const bool in_order;
  std::atomic<std::uint64_t> enqueued{0};
  std::atomic<std::uint64_t> completed{0};

  /// The driver has a command more. Returns its place, or 0 if there is no order.
  std::uint64_t count() noexcept { return in_order ? enqueued.fetch_add(1) + 1 : 0; }
  void has_come_to(std::uint64_t place) noexcept {
    std::uint64_t before = completed.load();
    while (before < place && !completed.compare_exchange_weak(before, place)) {
    }
  }
};

/// A command. In an in-order queue that keeps no times it begins without an event of OpenCL, which takes a tenth of a
/// launch: whoever needs one gets a marker behind the command. The command graph knows it as a device_event.
class event_state final : public ld::device_event {
public:
  event_state(std::shared_ptr<native_queue> in, const char* doing, std::string of = {})
      : m_queue(std::move(in)), m_what(doing), m_name(std::move(of)) {}
  /// Of a kernel that an in-order queue has at that place.
  event_state(std::shared_ptr<native_queue> in, std::uint64_t place, std::string kernel)
      : m_queue(std::move(in)), m_what("kernel"), m_name(std::move(kernel)), m_place(place) {}

  /// The driver has the command, in an in-order queue at that place. `made` may be null there.
  void begin(cl_event made, std::uint64_t place) noexcept {
    m_handle = cl::Event(made);
    m_place = place;
  }
  cl_command_queue queue() const noexcept { return m_queue->handle(); }
  cl_event handle();
  /// Returns when the command is complete, failed or not; throws if OpenCL does not let the host wait.
  void await();
  /// Returns the status of a command that may not have been given to the device yet, which this sees to.
  info::event_command_status current_status();
  /// Throws if the command, which is complete, failed.
  void check_success();
  /// "kernel 'sum'"
  std::string text() const { return m_name.empty() ? m_what : std::string(m_what) + " '" + m_name + "'"; }

  // The command graph asks by these: error() tells errors.
  info::event_command_status status() noexcept override;
  void wait() noexcept override;
  void when_complete(void (*notify)(void*), void* argument) noexcept override;
  std::exception_ptr error() noexcept override;
  times profile() override;

private:
  /// CL_COMPLETE, CL_RUNNING … or why it failed.
  cl_int code();
  bool wait_alone() noexcept;
  bool is_known_complete() const noexcept { return m_queue->in_order && m_place <= m_queue->completed.load(); }

  std::shared_ptr<native_queue> m_queue;
  const char* m_what;
  std::string m_name;
  std::mutex m_mutex;
  cl::Event m_handle;
  std::uint64_t m_place = 0;
  std::uint64_t m_reached = 0;     // commands that the driver had when the marker was made
  std::atomic<bool> m_lost{false}; // nobody can say any more what becomes of it
};

/// Memory of an algorithm's own. `last` is the last command that uses it.
struct workspace {
  /// Says what the memory is used for, again and again: anything; a counter that is 0 between uses, and values; states
  /// of tiles.
  enum class use { values, counted, states };
  use what = use::values;
  cl::Buffer memory;
  std::size_t bytes = 0;
  cl_uint epoch = 0; // counts the uses of states
  event last;
};

struct queue_state {
  cl_command_queue handle() const noexcept { return native->handle(); }

  gpu::device device;
  std::shared_ptr<native_queue> native;
  bool profiling;
  std::mutex workspaces_mutex;
  std::vector<std::shared_ptr<workspace>> workspaces;
};

} // namespace gpu::opencl
LANEFOLD_END_NAMESPACE
