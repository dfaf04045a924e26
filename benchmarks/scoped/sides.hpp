// SPDX-License-Identifier: Apache-2.0
/// The four programs of "Benchmarking and Extending SYCL Hierarchical Parallelism" in three models and three strategies
/// each, and what they are compared with. Every function returns the forms that may be tried (numbers of lanes, for
/// instance); the fastest counts. Arrays belong to the caller and outlive the work.
#pragma once

#include "peers.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace lanefold_benchmarks::scoped {

using lanefold_peers::bodies;
using lanefold_peers::work;

enum class model { ndrange, hierarchical, scoped };
enum class strategy { scalar, omp_simd, simd };
inline constexpr std::array models{model::ndrange, model::hierarchical, model::scoped};
inline constexpr std::array strategies{strategy::scalar, strategy::omp_simd, strategy::simd};
inline constexpr const char* name_of(model m) {
  return m == model::ndrange ? "ndrange" : m == model::hierarchical ? "hierarchical" : "scoped";
}
inline constexpr const char* name_of(strategy s) {
  return s == strategy::scalar ? "scalar" : s == strategy::omp_simd ? "omp_simd" : "simd";
}

/// Accelerations of all bodies by all bodies, groups of 256, which divides the count.
std::vector<work> nbody(const bodies<float>&, model, strategy, unsigned threads);
std::vector<work> nbody(const bodies<double>&, model, strategy, unsigned threads);

/// The sum of `count` doubles by a tree, groups of 256, launched again on the sums of the groups until one is left.
std::vector<work> reduction(const double* in, std::size_t count, double* result, model, strategy, unsigned threads);
/// One launch of the same; the sums of the groups are added up on the host.
std::vector<work> segmented_reduction(const double* in, std::size_t count, double* result, model, strategy,
                                      unsigned threads);

/// c = a b, all n × n and row-major, tiles of 16 × 16 through local memory. 16 divides n.
std::vector<work> dgemm(const double* a, const double* b, double* c, std::size_t n, model, strategy, unsigned threads);
/// Computes the same in a scoped kernel, in tiles that registers hold. 128 divides n.
std::vector<work> register_blocked_dgemm(const double* a, const double* b, double* c, std::size_t n, unsigned threads);

/// Computes the same by OpenBLAS on one thread; no work where it is not there.
std::vector<work> openblas_dgemm(const double* a, const double* b, double* c, std::size_t n);
/// Names the CPU that OpenBLAS takes this one for.
std::string openblas_core();

/// The sum by std::reduce with std::execution::par_unseq, on the threads that oneTBB has.
work std_reduce(const double* in, std::size_t count, double* result);

} // namespace lanefold_benchmarks::scoped
