// SPDX-License-Identifier: Apache-2.0
/// The programs behind the targets of the area `group_algorithms`, one file each.
#pragma once

#include "../execution/programs.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lanefold_benchmarks {

/// By value, in ND-range kernels.
void measure_values(report&, const options&);
/// Functions of sub-groups.
void measure_sub_groups(report&, const options&);
/// Over ranges in memory.
void measure_joint(report&, const options&);
void measure_sort(report&, const options&);

/// A small vector of plain numbers: a type of the user.
template <class T, std::size_t N>
struct numbers {
  std::array<T, N> all;

  friend numbers operator+(numbers a, const numbers& b) {
    for (std::size_t k = 0; k < N; ++k)
      a.all[k] += b.all[k];
    return a;
  }
  friend numbers operator*(numbers a, T s) {
    for (T& x : a.all)
      x *= s;
    return a;
  }
};

namespace ours {

/// Says how group algorithms run in a comparison.
enum class version {
  baseline,  ///< one Boost.Fiber for each work-item, algorithm::serial_heap
  scratch,   ///< work-item kernel, algorithm::serial
  omp_simd,  ///< work-item kernel, algorithm::omp_simd
  simd,      ///< work-item kernel, algorithm::simd
  work_item, ///< work-item kernel, algorithm::automatic
  lanes      ///< lane-generic kernel, in several shapes
};

enum class function {
  reduce,
  inclusive_scan,
  sub_group_reduce,
  sub_group_scan,
  sub_group_butterfly,
  sub_group_exchange
};

template <class T, class S>
struct repeated {
  const T* start;
  T* values;
  std::size_t items, group;
  unsigned rounds;
  S scale;
};

/// `rounds` times value = start[i] + function(value) * scale, beginning with start[i]. Defined in repeat.hpp,
/// instantiated in repeat_*.cpp.
template <function F, class T, class S>
std::vector<work> repeat(const repeated<T, S>& of, version v, unsigned threads);

using numbers4 = numbers<float, 4>;

} // namespace ours

} // namespace lanefold_benchmarks
