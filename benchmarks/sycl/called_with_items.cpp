// SPDX-License-Identifier: Apache-2.0
#include "called_with_items.hpp"

namespace lanefold_benchmarks {

float twice_by_value(sycl::nd_item<3> item, const float* values) { return 2.0F * values[item.get_global_id(2)]; }
float twice_by_reference(const sycl::nd_item<3>& item, const float* values) {
  return 2.0F * values[item.get_global_id(2)];
}

} // namespace lanefold_benchmarks
