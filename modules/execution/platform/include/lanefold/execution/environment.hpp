// SPDX-License-Identifier: Apache-2.0
/// Holds what the environment variables LANEFOLD_* say.
#pragma once

#include <lanefold/execution/fiber_engine.hpp>
#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// LANEFOLD_NUM_THREADS: 1…4096; default: the cores that this process may use.
/// LANEFOLD_STACK_SIZE: bytes, or with a suffix K or M; 4 KiB…1 GiB; default 0, which leaves it to the engine.
/// LANEFOLD_FIBER_ENGINE: the name of a fiber_engine; default automatic.
struct environment {
  static constexpr std::size_t most_threads = 4096;
  static constexpr std::size_t least_stack_bytes = 4096;
  static constexpr std::size_t most_stack_bytes = std::size_t{1} << 30;

  std::size_t threads;
  std::size_t stack_bytes = 0;
  fiber_engine engine = fiber_engine::automatic;

  /// Reads the variables; a value that cannot be used throws errc::invalid and names the variable.
  static environment read();
};

} // namespace detail
LANEFOLD_END_NAMESPACE
