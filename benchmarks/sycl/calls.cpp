// SPDX-License-Identifier: Apache-2.0
/// Work-items that call a function of another source file, as programs that came from CUDA do: what it costs to hand it
/// the nd_item.
#include "called_with_items.hpp"
#include "programs.hpp"
#include "queues.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace lanefold_benchmarks {

void measure_calls(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratio says it
  }
  constexpr std::size_t count = 65536;
  lanefold_peers::array<float> values(count), results(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>(i % 7);
  sycl::queue q = queue_of(given.threads);
  const auto side_that_calls = [&](auto function, const char* name) {
    const float* const from = values.data();
    float* const into = results.data();
    return side{{{name,
                  [=, &q] {
                    q.parallel_for(sycl::nd_range<3>({1, 1, count}, {1, 1, 256}), [=](sycl::nd_item<3> item) {
                       into[item.get_global_id(2)] = function(item, from);
                     }).wait();
                  },
                  {}}},
                [&] { std::fill(results.begin(), results.end(), -1.0F); },
                [&]() -> std::string {
                  for (std::size_t i = 0; i < count; ++i)
                    if (results[i] != 2.0F * values[i])
                      return "element " + std::to_string(i) + " is wrong";
                  return {};
                },
                {},
                false};
  };
  to.compare(
      "calls/by_value/by_reference", quantity::time,
      side_that_calls([](sycl::nd_item<3>& item, const float* x) { return twice_by_value(item, x); }, "by value"),
      side_that_calls([](sycl::nd_item<3>& item, const float* x) { return twice_by_reference(item, x); },
                      "by reference"));
}

} // namespace lanefold_benchmarks
