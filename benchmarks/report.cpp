// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string_view>

namespace lanefold_benchmarks {

namespace {

struct wrong_result : std::runtime_error {
  using std::runtime_error::runtime_error;
};

} // namespace

/// Runs every candidate once on spoilt results and checks what it left.
void verify(const side& which) {
  if (which.verified)
    return;
  for (const auto& candidate : which.candidates) {
    if (which.clear)
      which.clear();
    candidate.run();
    if (candidate.fetch)
      candidate.fetch();
    const std::string error = which.check ? which.check() : "";
    if (!error.empty())
      throw wrong_result(candidate.name + ": " + error);
  }
  which.verified = true;
}

namespace {

std::string formatted(const char* format, auto... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

[[noreturn]] void usage(const char* program, const char* wrong) {
  std::fprintf(stderr,
               "%s: bad argument '%s'\n"
               "usage: %s [--threads N] [--repetitions N] [--absolute] [--verify] [PROGRAM…]\n",
               program, wrong, program);
  std::exit(2);
}

int positive(int argc, char** argv, int i) {
  const int value = i < argc ? std::atoi(argv[i]) : 0;
  if (value <= 0)
    usage(argv[0], i < argc ? argv[i] : argv[argc - 1]);
  return value;
}

} // namespace

options parse_options(int argc, char** argv) {
  options result;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--threads")
      result.threads = static_cast<unsigned>(positive(argc, argv, ++i));
    else if (argument == "--repetitions")
      result.how.repetitions = positive(argc, argv, ++i);
    else if (argument == "--absolute")
      result.absolute_times = true;
    else if (argument == "--verify")
      result.verify_only = true;
    else if (argument.starts_with("-"))
      usage(argv[0], argv[i]);
    else
      result.only.emplace_back(argument);
  }
  if (result.verify_only)
    result.how = {1, 0, 0, 0}; // for what a program times itself
  return result;
}

void report::value(const std::string& name, double measured) {
  std::printf("%s\t%.4g\n", name.c_str(), measured);
  std::fflush(stdout);
}

void report::skipped(const std::string& name, const std::string& why) {
  std::printf("%s\tskipped\t%s\n", name.c_str(), why.c_str());
  std::fflush(stdout);
}

void report::wrong(const std::string& name, const std::string& why) {
  m_failed = true;
  std::printf("%s\twrong\t%s\n", name.c_str(), why.c_str());
  std::fflush(stdout);
}

void report::note(const std::string& text) {
  std::printf("# %s\n", text.c_str());
  std::fflush(stdout);
}

void report::note_environment(const std::vector<std::string>& lines) {
  note("threads: " + std::to_string(m_options.threads));
  for (const std::string& line : lines) {
    note(line);
  }
}

const work& report::fastest(const side& of) const {
  const work* best = &of.candidates.front();
  if (of.candidates.size() == 1)
    return *best;
  sampling quick = m_options.how;
  quick.repetitions = 5;
  double least = 0;
  for (const auto& candidate : of.candidates) {
    const double seconds = timed(candidate.run, quick).least; // a disturbed sample must not decide
    if (least == 0 || seconds < least) {
      least = seconds;
      best = &candidate;
    }
  }
  return *best;
}

double report::compare(const std::string& name, quantity what, const side& ours, const side& theirs) {
  for (const side* which : {&theirs, &ours})
    if (which->candidates.empty()) {
      skipped(name, which->absent);
      return 0;
    }
  try {
    verify(theirs);
    verify(ours);
  } catch (const wrong_result& error) {
    wrong(name, error.what());
    return 0;
  }
  if (m_options.verify_only) {
    note(name + ": right");
    return 0;
  }
  const work &mine = fastest(ours), &other = fastest(theirs);
  const comparison measured = lanefold_benchmarks::compare(mine.run, other.run, m_options.how);
  const bool speed = what == quantity::speed;
  note(formatted("%s: %s %.4g ms, %s %.4g ms, quartiles %.3g to %.3g", name.c_str(), mine.name.c_str(),
                 measured.seconds_a * 1e3, other.name.c_str(), measured.seconds_b * 1e3,
                 speed ? 1 / measured.quartiles[1] : measured.quartiles[0],
                 speed ? 1 / measured.quartiles[0] : measured.quartiles[1]));
  const double result = speed ? 1 / measured.ratio : measured.ratio;
  value(name, result);
  return result;
}

void report::absolute(const std::string& name, const side& of, double scale, const std::string& unit,
                      const cost& /*of_run*/) {
  if (of.candidates.empty())
    return note(name + ": skipped, " + of.absent);
  try {
    verify(of);
  } catch (const wrong_result& error) {
    return wrong(name, error.what());
  }
  if (m_options.verify_only)
    return note(name + ": right");
  for (const auto& candidate : of.candidates) {
    const duration taken = timed(candidate.run, m_options.how);
    note(formatted("%-26s %-30s %9.4g ms, at best %9.4g ms = %8.4g %s", name.c_str(), candidate.name.c_str(),
                   taken.median * 1e3, taken.least * 1e3, scale < 0 ? -scale / taken.least : scale * taken.least,
                   unit.c_str()));
  }
}

void report::run(const std::string& program, const std::function<void(report&, const options&)>& measure) {
  if (!m_options.only.empty() &&
      std::find(m_options.only.begin(), m_options.only.end(), program) == m_options.only.end())
    return;
  try {
    measure(*this, m_options);
  } catch (const std::exception& error) {
    m_failed = true;
    note(program + " ended early: " + error.what());
  }
}

} // namespace lanefold_benchmarks
