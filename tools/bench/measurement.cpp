// SPDX-License-Identifier: Apache-2.0
#include "measurement.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <regex>
#include <stdexcept>
#include <unistd.h>

namespace lanefold_bench {

namespace {

using lanefold_benchmarks::cost;
using lanefold_benchmarks::options;
using lanefold_benchmarks::report;
using lanefold_benchmarks::side;
using lanefold_benchmarks::work;
using std::chrono::steady_clock;

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

/// Ctrl-C sets `interrupted`, once.
void watch_for_interrupt() {
  struct sigaction action{};
  action.sa_handler = &note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

double seconds_since(steady_clock::time_point begin) {
  return std::chrono::duration<double>(steady_clock::now() - begin).count();
}

/// Full runs measure everything in turns, five times: what a machine does for some seconds, or for a minute, is in some
/// of the rounds only. (`compare` takes 5 against 5 medians, which lie apart by chance in one of 126 times.)
int rounds_of(bool quick) { return quick ? 1 : 5; }

/// How often a form is run. Slow ones in quick runs have so few samples that `compare` does not trust them.
struct schedule {
  int samples;                    ///< of a round
  benchmark::IterationCount runs; ///< of a sample
  bool warms_up;

  /// Of work that takes `once` seconds.
  schedule(double once, bool quick) {
    const double of_sample = quick ? 0.02 : 0.2;
    const double of_form = quick ? 0.4 : 6;
    const double fewest = quick && once > 0.2 ? 2 : 5;
    runs = static_cast<benchmark::IterationCount>(std::clamp(of_sample / once, 1.0, 1e7));
    const int all = static_cast<int>(std::clamp(of_form / (once * static_cast<double>(runs)), fewest, 15.0));
    samples = std::max(1, all / rounds_of(quick));
    warms_up = once < of_sample;
  }
};

/// About the seconds of one run; `most` is known to be more.
double seconds_of_run(const work& form, double most) {
  if (most > 1) {
    return most; // slow work is not run again to know
  }
  const auto begin = steady_clock::now();
  form.run();
  return std::max(seconds_since(begin), 1e-9);
}

/// Returns whether a run of Google Benchmark ended early; version 1.8 has another name for it.
template <class Run>
bool ended_early(const Run& run) {
  if constexpr (requires { run.error_occurred; }) {
    return run.error_occurred;
  } else {
    return run.skipped != decltype(run.skipped)();
  }
}

/// Takes the samples from Google Benchmark.
class sample_reporter final : public benchmark::BenchmarkReporter {
public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration && !ended_early(run)) {
        samples.push_back(run.real_accumulated_time / static_cast<double>(run.iterations));
      }
    }
  }
  std::vector<double> samples;
};

std::vector<double> samples_of(const work& form, const schedule& how) {
  benchmark::RegisterBenchmark(
      "form",
      [&](benchmark::State& state) {
        if (interrupted != 0) {
          state.SkipWithError("interrupted");
        } else if (how.warms_up) { // threads that slept are awake, the caches hold this form's data
          form.run();
        }
        for (auto _ : state) { // not at all when skipped
          form.run();
        }
      })
      ->Iterations(how.runs)
      ->Repetitions(how.samples)
      ->UseRealTime();
  sample_reporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter, "all");
  benchmark::ClearRegisteredBenchmarks();
  return reporter.samples;
}

/// Is told of forms, and keeps those that the filter lets through.
class chosen_forms : public report {
public:
  chosen_forms(const options& given, const std::string& filter) : report(given) {
    try {
      m_filter = std::regex(filter, std::regex::extended);
    } catch (const std::regex_error&) {
      throw std::runtime_error("the filter \"" + filter + "\" is no regular expression");
    }
  }

  void absolute(const std::string& name, const side& of, double scale, const std::string& unit,
                const cost& of_run) final {
    side chosen = of;
    std::erase_if(chosen.candidates,
                  [&](const work& form) { return !std::regex_search(name + "/" + form.name, m_filter); });
    if (!chosen.candidates.empty()) {
      take(name, chosen, scale, unit, of_run);
    } else if (of.candidates.empty() && std::regex_search(name, m_filter)) {
      take_absent(name, of.absent);
    }
  }

protected:
  virtual void take(const std::string& name, const side& of, double scale, const std::string& unit,
                    const cost& of_run) = 0;
  virtual void take_absent(const std::string& /*name*/, const std::string& /*why*/) {}

private:
  std::regex m_filter;
};

class listing final : public chosen_forms {
public:
  using chosen_forms::chosen_forms;
  std::vector<std::string> names;

private:
  void take(const std::string& name, const side& of, double, const std::string&, const cost&) override {
    for (const work& form : of.candidates) {
      names.push_back(name + "/" + form.name);
    }
  }
};

class measuring final : public chosen_forms {
public:
  measuring(const options& given, const std::string& filter, std::size_t forms)
      : chosen_forms(given, filter), m_quick(given.quick),
        m_forms(forms * static_cast<std::size_t>(rounds_of(given.quick))) {}
  results found;

  void begin_round(int round) {
    m_first = round == 0;
    m_next = 0;
  }
  void miss(const std::string& program, const std::string& why, bool is_wrong) {
    if (!m_first) {
      return; // it was missing before
    }
    found.absent.push_back({program, why, is_wrong});
    if (is_wrong) {
      show(program + ": " + why);
    }
  }

private:
  void take_absent(const std::string& name, const std::string& why) override { miss(name, why, false); }

  void take(const std::string& name, const side& of, double scale, const std::string& unit,
            const cost& of_run) override {
    for (const work& form : of.candidates) {
      if (interrupted != 0) {
        return;
      }
      show_progress(name + "/" + form.name);
      ++m_done;
      if (!m_first) {
        measure_again(name, form);
        continue;
      }
      try {
        side alone = of;
        alone.candidates = {form};
        alone.verified = false;
        const auto begin = steady_clock::now();
        lanefold_benchmarks::verify(alone);
        const schedule how(seconds_of_run(form, seconds_since(begin)), m_quick);
        result r{name, form.name, of.is_ours, unit, scale, of_run.flops, of_run.bytes, samples_of(form, how), {}};
        if (!r.samples.empty()) {
          show(name + "/" + form.name + ": " + value_of(r));
          r.rounds.push_back(r.samples.size());
          found.measured.push_back(std::move(r));
          m_schedules.push_back(how);
        }
      } catch (const std::exception& error) {
        miss(name, form.name + ": " + error.what(), true);
      }
    }
  }

  /// In the rounds behind the first: forms come in the same order, without those that were wrong.
  void measure_again(const std::string& name, const work& form) {
    if (m_next == found.measured.size() || found.measured[m_next].program != name ||
        found.measured[m_next].form != form.name) {
      return;
    }
    result& r = found.measured[m_next];
    const std::vector<double> samples = samples_of(form, m_schedules[m_next]);
    ++m_next;
    if (!samples.empty()) {
      r.samples.insert(r.samples.end(), samples.begin(), samples.end());
      r.rounds.push_back(samples.size());
    }
  }

  /// A line of the terminal that the next one overwrites.
  void show_progress(const std::string& name) const {
    if (m_terminal) {
      std::string left;
      if (m_done != 0) {
        const double seconds =
            seconds_since(m_begin) / static_cast<double>(m_done) * static_cast<double>(m_forms - m_done);
        const auto whole = static_cast<unsigned>(std::lround(seconds));
        left = ", " + std::to_string(whole / 60) + ":" + (whole % 60 < 10 ? "0" : "") + std::to_string(whole % 60) +
               " left";
      }
      std::fprintf(stderr, "\r\033[K[%zu/%zu%s] %s", m_done + 1, m_forms, left.c_str(), name.c_str());
    }
  }
  void show(const std::string& line) const {
    if (m_terminal) {
      std::fputs("\r\033[K", stderr);
    }
    std::puts(line.c_str());
    std::fflush(stdout);
  }

  bool m_quick;
  bool m_first = true;               ///< round
  std::size_t m_next = 0;            ///< in a later round: the result to go on with
  std::vector<schedule> m_schedules; ///< of found.measured
  std::size_t m_forms;               ///< of all rounds
  std::size_t m_done = 0;
  bool m_terminal = isatty(STDERR_FILENO) != 0;
  steady_clock::time_point m_begin = steady_clock::now();
};

options options_of(const plan& what) {
  options given;
  given.threads = what.threads;
  given.absolute_times = true;
  given.quick = what.quick;
  return given;
}

} // namespace

std::vector<std::string> names_of(const plan& what) {
  const options given = options_of(what);
  listing list(given, what.filter);
  for (const program& p : programs()) {
    p.measure(list, given);
  }
  return list.names;
}

results measure(const plan& what) {
  const options given = options_of(what);
  measuring taken(given, what.filter, names_of(what).size());
  watch_for_interrupt();
  for (int round = 0; round < rounds_of(what.quick); ++round) {
    taken.begin_round(round);
    for (const program& p : programs()) {
      if (interrupted != 0) {
        break;
      }
      try {
        p.measure(taken, given);
      } catch (const std::exception& error) {
        taken.miss(p.name, std::string("ended early: ") + error.what(), true);
      }
    }
  }
  taken.found.quick = what.quick;
  taken.found.threads = what.threads;
  taken.found.interrupted = interrupted != 0;
  return std::move(taken.found);
}

} // namespace lanefold_bench
