// SPDX-License-Identifier: Apache-2.0
/// Comparing two pieces of work within one process: alternately, so that whatever disturbs the machine disturbs both,
/// and by the median of the ratios of neighbouring samples.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

namespace lanefold_benchmarks {

struct sampling {
  int repetitions = 15;         ///< samples of each side
  double sample_seconds = 0.01; ///< a sample repeats the work until it takes about this long
  double settle_seconds = 2e-3; ///< rest before a sample: the threads of the other side stop spinning
  double budget_seconds = 15;   ///< fewer samples, at least one, where they would take longer than this
};

struct comparison {
  double ratio;                ///< median of (time of a) / (time of b)
  double quartiles[2];         ///< of the same ratios
  double seconds_a, seconds_b; ///< medians of one run of the work
};

namespace detail {

template <class F>
double seconds_of(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const double position = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (position - static_cast<double>(below)) * (values[above] - values[below]);
}

struct plan {
  int runs;    ///< of the work in a sample
  double once; ///< about the seconds of one run
};

/// Runs `f` a few times, which also fills caches and pools; work that takes long only once.
template <class F>
plan plan_for(F&& f, const sampling& how) {
  double once = seconds_of(f);
  if (once < 10 * how.sample_seconds)
    once = std::max(std::min(seconds_of(f), seconds_of(f)), 1e-9);
  return {static_cast<int>(std::clamp(how.sample_seconds / once, 1.0, 1e6)), once};
}

/// Returns how many samples of each side the budget allows, when one of every side takes `seconds`.
inline int repetitions_for(double seconds, const sampling& how) {
  return static_cast<int>(std::clamp(how.budget_seconds / seconds, 1.0, static_cast<double>(how.repetitions)));
}

/// Seconds for one run, from one sample.
template <class F>
double sample(F&& f, int runs, const sampling& how) {
  std::this_thread::sleep_for(std::chrono::duration<double>(how.settle_seconds));
  if (runs > 1)
    f(); // short work: threads that slept are awake, the caches hold this side's data
  return seconds_of([&] {
           for (int i = 0; i < runs; ++i)
             f();
         }) /
         runs;
}

} // namespace detail

struct duration {
  double median, least; ///< seconds of one run
};

/// The time of one run of `f`.
template <class F>
duration timed(F&& f, const sampling& how = {}) {
  const detail::plan plan = detail::plan_for(f, how);
  const int repetitions = detail::repetitions_for(plan.runs * plan.once, how);
  std::vector<double> samples;
  for (int i = 0; i < repetitions; ++i)
    samples.push_back(detail::sample(f, plan.runs, how));
  return {detail::quantile(samples, 0.5), detail::quantile(samples, 0.0)};
}

/// Times `a` and `b` alternately; which of them goes first changes each time.
template <class A, class B>
comparison compare(A&& a, B&& b, const sampling& how = {}) {
  const detail::plan plan_a = detail::plan_for(a, how), plan_b = detail::plan_for(b, how);
  const int repetitions = detail::repetitions_for(plan_a.runs * plan_a.once + plan_b.runs * plan_b.once, how);
  std::vector<double> ratios, times_a, times_b;
  for (int i = 0; i < repetitions; ++i) {
    double time_a = 0, time_b = 0;
    if (i % 2 == 0)
      time_a = detail::sample(a, plan_a.runs, how);
    time_b = detail::sample(b, plan_b.runs, how);
    if (i % 2 != 0)
      time_a = detail::sample(a, plan_a.runs, how);
    times_a.push_back(time_a);
    times_b.push_back(time_b);
    ratios.push_back(time_a / time_b);
  }
  return {detail::quantile(ratios, 0.5),
          {detail::quantile(ratios, 0.25), detail::quantile(ratios, 0.75)},
          detail::quantile(times_a, 0.5),
          detail::quantile(times_b, 0.5)};
}

} // namespace lanefold_benchmarks
