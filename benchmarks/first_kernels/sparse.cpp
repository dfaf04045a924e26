// SPDX-License-Identifier: Apache-2.0
/// A sparse matrix times a vector, a sub-group of 16 for each row.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_sparse(contest& to, unsigned threads) {
  constexpr std::size_t rows = 32768, lanes = 16, group = 16 * lanes;
  std::mt19937 random(1);
  std::uniform_int_distribution<std::uint32_t> length(8, 56), any(0, rows - 1);
  std::vector<std::uint32_t> first{0}, columns;
  for (std::size_t row = 0; row < rows; ++row) {
    first.push_back(first.back() + length(random));
    while (columns.size() < first.back())
      columns.push_back(any(random));
  }
  const array<float> values = random_floats(columns.size(), -1, 1), x = random_floats(rows, -1, 1, 2);
  array<float> y(rows);
  std::vector<double> expected(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::uint32_t k = first[row]; k < first[row + 1]; ++k)
      expected[row] += static_cast<double>(values[k]) * static_cast<double>(x[columns[k]]);
  }
  const sparse_matrix of{rows, first.data(), columns.data(), values.data(), x.data(), y.data()};
  const std::size_t elements = columns.size();

  to.run(
      "sparse", openmp::sparse(of, threads), [&] { std::fill(y.begin(), y.end(), 99.F); },
      [&] { return first_difference(y, expected, 1e-5); },
      [=](lf::queue& q, auto properties) {
        const lf::view<const std::uint32_t> begin(of.first, rows + 1), column(of.columns, elements);
        const lf::view<const float> value(of.values, elements), in(of.x, rows);
        const lf::view<float> out(of.y, rows);
        q.parallel_for(lf::nd_range<1>(rows * lanes, group), properties, [=](auto it) {
           const auto sg = it.get_sub_group();
           const std::size_t row = it.get_group(0) * (group / lanes) + sg.get_group_linear_id();
           auto sum = it.var(0.F);
           it.for_(begin[row] + sg.get_local_linear_id(), begin[row + 1], lanes,
                   [&](auto k) { sum += value[k] * in[column[k]]; });
           const float total = lf::reduce_over_group(sg, sum, lf::plus<>());
           it.if_(sg.leader(), [&] { out[row] = total; });
         }).wait();
      },
      lf::properties{lf::property::strategy<lf::simd<lanes>>{}});
}

} // namespace lanefold_benchmarks
