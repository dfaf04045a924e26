// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/environment_variable.hpp>

#include <lanefold/exception.hpp>

#include <charconv>
#include <cstdlib>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

std::string_view text_of(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

[[noreturn]] void refuse(const char* name, std::string_view value, const std::string& allowed) {
  throw exception(make_error_code(errc::invalid), "the environment variable " + std::string(name) + " is \"" +
                                                      std::string(value) + "\"; it must be " + allowed);
}

/// A number of bytes as one would write it.
std::string in_bytes(std::size_t number) {
  constexpr const char* units[] = {"", "K", "M", "G"};
  std::size_t unit = 0;
  for (; unit < 3 && number != 0 && number % 1024 == 0; ++unit) {
    number /= 1024;
  }
  return std::to_string(number) + units[unit];
}

std::string allowed_by(const environment_number& variable) {
  if (variable.bytes) {
    return "a number of bytes from " + in_bytes(variable.least) + " to " + in_bytes(variable.most) +
           "; K, M or G may follow the number";
  }
  return "a number from " + std::to_string(variable.least) + " to " + std::to_string(variable.most);
}

std::string allowed_by(const environment_choice& variable) {
  std::string all = variable.words[0];
  for (std::size_t i = 1; i < variable.words.size() && variable.words[i] != nullptr; ++i) {
    const bool last = i + 1 == variable.words.size() || variable.words[i + 1] == nullptr;
    all += (last ? " or " : ", ") + std::string(variable.words[i]);
  }
  return all;
}

/// The power of two that a letter stands for; nothing for what is no such letter.
std::optional<unsigned> shift_of(std::string_view letter) {
  if (letter.empty()) {
    return 0;
  }
  if (letter == "K" || letter == "k") {
    return 10;
  }
  if (letter == "M" || letter == "m") {
    return 20;
  }
  if (letter == "G" || letter == "g") {
    return 30;
  }
  return std::nullopt;
}

std::string allowed_by(const environment_text&) { return "any text"; }

template <class Variable>
environment_description describe(const Variable& variable) {
  environment_description described{variable.name, variable.meaning, allowed_by(variable), std::nullopt, false};
  if (const char* const value = std::getenv(variable.name)) {
    described.value = value;
    try {
      value_of(variable);
    } catch (const exception&) {
      described.refused = true;
    }
  }
  return described;
}

} // namespace

std::vector<environment_description> describe_environment() {
  return environment_variables::apply_to_all(
      [](const auto&... variables) { return std::vector<environment_description>{describe(variables)...}; });
}

std::optional<std::size_t> value_of(const environment_number& variable) {
  const std::string_view text = text_of(variable.name);
  if (text.empty()) {
    return std::nullopt;
  }
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::optional<unsigned> shift =
      variable.bytes ? shift_of(rest) : (rest.empty() ? shift_of(rest) : std::nullopt);
  const bool good = error == std::errc() && shift && number <= (variable.most >> *shift);
  if (!good || (number << *shift) < variable.least) {
    refuse(variable.name, text, allowed_by(variable));
  }
  return number << *shift;
}

std::optional<std::size_t> value_of(const environment_choice& variable) {
  const std::string_view text = text_of(variable.name);
  if (text.empty()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < variable.words.size() && variable.words[i] != nullptr; ++i) {
    if (text == variable.words[i]) {
      return i;
    }
  }
  refuse(variable.name, text, allowed_by(variable));
}

std::optional<std::string> value_of(const environment_text& variable) {
  const std::string_view text = text_of(variable.name);
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
