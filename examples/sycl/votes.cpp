// SPDX-License-Identifier: Apache-2.0
/// Square roots by Newton's iteration, where a work-group goes on until every work-item has converged, and questions
/// about a whole work-group or sub-group.
///
///     votes [work-groups]
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

struct group_votes {
  std::uint8_t any, all, none;
};

int main(int argc, char** argv) {
  const std::size_t groups = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100;
  constexpr std::size_t group_size = 128;
  const std::size_t n = groups * group_size;

  std::vector<double> x(n), root(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = 1.0 + static_cast<double>(i * i % 100003);
  }
  std::vector<int> rounds(groups);
  std::vector<group_votes> votes(groups);

  sycl::queue q;
  {
    sycl::buffer x_buffer(x);
    sycl::buffer root_buffer(root);
    sycl::buffer rounds_buffer(rounds);
    sycl::buffer votes_buffer(votes);

    q.submit([&](sycl::handler& cgh) {
      sycl::accessor in{x_buffer, cgh, sycl::read_only};
      sycl::accessor out{root_buffer, cgh, sycl::write_only, sycl::no_init};
      sycl::accessor round_count{rounds_buffer, cgh, sycl::write_only, sycl::no_init};
      cgh.parallel_for(sycl::nd_range<1>{n, group_size}, [=](sycl::nd_item<1> it) {
        const auto g = it.get_group();
        const double value = in[it.get_global_id()];
        double guess = value;
        bool converged = false;
        int round = 0;
        while (!sycl::all_of_group(g, converged)) {
          const double next = 0.5 * (guess + value / guess);
          converged = next >= guess; // it falls until rounding stops it
          guess = converged ? guess : next;
          ++round;
        }
        out[it.get_global_id()] = guess;
        if (g.leader()) {
          round_count[g.get_group_linear_id()] = round;
        }
      });
    });

    q.submit([&](sycl::handler& cgh) {
      sycl::accessor in{root_buffer, cgh, sycl::read_only};
      sycl::accessor answers{votes_buffer, cgh, sycl::write_only, sycl::no_init};
      cgh.parallel_for(sycl::nd_range<1>{n, group_size}, [=](sycl::nd_item<1> it) {
        const double r = in[it.get_global_id(0)];
        const auto g = it.get_group();
        const bool any = sycl::any_of_group(g, r > 300.0);
        const bool all = sycl::all_of_group(g, r < 310.0);
        // This asks such a question sub-group by sub-group.
        const bool none_here = sycl::none_of_group(it.get_sub_group(), r < 2.0);
        const bool none = sycl::all_of_group(g, none_here);
        if (it.get_local_linear_id() == 0) {
          answers[it.get_group(0)] = {any, all, none};
        }
      });
    });
  }

  int wrong = 0;
  for (std::size_t g = 0; g < groups; ++g) {
    bool any = false, all = true, none = true;
    for (std::size_t i = g * group_size; i < (g + 1) * group_size; ++i) {
      wrong += std::abs(root[i] * root[i] - x[i]) > 1e-14 * x[i];
      any = any || root[i] > 300.0;
      all = all && root[i] < 310.0;
      none = none && !(root[i] < 2.0);
    }
    wrong += votes[g].any != any || votes[g].all != all || votes[g].none != none;
    wrong += rounds[g] < 5 || rounds[g] > 40;
  }
  std::cout << groups << " groups, the first took " << (groups > 0 ? rounds[0] : 0) << " rounds, " << wrong
            << " wrong\n";
  return wrong == 0 ? 0 : 1;
}
