// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/scoped_reduction.hpp"

#include "forms.hpp"

#include <numeric>

namespace lanefold_benchmarks::scoped {

namespace {

constexpr std::size_t group = 256;

/// One pass of a model under a strategy.
template <class Strategy>
void pass(lf::queue& q, model m, lf::view<const double> in, lf::view<double> out) {
  switch (m) {
  case model::ndrange: programs::ndrange_reduction_pass<group>(q, in, out, how<Strategy>()); return;
  case model::hierarchical: programs::hierarchical_reduction_pass<group>(q, in, out, how<Strategy>()); return;
  case model::scoped: programs::scoped_reduction_pass<group>(q, in, out, how<Strategy>()); return;
  }
}

/// The lanes that are tried: an ND-range kernel trades lanes for stack switches, the others need not.
template <class Add>
void for_lanes(model m, strategy s, const Add& add) {
  if (m == model::ndrange) {
    for_strategies<lf::simd<128>, lf::simd<256>>(s, add);
  } else {
    for_strategies<suitable, lf::simd<64>>(s, add);
  }
}

} // namespace

std::vector<work> reduction(const double* in, std::size_t count, double* result, model m, strategy s,
                            unsigned threads) {
  lf::queue& q = queue_with(threads);
  const auto scratch = std::make_shared<lanefold_peers::array<double>>(programs::reduction_scratch(count, group));
  std::vector<work> forms;
  for_lanes(m, s, [&]<class Strategy>() {
    forms.push_back({form_name<Strategy>(name_of(m)),
                     [=, &q] {
                       const double* const sum =
                           programs::reduction_by_passes(lf::view<const double>(in, count), scratch->data(), group,
                                                         [&](auto from, auto to) { pass<Strategy>(q, m, from, to); });
                       q.wait();
                       *result = *sum;
                     },
                     {}});
  });
  return forms;
}

std::vector<work> segmented_reduction(const double* in, std::size_t count, double* result, model m, strategy s,
                                      unsigned threads) {
  lf::queue& q = queue_with(threads);
  const auto sums = std::make_shared<lanefold_peers::array<double>>(count / group);
  std::vector<work> forms;
  for_lanes(m, s, [&]<class Strategy>() {
    forms.push_back({form_name<Strategy>(name_of(m)),
                     [=, &q] {
                       pass<Strategy>(q, m, {in, count}, {sums->data(), sums->size()});
                       q.wait();
                       *result = std::accumulate(sums->begin(), sums->end(), 0.0);
                     },
                     {}});
  });
  return forms;
}

} // namespace lanefold_benchmarks::scoped
