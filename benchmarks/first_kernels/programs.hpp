// SPDX-License-Identifier: Apache-2.0
/// The programs behind the targets of the area `first_kernels`, one file each: kernels as somebody writes them who has
/// read the manual and nothing else. Each is one lane-generic kernel, run with the lanes that the library chooses or
/// the manual advises, and as plain work-items.
#pragma once

#include "data.hpp"
#include "report.hpp"

#include <lanefold/lanefold.hpp>

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace lanefold_benchmarks {

namespace lf = lanefold;

/// Runs a program's kernels: `submit(queue, properties)` with no property and with the strategy `scalar`; and compares.
class contest {
public:
  contest(report& to, const options& given) : m_to(to), m_options(given), m_queue(queue_of(given.threads)) {}

  /// `check` says what is wrong with the results; `clear` spoils them. `lane_properties` are for the lanes alone.
  template <class Submit, class Properties = lf::properties<>>
  void run(const std::string& name, const work& loop, const std::function<void()>& clear,
           const std::function<std::string()>& check, Submit submit, Properties lane_properties = {}) {
    const auto side_of = [&](work only) { return side{{std::move(only)}, clear, check, {}, false}; };
    const side by_openmp = side_of(loop);
    if (m_options.absolute_times)
      return m_to.absolute(name, by_openmp, 1e3, "ms");
    lf::queue& q = m_queue;
    const side lanes = side_of({"lanes", [=, &q] { submit(q, lane_properties); }, {}});
    // Sub-groups of 16 for the kernels that count on it; the size of work-items is that of the machine's registers.
    const auto scalar = lf::properties{lf::property::strategy<lf::scalar>{}, lf::property::sub_group_size(16)};
    const side work_items = side_of({"work-items", [=, &q] { submit(q, scalar); }, {}});
    m_speeds.push_back(m_to.compare(name + "/openmp", quantity::speed, lanes, by_openmp));
    m_to.compare(name + "/work_items", quantity::speed, lanes, work_items);
  }

  /// Of lanes against OpenMP, in the order of the programs; 0 where something was wrong.
  [[nodiscard]] const std::vector<double>& speeds() const { return m_speeds; }

private:
  static lf::queue queue_of(unsigned threads) {
    return lf::queue{lf::property_list{lf::property::threads(threads), lf::property::queue::in_order()}};
  }

  report& m_to;
  const options& m_options;
  lf::queue m_queue;
  std::vector<double> m_speeds;
};

/// `count` numbers between `low` and `high`, the same ones each time.
inline array<float> random_floats(std::size_t count, float low, float high, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<float> any(low, high);
  array<float> all(count);
  for (float& x : all)
    x = any(random);
  return all;
}

/// Says which element differs by more than `tolerance`, relative to what is expected or to 1.
template <class Found, class Expected>
std::string first_difference(const Found& found, const Expected& expected, double tolerance) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double x = static_cast<double>(found[i]), y = static_cast<double>(expected[i]);
    if (!(std::abs(x - y) <= tolerance * std::max(1.0, std::abs(y))))
      return "element " + std::to_string(i) + " is " + std::to_string(x) + ", not " + std::to_string(y);
  }
  return {};
}

void measure_stencil(contest&, unsigned threads);
void measure_compaction(contest&, unsigned threads);
void measure_histogram(contest&, unsigned threads);
void measure_sparse(contest&, unsigned threads);
void measure_sort(contest&, unsigned threads);
void measure_cholesky(contest&, unsigned threads);
void measure_fft(contest&, unsigned threads);
void measure_flux(contest&, unsigned threads);
void measure_monte_carlo(contest&, unsigned threads);
void measure_lattice(contest&, unsigned threads);
void measure_volume(contest&, unsigned threads);
void measure_black_scholes(contest&, unsigned threads);
void measure_pixels(contest&, unsigned threads);
void measure_red_black(contest&, unsigned threads);

} // namespace lanefold_benchmarks
