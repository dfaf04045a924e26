// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/handler.hpp>

#include "handler_contents.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_access.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/bundle_contents.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/registered_kernel.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/info.hpp>
#include <lanefold/execution/kernel_bundle.hpp>
#include <lanefold/memory/detail/kernel_binding.hpp>

#include <algorithm>
#include <any>
#include <atomic>
#include <bit>
#include <cstdint>
#include <limits>
#include <string>
#include <typeinfo>

LANEFOLD_BEGIN_NAMESPACE

detail::launch_settings handler::settings_of(const std::type_info* name) const noexcept {
  detail::launch_settings result = m_settings;
  result.name = name;
  return result;
}

void handler::depends_on(event dependency) {
  if (dependency.is_recorded()) {
    become_node();
  }
  m_contents.dependencies.push_back(std::move(dependency));
}
void handler::depends_on(const std::vector<event>& dependencies) {
  if (std::any_of(dependencies.begin(), dependencies.end(), [](const event& e) { return e.is_recorded(); })) {
    become_node();
  }
  m_contents.dependencies.insert(m_contents.dependencies.end(), dependencies.begin(), dependencies.end());
}

/// The queue is about to record, if it does not yet.
void handler::become_node() {
  if (m_contents.source) {
    return;
  }
  if (m_contents.work || m_contents.graph || m_contents.is_no_node) {
    throw exception(
        make_error_code(errc::invalid),
        "depends_on: the command on whose event this one depends is a node of a graph, and this one becomes "
        "one, too: that must be known before " +
            (m_contents.work    ? "'" + m_contents.work->kernel_name() + "'"
             : m_contents.graph ? std::string("ext_oneapi_graph")
                                : std::string("what it was told of dynamic parameters or memory of pools")));
  }
  m_settings.is_node = true;
  m_contents.source = std::make_unique<detail::node_source>();
}

void handler::be_of_type(ext::oneapi::experimental::node_type type) noexcept {
  if (m_contents.source) {
    m_contents.source->type = type;
  }
}

void handler::ext_oneapi_barrier() { m_contents.is_barrier = true; }

void handler::ext_oneapi_barrier(const std::vector<event>& events) {
  m_contents.is_barrier = true;
  depends_on(events);
  depends_on(event()); // also without events it does not wait for all
}

void handler::attach(std::shared_ptr<detail::command_attachment> thing) {
  if (!m_contents.attachments) {
    m_contents.attachments = std::make_shared<std::vector<std::shared_ptr<detail::command_attachment>>>();
  }
  m_contents.attachments->push_back(std::move(thing));
}

ext::oneapi::experimental::node_type handler::node_type() const noexcept {
  using ext::oneapi::experimental::node_type;
  if (m_contents.is_barrier) {
    return node_type::ext_oneapi_barrier;
  }
  if (m_contents.source && m_contents.source->type) {
    return *m_contents.source->type;
  }
  if (!m_contents.work) {
    return node_type::empty;
  }
  const std::type_info& type = m_contents.work->kernel_type();
  return type == typeid(detail::host_task*)     ? node_type::host_task
         : type == typeid(detail::memory_copy*) ? node_type::memcpy
         : type == typeid(detail::memory_fill*) ? node_type::memfill
         : type == typeid(detail::memory_hint*) ? node_type::prefetch
                                                : node_type::kernel;
}

void handler::refuse_second_action() const {
  if (m_contents.graph) {
    throw exception(make_error_code(errc::invalid), "a command group has one action, and this one runs a graph");
  }
  if (m_contents.source && m_contents.source->is_of_memory()) {
    throw exception(make_error_code(errc::invalid),
                    "a command group has one action, and this one allocates or frees memory of a graph");
  }
  if (m_contents.work) {
    throw exception(make_error_code(errc::invalid), "a command group has one action, and this one has '" +
                                                        m_contents.work->kernel_name() + "' already");
  }
}

const std::vector<detail::buffer_requirement>& handler::requirements() const noexcept {
  return m_contents.requirements;
}

void handler::set_made(detail::made_by kind, detail::launch* (*make)(void*), void* maker) {
  using detail::made_by;
  refuse_second_action();
  if (m_settings.device != nullptr && (kind == made_by::kernel_of_groups || kind == made_by::kernel_without_groups)) {
    throw exception(
        make_error_code(errc::kernel_not_supported),
        "this kernel runs on the CPU only: a kernel [=](auto it) of parallel_for or single_task runs on OpenCL "
        "devices where its source file includes <lanefold/recorded.hpp> before it, and kernels in OpenCL C by "
        "launch(gpu::kernel{source, \"name\"}, nd_range, arguments…)");
  }
  const detail::capture_scope scope = capture();
  detail::kernel_binding captured; // local accessors write to it
  captured.command = m_contents.local_owner;
  captured.local_memory = nullptr; // else it is that of a kernel that submits the command
  set(std::unique_ptr<detail::launch>(make(maker)));
  if (captured.has_bound_foreign_memory) {
    m_contents.work.reset();
    throw exception(
        make_error_code(errc::kernel_argument),
        "the kernel captures a local accessor that is not of its command: local accessors are made with the "
        "handler of the command group");
  }
  if (kind == made_by::kernel_without_groups && captured.has_bound_local_memory) {
    m_contents.work.reset();
    throw exception(make_error_code(errc::kernel_argument),
                    "local accessors are for kernels over ND-ranges: single tasks and ranges have no work-groups");
  }
}

void handler::set(std::unique_ptr<detail::launch> work) {
  refuse_second_action();
  work->attach(std::move(m_contents.attachments));
  m_contents.work = std::move(work);
}

const detail::shared_part<detail::specialization_values>& handler::values() {
  if (!m_contents.values) {
    m_contents.values = std::make_shared<detail::specialization_values>();
  }
  return m_contents.values;
}

void handler::refuse_bundle() const {
  if (m_contents.bundle) {
    throw exception(make_error_code(errc::invalid), "specialization constants: the command uses a kernel bundle, "
                                                    "which has the values of its constants");
  }
}

void handler::use_bundle(const detail::shared_part<detail::bundle_contents>& bundle) {
  if (m_contents.values && !m_contents.bundle) {
    throw exception(make_error_code(errc::invalid),
                    "use_kernel_bundle: the command has values of specialization constants of its own");
  }
  m_contents.bundle = bundle;
  m_contents.values = bundle->values;
}

void handler::check_bundle(const context& of_queue) const {
  if (!m_contents.bundle) {
    return;
  }
  if (m_contents.bundle->where != of_queue) {
    throw exception(make_error_code(errc::invalid), "the kernel bundle belongs to another context than the queue");
  }
  if (m_contents.work && detail::is_registered(m_contents.work->kernel_type()) &&
      !m_contents.bundle->contains(m_contents.work->kernel_type())) {
    throw exception(make_error_code(errc::kernel_not_supported),
                    "the kernel bundle of the command does not have the kernel '" + m_contents.work->kernel_name() +
                        "'");
  }
}

void handler::require(detail::buffer_requirement&& r) {
  for (detail::buffer_requirement& known : m_contents.requirements) {
    const bool overlap = known.buffer == r.buffer && known.begin < r.end && r.begin < known.end;
    if (!overlap || (!known.kind.writes && !r.kind.writes)) {
      continue;
    }
    // Beside an accessor that needs the elements as they were, no_init discards nothing.
    known.kind.needs_old = r.kind.needs_old = known.kind.needs_old || r.kind.needs_old;
    if (known.object_begin != r.object_begin || known.object_end != r.object_end) {
      throw exception(make_error_code(errc::accessor),
                      "two accessors of one command conflict: they are made from overlapping sub-buffers, and one of "
                      "them writes");
    }
  }
  m_contents.requirements.push_back(std::move(r));
}

void handler::require(const detail::buffer_owner& owner, const detail::accessed_part& part) {
  require(detail::requirement_by(owner, part));
}

namespace {

/// Returns how much local memory a group may have, of which it needs `bytes`. A device is asked only where that is more
/// than CPUs have: its launches check the rest.
std::size_t local_limit(const detail::device_backend* on, std::size_t bytes) {
  using query = info::device::local_mem_size;
  constexpr std::size_t of_cpus = device::local_memory_bytes();
  if (on == nullptr || bytes <= of_cpus) {
    return of_cpus;
  }
  return static_cast<std::size_t>(std::any_cast<query::return_type>(on->answer(typeid(query))));
}

} // namespace

detail::local_allocation handler::allocate_local(std::size_t bytes, std::size_t alignment) {
  if (!std::has_single_bit(alignment)) {
    throw exception(make_error_code(errc::invalid),
                    "an alignment of " + std::to_string(alignment) + " is not a power of two");
  }
  const std::size_t offset = (m_settings.local_bytes + alignment - 1) & ~(alignment - 1);
  const std::size_t limit =
      local_limit(m_settings.device, bytes > std::numeric_limits<std::size_t>::max() - offset ? bytes : offset + bytes);
  if (offset > limit || bytes > limit - offset) {
    throw exception(make_error_code(errc::memory_allocation),
                    "the command needs more local memory than the " + std::to_string(limit) +
                        " bytes that a work-group can have: " + std::to_string(bytes) + " bytes in addition to " +
                        std::to_string(offset));
  }
  m_settings.local_bytes = offset + bytes;
  m_settings.local_alignment = std::max(m_settings.local_alignment, alignment);
  return {offset, bytes};
}

std::size_t handler::local_owner() noexcept {
  static std::atomic<std::uint32_t> last{0};
  while (m_contents.local_owner == 0) {
    m_contents.local_owner = last.fetch_add(1, std::memory_order_relaxed) + std::uint32_t{1};
  }
  return m_contents.local_owner;
}

std::size_t handler::allocate_local(std::size_t count, std::size_t element, std::size_t alignment) {
  if (element != 0 && count > std::numeric_limits<std::size_t>::max() / element) {
    count = std::numeric_limits<std::size_t>::max() / element;
  }
  return allocate_local(count * element, alignment).offset;
}

void interop_handle::refuse_other_backend() {
  throw exception(
      make_error_code(errc::backend_mismatch),
      "interop_handle::get_native_mem: host tasks run on the CPU, so only backend::lanefold_cpu has memory here");
}

LANEFOLD_END_NAMESPACE
