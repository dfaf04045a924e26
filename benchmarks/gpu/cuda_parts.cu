// SPDX-License-Identifier: Apache-2.0
// Sorts of blocks, and reductions and scans of eight threads, by CUB.
#include "cuda_common.cuh"

#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>

#include <cstdint>

namespace lanefold_cuda {
namespace {

template <class T>
__device__ T next(T y) {
  return y * T(1664525) + T(1013904223);
}

struct less {
  template <class T>
  __device__ bool operator()(T a, T b) const {
    return a < b;
  }
};

template <class T, int Group>
__device__ void sort_by(cub::BlockRadixSort<T, Group, 1> sort, T (&x)[1]) {
  sort.Sort(x);
}
template <class T, int Group>
__device__ void sort_by(cub::BlockMergeSort<T, Group, 1> sort, T (&x)[1]) {
  sort.Sort(x, less());
}

template <class T, int Group, class Sort>
__global__ void __launch_bounds__(Group) repeat_sort(const T* start, T* values, unsigned rounds) {
  __shared__ typename Sort::TempStorage temporary;
  const unsigned i = blockIdx.x * Group + threadIdx.x;
  T x[1] = {start[i]};
  for (unsigned r = 0; r < rounds; ++r) {
    sort_by<T, Group>(Sort(temporary), x);
    __syncthreads();
    x[0] = next(x[0]);
  }
  values[i] = x[0];
}
template <class T, int Group>
repeat_kernel<T> sort_kernel(int algorithm) {
  return algorithm == 0 ? repeat_sort<T, Group, cub::BlockRadixSort<T, Group, 1>>
                        : repeat_sort<T, Group, cub::BlockMergeSort<T, Group, 1>>;
}

template <class T, int Group>
__global__ void __launch_bounds__(Group) repeat_reduce_chunk(const T* start, T* values, unsigned rounds) {
  using reduce = cub::WarpReduce<T, 8>;
  __shared__ typename reduce::TempStorage temporary[Group / 8];
  const unsigned i = blockIdx.x * Group + threadIdx.x;
  T x = start[i];
  for (unsigned r = 0; r < rounds; ++r)
    x = next(__shfl_sync(0xffffffff, reduce(temporary[threadIdx.x / 8]).Sum(x), 0, 8));
  values[i] = x;
}

template <class T, int Group>
__global__ void __launch_bounds__(Group) repeat_scan_chunk(const T* start, T* values, unsigned rounds) {
  using scan = cub::WarpScan<T, 8>;
  __shared__ typename scan::TempStorage temporary[Group / 8];
  const unsigned i = blockIdx.x * Group + threadIdx.x;
  T x = start[i];
  for (unsigned r = 0; r < rounds; ++r) {
    scan(temporary[threadIdx.x / 8]).InclusiveSum(x, x);
    x = next(x);
  }
  values[i] = x;
}

template <class T>
repeat_kernel<T> kernel_of(part what, int algorithm, std::size_t group) {
  if (what == part::reduce_chunk)
    return repeat_reduce_chunk<T, 256>;
  if (what == part::scan_chunk)
    return repeat_scan_chunk<T, 256>;
  switch (group) {
  case 64: return sort_kernel<T, 64>(algorithm);
  case 256: return sort_kernel<T, 256>(algorithm);
  case 1024: return sort_kernel<T, 1024>(algorithm);
  default: throw std::runtime_error("no CUDA kernel for groups of " + std::to_string(group));
  }
}

} // namespace

std::unique_ptr<work> repeat_part(part what, std::size_t bytes, int algorithm, std::size_t group, std::size_t items,
                                  const void* start) {
  if (bytes == 4)
    return std::make_unique<repeat_work<std::uint32_t>>(kernel_of<std::uint32_t>(what, algorithm, group), group, items,
                                                        start);
  return std::make_unique<repeat_work<std::uint64_t>>(kernel_of<std::uint64_t>(what, algorithm, group), group, items,
                                                      start);
}

} // namespace lanefold_cuda
