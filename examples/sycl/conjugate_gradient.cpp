// SPDX-License-Identifier: Apache-2.0
/// Poisson's equation on a square by conjugate gradients: the operator is a stencil, the dot products are reductions,
/// and the events of one step are what the next waits for.
///
///     conjugate_gradient [points along an edge]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <iostream>

using real = double;

/// result = a · b
sycl::event dot(sycl::queue& q, const real* a, const real* b, std::size_t n, real* result, sycl::event after) {
  return q.parallel_for(
      sycl::range<1>(n), after,
      sycl::reduction(result, sycl::plus<real>(), sycl::property::reduction::initialize_to_identity()),
      [=](sycl::item<1> i, auto& sum) { sum.combine(a[i] * b[i]); });
}

int main(int argc, char** argv) {
  const std::size_t edge = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 96;
  const std::size_t n = edge * edge;

  sycl::queue q;
  real* x = sycl::malloc_shared<real>(n, q);  // the solution
  real* r = sycl::malloc_shared<real>(n, q);  // the residual
  real* p = sycl::malloc_shared<real>(n, q);  // the direction
  real* ap = sycl::malloc_shared<real>(n, q); // the operator applied to it
  real* rr = sycl::malloc_shared<real>(1, q);
  real* pap = sycl::malloc_shared<real>(1, q);

  // The solution x (1 - x) y (1 - y), for which five points are exact. It is 0 on the edges.
  const real h = 1 / static_cast<real>(edge + 1);
  sycl::event ready = q.parallel_for(sycl::range{edge, edge}, [=](sycl::id<2> i) {
    const real px = h * static_cast<real>(i[1] + 1), py = h * static_cast<real>(i[0] + 1);
    const std::size_t at = i[0] * edge + i[1];
    x[at] = 0;
    r[at] = p[at] = 2 * (px * (1 - px) + py * (1 - py)) * h * h;
  });
  dot(q, r, r, n, rr, ready).wait();

  const real goal = 1e-20 * *rr;
  int rounds = 0;
  for (; *rr > goal && rounds < 10 * static_cast<int>(edge); ++rounds) {
    const sycl::event applied = q.parallel_for(sycl::range{edge, edge}, [=](sycl::item<2> it) {
      const std::size_t row = it[0], column = it[1], at = it.get_linear_id();
      ap[at] = 4 * p[at] - (row > 0 ? p[at - edge] : 0) - (row + 1 < edge ? p[at + edge] : 0) -
               (column > 0 ? p[at - 1] : 0) - (column + 1 < edge ? p[at + 1] : 0);
    });
    dot(q, p, ap, n, pap, applied).wait();
    const real before = *rr, alpha = before / *pap;
    const sycl::event moved = q.parallel_for(sycl::range{n}, [=](sycl::id<1> i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    });
    dot(q, r, r, n, rr, moved).wait();
    const real beta = *rr / before;
    q.parallel_for(sycl::range{n}, [=](auto i) { p[i] = r[i] + beta * p[i]; }).wait();
  }

  real difference = 0;
  for (std::size_t row = 0; row < edge; ++row) {
    for (std::size_t column = 0; column < edge; ++column) {
      const real px = h * static_cast<real>(column + 1), py = h * static_cast<real>(row + 1);
      difference = std::fmax(difference, std::fabs(x[row * edge + column] - px * (1 - px) * py * (1 - py)));
    }
  }
  for (real* memory : {x, r, p, ap, rr, pap}) {
    sycl::free(memory, q);
  }
  std::cout << rounds << " rounds, largest difference " << difference << '\n';
  return difference < 1e-8 ? 0 : 1;
}
