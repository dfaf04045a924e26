// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/reduction.hpp"

#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

template <class Strategy>
work form(const double* in, std::size_t count, double* result, std::size_t group, engine e, unsigned threads) {
  lf::queue& q = queue_with(threads);
  const auto scratch = std::make_shared<lanefold_peers::array<double>>(programs::reduction_scratch(count, group));
  return {form_name<Strategy>(),
          [=, &q] {
            const lf::view<const double> v(in, count);
            const double* sum = programs::tree_reduction(q, v, scratch->data(), group, how<Strategy>(to_lanefold(e)));
            q.wait();
            *result = *sum;
          },
          {}};
}

} // namespace

std::vector<work> tree_reduction(const double* in, std::size_t count, double* result, std::size_t group, model m,
                                 engine e, unsigned threads) {
  if (m == model::work_item) {
    return {form<lf::scalar>(in, count, result, group, e, threads)};
  }
  return {form<lf::simd<32>>(in, count, result, group, e, threads),
          form<lf::simd<64>>(in, count, result, group, e, threads),
          form<lf::simd<128>>(in, count, result, group, e, threads),
          form<lf::simd<256>>(in, count, result, group, e, threads)};
}

} // namespace lanefold_benchmarks::ours
