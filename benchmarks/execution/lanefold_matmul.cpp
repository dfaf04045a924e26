// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/matrix_product.hpp"

#include "lanefold_queues.hpp"

#include <utility>

namespace lanefold_benchmarks::ours {

namespace {

template <class Strategy>
void add_forms(std::vector<work>& forms, const double* a, const double* b, double* c, std::size_t n, unsigned threads) {
  lf::queue& q = queue_with(threads);
  constexpr std::pair<lf::walk_order, const char*> orders[] = {{lf::walk_order::linear, ", linear walk"},
                                                               {lf::walk_order::columns, ", columns"},
                                                               {lf::walk_order::blocked, ", blocked walk"}};
  for (const auto& [walk, name] : orders) {
    const lf::walk_order order = walk;
    forms.push_back({form_name<Strategy>() + name,
                     [=, &q] {
                       const lf::range<2> extents(n, n);
                       const lf::properties how{lf::property::strategy<Strategy>{}, lf::property::walk{order}};
                       programs::tiled_matrix_product<16>(q, lf::view<const double, 2>(a, extents),
                                                          lf::view<const double, 2>(b, extents),
                                                          lf::view<double, 2>(c, extents), how)
                           .wait();
                     },
                     {}});
  }
}

} // namespace

std::vector<work> matmul_tiled(const double* a, const double* b, double* c, std::size_t n, unsigned threads) {
  std::vector<work> forms;
  add_forms<lf::simd<4, 16>>(forms, a, b, c, n, threads);
  add_forms<lf::simd<8, 16>>(forms, a, b, c, n, threads);
  return forms;
}

} // namespace lanefold_benchmarks::ours
