// SPDX-License-Identifier: Apache-2.0
/// Joint algorithms in one group of one sub-group, `rounds` times in one launch, and what they are compared with.
#pragma once

#include "peers.hpp"

#include <cstddef>
#include <vector>

namespace lanefold_benchmarks {

using lanefold_peers::work;

template <class T>
struct joint_work {
  const T* in;
  T* out;
  T* result;
  std::size_t count;
  unsigned rounds;
};

enum class joint_version { serial, omp_simd, simd };

/// Instantiated for int32, int64, float and double.
template <class T>
work joint_reduce(const joint_work<T>&, joint_version);
template <class T>
work joint_scan(const joint_work<T>&, bool exclusive, joint_version);
/// Looks for 9, which is not there; `*result` gets 0.
template <class T>
work joint_any_of(const joint_work<T>&);
template <class T>
work std_any_of(const joint_work<T>&);
/// Loads every element into a register and nothing else: the speed of the cache.
template <class T>
std::vector<work> load_only(const joint_work<T>&);

} // namespace lanefold_benchmarks
