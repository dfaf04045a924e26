// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/environment.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/machine.hpp>

#include <charconv>
#include <cstdlib>
#include <string>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// The variable's value; empty if it is not set.
std::string_view value_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

[[noreturn]] void refuse(const char* variable, std::string_view value, const std::string& expected) {
  throw exception(make_error_code(errc::invalid), "the environment variable " + std::string(variable) + " is \"" +
                                                      std::string(value) + "\"; it must be " + expected);
}

/// The number at the beginning of `text`, which is removed; nothing if there is none that fits.
bool take_number(std::string_view& text, std::size_t& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return false;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::size_t read_threads() {
  const char* const variable = "LANEFOLD_NUM_THREADS";
  const std::string_view value = value_of(variable);
  if (value.empty()) {
    return available_cores();
  }
  std::string_view rest = value;
  std::size_t threads = 0;
  if (!take_number(rest, threads) || !rest.empty() || threads < 1 || threads > environment::most_threads) {
    refuse(variable, value, "a number from 1 to " + std::to_string(environment::most_threads));
  }
  return threads;
}

std::size_t read_stack_bytes() {
  const char* const variable = "LANEFOLD_STACK_SIZE";
  const std::string_view value = value_of(variable);
  if (value.empty()) {
    return 0;
  }
  std::string_view rest = value;
  std::size_t bytes = 0;
  bool good = take_number(rest, bytes) && bytes <= environment::most_stack_bytes;
  if (rest == "K" || rest == "k") {
    bytes *= 1024;
  } else if (rest == "M" || rest == "m") {
    bytes *= 1024 * 1024;
  } else {
    good = good && rest.empty();
  }
  if (!good || bytes < environment::least_stack_bytes || bytes > environment::most_stack_bytes) {
    refuse(variable, value, "a number of bytes from 4K to 1024M");
  }
  return bytes;
}

fiber_engine read_engine() {
  const char* const variable = "LANEFOLD_FIBER_ENGINE";
  const std::string_view value = value_of(variable);
  if (value.empty()) {
    return fiber_engine::automatic;
  }
  const std::optional<fiber_engine> engine = fiber_engine_from_string(value);
  if (!engine) {
    refuse(variable, value, "automatic, native, boost_context or boost_fiber");
  }
  return *engine;
}

} // namespace

environment environment::read() { return {read_threads(), read_stack_bytes(), read_engine()}; }

} // namespace detail
LANEFOLD_END_NAMESPACE
