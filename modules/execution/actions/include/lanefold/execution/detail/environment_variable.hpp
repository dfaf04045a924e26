// SPDX-License-Identifier: Apache-2.0
/// The environment variables that the library reads: their names, what each may be, and the one way to read them.
#pragma once

#include <lanefold/version.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A variable that is a whole number from `least` to `most`; if it counts bytes, K, M or G may follow it.
struct environment_number {
  const char* name;
  std::size_t least;
  std::size_t most;
  bool bytes = false;
};

/// A variable that is one of a few words.
struct environment_choice {
  const char* name;
  std::array<const char*, 4> words; ///< null behind the last one
};

/// A variable that may be any text.
struct environment_text {
  const char* name;
};

/// All of them.
namespace environment_variables {
inline constexpr environment_number num_threads{"LANEFOLD_NUM_THREADS", 1, 4096};
inline constexpr environment_number stack_size{"LANEFOLD_STACK_SIZE", std::size_t{16} << 10, std::size_t{1} << 30,
                                               true};
inline constexpr environment_choice fiber_engine{"LANEFOLD_FIBER_ENGINE",
                                                 {"automatic", "native", "boost_context", "boost_fiber"}};
inline constexpr environment_choice stack_messages{"LANEFOLD_STACK_MESSAGES", {"on", "off"}};
inline constexpr environment_choice explain{"LANEFOLD_EXPLAIN", {"0", "1"}};
inline constexpr environment_choice race_check{"LANEFOLD_RACE_CHECK", {"off", "local", "group", "launch"}};
inline constexpr environment_number schedule{"LANEFOLD_SCHEDULE", 0, 4294967295};
inline constexpr environment_text gpu_device{"LANEFOLD_GPU_DEVICE"};
inline constexpr environment_choice gpu_usm{"LANEFOLD_GPU_USM", {"intel", "svm", "handles"}};
inline constexpr environment_text cache_dir{"LANEFOLD_CACHE_DIR"};
inline constexpr environment_number cache_size{"LANEFOLD_CACHE_SIZE", 0, std::size_t{1} << 40, true};
} // namespace environment_variables

/// Returns what a variable says: nothing if it is not set or empty. Errors: errc::invalid for a value that is not
/// allowed; the message is one line that says what is.
std::optional<std::size_t> value_of(const environment_number& variable);
/// The position of the word among those allowed.
std::optional<std::size_t> value_of(const environment_choice& variable);
std::optional<std::string> value_of(const environment_text& variable);

} // namespace detail
LANEFOLD_END_NAMESPACE
