// SPDX-License-Identifier: Apache-2.0
// It is compiled for several instruction sets; VARIANT is the name of each. The kernel has a name that all variants
// share.
#include <lanefold/execution/kernels.hpp>
#include <lanefold/execution/queue.hpp>

#include <cstddef>
#include <vector>

namespace lf = lanefold;

struct square_and_add {
  const float* from;
  float* to;

  void operator()(lf::nd_item<1> it) const {
    const std::size_t i = it.get_global_id(0);
    to[i] = from[i] * from[i] + 1.f;
    lf::group_barrier(it.get_group());
  }
};

#define NAME_OF(variant) squares_##variant
#define NAME(variant) NAME_OF(variant)

void NAME(VARIANT)(std::vector<float>& numbers) {
  std::vector<float> squares(numbers.size());
  lf::queue q;
  q.parallel_for(lf::nd_range<1>(numbers.size(), 64), square_and_add{numbers.data(), squares.data()}).wait_and_throw();
  numbers = squares;
}
