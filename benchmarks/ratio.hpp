// SPDX-License-Identifier: Apache-2.0
/// Comparing two pieces of work within one process: alternately, so that whatever disturbs the machine disturbs both, and
/// by the median of the ratios of neighbouring samples.
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
};

struct comparison {
  double ratio;            ///< median of (time of a) / (time of b)
  double quartiles[2];     ///< of the same ratios
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

/// How often to run `f` in one sample.
template <class F>
int runs_per_sample(F&& f, const sampling& how) {
  f(); // caches, stacks, pools
  const double once = std::max(std::min(seconds_of(f), seconds_of(f)), 1e-9);
  return static_cast<int>(std::clamp(how.sample_seconds / once, 1.0, 1e6));
}

/// Seconds for one run, from one sample.
template <class F>
double sample(F&& f, int runs, const sampling& how) {
  std::this_thread::sleep_for(std::chrono::duration<double>(how.settle_seconds));
  if (runs > 1) f(); // short work: threads that slept are awake, the caches hold this side's data
  return seconds_of([&] {
           for (int i = 0; i < runs; ++i) f();
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
  const int runs = detail::runs_per_sample(f, how);
  std::vector<double> samples;
  for (int i = 0; i < how.repetitions; ++i) samples.push_back(detail::sample(f, runs, how));
  return {detail::quantile(samples, 0.5), detail::quantile(samples, 0.0)};
}

/// Times `a` and `b` alternately; which of them goes first changes each time.
template <class A, class B>
comparison compare(A&& a, B&& b, const sampling& how = {}) {
  const int runs_a = detail::runs_per_sample(a, how), runs_b = detail::runs_per_sample(b, how);
  std::vector<double> ratios, times_a, times_b;
  for (int i = 0; i < how.repetitions; ++i) {
    double time_a = 0, time_b = 0;
    if (i % 2 == 0) time_a = detail::sample(a, runs_a, how);
    time_b = detail::sample(b, runs_b, how);
    if (i % 2 != 0) time_a = detail::sample(a, runs_a, how);
    times_a.push_back(time_a);
    times_b.push_back(time_b);
    ratios.push_back(time_a / time_b);
  }
  return {detail::quantile(ratios, 0.5),
          {detail::quantile(ratios, 0.25), detail::quantile(ratios, 0.75)},
          detail::quantile(times_a, 0.5),
          detail::quantile(times_b, 0.5)};
}

/// The median of (time of a) / (time of b).
template <class A, class B>
double median_ratio(A&& a, B&& b, int repetitions = sampling{}.repetitions) {
  sampling how;
  how.repetitions = repetitions;
  return compare(a, b, how).ratio;
}

} // namespace lanefold_benchmarks
