// SPDX-License-Identifier: Apache-2.0
/// a[i] = b[i] + s * c[i] in work-item kernels that take their id as int, against the same with size_t.
#include "programs.hpp"

#include <utility>

namespace lanefold_benchmarks {

void measure_int_ids(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratios say it
  }
  constexpr std::size_t count = std::size_t{1} << 14; // three arrays of 64 KiB
  lanefold_peers::array<float> a(count), b(count), c(count);
  for (std::size_t i = 0; i < count; ++i) {
    b[i] = static_cast<float>(i % 1021);
    c[i] = static_cast<float>(i % 509);
  }
  const ours::triad_arrays of{a.data(), b.data(), c.data(), 3.0F, count};
  const expectation expected{[&] { std::fill(a.begin(), a.end(), -1.0F); },
                             [&]() -> std::string {
                               for (std::size_t i = 0; i < count; ++i)
                                 if (a[i] != b[i] + of.s * c[i])
                                   return "element " + std::to_string(i) + " is wrong";
                               return {};
                             }};
  for (const auto& [space, name] : {std::pair(ours::space::range, "range"),
                                    {ours::space::range_2d, "range_2d"},
                                    {ours::space::nd_range, "nd_range"},
                                    {ours::space::nd_range_3d, "nd_range_3d"}}) {
    to.compare(std::string("int_ids/") + name + "/size_t", quantity::speed, expected.ours({ours::int_ids(space, of)}),
               expected.ours({ours::size_ids(space, of)}));
  }
}

} // namespace lanefold_benchmarks
