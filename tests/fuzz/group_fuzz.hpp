// SPDX-License-Identifier: Apache-2.0
/// Gives programs of generated kernels of work-groups (generate_groups.py) their inputs, and compares what each
/// strategy, fiber engine and number of threads computes with what must come out.
#pragma once

#include <lanefold/execution.hpp>
#include <lanefold/group_algorithms.hpp>
#include <lanefold/memory/atomic_ref.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <vector>

namespace group_fuzz {

namespace lf = lanefold;

inline std::vector<unsigned> table() {
  std::vector<unsigned> all;
  for (std::uint64_t k = 0; k < 256; ++k) {
    all.push_back(static_cast<unsigned>(k * 2654435761U >> 7));
  }
  return all;
}

/// Returns whether two arrays differ, and prints where first.
inline bool differ(int kernel, const char* how, const char* what, const std::vector<unsigned>& expected,
                   const std::vector<unsigned>& got) {
  for (std::size_t k = 0; k < expected.size(); ++k) {
    if (expected[k] != got[k]) {
      std::printf("kernel %d, %s: %s %zu is %u, and should be %u\n", kernel, how, what, k, got[k], expected[k]);
      return true;
    }
  }
  return false;
}

template <class Kernel, class Strategy>
int disagreements_of(int number, const char* strategy) {
  static const std::vector<unsigned> x = table();
  int wrong = 0;
  for (const lf::fiber_engine engine : lf::detail::fiber_engines()) {
    for (const std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
      lf::queue q{lf::property_list{lf::property::threads(threads), lf::property::fiber_engine(engine)}};
      std::vector<unsigned> y(Kernel::results().size());
      std::vector<unsigned> counters(16);
      try {
        Kernel::submit(q, lf::properties{lf::property::strategy<Strategy>()}, x, y, counters);
      } catch (const std::exception& e) {
        std::printf("kernel %d, %s: %s\n", number, strategy, e.what());
        ++wrong;
        continue;
      }
      wrong += differ(number, strategy, "work-item", Kernel::results(), y) ||
                       differ(number, strategy, "counter", Kernel::counts(), counters)
                   ? 1
                   : 0;
    }
  }
  return wrong;
}

/// Returns how many configurations compute something else.
template <class Kernel>
int disagreements(int number) {
  return disagreements_of<Kernel, lf::scalar>(number, "scalar") +
         disagreements_of<Kernel, lf::simd<8>>(number, "simd<8>");
}

inline int report(int seed, int kernels, int disagreements) {
  const std::size_t configurations = 2 * 2 * lf::detail::fiber_engines().size();
  std::printf("seed %d: %d kernels, %zu configurations, %d disagreements\n", seed, kernels, configurations,
              disagreements);
  return disagreements == 0 ? 0 : 1;
}

} // namespace group_fuzz

#define GROUP_FUZZ_LIST(...) __VA_ARGS__
/// A kernel of so many dimensions whose body sees the item `it`, its local and global linear ids `l` and `i`, the table
/// `x`, the results `y`, the counters and `tile` of local memory; and what results and counters must be.
#define GROUP_KERNEL(number, dimensions, global, local, body, expected, counted)                                       \
  struct group_kernel_##number {                                                                                       \
    static std::vector<unsigned> results() { return GROUP_FUZZ_LIST expected; }                                        \
    static std::vector<unsigned> counts() { return GROUP_FUZZ_LIST counted; }                                          \
    template <class Properties>                                                                                        \
    static void submit(group_fuzz::lf::queue& q, const Properties& how, const std::vector<unsigned>& table,            \
                       std::vector<unsigned>& out, std::vector<unsigned>& totals) {                                    \
      namespace lf = group_fuzz::lf;                                                                                   \
      const lf::view<const unsigned> x(table.data(), table.size());                                                    \
      const lf::view<unsigned> y(out.data(), out.size());                                                              \
      const lf::view<unsigned> counters(totals.data(), totals.size());                                                 \
      const lf::range<dimensions> whole global;                                                                        \
      const lf::range<dimensions> of_group local;                                                                      \
      q.submit([&](lf::handler& h) {                                                                                   \
         const lf::local_accessor<unsigned> tile(of_group.size(), h);                                                  \
         h.parallel_for(lf::nd_range<dimensions>(whole, of_group), how, [=](auto it) {                                 \
           const auto l = it.var(lf::convert<unsigned>(it.get_local_linear_id()));                                     \
           const auto i = it.var(lf::convert<unsigned>(it.get_global_linear_id()));                                    \
           static_cast<void>(x), static_cast<void>(counters), static_cast<void>(tile);                                 \
           static_cast<void>(l), static_cast<void>(i);                                                                 \
           body                                                                                                        \
         });                                                                                                           \
       }).wait_and_throw();                                                                                            \
    }                                                                                                                  \
  };
