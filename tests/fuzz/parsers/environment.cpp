// SPDX-License-Identifier: Apache-2.0
#include "parsers.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>

#include <cstdlib>
#include <string>

namespace {

namespace ld = lanefold::detail;

/// Returns whether the value is allowed.
template <class Variable>
bool is_allowed(const Variable& variable, const std::string& text) {
  setenv(variable.name, text.c_str(), 1);
  try {
    const auto value = ld::value_of(variable);
    if constexpr (requires { variable.least; }) {
      fuzz_parsers::require(!value || (*value >= variable.least && *value <= variable.most),
                            "a number is in its range");
    }
    return true;
  } catch (const lanefold::exception& e) {
    fuzz_parsers::require(e.code() == lanefold::errc::invalid, "a value that is not allowed is invalid");
    fuzz_parsers::require(std::string(e.what()).find(variable.name) != std::string::npos,
                          "the error names the variable");
    return false;
  }
}

} // namespace

void fuzz_parsers::environment(std::string_view input) {
  const std::string text(input.substr(0, input.find('\0')));
  const std::size_t refused = ld::environment_variables::apply_to_all(
      [&](const auto&... variable) { return (std::size_t{0} + ... + (is_allowed(variable, text) ? 0 : 1)); });
  std::size_t described = 0;
  for (const ld::environment_description& d : ld::describe_environment()) {
    require(d.value == text, "a variable is described as it is set");
    described += d.refused ? 1 : 0;
  }
  require(described == refused, "a description says what is refused");
}
