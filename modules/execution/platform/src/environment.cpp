// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/environment.hpp>

#include <lanefold/execution/detail/environment_variable.hpp>
#include <lanefold/execution/detail/machine.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

fiber_engine read_engine() {
  const auto& variable = environment_variables::fiber_engine;
  const std::optional<std::size_t> word = value_of(variable);
  return word ? *fiber_engine_from_string(variable.words[*word]) : fiber_engine::automatic;
}

} // namespace

environment environment::read() {
  // These are read where they are needed, too late for an error.
  static_cast<void>(value_of(environment_variables::stack_messages));
  static_cast<void>(value_of(environment_variables::explain));
  const std::optional<std::size_t> threads = value_of(environment_variables::num_threads);
  return {threads ? *threads : available_cores(), value_of(environment_variables::stack_size).value_or(0),
          read_engine()};
}

} // namespace detail
LANEFOLD_END_NAMESPACE
