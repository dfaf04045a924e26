// SPDX-License-Identifier: Apache-2.0
// A program that uses the whole library: reverses each group of 64 through local memory, with a barrier, and again in
// the scoped model.
#include <lanefold/lanefold.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace lf = lanefold;

int main() {
  constexpr std::size_t n = 1024, local = 64;
  std::vector<float> in(n), out(n);
  for (std::size_t i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i);
  }

  lf::queue q;
  const lf::view<const float> x(in.data(), n);
  const lf::view<float> y(out.data(), n);
  q.submit([&](lf::handler& h) {
     lf::local_accessor<float> tile(local, h);
     h.parallel_for(lf::nd_range<1>{n, local}, [=](auto it) {
       const auto i = it.get_local_id(0);
       const auto value = x[it.get_global_id(0)];
       tile[i] = value + 0.f * lf::log(lf::cbrt(value + 1.f)); // functions in which g++ 12 sees cause for warnings
       lf::group_barrier(it.get_group());
       y[it.get_global_id(0)] = tile[local - 1 - i];
     });
   }).wait();

  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t expected = i / local * local + (local - 1 - i % local);
    if (out[i] != static_cast<float>(expected)) {
      std::printf("y[%zu] is %g, not %zu\n", i, static_cast<double>(out[i]), expected);
      return 1;
    }
  }

  q.parallel(lf::range<1>(n / local), lf::static_range<local>(), [=](auto group) {
     lf::memory_environment(group, lf::require_local_mem<float[local]>(), [&](auto& tile) {
       lf::distribute_items_and_wait(group, [&](auto it) { tile[it.get_local_id(group, 0)] = y[it.get_global_id(0)]; });
       lf::distribute_items(group,
                            [&](auto it) { y[it.get_global_id(0)] = tile[local - 1 - it.get_local_id(group, 0)]; });
     });
   }).wait();
  if (out != in) {
    std::puts("twice reversed is not what it was");
    return 1;
  }
  std::puts("ok");
}
