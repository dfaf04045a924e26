// SPDX-License-Identifier: Apache-2.0
#include <lanefold/recorded/detail/known_launches.hpp>

#include "known_kernels.hpp"

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/gpu/usm.hpp>
#include <lanefold/memory/local_accessor.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A launch as it was, with what it gave to the device.
struct known_launch {
  enum class state { seen, known, unknowable };
  struct part {
    std::uint64_t buffer;
    std::size_t begin, end;
    bool writes, needs_old;
    std::uint64_t version; ///< of the buffer's host memory
  };
  static constexpr std::size_t no_part = static_cast<std::size_t>(-1);
  struct argument {
    gpu::opencl::command_argument given; ///< without its buffer, which is not to live for this
    std::size_t part = no_part;          ///< the requirement of the command whose buffer it is
    gpu::opencl::usm_range memory{};     ///< of a pointer
  };

  state its_state = state::seen;
  std::uint64_t uses = 0;
  const device_backend* device;
  gpu::opencl::launch_space space;
  std::size_t sub_group_size;
  std::array<std::size_t, 3> extents;
  std::size_t local_bytes;
  std::vector<std::byte> bytes;          ///< of the kernel
  std::vector<std::size_t> local_places; ///< where in these a local accessor has its place, which names its command
  std::vector<part> parts;
  gpu::kernel kernel;
  std::uint64_t generation; ///< of the known kernels
  std::vector<argument> arguments;

  /// Returns whether the device is given the same.
  [[nodiscard]] bool gives_same(const known_launch& other) const {
    return kernel == other.kernel &&
           std::equal(arguments.begin(), arguments.end(), other.arguments.begin(), other.arguments.end(),
                      [](const argument& a, const argument& b) {
                        using kind = gpu::opencl::kernel_argument::kind;
                        const auto &x = a.given.given, &y = b.given.given;
                        return a.part == b.part && x.what == y.what && x.type == y.type && x.bytes == y.bytes &&
                               (x.what != kind::pointer || x.data == y.data) &&
                               (x.what != kind::value ||
                                std::memcmp(a.given.value.data(), b.given.value.data(), x.bytes) == 0);
                      });
  }
};

namespace {

constexpr std::size_t most_launches = 8; // of a kernel type at a place of the program

std::uint64_t word_at(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

bool is_same_space(const gpu::opencl::launch_space& a, const gpu::opencl::launch_space& b) {
  return a.dimensions == b.dimensions && a.global == b.global && a.local == b.local && a.offset == b.offset;
}

/// The addresses of this process whose contents may change: memory that can be written, or is shared with others. What
/// is only reserved is none of it: NVIDIA's driver reserves so many addresses that numbers look like pointers to them.
class changeable_memory {
public:
  changeable_memory() {
    std::ifstream maps("/proc/self/maps");
    m_is_known = maps.is_open();
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::string access, rest;
    while (maps >> std::hex >> begin >> dash >> end >> access && std::getline(maps, rest)) {
      if (access.size() == 4 && (access[1] == 'w' || (access[0] == 'r' && access[3] == 's'))) {
        m_ranges.emplace_back(begin, end);
      }
    }
  }

  [[nodiscard]] bool contains(const void* at) const {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    return !m_is_known ? at != nullptr : std::any_of(m_ranges.begin(), m_ranges.end(), [address](const auto& range) {
      return range.first <= address && address < range.second;
    });
  }

private:
  bool m_is_known;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> m_ranges;
};

} // namespace

known_launches::known_launches() = default;
known_launches::~known_launches() = default;

captured_launch::captured_launch(known_launches& all, handler& command, const launch_settings& settings,
                                 const recorded_launch_space& where, const std::byte* kernel, std::size_t kernel_bytes)
    : m_all(all), m_command(command), m_settings(settings), m_where(where), m_kernel(kernel),
      m_kernel_bytes(kernel_bytes), m_local_owner(settings.local_bytes == 0 ? 0 : command.local_owner()) {
  const std::vector<buffer_requirement>& uses = command.requirements();
  m_is_settled = uses.size() <= most_buffers;
  for (std::size_t i = 0; m_is_settled && i < uses.size(); ++i) {
    m_versions[i] = uses[i].buffer->host_version();
    m_is_settled = m_versions[i] != 0;
  }
}

bool captured_launch::has_same_kernel(const known_launch& known) const {
  if (known.bytes.size() != m_kernel_bytes) {
    return false;
  }
  std::size_t at = 0;
  for (const std::size_t place : known.local_places) {
    if (std::memcmp(known.bytes.data() + at, m_kernel + at, place - at) != 0) {
      return false;
    }
    const std::uint64_t mine = word_at(m_kernel + place);
    if (mine >> local_offset_bits != m_local_owner ||
        (mine & local_offset_mask) != (word_at(known.bytes.data() + place) & local_offset_mask)) {
      return false;
    }
    at = place + sizeof(mine);
  }
  return std::memcmp(known.bytes.data() + at, m_kernel + at, m_kernel_bytes - at) == 0;
}

bool captured_launch::has_same_buffers(const known_launch& known) const {
  const std::vector<buffer_requirement>& uses = m_command.requirements();
  if (known.parts.size() != uses.size()) {
    return false;
  }
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const known_launch::part& part = known.parts[i];
    const buffer_requirement& use = uses[i];
    if (part.buffer != use.buffer->id() || part.begin != use.begin || part.end != use.end ||
        part.writes != use.kind.writes || part.needs_old != use.kind.needs_old || part.version != m_versions[i]) {
      return false;
    }
  }
  return true;
}

/// Under the guard: what is known of the same launch, null if it is nothing.
known_launch* captured_launch::same() const {
  const auto found = std::find_if(m_all.m_all.begin(), m_all.m_all.end(), [&](const auto& each) {
    return is_same_space(each->space, m_where.space) && each->extents == m_where.extents &&
           each->sub_group_size == m_where.sub_group_size && each->device == m_settings.device &&
           each->local_bytes == m_settings.local_bytes && has_same_buffers(*each) && has_same_kernel(*each);
  });
  return found == m_all.m_all.end() ? nullptr : found->get();
}

std::unique_ptr<launch> captured_launch::find() {
  if (!m_is_settled || checked_build) { // a checked build compares all recordings
    return nullptr;
  }
  std::vector<gpu::opencl::command_argument> arguments;
  std::unique_lock lock(m_all.m_guard);
  known_launch* const known = same();
  // Some are recorded again, to compare.
  if (known == nullptr || known->its_state != known_launch::state::known || std::has_single_bit(++known->uses)) {
    return nullptr;
  }
  arguments.reserve(known->arguments.size());
  for (const known_launch::argument& a : known->arguments) {
    if (a.memory.begin != nullptr) { // it may have been freed
      const gpu::opencl::usm_range now = gpu::opencl::usm_range_of(m_settings, a.given.given.data);
      if (now.begin != a.memory.begin || now.bytes != a.memory.bytes || now.kind != a.memory.kind) {
        return nullptr;
      }
    }
    arguments.push_back(a.given);
    if (a.part != known_launch::no_part) {
      arguments.back().buffer = m_command.requirements()[a.part].buffer;
    }
  }
  const gpu::kernel kernel = known->kernel;
  lock.unlock();
  return gpu::opencl::make_command(m_command, kernel, m_where.space, std::move(arguments));
}

std::unique_ptr<known_launch> captured_launch::made(kernel_recording& recording) const {
  const std::vector<buffer_requirement>& uses = m_command.requirements();
  auto result = std::unique_ptr<known_launch>(new known_launch{known_launch::state::seen,
                                                               0,
                                                               m_settings.device,
                                                               m_where.space,
                                                               m_where.sub_group_size,
                                                               m_where.extents,
                                                               m_settings.local_bytes,
                                                               {m_kernel, m_kernel + m_kernel_bytes},
                                                               recording.local_places(),
                                                               {},
                                                               recording.launched_kernel(),
                                                               generation_of_known_kernels(),
                                                               {}});
  for (std::size_t i = 0; i < uses.size(); ++i) {
    result->parts.push_back(
        {uses[i].buffer->id(), uses[i].begin, uses[i].end, uses[i].kind.writes, uses[i].kind.needs_old, m_versions[i]});
  }
  for (const gpu::opencl::command_argument& given : recording.launched_arguments()) {
    known_launch::argument& a = result->arguments.emplace_back(known_launch::argument{given});
    if (given.buffer) {
      const auto use = std::find_if(uses.begin(), uses.end(), [&](const auto& r) { return r.buffer == given.buffer; });
      a.part = static_cast<std::size_t>(use - uses.begin());
      a.given.buffer = nullptr;
    } else if (given.given.what == gpu::opencl::kernel_argument::kind::pointer) {
      a.memory = gpu::opencl::usm_range_of(m_settings, given.given.data);
    }
  }
  return result;
}

/// Returns whether the kernel cannot read there what changes without being noticed: host memory of the command's
/// buffers, which has a version, and memory that only the device may read.
bool captured_launch::is_known_memory(const std::byte* at) const {
  const std::vector<buffer_requirement>& uses = m_command.requirements();
  const bool in_buffer = std::any_of(uses.begin(), uses.end(), [at](const buffer_requirement& r) {
    const std::byte* const memory = r.buffer->memory();
    return memory <= at && at < memory + r.buffer->bytes();
  });
  return in_buffer || gpu::opencl::usm_range_of(m_settings, at).kind == usm::alloc::device;
}

bool captured_launch::depends_on_captured_bytes_only(const kernel_recording& recording) const {
  if (!recording.has_found_local_places()) {
    return false;
  }
  const changeable_memory changeable;
  // At any offset: a struct may be packed.
  for (std::size_t i = 0; i + sizeof(void*) <= m_kernel_bytes; ++i) {
    const auto* const at = std::bit_cast<const std::byte*>(word_at(m_kernel + i));
    if (changeable.contains(at) && !is_known_memory(at)) {
      return false;
    }
  }
  const std::vector<const void*>& outside = recording.recorded().plain_outside();
  return std::none_of(outside.begin(), outside.end(), [&](const void* at) { return changeable.contains(at); });
}

void captured_launch::learn(kernel_recording& recording) {
  if (!m_is_settled || !recording.is_one_launch()) {
    return;
  }
  const std::lock_guard lock(m_all.m_guard);
  known_launch* const known = same();
  if (m_all.m_reads_more || (known != nullptr && known->its_state == known_launch::state::unknowable)) {
    return;
  }
  std::unique_ptr<known_launch> now = made(recording);
  if (known == nullptr) {
    if (m_all.m_all.size() < most_launches) {
      m_all.m_all.push_back(std::move(now));
    } else {
      m_all.m_all[m_all.m_next++ % most_launches] = std::move(now);
    }
    return;
  }
  if (known->generation != now->generation) {
    *known = std::move(*now);
    return;
  }
  if (known->gives_same(*now)) {
    if (known->its_state == known_launch::state::seen) {
      known->its_state =
          depends_on_captured_bytes_only(recording) ? known_launch::state::known : known_launch::state::unknowable;
    }
    return;
  }
  const bool was_used = known->its_state == known_launch::state::known;
  m_all.m_reads_more = true;
  m_all.m_all.clear();
  if (was_used) {
    throw exception(make_error_code(errc::kernel),
                    "the recorded kernel reads plainly what it has not captured, a global or static variable, and "
                    "that has changed since an earlier launch of it: capture it by value");
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
