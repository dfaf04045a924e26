// SPDX-License-Identifier: Apache-2.0
// Kernels with local memory, one thread. Prints the microseconds of processor time of each; scripts/targets divides
// those of a checked build by those that the strategy `scalar` takes in another one.
#include <lanefold/execution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace lf = lanefold;

namespace {

constexpr std::size_t tile = 16;

template <class Strategy>
void product(lf::queue& q, const lf::view<const float, 2>& a, const lf::view<const float, 2>& b,
             const lf::view<float, 2>& c, std::size_t n) {
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<float, 2> x({tile, tile}, h), y({tile, tile}, h);
     h.parallel_for(lf::nd_range<2>({n, n}, {tile, tile}), lf::properties{lf::property::strategy<Strategy>{}},
                    [=](auto it) {
                      const auto i = it.get_global_id(0), j = it.get_global_id(1);
                      const auto row = it.get_local_id(0), column = it.get_local_id(1);
                      auto sum = it.var(0.f);
                      for (std::size_t k = 0; k < n; k += tile) {
                        x[row][column] = a[i][k + column];
                        y[row][column] = b[k + row][j];
                        lf::group_barrier(it.get_group());
                        for (std::size_t m = 0; m < tile; ++m) {
                          sum += x[row][m] * y[m][column];
                        }
                        lf::group_barrier(it.get_group());
                      }
                      c[i][j] = sum;
                    });
   }).wait_and_throw();
}

template <class Strategy>
void transposition(lf::queue& q, const lf::view<const float, 2>& a, const lf::view<float, 2>& c, std::size_t n) {
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<float, 2> x({tile, tile}, h);
     h.parallel_for(lf::nd_range<2>({n, n}, {tile, tile}), lf::properties{lf::property::strategy<Strategy>{}},
                    [=](auto it) {
                      const auto group = it.get_group();
                      const auto row = it.get_local_id(0), column = it.get_local_id(1);
                      x[row][column] = a[it.get_global_id(0)][it.get_global_id(1)];
                      lf::group_barrier(group);
                      c[group.get_group_id(1) * tile + row][group.get_group_id(0) * tile + column] = x[column][row];
                    });
   }).wait_and_throw();
}

template <class Strategy>
void reduction(lf::queue& q, const lf::view<const float>& a, const lf::view<float>& c) {
  constexpr std::size_t local = 256;
  q.submit([&](lf::handler& h) {
     const lf::local_accessor<float> sums(local, h);
     h.parallel_for(lf::nd_range<1>(a.size(), local), lf::properties{lf::property::strategy<Strategy>{}}, [=](auto it) {
       const auto l = it.get_local_id(0);
       sums[l] = a[it.get_global_id(0)];
       for (std::size_t half = local / 2; half > 0; half /= 2) {
         lf::group_barrier(it.get_group());
         it.if_(l < half, [&] { sums[l] += sums[l + half]; });
       }
       it.if_(l == 0U, [&] { c[it.get_group(0)] = sums[0]; });
     });
   }).wait_and_throw();
}

template <class Work>
void print_time(const char* name, Work work) {
  work();
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const std::clock_t begin = std::clock();
    work();
    best = std::min(best, static_cast<double>(std::clock() - begin) * 1e6 / CLOCKS_PER_SEC);
  }
  std::printf("%s\t%.1f\n", name, best);
}

template <class Strategy>
void print_times(lf::queue& q, const char* const (&names)[3]) {
  constexpr std::size_t n = 512, product_n = 128;
  const std::vector<float> a(n * n, 1.f), b(n * n, 2.f);
  std::vector<float> c(n * n);
  print_time(names[0], [&] { reduction<Strategy>(q, lf::view<const float>(a.data(), n * n), {c.data(), n * n}); });
  print_time(names[1], [&] { transposition<Strategy>(q, {a.data(), {n, n}}, {c.data(), {n, n}}, n); });
  constexpr lf::range<2> extents(product_n, product_n);
  print_time(names[2],
             [&] { product<Strategy>(q, {a.data(), extents}, {b.data(), extents}, {c.data(), extents}, product_n); });
  if (c[0] != 2.f * product_n) {
    std::abort();
  }
}

} // namespace

int main() {
  lf::queue q(lf::property_list{lf::property::threads(1)});
  print_times<lf::scalar>(q, {"reduction/scalar", "transposition/scalar", "product/scalar"});
  print_times<lf::simd<16>>(q, {"reduction/lanes", "transposition/lanes", "product/lanes"});
}
