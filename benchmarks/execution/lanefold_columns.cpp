// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

template <class Kernel>
work over(const char* name, std::size_t n, unsigned threads, const Kernel& kernel) {
  lf::queue& q = queue_with(threads);
  return {name, [=, &q] { q.parallel_for(lf::range<2>(n, n), kernel).wait(); }, {}};
}

} // namespace

work columns(direction where, const float* from, float* to, std::size_t n, unsigned threads) {
  switch (where) {
  case direction::along_columns:
    return over("columns", n, threads, [=](lf::id<2> i) { to[i[1] * n + i[0]] = 2 * from[i[1] * n + i[0]] + 1; });
  case direction::transposed:
    return over("transposition", n, threads, [=](lf::id<2> i) { to[i[1] * n + i[0]] = from[i[0] * n + i[1]]; });
  case direction::along_rows: break;
  }
  return over("rows", n, threads, [=](lf::id<2> i) { to[i[0] * n + i[1]] = 2 * from[i[0] * n + i[1]] + 1; });
}

} // namespace lanefold_benchmarks::ours
