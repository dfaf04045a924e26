// SPDX-License-Identifier: Apache-2.0
/// Gives programs of generated kernels (generate.py) their inputs, and compares the strategies.
#pragma once

// Lanes must round as single work-items do (clang fuses operations of lanes otherwise, see simd/varying.hpp).
#define LANEFOLD_NO_FP_CONTRACT

#include <lanefold/lanefold.hpp>

#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

namespace fuzz {

namespace lf = lanefold;

#ifndef FUZZ_LANES
#define FUZZ_LANES 256
#endif
inline constexpr std::size_t n = 1000; // the last sub-group is a partial one

struct inputs {
  std::vector<int> i;
  std::vector<unsigned> u;
  std::vector<float> f;
  std::vector<double> d;
  std::vector<std::int64_t> l;
  std::vector<std::int8_t> b;
  std::vector<std::uint16_t> h;
  std::vector<std::uint64_t> w;

  inputs() {
    std::mt19937 random(1);
    for (std::size_t k = 0; k < n; ++k) {
      const int value = static_cast<int>(random() % 12);
      i.push_back(value);
      u.push_back(random() % 12);
      f.push_back(static_cast<float>(random() % 12) + 0.5F);
      d.push_back(static_cast<double>(random() % 12) + 0.25);
      l.push_back(static_cast<std::int64_t>(random() % 12));
      b.push_back(static_cast<std::int8_t>(random() % 12));
      h.push_back(static_cast<std::uint16_t>(random() % 12));
      w.push_back(random() % 12);
    }
  }
};

struct totals {
  unsigned sum = 0, greatest = 0;
};

struct outputs {
  std::vector<unsigned> places = std::vector<unsigned>(n);
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(n);
  std::vector<double> reals = std::vector<double>(n);
  fuzz::totals totals;
};

template <class Kernel, class Strategy>
outputs run(const inputs& in) {
  outputs out;
  lf::queue q;
  Kernel::submit(q, lf::properties{lf::property::strategy<Strategy>()}, in, out);
  return out;
}

/// Prints where the two differ first; returns whether they do.
inline bool differ(int kernel, const char* strategy, const outputs& expected, const outputs& got) {
  for (std::size_t k = 0; k < n; ++k) {
    if (expected.places[k] != got.places[k] || expected.words[k] != got.words[k] ||
        !(expected.reals[k] == got.reals[k] ||
          (expected.reals[k] != expected.reals[k] && got.reals[k] != got.reals[k]))) {
      std::printf("kernel %d, %s: work-item %zu: places %u for %u, words %llu for %llu, reals %.17g for %.17g\n",
                  kernel, strategy, k, got.places[k], expected.places[k], static_cast<unsigned long long>(got.words[k]),
                  static_cast<unsigned long long>(expected.words[k]), got.reals[k], expected.reals[k]);
      return true;
    }
  }
  if (expected.totals.sum != got.totals.sum || expected.totals.greatest != got.totals.greatest) {
    std::printf("kernel %d, %s: totals %u, %u for %u, %u\n", kernel, strategy, got.totals.sum, got.totals.greatest,
                expected.totals.sum, expected.totals.greatest);
    return true;
  }
  return false;
}

/// Returns how many strategies disagree with `scalar`.
template <class Kernel>
int disagreements(int number) {
  static const inputs in;
  const outputs expected = run<Kernel, lf::scalar>(in);
  return differ(number, "lanes", expected, run<Kernel, lf::simd<FUZZ_LANES>>(in));
}

inline int report(int seed, int kernels, int disagreements) {
  std::printf("seed %d: %d kernels, %d disagreements\n", seed, kernels, disagreements);
  return disagreements == 0 ? 0 : 1;
}

} // namespace fuzz

/// A kernel whose body sees the item `it`, its index `i`, and the views and totals named here.
#define FUZZ_KERNEL(number, ...)                                                                                       \
  struct kernel_##number {                                                                                             \
    template <class Properties>                                                                                        \
    static void submit(fuzz::lf::queue& q, const Properties& how, const fuzz::inputs& in, fuzz::outputs& out) {        \
      namespace lf = fuzz::lf;                                                                                         \
      const lf::view<const int> xi(in.i.data(), fuzz::n);                                                              \
      const lf::view<const unsigned> xu(in.u.data(), fuzz::n);                                                         \
      const lf::view<const float> xf(in.f.data(), fuzz::n);                                                            \
      const lf::view<const double> xd(in.d.data(), fuzz::n);                                                           \
      const lf::view<const std::int64_t> xl(in.l.data(), fuzz::n);                                                     \
      const lf::view<const std::int8_t> xb(in.b.data(), fuzz::n);                                                      \
      const lf::view<const std::uint16_t> xh(in.h.data(), fuzz::n);                                                    \
      const lf::view<const std::uint64_t> xw(in.w.data(), fuzz::n);                                                    \
      const lf::view<unsigned> places(out.places.data(), fuzz::n);                                                     \
      const lf::view<std::uint64_t> words(out.words.data(), fuzz::n);                                                  \
      const lf::view<double> reals(out.reals.data(), fuzz::n);                                                         \
      auto& totals = out.totals;                                                                                       \
      q.parallel_for(lf::range<1>(fuzz::n), how, [=, &totals](auto it) {                                               \
         const auto i = it.get_id(0);                                                                                  \
         static_cast<void>(totals); /* clang warns of a capture that no statement uses */                              \
         __VA_ARGS__                                                                                                   \
       }).wait();                                                                                                      \
    }                                                                                                                  \
  };
