// SPDX-License-Identifier: Apache-2.0
/// Five kernels with 256 lanes, for a debugger: compiled with -O0, where each lane's value has a place of its own.
#include <lanefold/execution.hpp>
#include <lanefold/memory/math_functions.hpp>

#include <cstddef>

namespace lf = lanefold;

namespace {

constexpr std::size_t local = 256;
const lf::properties how{lf::property::strategy<lf::simd<256>>{}};

void square_roots(lf::queue& q, lf::view<double> x) {
  q.parallel_for(lf::nd_range<1>(x.size(), local), how, [=](auto it) {
    const auto i = it.get_global_id(0);
    it.if_(x[i] > 0.0, [&] { x[i] = lf::sqrt(x[i]); }, [&] { x[i] = 0.0; });
  });
}

void tree(lf::queue& q, lf::view<double> x, lf::view<double> sums) {
  q.submit([&](lf::handler& h) {
    const lf::local_accessor<double> tile(local, h);
    h.parallel_for(lf::nd_range<1>(x.size(), local), how, [=](auto it) {
      const auto l = it.get_local_id(0);
      tile[l] = x[it.get_global_id(0)];
      for (std::size_t half = local / 2; half > 0; half /= 2) {
        lf::group_barrier(it.get_group());
        it.if_(l < half, [&] { tile[l] += tile[l + half]; });
      }
      it.if_(l == std::size_t(0), [&] { sums[it.get_group(0)] = tile[0]; });
    });
  });
}

void collatz(lf::queue& q, lf::view<int> x) {
  q.parallel_for(lf::nd_range<1>(x.size(), local), how, [=](auto it) {
    auto n = it.var(x[it.get_global_id(0)]);
    auto steps = it.var(0);
    it.while_([&] { return n > 1; },
              [&] {
                it.if_((n & 1) == 0, [&] { n = n / 2; }, [&] { n = 3 * n + 1; });
                steps += 1;
              });
    x[it.get_global_id(0)] = steps;
  });
}

void stencil(lf::queue& q, lf::view<double> x, lf::view<double> y) {
  q.parallel_for(lf::nd_range<1>(x.size(), local), how, [=](auto it) {
    const auto i = it.get_global_id(0);
    it.if_(i > std::size_t(0) && i + 1 < x.size(), [&] { y[i] = (x[i - 1] + x[i] * 2.0 + x[i + 1]) * 0.25; });
  });
}

void gather(lf::queue& q, lf::view<int> places, lf::view<double> x, lf::view<double> y) {
  q.parallel_for(lf::nd_range<1>(places.size(), local), how, [=](auto it) {
    const auto i = it.get_global_id(0);
    auto sum = it.var(0.0);
    it.for_(0, places[i], [&](auto k) { sum += x[k] * 0.5; });
    y[i] = sum;
  });
}

} // namespace

void unoptimised(lf::queue& q, lf::view<double> x, lf::view<double> y, lf::view<int> n) {
  square_roots(q, x);
  tree(q, x, y);
  collatz(q, n);
  stencil(q, x, y);
  gather(q, n, x, y);
}
