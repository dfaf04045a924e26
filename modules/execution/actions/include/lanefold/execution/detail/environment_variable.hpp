// SPDX-License-Identifier: Apache-2.0
/// The environment variables that the library reads: their names, what each may be, and the one way to read them.
#pragma once

#include <lanefold/version.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A variable that is a whole number from `least` to `most`; if it counts bytes, K, M or G may follow it.
struct environment_number {
  const char* name;
  const char* meaning;
  std::size_t least;
  std::size_t most;
  bool bytes = false;
};

/// A variable that is one of a few words.
struct environment_choice {
  const char* name;
  const char* meaning;
  std::array<const char*, 4> words; ///< null behind the last one
};

/// A variable that may be any text.
struct environment_text {
  const char* name;
  const char* meaning;
};

/// All of them.
namespace environment_variables {
inline constexpr environment_number num_threads{
    "LANEFOLD_NUM_THREADS", "threads of a queue; default: the cores that the process may use", 1, 4096};
inline constexpr environment_choice pin{
    "LANEFOLD_PIN", "whether each thread of the library stays on one core; default off", {"off", "on"}};
inline constexpr environment_number stack_size{
    "LANEFOLD_STACK_SIZE", "bytes of the stack of a suspended work-item or sub-group; default 256K, with -O0 more",
    std::size_t{16} << 10, std::size_t{1} << 30, true};
inline constexpr environment_number max_work_group_size{
    "LANEFOLD_MAX_WORK_GROUP_SIZE", "work-items of a group at most, as the device tells; default 1024", 1, 8192};
inline constexpr environment_choice fiber_engine{"LANEFOLD_FIBER_ENGINE",
                                                 "what suspends work-items and sub-groups",
                                                 {"automatic", "native", "boost_context", "boost_fiber"}};
inline constexpr environment_choice barriers{
    "LANEFOLD_BARRIERS",
    "whether a work-item that has ended counts as having come to the barriers that others meet later: lenient",
    {"strict", "lenient"}};
inline constexpr environment_choice stack_messages{
    "LANEFOLD_STACK_MESSAGES",
    "whether stack overflows are explained, which takes a handler for SIGSEGV",
    {"on", "off"}};
inline constexpr environment_choice explain{
    "LANEFOLD_EXPLAIN",
    "whether each launch prints how it was run, and recorded kernels that they are built again",
    {"0", "1"}};
inline constexpr environment_text trace{
    "LANEFOLD_TRACE", "a file for the trace of all commands, which Perfetto shows; %p in it is the process"};
inline constexpr environment_text tune_file{"LANEFOLD_TUNE_FILE",
                                            "a file in which tune keeps its choices for later processes"};
inline constexpr environment_choice race_check{"LANEFOLD_RACE_CHECK",
                                               "where checked builds look for races of work-items; default group",
                                               {"off", "local", "group", "launch"}};
inline constexpr environment_number schedule{
    "LANEFOLD_SCHEDULE", "seed of the order in which checked builds run groups and commands; default 0, the usual one",
    0, 4294967295};
inline constexpr environment_choice selector{
    "LANEFOLD_SELECTOR",
    "what gpu_selector_v and accelerator_selector_v choose in place of a GPU or an accelerator",
    {"cpu"}};
inline constexpr environment_text gpu_device{"LANEFOLD_GPU_DEVICE",
                                             "words, separated by commas, that OpenCL devices must fit"};
inline constexpr environment_choice gpu_usm{
    "LANEFOLD_GPU_USM", "how OpenCL devices do unified shared memory", {"intel", "svm", "handles"}};
inline constexpr environment_text gpu_build_options{
    "LANEFOLD_GPU_BUILD_OPTIONS", "options for the compilers of OpenCL devices, behind those that a program has"};
inline constexpr environment_text cache_dir{"LANEFOLD_CACHE_DIR",
                                            "the folder of built OpenCL programs; empty for none"};
inline constexpr environment_text dump{
    "LANEFOLD_DUMP", "a folder for the OpenCL programs that are used, with what their compilers said"};
inline constexpr environment_number cache_size{
    "LANEFOLD_CACHE_SIZE", "bytes of built OpenCL programs that are kept; default 256M", 0, std::size_t{1} << 40, true};

/// Returns `use(variable...)` of all of them, in the order above.
template <class Use>
auto apply_to_all(const Use& use) {
  return use(num_threads, pin, stack_size, max_work_group_size, fiber_engine, barriers, stack_messages, explain, trace,
             tune_file, race_check, schedule, selector, gpu_device, gpu_usm, gpu_build_options, cache_dir, dump,
             cache_size);
}
} // namespace environment_variables

/// Returns what a variable says: nothing if it is not set or empty. Errors: errc::invalid for a value that is not
/// allowed; the message is one line that says what is.
std::optional<std::size_t> value_of(const environment_number& variable);
/// The position of the word among those allowed.
std::optional<std::size_t> value_of(const environment_choice& variable);
std::optional<std::string> value_of(const environment_text& variable);

/// Describes a variable for people.
struct environment_description {
  std::string name;
  std::string meaning;
  std::string allowed;
  std::optional<std::string> value; ///< as it is set, allowed or not
  bool refused = false;             ///< it is set to what is not allowed
};
/// Describes all variables, in the order above.
std::vector<environment_description> describe_environment();

} // namespace detail
LANEFOLD_END_NAMESPACE
