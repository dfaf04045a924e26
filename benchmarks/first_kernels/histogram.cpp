// SPDX-License-Identifier: Apache-2.0
/// A histogram of bytes: each group counts with atomics in local memory, and adds what it has to the whole.
#include "programs.hpp"

namespace lanefold_benchmarks {

void measure_histogram(contest& to, unsigned threads) {
  constexpr std::size_t count = std::size_t{1} << 22, group = 256, per_item = 256;
  array<std::uint8_t> in(count);
  std::vector<std::uint32_t> expected(256), bins(256);
  std::mt19937 random(1);
  for (std::uint8_t& byte : in) {
    byte = static_cast<std::uint8_t>(random() >> 24);
    ++expected[byte];
  }
  const bytes of{in.data(), count, bins.data()};

  const auto clear = [&] { std::fill(bins.begin(), bins.end(), 7U); };
  to.run(
      "histogram", openmp::histogram(of, threads), clear, [&] { return first_difference(bins, expected, 0); },
      [=](lf::queue& q, auto properties) {
        std::fill_n(of.bins, 256, 0U);
        q.submit([&](lf::handler& h) {
          const lf::view<const std::uint8_t> from(of.in, count);
          const lf::view<std::uint32_t> all(of.bins, 256);
          const lf::local_accessor<std::uint32_t> mine(256, h);
          h.parallel_for(lf::nd_range<1>(count / per_item, group), properties, [=](auto it) {
            const auto l = it.get_local_id(0);
            mine[l] = 0;
            lf::group_barrier(it.get_group());
            const std::size_t first = it.get_group(0) * group * per_item;
            for (std::size_t k = 0; k < per_item; ++k) {
              lf::make_atomic_ref<lf::memory_order::relaxed, lf::memory_scope::work_group>(
                  mine[from[first + k * group + l]])
                  .fetch_add(1U);
            }
            lf::group_barrier(it.get_group());
            lf::atomic_ref(all[l]).fetch_add(mine[l]);
          });
        });
        q.wait();
      },
      // A group is one sub-group: the manual advises that where work-items go on by the size of their group.
      lf::properties{lf::property::strategy<lf::simd<group>>{}});
}

} // namespace lanefold_benchmarks
