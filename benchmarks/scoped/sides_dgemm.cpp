// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/matrix_product.hpp"
#include "../../examples/programs/scoped_matrix_product.hpp"

#include "forms.hpp"

namespace lanefold_benchmarks::scoped {

namespace {

using matrix = lf::view<double, 2>;
using input = lf::view<const double, 2>;

/// `program(properties)` in the walking orders that may be the fastest, for one strategy.
template <class Strategy, class Program>
void add_walks(std::vector<work>& forms, const char* of_model, const Program& program) {
  const auto add = [&](lf::walk_order order, const char* text) {
    const lf::properties properties{lf::property::strategy<Strategy>{}, lf::property::walk{order}};
    forms.push_back({form_name<Strategy>(of_model) + text, [=] { program(properties).wait(); }, {}});
  };
  add(lf::walk_order::blocked, ", blocked walk");
  if constexpr (!std::is_base_of_v<lf::scalar, Strategy>) {
    add(lf::walk_order::columns, ", columns");
  }
}

} // namespace

std::vector<work> dgemm(const double* pa, const double* pb, double* pc, std::size_t n, model m, strategy s,
                        unsigned threads) {
  lf::queue& q = queue_with(threads);
  const input a(pa, {n, n}), b(pb, {n, n});
  const matrix c(pc, {n, n});
  std::vector<work> forms;
  for_strategies<lf::simd<4, 16>, lf::simd<8, 16>>(s, [&]<class Strategy>() {
    switch (m) {
    case model::ndrange:
      return add_walks<Strategy>(forms, name_of(m), [=, &q](const auto& properties) {
        return programs::tiled_matrix_product<16>(q, a, b, c, properties);
      });
    case model::hierarchical:
      return add_walks<Strategy>(forms, name_of(m), [=, &q](const auto& properties) {
        return programs::hierarchical_matrix_product<16>(q, a, b, c, properties);
      });
    case model::scoped:
      return add_walks<Strategy>(forms, name_of(m), [=, &q](const auto& properties) {
        return programs::scoped_matrix_product<16>(q, a, b, c, properties);
      });
    }
  });
  return forms;
}

std::vector<work> register_blocked_dgemm(const double* pa, const double* pb, double* pc, std::size_t n,
                                         unsigned threads) {
  lf::queue& q = queue_with(threads);
  const input a(pa, {n, n}), b(pb, {n, n});
  const matrix c(pc, {n, n});
  std::vector<work> forms;
  add_walks<lf::simd<8>>(forms, "scoped, tiles of 8x16 in registers", [=, &q](const auto& properties) {
    return programs::register_blocked_matrix_product<8, 16, 128>(q, a, b, c, properties);
  });
  return forms;
}

} // namespace lanefold_benchmarks::scoped
