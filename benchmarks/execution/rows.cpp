// SPDX-License-Identifier: Apache-2.0
/// a[i] = b[i] + s * c[i] over index spaces whose rows are short, and of three and four dimensions.
#include "triad_data.hpp"

namespace lanefold_benchmarks {

void measure_rows(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratios say it
  }
  constexpr std::size_t count = std::size_t{1} << 17; // three arrays of 512 KiB
  triad_data data(count);
  const auto side_of = [&](std::size_t width, int dimensions, bool in_groups) {
    return data.side_of(ours::rows(data.arrays(), width, dimensions, in_groups, 1));
  };
  for (const std::size_t width : {8, 16, 32}) {
    to.compare("rows/" + std::to_string(width) + "/one_row", quantity::time, side_of(width, 2, false),
               side_of(count, 1, false));
  }
  to.compare("rows/range_4d/3d", quantity::time, side_of(32, 4, false), side_of(32, 3, false));
  to.compare("rows/nd_range_4d/3d", quantity::time, side_of(32, 4, true), side_of(32, 3, true));
}

} // namespace lanefold_benchmarks
