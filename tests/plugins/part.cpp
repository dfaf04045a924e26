// SPDX-License-Identifier: Apache-2.0
/// One of two shared libraries of a program that each link the library, and whose symbols are hidden unless they say
/// otherwise.
#include <lanefold/execution.hpp>

#include <cstddef>
#include <vector>

namespace lf = lanefold;

/// Runs a kernel that captures memory and meets a barrier; true if its result is right.
[[gnu::visibility("default")]] bool PART() {
  constexpr std::size_t n = 256, local = 64;
  std::vector<int> out(n);
  lf::queue q;
  {
    lf::buffer<int> values(out.data(), lf::range<1>(n));
    q.submit([&](lf::handler& h) {
      const lf::accessor y(values, h, lf::write_only);
      const lf::local_accessor<int> tile(local, h);
      h.parallel_for(lf::nd_range<1>{n, local}, [=](lf::nd_item<1> it) {
        const std::size_t l = it.get_local_id(0);
        tile[l] = static_cast<int>(l);
        lf::group_barrier(it.get_group());
        y[it.get_global_id(0)] = tile[local - 1 - l];
      });
    });
  }
  return out.front() == int{local} - 1 && out.back() == 0;
}
