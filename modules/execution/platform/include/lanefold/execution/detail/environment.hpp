// SPDX-License-Identifier: Apache-2.0
/// Holds what the environment variables say that a queue asks for.
#pragma once

#include <lanefold/detail/checked_build.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/fiber_engine.hpp>
#include <lanefold/version.hpp>

#include <cstddef>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// LANEFOLD_NUM_THREADS (default: the cores that this process may use), LANEFOLD_STACK_SIZE (default 0, which leaves it
/// to the stacks), LANEFOLD_FIBER_ENGINE (default automatic) and LANEFOLD_BARRIERS (default strict).
struct environment {
  static constexpr std::size_t most_threads = environment_variables::num_threads.most;

  std::size_t threads;
  std::size_t stack_bytes = 0;
  fiber_engine engine = fiber_engine::automatic;
  bool lenient_barriers = false;
  [[no_unique_address]] checked_settings checks{};

  /// Reads the variables, and looks at those that are read while kernels run: a value that is not allowed throws
  /// errc::invalid (detail/environment_variable.hpp).
  static environment read();
};

} // namespace detail
LANEFOLD_END_NAMESPACE
