// SPDX-License-Identifier: Apache-2.0
#include <lanefold/recorded/detail/command_memory.hpp>

#include "number_text.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr std::size_t local_alignment = 64;

} // namespace

command_memory::command_memory(handler* command, const launch_settings& settings, std::byte filling)
    : m_command(command), m_settings(settings), m_filling(filling), m_local_bytes(settings.local_bytes) {
  if (m_local_bytes != 0) {
    m_local.resize(m_local_bytes + local_alignment, filling);
    const auto address = reinterpret_cast<std::uintptr_t>(m_local.data());
    m_local_begin = m_local.data() + (local_alignment - address % local_alignment) % local_alignment;
  }
}

bool command_memory::is_local_memory_unchanged() const noexcept {
  return std::all_of(m_local.begin(), m_local.end(), [&](std::byte x) { return x == m_filling; });
}

memory_map::place command_memory::local_place(const std::byte* at) const {
  if (m_local_bytes == 0 || at < m_local_begin || at > m_local_begin + m_local_bytes) { // an empty range is at the end
    return {};
  }
  return {true, true, 0, static_cast<std::size_t>(at - m_local_begin)};
}

memory_map::place command_memory::buffer_place(const std::byte* at, bool reads) {
  for (std::size_t i = 0; i < m_arguments.size(); ++i) {
    const argument& known = m_arguments[i];
    if (known.given.buffer && known.begin <= at && at < known.begin + known.bytes &&
        (reads || !known.given.only_reads)) {
      return {true, false, i, static_cast<std::size_t>(at - known.begin)};
    }
  }
  const buffer_requirement* best = nullptr;
  if (m_command == nullptr) {
    return {};
  }
  for (const buffer_requirement& r : m_command->requirements()) {
    const std::byte* const memory = r.buffer->memory();
    if (memory + r.begin <= at && at < memory + r.end && (reads || r.kind.writes) &&
        (best == nullptr || (best->kind.writes && !r.kind.writes && reads))) {
      best = &r;
    }
  }
  if (best == nullptr) {
    return {};
  }
  const std::byte* const begin = best->buffer->memory() + best->begin;
  gpu::opencl::command_argument given{{gpu::opencl::kernel_argument::kind::memory, {}, 1, nullptr, 0},
                                      {},
                                      nullptr,
                                      best->buffer,
                                      best->begin,
                                      best->end,
                                      true,
                                      !best->kind.writes};
  m_arguments.push_back({begin, best->end - best->begin, std::move(given)});
  return {true, false, m_arguments.size() - 1, static_cast<std::size_t>(at - begin)};
}

bool command_memory::is_empty_part(const std::byte* at) const {
  return m_command != nullptr && std::any_of(m_command->requirements().begin(), m_command->requirements().end(),
                                             [at](const buffer_requirement& r) {
                                               return r.begin == r.end && r.buffer->memory() + r.begin == at;
                                             });
}

memory_map::place command_memory::place_of(const void* pointer, bool reads) {
  const auto* at = static_cast<const std::byte*>(pointer);
  if (const place local = local_place(at); local.found) {
    return local;
  }
  if (const place in_buffer = buffer_place(at, reads); in_buffer.found) {
    return in_buffer;
  }
  if (is_empty_part(at)) {
    at = nullptr;
  }
  for (std::size_t i = 0; i < m_arguments.size(); ++i) {
    if (!m_arguments[i].given.buffer && m_arguments[i].begin == at) {
      return {true, false, i, 0};
    }
  }
  gpu::opencl::usm_range usm{at};
  if (m_settings.device != nullptr && at != nullptr) {
    usm = gpu::opencl::usm_range_of(m_settings, at);
    if (usm.begin == nullptr) {
      throw exception(
          make_error_code(errc::kernel_argument),
          "the kernel accesses memory of the host, which recorded kernels do not take: use an accessor of a "
          "buffer, or USM of the queue (malloc_device, malloc_shared)");
    }
  }
  gpu::opencl::command_argument given{
      {gpu::opencl::kernel_argument::kind::pointer, {}, 1, at, 0}, {}, nullptr, nullptr};
  m_arguments.push_back({at, usm.bytes - static_cast<std::size_t>(at - usm.begin), std::move(given)});
  return {true, false, m_arguments.size() - 1, 0};
}

memory_map::place command_memory::find(const void* pointer, bool on_stack) {
  const auto* const at = static_cast<const std::byte*>(pointer);
  if (const place local = local_place(at); local.found) {
    return local;
  }
  if (const place in_buffer = buffer_place(at, true); in_buffer.found || on_stack) {
    return in_buffer;
  }
  for (std::size_t i = 0; i < m_arguments.size(); ++i) {
    const argument& known = m_arguments[i];
    if (!known.given.buffer && known.begin <= at && at < known.begin + known.bytes) {
      return {true, false, i, static_cast<std::size_t>(at - known.begin)};
    }
  }
  if (m_settings.device == nullptr) {
    return {};
  }
  const gpu::opencl::usm_range usm = gpu::opencl::usm_range_of(m_settings, pointer);
  if (usm.begin == nullptr) {
    return {};
  }
  place whole = place_of(usm.begin, true);
  whole.offset = static_cast<std::size_t>(at - usm.begin);
  return whole;
}

std::size_t command_memory::add_stream(const void* stream) {
  m_arguments.push_back({static_cast<const std::byte*>(stream),
                         1,
                         {{gpu::opencl::kernel_argument::kind::memory, {}, 1, nullptr, 0}, {}, nullptr, nullptr}});
  return m_arguments.size() - 1;
}

std::vector<bool> command_memory::addresses() const {
  if (m_settings.device == nullptr || !gpu::opencl::takes_addresses(m_settings)) {
    return {};
  }
  std::vector<bool> which;
  for (const argument& each : m_arguments) {
    which.push_back(each.given.given.what == gpu::opencl::kernel_argument::kind::pointer);
  }
  return which;
}

std::vector<gpu::opencl::command_argument> command_memory::arguments(const recorder& what) const {
  std::vector<gpu::opencl::command_argument> list;
  for (std::size_t i = 0; i < m_arguments.size(); ++i) {
    list.push_back(m_arguments[i].given);
    const auto& all = what.arrays();
    const auto first =
        std::find_if(all.begin(), all.end(), [i](const recorded_array& a) { return !a.is_local && a.argument == i; });
    list.back().given.type = first == all.end() ? "uchar" : name_in_memory(first->type);
    list.back().given.element_bytes = first == all.end() ? 1 : bytes_of(first->type);
  }
  return list;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
