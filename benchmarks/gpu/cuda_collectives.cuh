// SPDX-License-Identifier: Apache-2.0
/// The collectives of one type; each type is a source of its own, because CUB takes minutes to compile.
#pragma once

#include "cuda_common.cuh"

#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

#include <utility>

namespace lanefold_cuda {

__device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

struct sum {
  template <class T>
  __device__ T operator()(T a, T b) const {
    return a + b;
  }
};

// CUB has instructions of its own for sums of the types that it knows.
template <class Reduce, class T>
__device__ T sum_by(Reduce reduce, T x) {
  return reduce.Sum(x);
}
template <class Reduce>
__device__ float4 sum_by(Reduce reduce, float4 x) {
  return reduce.Reduce(x, sum());
}
template <bool Exclusive, class Scan, class T>
__device__ T scan_by(Scan scan, T x) {
  T y;
  if (Exclusive)
    scan.ExclusiveSum(x, y);
  else
    scan.InclusiveSum(x, y);
  return y;
}
template <bool Exclusive, class Scan>
__device__ float4 scan_by(Scan scan, float4 x) {
  float4 y;
  if (Exclusive)
    scan.ExclusiveScan(x, y, make_float4(0, 0, 0, 0), sum());
  else
    scan.InclusiveScan(x, y, sum());
  return y;
}

__device__ inline int next(int y, int first) { return y + first; }
__device__ inline long long next(long long y, long long first) { return y + first; }
__device__ inline float next(float y, float first) { return fmaf(y, 1.f / 1024, first); }
__device__ inline double next(double y, double first) { return fma(y, 1. / 1024, first); }
__device__ inline float4 next(float4 y, float4 f) {
  return make_float4(next(y.x, f.x), next(y.y, f.y), next(y.z, f.z), next(y.w, f.w));
}
constexpr cub::BlockReduceAlgorithm reduce_algorithms[] = {cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
                                                           cub::BLOCK_REDUCE_RAKING, cub::BLOCK_REDUCE_WARP_REDUCTIONS};
constexpr cub::BlockScanAlgorithm scan_algorithms[] = {cub::BLOCK_SCAN_RAKING, cub::BLOCK_SCAN_RAKING_MEMOIZE,
                                                       cub::BLOCK_SCAN_WARP_SCANS};

template <class T, int Group, int Algorithm>
__global__ void __launch_bounds__(Group) repeat_reduce(const T* start, T* values, unsigned rounds) {
  using reduce = cub::BlockReduce<T, Group, reduce_algorithms[Algorithm]>;
  __shared__ typename reduce::TempStorage temporary;
  __shared__ T result;
  const unsigned i = blockIdx.x * Group + threadIdx.x;
  const T first = start[i];
  T x = first;
  for (unsigned r = 0; r < rounds; ++r) {
    const T total = sum_by(reduce(temporary), x);
    if (threadIdx.x == 0)
      result = total;
    __syncthreads();
    x = next(result, first);
    if (Group <= 32)
      __syncthreads();
  }
  values[i] = x;
}

template <class T, int Group, int Algorithm, bool Exclusive>
__global__ void __launch_bounds__(Group) repeat_scan(const T* start, T* values, unsigned rounds) {
  using scan = cub::BlockScan<T, Group, scan_algorithms[Algorithm]>;
  __shared__ typename scan::TempStorage temporary;
  const unsigned i = blockIdx.x * Group + threadIdx.x;
  const T first = start[i];
  T x = first;
  for (unsigned r = 0; r < rounds; ++r) {
    const T y = scan_by<Exclusive>(scan(temporary), x);
    __syncthreads(); // before the memory is used again
    x = next(y, first);
  }
  values[i] = x;
}

template <class T, int Group>
repeat_kernel<T> kernel_of(collective what, int algorithm) {
  static constexpr repeat_kernel<T> reductions[] = {repeat_reduce<T, Group, 0>, repeat_reduce<T, Group, 1>,
                                                    repeat_reduce<T, Group, 2>};
  static constexpr repeat_kernel<T> inclusive[] = {repeat_scan<T, Group, 0, false>, repeat_scan<T, Group, 1, false>,
                                                   repeat_scan<T, Group, 2, false>};
  static constexpr repeat_kernel<T> exclusive[] = {repeat_scan<T, Group, 0, true>, repeat_scan<T, Group, 1, true>,
                                                   repeat_scan<T, Group, 2, true>};
  return what == collective::reduce           ? reductions[algorithm]
         : what == collective::inclusive_scan ? inclusive[algorithm]
                                              : exclusive[algorithm];
}

template <class T>
repeat_kernel<T> kernel_of(collective what, int algorithm, std::size_t group) {
  switch (group) {
  case 32: return kernel_of<T, 32>(what, algorithm);
  case 64: return kernel_of<T, 64>(what, algorithm);
  case 128: return kernel_of<T, 128>(what, algorithm);
  case 256: return kernel_of<T, 256>(what, algorithm);
  case 512: return kernel_of<T, 512>(what, algorithm);
  case 1024: return kernel_of<T, 1024>(what, algorithm);
  default: throw std::runtime_error("no CUDA kernel for groups of " + std::to_string(group));
  }
}

/// Defined in the source of each type.
template <class T>
std::unique_ptr<work> repeat_of(collective what, int algorithm, std::size_t group, std::size_t items,
                                const void* start);

#define LANEFOLD_CUDA_COLLECTIVES(T)                                                                                   \
  template <>                                                                                                          \
  std::unique_ptr<work> repeat_of<T>(collective what, int algorithm, std::size_t group, std::size_t items,             \
                                     const void* start) {                                                              \
    return std::make_unique<repeat_work<T>>(kernel_of<T>(what, algorithm, group), group, items, start);                \
  }

} // namespace lanefold_cuda
