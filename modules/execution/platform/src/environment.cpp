// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/environment.hpp>

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

/// Other builds look at the variables, too: a value that is not allowed is an error in all of them.
checked_settings read_checks() {
  checked_settings checks;
  [[maybe_unused]] const std::optional<std::size_t> races = value_of(environment_variables::race_check);
  [[maybe_unused]] const std::optional<std::size_t> schedule = value_of(environment_variables::schedule);
#if defined(LANEFOLD_CHECKED)
  checks.schedule = schedule.value_or(0);
  if (races) {
    checks.races = static_cast<race_check>(*races);
  }
#endif
  return checks;
}

} // namespace

environment environment::read() {
  // These are read where they are needed, too late for an error.
  static_cast<void>(value_of(environment_variables::pin));
  static_cast<void>(value_of(environment_variables::stack_messages));
  static_cast<void>(value_of(environment_variables::explain));
  static_cast<void>(value_of(environment_variables::max_work_group_size));
  const std::optional<std::size_t> threads = value_of(environment_variables::num_threads);
  return {threads ? *threads : available_cores(), value_of(environment_variables::stack_size).value_or(0),
          read_engine(), value_of(environment_variables::barriers).value_or(0) == 1, read_checks()};
}

} // namespace detail
LANEFOLD_END_NAMESPACE
