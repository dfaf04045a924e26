// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/handler.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/detail/region.hpp>
#include <lanefold/execution/detail/registered_kernel.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/kernel_bundle.hpp>

#include <lanefold/memory/detail/kernel_binding.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

/// Is the action of update_host: it brings the contents of the buffer to the host memory that it was made over.
struct host_update {
  std::shared_ptr<buffer_state> buffer;
  void operator()() const { buffer->update_host(); }
};

/// Memory operations are cut into pieces of this size, which threads share.
constexpr std::size_t piece_bytes = 256 * 1024;

constexpr std::size_t pieces(std::size_t bytes) noexcept {
  return bytes / piece_bytes + (bytes % piece_bytes != 0 ? 1 : 0);
}

class copy_launch final : public launch {
public:
  copy_launch(const launch_settings& settings, void* to, const void* from, std::size_t bytes) noexcept
      : launch(pieces(bytes), 1, settings, typeid(memory_copy*)), m_to(static_cast<std::byte*>(to)),
        m_from(static_cast<const std::byte*>(from)), m_bytes(bytes) {}

  void run(std::size_t first, std::size_t last) override {
    const std::size_t begin = first * piece_bytes;
    std::memcpy(m_to + begin, m_from + begin, std::min(last * piece_bytes, m_bytes) - begin);
  }
  launch_description describe() const override { return {.what = launch_description::action::copy}; }

private:
  std::byte* m_to;
  const std::byte* m_from;
  std::size_t m_bytes;
};

class fill_launch final : public launch {
public:
  fill_launch(const launch_settings& settings, void* to, const void* pattern, std::size_t width, std::size_t count)
      : launch(pieces(width * count), 1, settings, typeid(memory_fill*)), m_to(static_cast<std::byte*>(to)),
        m_bytes(width * count), m_width(width) {
    // The pattern repeated until it is worth a copy; a byte is left to memset.
    const std::size_t repeat = width == 1 ? 1 : std::max<std::size_t>(4096 / width, 1);
    m_pattern.resize(width * repeat);
    for (std::size_t i = 0; i < repeat; ++i) {
      std::memcpy(m_pattern.data() + i * width, pattern, width);
    }
  }

  void run(std::size_t first, std::size_t last) override {
    std::size_t at = first * piece_bytes;
    const std::size_t end = std::min(last * piece_bytes, m_bytes);
    if (m_width == 1) {
      std::memset(m_to + at, std::to_integer<int>(m_pattern.front()), end - at);
      return;
    }
    std::size_t phase = at % m_width;
    while (at < end) {
      const std::size_t part = std::min(m_pattern.size() - phase, end - at);
      std::memcpy(m_to + at, m_pattern.data() + phase, part);
      at += part;
      phase = 0;
    }
  }
  launch_description describe() const override { return {.what = launch_description::action::fill}; }

private:
  std::byte* m_to;
  std::size_t m_bytes;
  std::size_t m_width;
  std::vector<std::byte> m_pattern;
};

/// Copies the elements of one region to another that has at least as many, or sets them to one element.
class region_launch final : public launch {
public:
  /// `kept` lives until the command is complete.
  region_launch(const launch_settings& settings, const region& from, const region& to, std::shared_ptr<const void> kept)
      : launch(to.rows(), 1, settings, typeid(memory_copy*)), m_from(from), m_to(to), m_kept(std::move(kept)) {}
  region_launch(const launch_settings& settings, const region& to, const void* pattern)
      : launch(to.rows(), 1, settings, typeid(memory_fill*)), m_to(to),
        m_pattern(static_cast<const std::byte*>(pattern), static_cast<const std::byte*>(pattern) + to.width) {}

  void run(std::size_t first, std::size_t last) override {
    for (std::size_t r = first; r < last; ++r) {
      if (m_pattern.empty()) {
        copy_row(r);
      } else {
        fill_row(m_to.row(r));
      }
    }
  }
  launch_description describe() const override {
    using action = launch_description::action;
    return {.what = m_pattern.empty() ? action::copy : action::fill};
  }

private:
  /// The first element, then copies of what is there: twice as much each time, up to a block that stays in the cache.
  void fill_row(std::byte* row) const {
    constexpr std::size_t enough = 4096;
    const std::size_t bytes = m_to.row_bytes();
    if (bytes == 0) {
      return;
    }
    std::size_t block = m_to.width;
    std::memcpy(row, m_pattern.data(), block);
    for (std::size_t done = block; done < bytes;) {
      const std::size_t part = std::min(block, bytes - done);
      std::memcpy(row + done, row, part);
      done += part;
      block = block < enough ? done : block;
    }
  }

  /// The elements that belong to a row of the target lie in one row of the source or in several.
  void copy_row(std::size_t r) {
    const std::size_t begin = r * m_to.extents[2];
    std::size_t done = 0;
    while (done < m_to.extents[2] && begin + done < m_from.size()) {
      const std::size_t in_row = (begin + done) % m_from.extents[2];
      const std::size_t count = std::min(m_to.extents[2] - done, m_from.extents[2] - in_row);
      std::memcpy(m_to.row(r) + done * m_to.width,
                  m_from.row((begin + done) / m_from.extents[2]) + in_row * m_from.width, count * m_to.width);
      done += count;
    }
  }

  region m_from{};
  region m_to;
  std::vector<std::byte> m_pattern;
  std::shared_ptr<const void> m_kept;
};

[[noreturn]] void refuse_null(const char* what) {
  throw exception(make_error_code(errc::invalid), std::string(what) + ": a pointer is null");
}

std::unique_ptr<launch> make_copy_launch(const launch_settings& settings, void* to, const void* from,
                                         std::size_t bytes) {
  if (bytes != 0 && (to == nullptr || from == nullptr)) {
    refuse_null("memcpy");
  }
  if (settings.device != nullptr) {
    return settings.device->make_copy(settings, to, from, bytes);
  }
  return std::make_unique<copy_launch>(settings, to, from, bytes);
}

/// `pattern` (of `width` bytes) `count` times.
std::unique_ptr<launch> make_fill_launch(const launch_settings& settings, void* to, const void* pattern,
                                         std::size_t width, std::size_t count) {
  const std::size_t bytes = checked_bytes(count, width, "fill");
  if (bytes != 0 && to == nullptr) {
    refuse_null("fill");
  }
  if (settings.device != nullptr) {
    return settings.device->make_fill(settings, to, pattern, width, count);
  }
  return std::make_unique<fill_launch>(settings, to, pattern, width, bytes / width);
}

} // namespace

std::size_t checked_bytes(std::size_t count, std::size_t width, const char* what) {
  if (width != 0 && count > std::numeric_limits<std::size_t>::max() / width) {
    throw exception(make_error_code(errc::invalid), std::string(what) + ": " + std::to_string(count) + " elements of " +
                                                        std::to_string(width) + " bytes are more than memory can hold");
  }
  return count * width;
}

} // namespace detail

handler::handler(const detail::launch_settings& common) noexcept : m_settings(common) {}
handler::~handler() = default;

detail::launch_settings handler::settings_of(const std::type_info* name) const noexcept {
  detail::launch_settings result = m_settings;
  result.name = name;
  return result;
}

void handler::depends_on(event dependency) { m_dependencies.push_back(std::move(dependency)); }
void handler::depends_on(const std::vector<event>& dependencies) {
  m_dependencies.insert(m_dependencies.end(), dependencies.begin(), dependencies.end());
}

void handler::ext_oneapi_barrier(const std::vector<event>& events) {
  m_is_barrier = true;
  depends_on(events);
  depends_on(event()); // also without events it does not wait for all
}

void handler::attach(std::shared_ptr<detail::command_attachment> thing) { m_attachments.push_back(std::move(thing)); }

void handler::update_host(std::shared_ptr<detail::buffer_state> buffer) {
  refuse_second_action();
  set(std::make_unique<detail::single_task_launch<detail::host_update>>(settings_of(&typeid(detail::host_update*)),
                                                                        detail::host_update{std::move(buffer)}));
}

ext::oneapi::experimental::node_type handler::node_type() const noexcept {
  using ext::oneapi::experimental::node_type;
  if (m_is_barrier) {
    return node_type::ext_oneapi_barrier;
  }
  if (!m_work) {
    return node_type::empty;
  }
  const std::type_info& type = m_work->kernel_type();
  return type == typeid(detail::host_task*)     ? node_type::host_task
         : type == typeid(detail::memory_copy*) ? node_type::memcpy
         : type == typeid(detail::memory_fill*) ? node_type::memfill
         : type == typeid(detail::memory_hint*) ? node_type::prefetch
                                                : node_type::kernel;
}

void handler::refuse_second_action() const {
  if (m_graph) {
    throw exception(make_error_code(errc::invalid), "a command group has one action, and this one runs a graph");
  }
  if (m_work) {
    throw exception(make_error_code(errc::invalid),
                    "a command group has one action, and this one has '" + m_work->kernel_name() + "' already");
  }
}

void handler::without_local_memory(void (*call)(void*), void* setter) {
  call(setter);
  if (m_has_local_accessors) {
    m_work.reset();
    throw exception(make_error_code(errc::kernel_argument),
                    "local accessors are for kernels over ND-ranges: single tasks and ranges have no work-groups");
  }
}

void handler::with_own_local_memory(void (*call)(void*), void* setter) {
  detail::kernel_binding captured; // local accessors write to it
  captured.command = m_local_owner;
  call(setter);
  m_has_local_accessors = captured.has_bound_local_memory;
  if (captured.has_bound_foreign_memory) {
    m_work.reset();
    throw exception(
        make_error_code(errc::kernel_argument),
        "the kernel captures a local accessor that is not of its command: local accessors are made with the "
        "handler of the command group");
  }
}

void handler::refuse_kernel() {
  throw exception(
      make_error_code(errc::kernel_not_supported),
      "this kernel runs on the CPU only: a kernel [=](auto it) of parallel_for or single_task runs on OpenCL "
      "devices where its source file includes <lanefold/recorded.hpp> before it, and kernels in OpenCL C by "
      "launch(gpu::kernel{source, \"name\"}, nd_range, arguments…)");
}

void handler::set(std::unique_ptr<detail::launch> work) {
  refuse_second_action();
  work->attach(std::move(m_attachments));
  m_work = std::move(work);
}

const std::shared_ptr<detail::specialization_values>& handler::values() {
  if (!m_values) {
    m_values = std::make_shared<detail::specialization_values>();
  }
  return m_values;
}

void handler::refuse_bundle() const {
  if (m_bundle) {
    throw exception(make_error_code(errc::invalid), "specialization constants: the command uses a kernel bundle, "
                                                    "which has the values of its constants");
  }
}

void handler::use_bundle(std::shared_ptr<const detail::bundle_contents> bundle,
                         std::shared_ptr<detail::specialization_values> its_values) {
  if (m_values && !m_bundle) {
    throw exception(make_error_code(errc::invalid),
                    "use_kernel_bundle: the command has values of specialization constants of its own");
  }
  m_bundle = std::move(bundle);
  m_values = std::move(its_values);
}

void handler::check_bundle(const context& of_queue) const {
  if (!m_bundle) {
    return;
  }
  if (m_bundle->where != of_queue) {
    throw exception(make_error_code(errc::invalid), "the kernel bundle belongs to another context than the queue");
  }
  if (m_work && detail::is_registered(m_work->kernel_type()) && !m_bundle->contains(m_work->kernel_type())) {
    throw exception(make_error_code(errc::kernel_not_supported),
                    "the kernel bundle of the command does not have the kernel '" + m_work->kernel_name() + "'");
  }
}

void handler::memcpy(void* to, const void* from, std::size_t bytes) {
  set(detail::make_copy_launch(m_settings, to, from, bytes));
}

void handler::memset(void* to, int value, std::size_t bytes) {
  const auto byte = static_cast<unsigned char>(value);
  fill_bytes(to, &byte, 1, bytes);
}

void handler::fill_bytes(void* to, const void* pattern, std::size_t width, std::size_t count) {
  set(detail::make_fill_launch(m_settings, to, pattern, width, count));
}

/// The buffer, one of the command's accessors gives access to it, into which the region points; else host memory.
detail::copy_side handler::side_of(const detail::region& r) const {
  for (const detail::buffer_requirement& required : m_requirements) {
    std::byte* const memory = required.buffer->memory();
    if (memory + required.begin <= r.first && r.first < memory + required.end) {
      return {required.buffer, static_cast<std::size_t>(r.first - memory), nullptr};
    }
  }
  return {nullptr, 0, r.first};
}

void handler::copy_region(const detail::region& from, const detail::region& to, std::shared_ptr<const void> kept) {
  refuse_second_action();
  if (from.size() > to.size()) {
    throw exception(make_error_code(errc::invalid), "copy: the source has " + std::to_string(from.size()) +
                                                        " elements and the target room for " +
                                                        std::to_string(to.size()));
  }
  if (from.size() != 0 && (from.first == nullptr || to.first == nullptr)) {
    detail::refuse_null("copy");
  }
  const bool contiguous = from.is_contiguous() && to.is_contiguous();
  std::unique_ptr<detail::launch> work;
  if (contiguous && m_settings.device != nullptr) {
    work = m_settings.device->make_copy(m_settings, side_of(to), side_of(from), from.size() * from.width, kept);
  } else if (contiguous && !kept) {
    work = detail::make_copy_launch(m_settings, to.first, from.first, from.size() * from.width);
  }
  // Elsewhere the host copies.
  if (!work) {
    work = std::make_unique<detail::region_launch>(m_settings, from, to, std::move(kept));
  }
  set(std::move(work));
}

void handler::fill_region(const detail::region& to, const void* pattern) {
  std::unique_ptr<detail::launch> work;
  if (to.is_contiguous()) {
    work = m_settings.device != nullptr
               ? m_settings.device->make_fill(m_settings, side_of(to), pattern, to.width, to.size())
               : detail::make_fill_launch(m_settings, to.first, pattern, to.width, to.size());
  }
  if (!work) {
    work = std::make_unique<detail::region_launch>(m_settings, to, pattern);
  }
  refuse_second_action();
  set(std::move(work));
}

void handler::require(detail::buffer_requirement&& r) {
  for (detail::buffer_requirement& known : m_requirements) {
    const bool overlap = known.buffer == r.buffer && known.begin < r.end && r.begin < known.end;
    if (!overlap || (!known.kind.writes && !r.kind.writes)) {
      continue;
    }
    if (known.kind.needs_old != r.kind.needs_old && (known.kind.needs_old ? r : known).may_need_old) {
      known.kind.needs_old = r.kind.needs_old = true;
    }
    if (known.kind.needs_old != r.kind.needs_old) {
      throw exception(make_error_code(errc::accessor),
                      "two accessors of one command contradict each other: one needs elements of a buffer as they "
                      "were, which the other one declares not to be needed (no_init)");
    }
    if (known.object_begin != r.object_begin || known.object_end != r.object_end) {
      throw exception(make_error_code(errc::accessor),
                      "two accessors of one command conflict: they are made from overlapping sub-buffers, and one of "
                      "them writes");
    }
  }
  m_requirements.push_back(std::move(r));
}

detail::local_allocation handler::allocate_local(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t limit = device::local_memory_bytes();
  if (!std::has_single_bit(alignment)) {
    throw exception(make_error_code(errc::invalid),
                    "an alignment of " + std::to_string(alignment) + " is not a power of two");
  }
  const std::size_t offset = (m_settings.local_bytes + alignment - 1) & ~(alignment - 1);
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
  while (m_local_owner == 0) {
    m_local_owner = last.fetch_add(1, std::memory_order_relaxed) + std::uint32_t{1};
  }
  return m_local_owner;
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
