// SPDX-License-Identifier: Apache-2.0
#include "lanefold_queues.hpp"

#include <lanefold/memory/bfloat16.hpp>

namespace lanefold_benchmarks::ours {

template <class T>
work small_reals(small_real_kernel kernel, const T* from, T* to, std::size_t count, unsigned threads) {
  lf::queue& q = queue_with(threads);
  const lf::view<const T> x(from, count);
  const lf::view<T> y(to, count);
  const lf::nd_range<1> space(count, 256);
  if (kernel == small_real_kernel::scaled) {
    return {"lanes",
            [=, &q] {
              q.parallel_for(space, [=](auto it) {
                 const auto i = it.get_global_id(0);
                 y[i] = x[i] * T(0.25F) + T(1.5F);
               }).wait();
            },
            {}};
  }
  return {"lanes",
          [=, &q] {
            q.parallel_for(space, [=](auto it) {
               const auto i = it.get_global_id(0);
               const auto a = it.var(x[i]);
               auto sum = it.var(x[i]);
               for (int k = 0; k < 8; ++k) {
                 sum = sum * a + T(0.5F);
               }
               y[i] = sum;
             }).wait();
          },
          {}};
}
template work small_reals(small_real_kernel, const float*, float*, std::size_t, unsigned);
template work small_reals(small_real_kernel, const lf::half*, lf::half*, std::size_t, unsigned);
template work small_reals(small_real_kernel, const lf::ext::oneapi::bfloat16*, lf::ext::oneapi::bfloat16*, std::size_t,
                          unsigned);

} // namespace lanefold_benchmarks::ours
