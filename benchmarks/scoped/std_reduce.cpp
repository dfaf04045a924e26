// SPDX-License-Identifier: Apache-2.0
#include "sides.hpp"

#include <execution>
#include <functional>
#include <numeric>

namespace lanefold_benchmarks::scoped {

work std_reduce(const double* in, std::size_t count, double* result) {
  return {"std::reduce(par_unseq)",
          [=] { *result = std::reduce(std::execution::par_unseq, in, in + count, 0.0, std::plus<double>()); },
          {}};
}

} // namespace lanefold_benchmarks::scoped
