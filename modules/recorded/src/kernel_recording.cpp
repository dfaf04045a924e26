// SPDX-License-Identifier: Apache-2.0
#include <lanefold/recorded/detail/kernel_recording.hpp>

#include "known_kernels.hpp"
#include "number_text.hpp"

#include <lanefold/detail/object_of_thread.hpp>
#include <lanefold/exception.hpp>
#include <lanefold/execution/aspect.hpp>
#include <lanefold/execution/detail/device_backend.hpp>
#include <lanefold/execution/info.hpp>
#include <lanefold/memory/local_accessor.hpp>

#include <algorithm>
#include <any>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Some drivers end the process where a kernel declares more local memory than there is.
void check_local_size(const device_backend& on, std::size_t bytes, const std::type_info& kernel) {
  using query = info::device::local_mem_size;
  if (bytes == 0) {
    return;
  }
  const auto most = static_cast<std::size_t>(std::any_cast<query::return_type>(on.answer(typeid(query))));
  if (bytes > most) {
    throw exception(make_error_code(errc::memory_allocation),
                    "kernel '" + type_name(kernel) + "' needs " + std::to_string(bytes) +
                        " bytes of local memory; the device has " + std::to_string(most));
  }
}

/// The last part of a type's name, as a name of OpenCL C.
std::string kernel_name(const std::type_info* name) {
  if (name == nullptr) {
    return "recorded_kernel";
  }
  std::string text = type_name(*name);
  if (const std::size_t colon = text.rfind("::"); colon != text.npos && text.find('>', colon) == text.npos) {
    text.erase(0, colon + 2);
  }
  constexpr std::size_t longest = 64; // file names of PoCL's cache hold it several times
  if (text.size() > longest) {
    text.erase(0, text.size() - longest);
  }
  for (char& c : text) {
    c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  }
  return "kernel_" + text;
}

/// Keeps the recorders that a thread has used last: who uses a value of theirs, which is too late, gets an error.
class used_recorders {
public:
  void add(std::unique_ptr<recorder> used) noexcept {
    used->close();
    m_kept[m_next++ % m_kept.size()] = std::move(used);
  }

private:
  std::array<std::unique_ptr<recorder>, 64> m_kept;
  std::size_t m_next = 0;
};

} // namespace

kernel_recording::kernel_recording(handler* command, const launch_settings& settings, std::byte filling)
    : m_command(command), m_settings(settings), m_memory(command, settings, filling),
      m_own_recorder(std::make_unique<recorder>(m_memory)), m_recorder(*m_own_recorder),
      m_streams(m_recorder, m_memory), m_local_bytes(settings.local_bytes) {
  if (settings.device != nullptr && settings.device->has(aspect::gpu)) {
    m_recorder.unroll_algorithms();
  }
}

kernel_recording::~kernel_recording() { object_of_thread<used_recorders>::get().add(std::move(m_own_recorder)); }

void kernel_recording::check_local_memory(bool has_work_groups) const {
  if (!has_work_groups) {
    throw exception(make_error_code(errc::kernel_argument),
                    "local accessors are for kernels over ND-ranges: single tasks and ranges have no work-groups");
  }
  if (m_command == nullptr) {
    throw exception(make_error_code(errc::kernel_argument),
                    "the kernel captures a local accessor, which is one of a command: write "
                    "gpu::source(handler, kernel, nd_range)");
  }
}

void kernel_recording::note_copy(const void* kernel, const void* copy, std::size_t bytes) {
  m_local_places.clear();
  m_has_found_local_places = true;
  const auto word_at = [](const void* object, std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(object) + at, sizeof(word));
    return word;
  };
  const auto begin = reinterpret_cast<std::uintptr_t>(local_memory());
  // In the copy a local accessor points to the local memory of this recording; behind it stand its extents and its
  // place.
  for (std::size_t at = 0; begin != 0 && at + sizeof(void*) <= bytes; at += sizeof(void*)) {
    const std::uint64_t bound = word_at(copy, at);
    if (bound < begin || begin + m_settings.local_bytes < bound || bound == word_at(kernel, at)) {
      continue;
    }
    std::size_t place = 0;
    for (std::size_t dimensions = 1; place == 0 && dimensions <= 3; ++dimensions) {
      const std::size_t there = at + sizeof(void*) + dimensions * sizeof(std::size_t);
      if (there + sizeof(std::size_t) <= bytes && word_at(kernel, there) >> local_offset_bits != 0 &&
          (word_at(kernel, there) & local_offset_mask) == bound - begin) {
        place = there;
      }
    }
    m_has_found_local_places = m_has_found_local_places && place != 0;
    m_local_places.push_back(place);
  }
}

void kernel_recording::check_local_memory_unchanged() const {
  if (!m_memory.is_local_memory_unchanged()) {
    throw exception(make_error_code(errc::kernel),
                    "the recorded kernel changes an element of local memory plainly (tile[0] = 0, "
                    "atomic_ref(tile[0])): that happens while it is recorded; write an index that the work-item "
                    "computes (tile[it.get_local_id(0)])");
  }
}

void kernel_recording::check_same(const kernel_recording& other) const {
  if (!m_recorder.is_same(other.m_recorder) || !m_streams.is_same(other.m_streams)) {
    throw exception(
        make_error_code(errc::kernel),
        "the recorded kernel computes plainly with an element of local memory (float a = tile[0], tile[0] + 1): "
        "that happens while it is recorded; write it.var(tile[0]), or an index that the work-item computes. (Or it is "
        "another kernel each time it is called, by a counter of the program's, say.)");
  }
}

recorded_header kernel_recording::header(const gpu::opencl::launch_space& space, int range_dimensions) const {
  return {kernel_name(m_settings.name),
          {space.local[0], space.local[1], space.local[2]},
          m_local_bytes,
          m_memory.count(),
          range_dimensions,
          m_is_guarded,
          m_recorder.least_sub_group_size(),
          m_memory.addresses()};
}

std::unique_ptr<launch> kernel_recording::make_launch(const recorded_launch_space& where) {
  const std::type_info& title = m_settings.name != nullptr ? *m_settings.name : where.kernel;
  check_local_size(*m_settings.device, m_local_bytes, title);
  return make_launch_of(
      known_kernel(m_recorder, header(where.space, where.range_dimensions), where.sub_group_size, where.kernel, title),
      where);
}

std::unique_ptr<launch> kernel_recording::make_known_launch(const recorded_launch_space& where) {
  const std::optional<gpu::kernel> known =
      find_known_kernel(m_recorder, header(where.space, where.range_dimensions), where.sub_group_size, where.kernel);
  return known ? make_launch_of(*known, where) : nullptr;
}

std::unique_ptr<launch> kernel_recording::make_launch_of(const gpu::kernel& kernel,
                                                         const recorded_launch_space& where) {
  if (!m_settings.device->has(aspect::atomic64) &&
      std::any_of(m_recorder.nodes().begin(), m_recorder.nodes().end(), is_wide_atomic)) {
    throw exception(make_error_code(errc::kernel_not_supported),
                    "the kernel has atomic operations of 64 bits, and the device does not (aspect::atomic64)");
  }
  std::vector<gpu::opencl::command_argument> arguments = m_memory.arguments(m_recorder);
  for (const recorded_uniform& u : m_recorder.uniforms()) {
    gpu::opencl::command_argument given{
        {gpu::opencl::kernel_argument::kind::value, name_of_type(u.type), u.bytes, nullptr, u.bytes},
        {},
        nullptr,
        nullptr};
    given.value = gpu::opencl::argument_value(&u.value, u.bytes);
    arguments.push_back(std::move(given));
  }
  for (int d = 0; d < where.range_dimensions; ++d) {
    const std::uint64_t extent = where.extents[static_cast<std::size_t>(d)];
    arguments.push_back(gpu::opencl::bind(extent));
  }
  m_launched_kernel = kernel;
  m_launched_arguments = arguments;
  return is_one_launch() ? gpu::opencl::make_command(*m_command, kernel, where.space, std::move(arguments))
                         : make_composed_launch(kernel, where.space, std::move(arguments));
}

namespace {

/// A kernel that sets elements of that type.
const gpu::kernel& initialising_kernel(recorded_type type) {
  static std::mutex guard;
  static auto& all = *new std::map<recorded_type, gpu::kernel>();
  const std::lock_guard lock(guard);
  const auto found = all.find(type);
  if (found != all.end()) {
    return found->second;
  }
  const std::string name = name_of_type(type);
  return all
      .emplace(type, gpu::kernel("kernel void initialise(global " + name + "* to, ulong first, ulong count, " + name +
                                     " x) {\n  for (ulong i = 0; i < count; ++i)\n    to[first + i] = x;\n}\n",
                                 "initialise"))
      .first->second;
}

} // namespace

std::unique_ptr<launch> kernel_recording::make_composed_launch(const gpu::kernel& kernel,
                                                               const gpu::opencl::launch_space& space,
                                                               std::vector<gpu::opencl::command_argument> arguments) {
  struct initial_kernel {
    std::size_t argument, first, count;
    recorded_type type;
    std::uint64_t bits;
  };
  std::vector<initial_kernel> before;
  std::vector<bool> writes(arguments.size(), false);
  for (const recorded_array& a : m_recorder.arrays()) {
    writes[a.argument] = writes[a.argument] || (a.written && !a.is_local);
  }
  for (const initial_elements& each : m_initial) {
    const recorded_array& array = m_recorder.arrays()[each.array];
    before.push_back({array.argument, array.offset / bytes_of(array.type), each.count, array.type, each.bits});
    initialising_kernel(array.type);
  }
  // This one checks, and is not run.
  static_cast<void>(gpu::opencl::make_command(*m_command, kernel, space, arguments));
  const auto call = [kernel, space, before, streams = m_streams.outputs()](
                        gpu::queue& on, const std::vector<gpu::opencl::device_array>& arrays,
                        const std::vector<gpu::event>& after) {
    std::vector<gpu::event> behind = after;
    for (const initial_kernel& each : before) {
      const std::uint64_t first = each.first, count = each.count;
      using kind = gpu::opencl::kernel_argument::kind;
      const std::size_t bytes = bytes_of(each.type);
      const gpu::opencl::kernel_argument list[] = {arrays[each.argument].argument,
                                                   gpu::opencl::argument_of(first),
                                                   gpu::opencl::argument_of(count),
                                                   {kind::value, name_of_type(each.type), bytes, &each.bits, bytes}};
      const gpu::opencl::launch_space one{1, {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
      behind = {on.launch(initialising_kernel(each.type), one, list, 4, behind)};
    }
    std::vector<gpu::opencl::kernel_argument> list;
    for (const gpu::opencl::device_array& array : arrays) {
      list.push_back(array.argument);
    }
    std::vector<std::shared_ptr<gpu::opencl::memory_state>> written;
    for (const stream_output& each : streams) {
      written.push_back(gpu::opencl::allocate_memory(on.get_device(), each.to->bytes()));
      list[each.argument].memory = written.back().get();
      constexpr std::uint32_t zero = 0;
      behind = {on.fill_memory(*written.back(), 0, &zero, sizeof(zero), each.to->bytes(), behind)};
    }
    gpu::event last = on.launch(kernel, space, list.data(), list.size(), behind);
    for (std::size_t i = 0; i < streams.size(); ++i) {
      last = on.read(*written[i], 0, streams[i].to->begin(), streams[i].to->bytes(), {last});
    }
    return last;
  };
  return gpu::opencl::make_command(*m_command, gpu::opencl::native_call{kernel.title(), call, writes},
                                   std::move(arguments));
}

gpu::opencl::launch_space space_of_range(const std::size_t* extents, const std::size_t* offset, int dimensions) {
  gpu::opencl::launch_space s{static_cast<std::size_t>(dimensions), {1, 1, 1}, {1, 1, 1}, {0, 0, 0}};
  constexpr std::size_t most = 256;
  std::size_t left = most;
  for (int d = 0; d < dimensions; ++d) {
    const auto to = static_cast<std::size_t>(d);
    const std::size_t extent = extents[to];
    // The first one, which varies fastest, gets as many work-items as it has use for.
    std::size_t local = 1;
    while (local < left && local < extent && (d + 1 == dimensions || d == 0 || local < 16)) {
      local *= 2;
    }
    s.local[to] = local;
    left /= local;
    s.global[to] = (extent + local - 1) / local * local;
    s.offset[to] = offset[to];
  }
  return s;
}

bool has_no_work_items(const gpu::opencl::launch_space& space) noexcept {
  return std::find(space.global.begin(), space.global.end(), std::size_t{0}) != space.global.end();
}

void check_local_range(const gpu::opencl::launch_space& space) {
  if (std::find(space.local.begin(), space.local.end(), std::size_t{0}) != space.local.end()) {
    throw exception(make_error_code(errc::nd_range), "the local range is 0: a work-group has a work-item at least");
  }
}

void refuse_work_item_kernel() {
  throw exception(
      make_error_code(errc::kernel_not_supported),
      "the kernel spells the type of its item, so it runs on the CPU only: for the queue of an OpenCL device "
      "write [=](auto it), which is recorded");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
