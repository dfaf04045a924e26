// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/reduction.hpp"

#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

template <std::size_t Group, class Strategy>
work form(const double* in, std::size_t count, double* result, engine e, unsigned threads) {
  lf::queue& q = queue_with(threads);
  const auto scratch = std::make_shared<lanefold_peers::array<double>>(programs::reduction_scratch(count, Group));
  return {form_name<Strategy>(),
          [=, &q] {
            const lf::view<const double> v(in, count);
            const double* sum =
                programs::tree_reduction(q, v, scratch->data(), Group, how<Strategy, Group>(to_lanefold(e)));
            q.wait();
            *result = *sum;
          },
          {}};
}

/// The group size is known at compile time, as it is in the OpenCL kernel.
template <std::size_t Group>
std::vector<work> forms(const double* in, std::size_t count, double* result, model m, engine e, unsigned threads) {
  if (m == model::work_item) {
    return {form<Group, lf::scalar>(in, count, result, e, threads)};
  }
  return {form<Group, lf::simd<32>>(in, count, result, e, threads),
          form<Group, lf::simd<64>>(in, count, result, e, threads),
          form<Group, lf::simd<128>>(in, count, result, e, threads),
          form<Group, lf::simd<256>>(in, count, result, e, threads)};
}

} // namespace

std::vector<work> tree_reduction(const double* in, std::size_t count, double* result, std::size_t group, model m,
                                 engine e, unsigned threads) {
  return group == 256 ? forms<256>(in, count, result, m, e, threads) : std::vector<work>{};
}

} // namespace lanefold_benchmarks::ours
