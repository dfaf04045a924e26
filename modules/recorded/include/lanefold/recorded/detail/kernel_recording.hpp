// SPDX-License-Identifier: Apache-2.0
/// Records a kernel of a command, and makes a launch for the command's device of what was recorded.
#pragma once

#include <lanefold/execution/handler.hpp>
#include <lanefold/gpu/command.hpp>
#include <lanefold/gpu/detail/launch_space.hpp>
#include <lanefold/recorded/detail/command_memory.hpp>
#include <lanefold/recorded/detail/recorded_streams.hpp>
#include <lanefold/recorded/detail/recorder.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// Names what is launched: a kernel of that C++ type over an index space.
struct recorded_launch_space {
  const std::type_info& kernel;
  gpu::opencl::launch_space space;
  std::size_t sub_group_size = 0; ///< 0: that of the device
  int range_dimensions = 0;       ///< not 0: it is a kernel over a range, of `extents`
  std::array<std::size_t, 3> extents{};
};

/// The recording of one kernel of one command.
class kernel_recording {
public:
  kernel_recording(handler* command, const launch_settings& settings, std::byte filling);
  kernel_recording(const kernel_recording&) = delete;
  kernel_recording& operator=(const kernel_recording&) = delete;
  ~kernel_recording();

  [[nodiscard]] recorder& record() noexcept { return m_recorder; }
  [[nodiscard]] std::byte* local_memory() noexcept { return m_memory.local_memory(); }
  [[nodiscard]] recorded_streams& streams() noexcept { return m_streams; }

  /// The kernel object of the program was copied, to be recorded: this is how the copy's local accessors are found.
  void note_copy(const void* kernel, const void* copy, std::size_t bytes);

  /// Throws errc::kernel_argument if the kernel, which captures a local accessor, can have none.
  void check_local_memory(bool has_work_groups) const;
  /// Throws errc::kernel if the kernel has written to local memory while it was recorded.
  void check_local_memory_unchanged() const;
  /// Throws errc::kernel if the other recording of the same kernel is another one, because the kernel has read local
  /// memory meanwhile.
  void check_same(const kernel_recording& other) const;

  /// Before the kernel runs, `count` elements from the beginning of an array on get these bits.
  void initialise(std::uint32_t array, std::uint64_t bits, std::size_t count) {
    m_initial.push_back({array, bits, count});
  }
  /// The kernel has that many bytes of local memory, those of its accessors included.
  void reserve_local_memory(std::size_t bytes) noexcept { m_local_bytes = bytes; }
  /// The kernel itself takes care of work-items beyond its range.
  void guards_itself() noexcept { m_is_guarded = false; }

  /// Returns what was recorded, as OpenCL C.
  [[nodiscard]] std::string source(const gpu::opencl::launch_space& space) const {
    return print_recorded(m_recorder, header(space, 0));
  }
  /// The launch of what was recorded, and checked: from now on it is known.
  std::unique_ptr<launch> make_launch(const recorded_launch_space& where);
  /// The launch of the same if it is known; else null.
  std::unique_ptr<launch> make_known_launch(const recorded_launch_space& where);

  // These tell known_launches of the recording whose launch was made.

  [[nodiscard]] const recorder& recorded() const noexcept { return m_recorder; }
  /// Returns whether the command is the kernel alone: nothing is initialised before it, or printed behind it.
  [[nodiscard]] bool is_one_launch() const noexcept { return m_initial.empty() && m_streams.empty(); }
  [[nodiscard]] const gpu::kernel& launched_kernel() const noexcept { return *m_launched_kernel; }
  [[nodiscard]] const std::vector<gpu::opencl::command_argument>& launched_arguments() const noexcept {
    return m_launched_arguments;
  }
  /// Says where in the kernel object its local accessors have their places (local_accessor::m_place).
  [[nodiscard]] const std::vector<std::size_t>& local_places() const noexcept { return m_local_places; }
  /// Returns whether these are all.
  [[nodiscard]] bool has_found_local_places() const noexcept { return m_has_found_local_places; }

private:
  struct initial_elements {
    std::uint32_t array;
    std::uint64_t bits;
    std::size_t count;
  };

  std::unique_ptr<launch> make_launch_of(const gpu::kernel& kernel, const recorded_launch_space& where);
  /// The launch of a kernel between those that initialise and the copies of what it has written to streams.
  std::unique_ptr<launch> make_composed_launch(const gpu::kernel& kernel, const gpu::opencl::launch_space& space,
                                               std::vector<gpu::opencl::command_argument> arguments);
  [[nodiscard]] recorded_header header(const gpu::opencl::launch_space& space, int range_dimensions) const;

  handler* m_command;
  const launch_settings& m_settings;
  command_memory m_memory;
  std::unique_ptr<recorder> m_own_recorder; ///< which outlives this, for programs that keep its values
  recorder& m_recorder;
  recorded_streams m_streams;
  std::vector<initial_elements> m_initial;
  std::size_t m_local_bytes;
  bool m_is_guarded = true;
  std::optional<gpu::kernel> m_launched_kernel;
  std::vector<gpu::opencl::command_argument> m_launched_arguments;
  std::vector<std::size_t> m_local_places;
  bool m_has_found_local_places = true;
};

[[nodiscard]] bool has_no_work_items(const gpu::opencl::launch_space& space) noexcept;

/// Throws errc::nd_range for work-groups of no work-item. What depends on the device is checked when it is known.
void check_local_range(const gpu::opencl::launch_space& space);

/// Throws errc::kernel_not_supported: the kernel spells the type of its item.
[[noreturn]] void refuse_work_item_kernel();

/// Work-groups of a kernel over a range, whose ids end before those of the work-groups do.
gpu::opencl::launch_space space_of_range(const std::size_t* extents, const std::size_t* offset, int dimensions);

} // namespace detail
LANEFOLD_END_NAMESPACE
