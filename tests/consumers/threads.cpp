// SPDX-License-Identifier: Apache-2.0
// A program for ThreadSanitizer: everything in which threads meet, and nothing that races. With an argument, one that
// does: all work-items of a kernel count in one variable.
#include <lanefold/lanefold.hpp>

#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace lf = lanefold;

namespace {

bool is_right() {
  constexpr std::size_t n = 4096, local = 64;
  int errors = 0;
  lf::queue q([&](const lf::exception_list& all) { errors += static_cast<int>(all.size()); },
              lf::property_list{lf::property::threads(4)});
  std::vector<int> data(n, 1);
  int sum = 0;
  int notes = 0;
  {
    lf::buffer<int> values(data.data(), lf::range<1>(n));
    lf::buffer<int> total(&sum, lf::range<1>(1));
    for (int round = 0; round < 8; ++round) {
      q.submit([&](lf::handler& h) {
        const lf::accessor a(values, h, lf::read_write);
        lf::local_accessor<int> tile(local, h);
        h.parallel_for(lf::nd_range<1>(n, local), [=](lf::nd_item<1> it) { // stacks of their own
          const std::size_t i = it.get_local_id(0);
          tile[i] = a[it.get_global_id(0)];
          lf::group_barrier(it.get_group());
          a[it.get_global_id(0)] = tile[local - 1 - i] + 1;
        });
      });
      q.submit([&](lf::handler& h) {
        const lf::accessor a(values, h, lf::read_only_host_task);
        h.host_task([&notes, a] { notes += a[0]; });
      });
    }
    q.submit([&](lf::handler& h) {
      const lf::accessor a(values, h, lf::read_only);
      h.parallel_for(lf::range<1>(n), lf::reduction(total, h, lf::plus<int>()),
                     [=](lf::id<1> i, auto& to) { to += a[i]; });
    });
  }
  q.submit([](lf::handler& h) { h.host_task([] { throw std::runtime_error("thrown on another thread"); }); });
  q.wait_and_throw();
  return sum == static_cast<int>(9 * n) && notes == 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 && errors == 1;
}

int race() {
  lf::queue q(lf::property_list{lf::property::threads(4)});
  int shared = 0;
  q.parallel_for(lf::range<1>(1 << 20), [&](lf::id<1>) { ++shared; }).wait();
  return shared;
}

} // namespace

int main(int count, char** /*arguments*/) {
  if (count > 1) {
    return race() > 0 ? 0 : 1;
  }
  std::puts(is_right() ? "ok" : "wrong");
  return is_right() ? 0 : 1;
}
