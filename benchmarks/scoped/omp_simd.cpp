// SPDX-License-Identifier: Apache-2.0
/// One target, in a program of its own so that a second compiler can make it: the scoped matrix product by lanes
/// against the same left to the compiler's vectoriser.
#include "data.hpp"

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  using namespace lanefold_benchmarks::scoped;
#if defined(__clang__)
  const char* const compiler = "clang";
#else
  const char* const compiler = "gcc";
#endif
  const options given = parse_options(argc, argv);
  report to(given);
  to.run("dgemm", [&](report&, const options&) {
    matrices data(1024);
    const auto side_of = [&](strategy s) {
      return data.expected().of(
          dgemm(data.a.data(), data.b.data(), data.c.data(), data.n, model::scoped, s, given.threads));
    };
    to.compare(std::string("dgemm/1024/omp_simd/") + compiler, quantity::speed, side_of(strategy::simd),
               side_of(strategy::omp_simd));
  });
  return to.exit_status();
}
