// SPDX-License-Identifier: Apache-2.0
#include "sides.hpp"

#include <cblas.h>

namespace lanefold_benchmarks::scoped {

std::vector<work> openblas_dgemm(const double* a, const double* b, double* c, std::size_t n) {
  openblas_set_num_threads(1);
  const auto order = static_cast<blasint>(n);
  return {{"OpenBLAS (" + openblas_core() + "), one thread",
           [=] {
             cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, order, order, order, 1.0, a, order, b, order, 0.0,
                         c, order);
           },
           {}}};
}

std::string openblas_core() { return openblas_get_corename(); }

} // namespace lanefold_benchmarks::scoped
