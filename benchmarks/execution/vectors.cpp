// SPDX-License-Identifier: Apache-2.0
/// Points as vectors, one behind the other, against an array for each coordinate: in their order, and in another one.
#include "programs.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace lanefold_benchmarks {

namespace {

constexpr std::size_t count = std::size_t{1} << 12; // 64 KiB

struct point_data {
  lanefold_peers::array<float> vectors{4 * count}, arrays{4 * count}, sums{count};
  lanefold_peers::array<unsigned> order{count};

  point_data() {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        vectors[4 * i + k] = arrays[k * count + i] = static_cast<float>((i * 7 + k * 13) % 64);
      }
    }
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::mt19937(1)); // NOLINT(bugprone-random-generator-seed)
  }

  side of(const work& computes, bool ordered) {
    return expectation{[this] { std::fill(sums.begin(), sums.end(), -1.0F); },
                       [this, ordered]() -> std::string {
                         for (std::size_t i = 0; i < count; ++i) {
                           const float* const p = &vectors[4 * (ordered ? i : order[i])];
                           if (sums[i] != 2 * p[0] + p[1] + p[2] + p[3]) {
                             return "sum " + std::to_string(i) + " is wrong";
                           }
                         }
                         return {};
                       }}
        .ours({computes});
  }
};

} // namespace

void measure_vectors(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratios say it
  }
  point_data data;
  for (const bool ordered : {true, false}) {
    const auto points_in = [&](const float* values) {
      return ours::points{values, ordered ? nullptr : data.order.data(), data.sums.data(), count};
    };
    to.compare(std::string("vectors/") + (ordered ? "contiguous" : "gathered") + "/arrays", quantity::speed,
               data.of(ours::sums_of_vectors(points_in(data.vectors.data())), ordered),
               data.of(ours::sums_of_arrays(points_in(data.arrays.data())), ordered));
  }
}

} // namespace lanefold_benchmarks
