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
  const auto side_of = [&](std::size_t width, int dimensions, ours::row_kernel kernel) {
    return data.side_of(ours::rows(data.arrays(), width, dimensions, kernel, 1));
  };
  for (const std::size_t width : {8, 16, 32}) {
    to.compare("rows/" + std::to_string(width) + "/one_row", quantity::time, side_of(width, 2, ours::row_kernel::lanes),
               side_of(count, 1, ours::row_kernel::lanes));
  }
  for (const std::size_t width : {4, 8, 16, 32}) {
    to.compare("rows/" + std::to_string(width) + "/work_item/one_row", quantity::time,
               side_of(width, 2, ours::row_kernel::work_items), side_of(count, 1, ours::row_kernel::work_items));
  }
  to.compare("rows/range_4d/3d", quantity::time, side_of(32, 4, ours::row_kernel::lanes),
             side_of(32, 3, ours::row_kernel::lanes));
  to.compare("rows/nd_range_4d/3d", quantity::time, side_of(32, 4, ours::row_kernel::lanes_in_groups),
             side_of(32, 3, ours::row_kernel::lanes_in_groups));
}

} // namespace lanefold_benchmarks
