// SPDX-License-Identifier: Apache-2.0
#include "backend.hpp"

#include "sub_buffer.hpp"

#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/gpu/usm.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace gpu::opencl {

// ---- queues

ld::device_backend& opencl_queue::home() const noexcept { return m_home; }

void opencl_queue::finish() noexcept {
  try {
    m_native.wait();
  } catch (const std::exception&) { // each command tells
  }
}

void flush(opencl_queue& queue) {
  if (!queue.device().native().state().target.nv)
    clFlush(queue.native().state().handle());
}

ld::device_event_ptr opencl_launch::start(ld::device_queue& on, const std::vector<ld::device_event_ptr>& after) {
  std::vector<event> natives;
  natives.reserve(after.size());
  for (const ld::device_event_ptr& e : after)
    natives.emplace_back(std::static_pointer_cast<event_state>(e));
  auto& queue = static_cast<opencl_queue&>(on);
  const event started = started_on(queue, [&] { return start_native(queue, natives); });
  flush(queue);
  return started.state();
}

std::uint64_t opencl_launch::start_without_event(ld::device_queue& on) {
  auto& queue = static_cast<opencl_queue&>(on);
  return start_counted(queue, [&] { return start_native_without_event(queue); });
}

// ---- memory

opencl_memory::opencl_memory(opencl_device& home, std::size_t bytes)
    : m_home(home), m_state(allocate_memory(home.native(), bytes)) {}

ld::device_event_ptr opencl_memory::write(ld::device_queue& on, std::size_t offset, const std::byte* from,
                                          std::size_t bytes) {
  auto& queue = static_cast<opencl_queue&>(on);
  return started_on(queue, [&] { return queue.native().write(*m_state, offset, from, bytes, {}).state(); });
}

void opencl_memory::read(std::size_t offset, std::byte* to, std::size_t bytes) {
  m_home.transfers().read(*m_state, offset, to, bytes, {}).wait();
}

const std::shared_ptr<memory_state>& memory_of(ld::buffer_state& buffer, const opencl_device& on) {
  return static_cast<opencl_memory&>(buffer.memory_on(on)).state();
}

void* opencl_usm::allocate(std::size_t bytes, std::size_t alignment, usm::alloc kind) {
  void* memory = nullptr;
  try {
    memory = usm_allocate(m_device, bytes, kind);
  } catch (const exception& e) {
    if (e.code() == errc::memory_allocation)
      return nullptr;
    throw;
  }
  if (alignment != 0 && reinterpret_cast<std::uintptr_t>(memory) % alignment != 0) {
    free(memory);
    return nullptr;
  }
  return memory;
}

void opencl_usm::free(void* memory) noexcept {
  try {
    usm_free(m_device, memory);
  } catch (const std::exception&) { // the memory is gone with a device that was lost
  }
}

// ---- memory operations

namespace {

class memcpy_launch final : public opencl_launch {
public:
  memcpy_launch(const ld::launch_settings& settings, void* to, const void* from, std::size_t bytes)
      : opencl_launch(settings, "memcpy"), m_to(to), m_from(from), m_bytes(bytes) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    return on.native().memcpy(m_to, m_from, m_bytes, after);
  }

  void* m_to;
  const void* m_from;
  std::size_t m_bytes;
};

class prefetch_launch final : public opencl_launch {
public:
  prefetch_launch(const ld::launch_settings& settings, const void* memory, std::size_t bytes)
      : opencl_launch(settings, "prefetch"), m_memory(memory), m_bytes(bytes) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    return on.native().prefetch(m_memory, m_bytes, after);
  }

  const void* m_memory;
  std::size_t m_bytes;
};

/// Returns whether OpenCL fills memory that begins at an address, or at an offset in a buffer, with patterns of `width`
/// bytes.
bool fills_at(std::uintptr_t place, std::size_t width) {
  return std::has_single_bit(width) && width <= 128 && place % width == 0;
}

class usm_fill_launch final : public opencl_launch {
public:
  usm_fill_launch(const ld::launch_settings& settings, void* to, const void* pattern, std::size_t width,
                  std::size_t count)
      : opencl_launch(settings, "fill"), m_to(to), m_width(width), m_bytes(width * count),
        m_fills(fills_at(reinterpret_cast<std::uintptr_t>(to), width)), m_pattern(m_fills ? width : m_bytes) {
    // Other patterns are copied.
    for (std::size_t i = 0; i < m_pattern.size(); i += width)
      std::memcpy(m_pattern.data() + i, pattern, width);
  }

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    return m_fills ? on.native().fill_usm(m_to, m_pattern.data(), m_width, m_bytes, after)
                   : on.native().memcpy(m_to, m_pattern.data(), m_bytes, after);
  }

  void* m_to;
  std::size_t m_width;
  std::size_t m_bytes;
  bool m_fills;
  std::vector<std::byte> m_pattern;
};

class buffer_copy_launch final : public opencl_launch {
public:
  buffer_copy_launch(const ld::launch_settings& settings, ld::copy_side to, ld::copy_side from, std::size_t bytes,
                     std::shared_ptr<const void> kept)
      : opencl_launch(settings, "copy"), m_to(std::move(to)), m_from(std::move(from)), m_bytes(bytes),
        m_kept(std::move(kept)) {}

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    queue& native = on.native();
    if (!m_to.buffer)
      return native.read(*memory_of(*m_from.buffer, on.device()), m_from.offset, m_to.host, m_bytes, after);
    memory_state& to = *memory_of(*m_to.buffer, on.device());
    if (!m_from.buffer)
      return native.write(to, m_to.offset, m_from.host, m_bytes, after);
    return native.copy_memory(*memory_of(*m_from.buffer, on.device()), m_from.offset, to, m_to.offset, m_bytes, after);
  }

  ld::copy_side m_to, m_from;
  std::size_t m_bytes;
  std::shared_ptr<const void> m_kept;
};

class buffer_fill_launch final : public opencl_launch {
public:
  buffer_fill_launch(const ld::launch_settings& settings, ld::copy_side to, const void* pattern, std::size_t width,
                     std::size_t count)
      : opencl_launch(settings, "fill"), m_to(std::move(to)), m_bytes(width * count), m_pattern(width) {
    std::memcpy(m_pattern.data(), pattern, width);
  }

private:
  event start_native(opencl_queue& on, const std::vector<event>& after) override {
    return on.native().fill_memory(*memory_of(*m_to.buffer, on.device()), m_to.offset, m_pattern.data(),
                                   m_pattern.size(), m_bytes, after);
  }

  ld::copy_side m_to;
  std::size_t m_bytes;
  std::vector<std::byte> m_pattern;
};

} // namespace

std::unique_ptr<ld::launch> opencl_device::make_copy(const ld::launch_settings& settings, void* to, const void* from,
                                                     std::size_t bytes) {
  check_copied(m_native.state(), to, bytes, "memcpy");
  check_copied(m_native.state(), from, bytes, "memcpy");
  return std::make_unique<memcpy_launch>(settings, to, from, bytes);
}

std::unique_ptr<ld::launch> opencl_device::make_fill(const ld::launch_settings& settings, void* to, const void* pattern,
                                                     std::size_t width, std::size_t count) {
  check_copied(m_native.state(), to, width * count, "fill");
  return std::make_unique<usm_fill_launch>(settings, to, pattern, width, count);
}

std::unique_ptr<ld::launch> opencl_device::make_copy(const ld::launch_settings& settings, const ld::copy_side& to,
                                                     const ld::copy_side& from, std::size_t bytes,
                                                     std::shared_ptr<const void> kept) {
  // OpenCL leaves copies that overlap to others.
  const bool overlap =
      to.buffer && to.buffer == from.buffer && to.offset < from.offset + bytes && from.offset < to.offset + bytes;
  if (overlap || (!to.buffer && !from.buffer))
    return nullptr;
  return std::make_unique<buffer_copy_launch>(settings, to, from, bytes, std::move(kept));
}

std::unique_ptr<ld::launch> opencl_device::make_fill(const ld::launch_settings& settings, const ld::copy_side& to,
                                                     const void* pattern, std::size_t width, std::size_t count) {
  if (!to.buffer || !fills_at(to.offset, width))
    return nullptr;
  return std::make_unique<buffer_fill_launch>(settings, to, pattern, width, count);
}

std::unique_ptr<ld::launch> opencl_device::make_prefetch(const ld::launch_settings& settings, const void* memory,
                                                         std::size_t bytes) {
  return std::make_unique<prefetch_launch>(settings, memory, bytes);
}

// ---- devices

info::device_type type_of(const device& d) noexcept {
  return d.is_gpu()           ? info::device_type::gpu
         : d.is_cpu()         ? info::device_type::cpu
         : d.is_accelerator() ? info::device_type::accelerator
                              : info::device_type::custom;
}

bool opencl_device::has_sub_buffer_at(std::size_t offset) const {
  const device_state& state = m_native.state();
  return !state.target.nv && offset % sub_buffer_alignment(state) == 0;
}

bool opencl_device::is_visible() const {
  const std::vector<device> all = devices();
  return std::find(all.begin(), all.end(), m_native) != all.end();
}

std::unique_ptr<ld::device_queue> opencl_device::make_queue(bool in_order, bool profiles) {
  property_list properties;
  if (in_order && profiles)
    properties = property_list(lanefold::property::queue::in_order(), property::enable_profiling());
  else if (in_order)
    properties = property_list(lanefold::property::queue::in_order());
  else if (profiles)
    properties = property_list(property::enable_profiling());
  queue made(m_native, properties);
  return std::make_unique<opencl_queue>(*this, std::move(made));
}

std::unique_ptr<ld::device_memory> opencl_device::allocate(std::size_t bytes) {
  return std::make_unique<opencl_memory>(*this, bytes);
}

queue& opencl_device::transfers() {
  const std::lock_guard lock(m_guard);
  if (!m_transfers)
    m_transfers.emplace(m_native, property_list(lanefold::property::queue::in_order()));
  return *m_transfers;
}

namespace {

/// The platforms of all devices that there are; live as long as the process.
std::vector<const ld::platform_entry*> make_platforms() {
  std::vector<const ld::platform_entry*> made;
  std::vector<device> rest = all_devices();
  while (!rest.empty()) {
    const cl::Platform platform = rest.front().state().platform;
    const auto text = [&](cl_platform_info what) {
      std::string value;
      platform.getInfo(what, &value);
      return value;
    };
    auto& entry = *new ld::platform_entry{backend::opencl,
                                          {},
                                          text(CL_PLATFORM_NAME),
                                          text(CL_PLATFORM_VENDOR),
                                          text(CL_PLATFORM_VERSION),
                                          text(CL_PLATFORM_PROFILE),
                                          words_of(text(CL_PLATFORM_EXTENSIONS))};
    for (const device& d : rest) {
      if (d.state().platform() != platform())
        continue;
      entry.devices.push_back({&entry, type_of(d), new opencl_device(d)});
    }
    for (const ld::device_entry& d : entry.devices) // their addresses stay from here on
      static_cast<opencl_device*>(d.native)->set_entry(&d);
    std::erase_if(rest, [&](const device& d) { return d.state().platform() == platform(); });
    made.push_back(&entry);
  }
  return made;
}

} // namespace

static const std::vector<const ld::platform_entry*>& platforms() {
  static const auto& all = *new std::vector<const ld::platform_entry*>(make_platforms());
  return all;
}

extern "C" bool lanefold_gpu_register_platforms() noexcept {
  ld::add_platforms(&platforms);
  return true;
}

} // namespace gpu::opencl

namespace gpu {

device::operator lanefold::device() const {
  for (const opencl::ld::platform_entry* platform : opencl::platforms())
    for (const opencl::ld::device_entry& entry : platform->devices)
      if (opencl::as_opencl(entry.native)->native() == *this)
        return lanefold::device(&entry);
  throw exception(make_error_code(errc::runtime), "gpu::device: an OpenCL device that is not one of gpu::devices()");
}

queue get_native(const lanefold::queue& q) {
  auto* const native = dynamic_cast<opencl::opencl_queue*>(q.device_queue());
  if (native == nullptr)
    throw exception(make_error_code(errc::backend_mismatch),
                    q.device_queue() == nullptr ? "gpu::get_native: the device of the queue is the CPU"
                                                : "gpu::get_native: the device of the queue is not an OpenCL device");
  return native->native();
}

} // namespace gpu
LANEFOLD_END_NAMESPACE
