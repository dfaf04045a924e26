// SPDX-License-Identifier: Apache-2.0
/// Keeps the positive numbers: scans find each one's place in its group, an atomic counter that of the group.
#include "programs.hpp"

#include <algorithm>

namespace lanefold_benchmarks {

void measure_compaction(contest& to, unsigned threads) {
  constexpr std::size_t count = std::size_t{1} << 20, group = 256, per_item = 16;
  const array<float> in = random_floats(count, -1, 1);
  array<float> out(count + 1); // the loop writes one more
  std::uint32_t kept = 0;
  std::vector<float> expected;
  std::copy_if(in.begin(), in.end(), std::back_inserter(expected), [](float x) { return x > 0; });
  std::sort(expected.begin(), expected.end());
  const sieve of{in.data(), count, out.data(), &kept};

  const auto clear = [&] {
    std::fill(out.begin(), out.end(), -1.F);
    kept = 0;
  };
  const auto check = [&]() -> std::string {
    if (kept != expected.size())
      return std::to_string(kept) + " are kept";
    std::vector<float> found(out.begin(), out.begin() + kept);
    std::sort(found.begin(), found.end());
    return first_difference(found, expected, 0);
  };
  const auto submit = [=](lf::queue& q, auto properties) {
    *of.kept = 0;
    q.submit([&](lf::handler& h) {
      const lf::view<const float> x(of.in, count);
      const lf::view<float> y(of.out, count);
      const lf::view<std::uint32_t> kept_by_all(of.kept, 1);
      const lf::local_accessor<float> packed(group * per_item, h);
      const lf::local_accessor<std::uint32_t> first(1, h);
      h.parallel_for(lf::nd_range<1>(count / per_item, group), properties, [=](auto it) {
        const auto g = it.get_group();
        const auto l = it.get_local_id(0);
        std::uint32_t kept_here = 0;
        for (std::size_t k = 0; k < per_item; ++k) {
          const auto v = x[(it.get_group(0) * per_item + k) * group + l];
          const auto keep = v > 0.F;
          const auto place = lf::exclusive_scan_over_group(g, lf::select(keep, 1U, 0U), lf::plus<>());
          it.if_(keep, [&] { packed[kept_here + place] = v; });
          kept_here += static_cast<std::uint32_t>(lf::reduce_over_group(g, lf::select(keep, 1U, 0U), lf::plus<>()));
        }
        if (it.get_sub_group().get_group_linear_id() == 0) {
          it.if_(l == 0, [&] { first[0] = lf::atomic_ref(kept_by_all[0]).fetch_add(kept_here); });
        }
        lf::group_barrier(g);
        it.for_(l, kept_here, group, [&](auto k) { y[first[0] + k] = packed[k]; });
      });
    });
    q.wait();
  };
  // A group is one sub-group: the manual advises that for kernels that do little but call group algorithms.
  to.run("compaction", openmp::compaction(of, threads), clear, check, submit,
         lf::properties{lf::property::strategy<lf::simd<group>>{}});
}

} // namespace lanefold_benchmarks
