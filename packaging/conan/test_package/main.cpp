// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/queue.hpp>

#include <cstdio>
#include <lanefold/execution/kernels.hpp>

int main() {
  int result = 0;
  lanefold::queue q;
  q.parallel_for(lanefold::range<1>{1}, [&result](lanefold::id<1>) { result = 3; });
  q.wait();
  std::printf("%d\n", result);
  return result == 3 ? 0 : 1;
}
