// SPDX-License-Identifier: Apache-2.0
// lanefold-bench: measures programs in all strategies, and shows and compares what it has measured.
#include "measurement.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: lanefold-bench list [FILTER] [--quick | --full]\n"
    "       lanefold-bench run [FILTER] [--quick | --full] [--threads N] [-o RESULT.json]\n"
    "       lanefold-bench report RESULT.json... -o DIR\n"
    "       lanefold-bench compare OLD.json NEW.json [--threshold PERCENT]\n"
    "Measures programs in all strategies and lane shapes, beside loops by hand and other implementations.\n"
    "FILTER is a regular expression that PROGRAM/FORM must contain. `run` takes small sizes and two minutes (--quick,\n"
    "the default) or large ones and twenty (--full); Ctrl-C keeps what was measured. `report` writes a page in HTML\n"
    "and in Markdown. The exit status of `compare` is 1 where something became slower, 2 is that of errors.\n";

/// Ends the program with a message about its arguments.
struct usage_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

unsigned number_of(const std::string& text) {
  unsigned number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0 || number > 4096) {
    throw usage_error("--threads takes a number from 1 to 4096, not \"" + text + "\"");
  }
  return number;
}

struct command {
  lanefold_bench::plan plan;
  std::string output = "lanefold-bench.json";
};

command parse(const std::vector<std::string>& arguments, bool runs) {
  command parsed;
  parsed.plan.threads = std::max(1U, std::thread::hardware_concurrency());
  bool has_filter = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    const auto value = [&]() -> const std::string& {
      if (++i == arguments.size()) {
        throw usage_error(argument + " takes a value");
      }
      return arguments[i];
    };
    if (argument == "--quick" || argument == "--full") {
      parsed.plan.quick = argument == "--quick";
    } else if (runs && argument == "--threads") {
      parsed.plan.threads = number_of(value());
    } else if (runs && argument == "-o") {
      parsed.output = value();
    } else if (argument.starts_with("-") || has_filter) {
      throw usage_error("unknown argument " + argument + "; lanefold-bench --help says what there is");
    } else {
      parsed.plan.filter = argument;
      has_filter = true;
    }
  }
  return parsed;
}

void check_found(const std::vector<std::string>& names, const std::string& filter) {
  if (names.empty()) {
    throw usage_error("nothing contains \"" + filter + "\"; lanefold-bench list says what there is");
  }
}

int run(const command& how) {
  check_found(lanefold_bench::names_of(how.plan), how.plan.filter);
  lanefold_bench::results_file file(how.output);
  const lanefold_bench::results found = lanefold_bench::measure(how.plan);
  if (found.measured.empty()) {
    throw std::runtime_error("nothing was measured");
  }
  file.write(found);
  std::fprintf(stderr, "%s%s\n", how.output.c_str(), found.interrupted ? ": what was measured before Ctrl-C" : "");
  const bool wrong = std::any_of(found.absent.begin(), found.absent.end(), [](const auto& m) { return m.is_wrong; });
  return found.interrupted ? 130 : wrong ? 1 : 0;
}

/// Gives the command to the script beside the program. Returns only where it cannot.
void call_script(char** argv) {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  const std::string script = (here / LANEFOLD_BENCH_SCRIPT).lexically_normal().string();
  if (!std::filesystem::exists(script)) {
    throw std::runtime_error("there is no " + script);
  }
  std::vector<char*> arguments{const_cast<char*>("python3"), const_cast<char*>(script.c_str())};
  for (char** argument = argv + 1; *argument != nullptr; ++argument) {
    arguments.push_back(*argument);
  }
  arguments.push_back(nullptr);
  execvp("python3", arguments.data());
  throw std::runtime_error(std::string("python3 cannot be started: ") + std::strerror(errno));
}

} // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> all(argv + 1, argv + argc);
  try {
    if (all.empty() || std::find(all.begin(), all.end(), "--help") != all.end()) {
      std::fputs(usage, all.empty() ? stderr : stdout);
      return all.empty() ? 2 : 0;
    }
    const std::string& name = all.front();
    if (name == "report" || name == "compare") {
      call_script(argv);
    }
    if (name != "list" && name != "run") {
      throw usage_error("unknown command " + name + "; lanefold-bench --help says what there is");
    }
    const command given = parse({all.begin() + 1, all.end()}, name == "run");
    lanefold_bench::prepare(given.plan.threads, argv);
    if (name == "run") {
      return run(given);
    }
    const std::vector<std::string> names = lanefold_bench::names_of(given.plan);
    check_found(names, given.plan.filter);
    for (const std::string& each : names) {
      std::puts(each.c_str());
    }
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lanefold-bench: %s\n", e.what());
    return 2;
  }
}
