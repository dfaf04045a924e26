// SPDX-License-Identifier: Apache-2.0
#include "joint_sides.hpp"

#include "../execution/lanefold_queues.hpp"

#include <lanefold/group_algorithms.hpp>

#include <algorithm>
#include <cstdint>

namespace lanefold_benchmarks {

namespace {

namespace lf = lanefold;

/// Leaves the memory as it is, but the compiler must assume that it has changed in each round.
template <class T>
LANEFOLD_ALWAYS_INLINE void touch(T*& p) {
  asm volatile("" : "+r"(p) : : "memory");
}

template <class T, class F>
work in_one_group(const std::string& name, const joint_work<T>& of, F call) {
  lf::queue& q = ours::queue_with(1);
  return {name,
          [=, &q] {
            q.parallel_for(lf::nd_range<1>(16, 16), ours::how<lf::simd<16>>(), [=](auto it) {
               joint_work<T> w = of;
               for (unsigned round = 0; round < of.rounds; ++round) {
                 touch(w.in);
                 call(it.get_group(), w);
               }
             }).wait();
          },
          {}};
}

template <lf::algorithm A, class T>
work reduce_by(const joint_work<T>& of) {
  return in_one_group(to_string(A), of, [](const auto& g, const joint_work<T>& w) {
    *w.result = lf::joint_reduce<A>(g, w.in, w.in + w.count, lf::plus<>{});
  });
}

template <lf::algorithm A, class T>
work scan_by(const joint_work<T>& of, bool exclusive) {
  if (exclusive)
    return in_one_group(to_string(A), of, [](const auto& g, const joint_work<T>& w) {
      lf::joint_exclusive_scan<A>(g, w.in, w.in + w.count, w.out, lf::plus<>{});
    });
  return in_one_group(to_string(A), of, [](const auto& g, const joint_work<T>& w) {
    lf::joint_inclusive_scan<A>(g, w.in, w.in + w.count, w.out, lf::plus<>{});
  });
}

} // namespace

template <class T>
work joint_reduce(const joint_work<T>& of, joint_version v) {
  switch (v) {
  case joint_version::serial: return reduce_by<lf::algorithm::serial>(of);
  case joint_version::omp_simd: return reduce_by<lf::algorithm::omp_simd>(of);
  case joint_version::simd: break;
  }
  return reduce_by<lf::algorithm::simd>(of);
}

template <class T>
work joint_scan(const joint_work<T>& of, bool exclusive, joint_version v) {
  return v == joint_version::simd ? scan_by<lf::algorithm::simd>(of, exclusive)
                                  : scan_by<lf::algorithm::serial>(of, exclusive);
}

template <class T>
work joint_any_of(const joint_work<T>& of) {
  return in_one_group("automatic", of, [](const auto& g, const joint_work<T>& w) {
    *w.result = T(lf::joint_any_of(g, w.in, w.in + w.count, [](const auto& x) { return x == T(9); }));
  });
}

template <class T>
work std_any_of(const joint_work<T>& of) {
  return {"std::any_of",
          [of] {
            joint_work<T> w = of;
            for (unsigned round = 0; round < of.rounds; ++round) {
              touch(w.in);
              *w.result = T(std::any_of(w.in, w.in + w.count, [](const T& x) { return x == T(9); }));
            }
          },
          {}};
}

template <class T>
std::vector<work> load_only([[maybe_unused]] const joint_work<T>& of) {
#if defined(__AVX512F__)
  return {{"loads",
           [of] {
             constexpr std::size_t step = 512 / sizeof(T); // eight registers
             for (unsigned round = 0; round < of.rounds; ++round)
               for (std::size_t i = 0; i + step <= of.count; i += step)
                 asm volatile("vmovups (%0), %%zmm0\n\t"
                              "vmovups 64(%0), %%zmm1\n\t"
                              "vmovups 128(%0), %%zmm2\n\t"
                              "vmovups 192(%0), %%zmm3\n\t"
                              "vmovups 256(%0), %%zmm4\n\t"
                              "vmovups 320(%0), %%zmm5\n\t"
                              "vmovups 384(%0), %%zmm6\n\t"
                              "vmovups 448(%0), %%zmm7"
                              :
                              : "r"(of.in + i)
                              : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "memory");
           },
           {}}};
#else
  return {};
#endif
}

#define LANEFOLD_BENCHMARK_TYPE(T)                                                                                     \
  template work joint_reduce(const joint_work<T>&, joint_version);                                                     \
  template work joint_scan(const joint_work<T>&, bool, joint_version);                                                 \
  template work joint_any_of(const joint_work<T>&);                                                                    \
  template work std_any_of(const joint_work<T>&);                                                                      \
  template std::vector<work> load_only(const joint_work<T>&);
LANEFOLD_BENCHMARK_TYPE(std::int32_t)
LANEFOLD_BENCHMARK_TYPE(std::int64_t)
LANEFOLD_BENCHMARK_TYPE(float)
LANEFOLD_BENCHMARK_TYPE(double)

} // namespace lanefold_benchmarks
