// SPDX-License-Identifier: Apache-2.0
/// Bitonic sorting networks in local memory, a group of 1,024 work-items for each array.
#include "programs.hpp"

#include <algorithm>

namespace lanefold_benchmarks {

void measure_sort(contest& to, unsigned threads) {
  constexpr std::size_t n = key_arrays::length, arrays = 256;
  const array<float> in = random_floats(arrays * n, -1000, 1000);
  array<float> out(arrays * n);
  std::vector<float> expected(in.begin(), in.end());
  for (std::size_t each = 0; each < arrays; ++each)
    std::sort(expected.data() + each * n, expected.data() + (each + 1) * n);
  const key_arrays of{in.data(), out.data(), arrays};

  to.run(
      "sort", openmp::sort(of, threads), [&] { std::fill(out.begin(), out.end(), 0.F); },
      [&] { return first_difference(out, expected, 0); },
      [=](lf::queue& q, auto properties) {
        q.submit([&](lf::handler& h) {
          const lf::view<const float> from(of.in, arrays * n);
          const lf::view<float> sorted(of.out, arrays * n);
          const lf::local_accessor<float> keys(n, h);
          h.parallel_for(lf::nd_range<1>(arrays * n, n), properties, [=](auto it) {
            const auto g = it.get_group();
            const auto i = it.get_global_id(0);
            const auto l = it.get_local_id(0);
            keys[l] = from[i];
            lf::group_barrier(g);
            for (std::size_t size = 2; size <= n; size *= 2) {
              for (std::size_t distance = size / 2; distance > 0; distance /= 2) {
                const auto partner = l ^ distance;
                it.if_(partner > l, [&] {
                  const auto up = (l & size) == 0;
                  const auto a = it.var(keys[l]), b = it.var(keys[partner]);
                  it.if_((a > b) == up, [&] {
                    keys[l] = b;
                    keys[partner] = a;
                  });
                });
                lf::group_barrier(g);
              }
            }
            sorted[i] = keys[l];
          });
        });
        q.wait();
      });
}

} // namespace lanefold_benchmarks
