// SPDX-License-Identifier: Apache-2.0
/// a[i] = b[i] + s * c[i] in work-item kernels that take their id as int, against the same with size_t.
#include "triad_data.hpp"

#include <utility>

namespace lanefold_benchmarks {

void measure_int_ids(report& to, const options& given) {
  if (given.absolute_times) {
    return; // the ratios say it
  }
  triad_data data(std::size_t{1} << 14); // three arrays of 64 KiB
  for (const auto& [space, name] : {std::pair(ours::id_space::range, "range"),
                                    {ours::id_space::range_2d, "range_2d"},
                                    {ours::id_space::nd_range, "nd_range"},
                                    {ours::id_space::nd_range_3d, "nd_range_3d"},
                                    {ours::id_space::guarded, "guarded"}}) {
    to.compare(std::string("int_ids/") + name + "/size_t", quantity::speed,
               data.side_of(ours::int_ids(space, data.arrays())), data.side_of(ours::size_ids(space, data.arrays())));
  }
}

} // namespace lanefold_benchmarks
