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
#include <iterator>
#include <vector>

#ifdef FUZZ_FAULT // something to find: additions subtract
#define fetch_add fetch_sub
#endif

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

/// What kernels read and write.
struct memory {
  lf::view<const unsigned> x;
  lf::view<unsigned> y;
  lf::view<unsigned> counters;
};

/// A kernel's index space, and what must come out.
template <int Dimensions>
struct expectation {
  lf::nd_range<Dimensions> where;
  std::vector<unsigned> results;
  std::vector<unsigned> counts;
};

/// Runs one of the kernels of `Kernels` once for each configuration of queues, and returns in how many it computes
/// something else.
template <class Kernels, class Strategy, int Dimensions>
int disagreements_of(int number, const char* strategy, const expectation<Dimensions>& expected) {
  static const std::vector<unsigned> x = table();
  int wrong = 0;
  for (const lf::fiber_engine engine : lf::detail::fiber_engines()) {
    for (const std::size_t threads : {std::size_t{1}, std::size_t{3}}) {
      lf::queue q{lf::property_list{lf::property::threads(threads), lf::property::fiber_engine(engine)}};
      std::vector<unsigned> y(expected.results.size());
      std::vector<unsigned> counters(expected.counts.size());
      const memory m{{x.data(), x.size()}, {y.data(), y.size()}, {counters.data(), counters.size()}};
      try {
        q.submit([&](lf::handler& h) {
           const lf::local_accessor<unsigned> tile(expected.where.get_local_range().size(), h);
           h.parallel_for(expected.where,
                          lf::properties{lf::property::strategy<Strategy>(), lf::property::sub_group_size(8)},
                          [=](auto it) { Kernels::template run<Dimensions>(number, it, m, tile); });
         }).wait_and_throw();
      } catch (const std::exception& e) {
        std::printf("kernel %d, %s: %s\n", number, strategy, e.what());
        ++wrong;
        continue;
      }
      wrong += differ(number, strategy, "work-item", expected.results, y) ||
                       differ(number, strategy, "counter", expected.counts, counters)
                   ? 1
                   : 0;
    }
  }
  return wrong;
}

/// Returns in how many configurations a kernel of `Kernels` computes something else.
template <class Kernels, int Dimensions>
int disagreements(int number, const expectation<Dimensions>& expected) {
  return disagreements_of<Kernels, lf::scalar>(number, "scalar", expected) +
         disagreements_of<Kernels, lf::simd<8>>(number, "simd<8>", expected);
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
/// `x`, the results `y`, the counters and `tile` of local memory; and what results and counters must be. `inlining` is
/// `noinline` for kernels that share a launch: their bodies are compiled once for each kind of item, and not for each
/// loop over units that the library has.
#define GROUP_KERNEL(number, inlining, dimensions, global, local, body, expected, counted)                             \
  struct group_kernel_##number {                                                                                       \
    static group_fuzz::expectation<dimensions> expectation() {                                                         \
      using range = group_fuzz::lf::range<dimensions>;                                                                 \
      static const unsigned results[] = GROUP_FUZZ_LIST expected;                                                      \
      static const unsigned counts[] = GROUP_FUZZ_LIST counted;                                                        \
      return {{range global, range local},                                                                             \
              {std::begin(results), std::end(results)},                                                                \
              {std::begin(counts), std::end(counts)}};                                                                 \
    }                                                                                                                  \
    template <int Dimensions, class Item, class Tile>                                                                  \
    [[gnu::inlining]] static inline void run(int, const Item& it, const group_fuzz::memory& m, const Tile& tile) {     \
      if constexpr (Dimensions == dimensions) {                                                                        \
        namespace lf = group_fuzz::lf;                                                                                 \
        const auto& x = m.x;                                                                                           \
        const auto& y = m.y;                                                                                           \
        const auto& counters = m.counters;                                                                             \
        const auto l = it.var(lf::convert<unsigned>(it.get_local_linear_id()));                                        \
        const auto i = it.var(lf::convert<unsigned>(it.get_global_linear_id()));                                       \
        static_cast<void>(x), static_cast<void>(counters), static_cast<void>(tile);                                    \
        static_cast<void>(l), static_cast<void>(i);                                                                    \
        body                                                                                                           \
      }                                                                                                                \
    }                                                                                                                  \
  };
