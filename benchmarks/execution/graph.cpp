// SPDX-License-Identifier: Apache-2.0
/// Graphs of 10,000 nodes of about a microsecond, run again and again, against a loop over the same work on as many
/// threads as the graph can use.
#include "programs.hpp"

#include <algorithm>
#include <cmath>

namespace lanefold_benchmarks {

void measure_graph(report& to, const options& given) {
  if (given.absolute_times) {
    return;
  }
  constexpr std::size_t nodes = 10000;
  constexpr std::uint32_t steps = 650; // about a microsecond
  lanefold_peers::array<std::uint32_t> of_each(nodes);
  std::fill(of_each.begin(), of_each.end(), steps);
  lanefold_peers::array<float> values(nodes);
  const lanefold_peers::heavy_items items{nodes, of_each.data(), values.data()};
  const expectation expected{
      [&] { std::fill(values.begin(), values.end(), -1.f); },
      [&]() -> std::string {
        for (std::size_t i = 0; i < nodes; ++i) {
          if (!(std::abs(values[i] - lanefold_peers::heavy_item(i, steps)) <= 1e-3f * (1 + values[i]))) {
            return "node " + std::to_string(i) + " is wrong";
          }
        }
        return {};
      }};
  const auto measure = [&](const char* name, ours::edges how, unsigned useful_threads) {
    to.compare(std::string("graph/") + name, quantity::time,
               expected.of(ours::replayed_graph(items, how, given.threads)),
               expected.of(std::vector<work>{lanefold_peers::plain::heavy(items, lanefold_peers::plain::schedule::fixed,
                                                                          std::min(useful_threads, given.threads))}));
  };
  measure("independent", ours::edges::none, given.threads);
  measure("layers", ours::edges::layers, given.threads);
  measure("chains", ours::edges::chains, 2); // there are two
}

} // namespace lanefold_benchmarks
