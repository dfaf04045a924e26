// SPDX-License-Identifier: Apache-2.0
// lanefold-info: what this build and this machine have, for people and (--json) for programs.
#include "occupancy_command.hpp"
#include "report.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: lanefold-info [--json]\n"
    "       lanefold-info occupancy …   (lanefold-info occupancy --help)\n"
    "Tells version, compiler, instruction sets, lanes, caches, threads, fiber engines, OpenCL\n"
    "devices and the environment variables LANEFOLD_*.\n";

int fail(const std::string& why) {
  std::fprintf(stderr, "lanefold-info: %s\n", why.c_str());
  return 2;
}

} // namespace

int main(int argc, char** argv) {
  using namespace lanefold_info;
  std::vector<std::string> arguments(argv + 1, argv + argc);
  const auto take = [&](const char* option) { return std::erase(arguments, option) != 0; };
  const bool occupancy = !arguments.empty() && arguments.front() == "occupancy";
  if (take("--help")) {
    std::fputs(occupancy ? occupancy_usage : usage, stdout);
    return 0;
  }
  const bool as_json = take("--json");
  try {
    json told;
    if (occupancy) {
      arguments.erase(arguments.begin());
      told = occupancy_report(arguments);
    } else if (arguments.empty()) {
      told = report();
    } else {
      return fail("unknown argument " + arguments.front() + "; lanefold-info --help says what there is");
    }
    // Names of devices and values of variables may be no UTF-8, which JSON is.
    const auto text = as_json ? told.dump(2, ' ', false, json::error_handler_t::replace) : as_text(told);
    std::puts(text.c_str());
    return 0;
  } catch (const usage_error& e) {
    return fail(e.text);
  } catch (const std::exception& e) {
    return fail(e.what());
  }
}
