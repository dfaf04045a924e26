// SPDX-License-Identifier: Apache-2.0
#include "../../examples/programs/mandelbrot.hpp"

#include "lanefold_queues.hpp"

namespace lanefold_benchmarks::ours {

namespace {

template <class Strategy>
work form(const picture& p, unsigned threads) {
  lf::queue& q = queue_with(threads);
  return {form_name<Strategy>(),
          [=, &q] {
            programs::mandelbrot(q, lf::view<std::int32_t, 2>(p.counts, {p.height, p.width}), {p.left, p.top, p.step},
                                 p.limit, how<Strategy>())
                .wait();
          },
          {}};
}

} // namespace

std::vector<work> mandelbrot(const picture& p, model m, unsigned threads) {
  if (m == model::work_item) {
    return {form<lf::scalar>(p, threads)};
  }
  return {form<lf::simd<16>>(p, threads), form<lf::simd<32>>(p, threads), form<lf::simd<64>>(p, threads)};
}

} // namespace lanefold_benchmarks::ours
