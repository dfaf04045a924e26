// SPDX-License-Identifier: Apache-2.0
/// Sorting the values of each group.
#include "programs.hpp"

#include "../execution/lanefold_queues.hpp"

#include <lanefold/group_algorithms.hpp>

#include <algorithm>

namespace lanefold_benchmarks {

namespace {

namespace lf = lanefold;
using lanefold_peers::array;

constexpr std::size_t group = 256;

template <class Strategy>
work sort_groups(const array<std::int32_t>& in, array<std::int32_t>& out, unsigned threads) {
  lf::queue& q = ours::queue_with(threads);
  const lf::view<const std::int32_t> x(in.data(), in.size());
  const lf::view<std::int32_t> y(out.data(), out.size());
  return {ours::form_name<Strategy>(),
          [=, &q] {
            q.parallel_for(lf::nd_range<1>(x.size(), group), ours::how<Strategy>(), [=](auto it) {
               const auto i = it.get_global_id(0);
               y[i] = lf::sort_over_group(it.get_group(), x[i]);
             }).wait();
          },
          {}};
}

work std_sort(const array<std::int32_t>& in, array<std::int32_t>& out, unsigned threads) {
  lf::queue& q = ours::queue_with(threads);
  const std::int32_t* from = in.data();
  std::int32_t* to = out.data();
  return {"std::sort",
          [=, &q, n = in.size()] {
            q.parallel_for(lf::range<1>(n / group), [=](lf::item<1> it) {
               const std::size_t first = it.get_id(0) * group;
               std::copy(from + first, from + first + group, to + first);
               std::sort(to + first, to + first + group);
             }).wait();
          },
          {}};
}

} // namespace

void measure_sort(report& to, const options& given) {
  if (given.absolute_times)
    return;
  const std::size_t count = std::size_t{1} << 17;
  array<std::int32_t> in(count), out(count);
  std::uint32_t state = 1;
  for (std::int32_t& x : in)
    x = static_cast<std::int32_t>(state = state * 1664525 + 1013904223);
  const expectation expected{[&] { std::fill(out.begin(), out.end(), 0); },
                             [&]() -> std::string {
                               std::vector<std::int32_t> right(in.begin(), in.end());
                               for (std::size_t first = 0; first < count; first += group)
                                 std::sort(right.begin() + static_cast<long>(first),
                                           right.begin() + static_cast<long>(first + group));
                               return std::equal(out.begin(), out.end(), right.begin()) ? "" : "not sorted";
                             }};
  to.compare("sort/int32/std", quantity::speed,
             expected.of({sort_groups<lf::simd<64>>(in, out, given.threads),
                          sort_groups<lf::simd<256>>(in, out, given.threads)}),
             expected.of(std_sort(in, out, given.threads)));
}

} // namespace lanefold_benchmarks
