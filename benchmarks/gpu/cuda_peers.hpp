// SPDX-License-Identifier: Apache-2.0
/// Does the same work in CUDA with CUB, for comparison. Built by nvcc where there is one (cuda_*.cu), else absent
/// (cuda_absent.cpp).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace lanefold_cuda {

/// Why nothing here can run; empty if it can.
std::string absent();

/// Work on the GPU that can be run again and again.
class work {
public:
  virtual ~work() = default;
  /// Seconds of one run with the given number of rounds, from submission to the end. Rounds of collectives happen in
  /// one kernel; for the rest a round is one launch.
  virtual double run(unsigned rounds) = 0;
  /// Copies the results to the host.
  virtual void fetch(void* to) = 0;
};

enum class type { int32, fp32, int64, fp64, fp32x4 };
enum class collective { reduce, inclusive_scan, exclusive_scan, any_of };

/// Returns how many algorithms CUB has for a collective.
int algorithms(collective what);

/// Rounds of one collective call of each work-group, `items` work-items in all: x = next(collective(x), start), where
/// next(y, f) is y + f for integers and y / 1024 + f for floating point. Reductions are broadcast.
std::unique_ptr<work> repeat(type of, collective what, int algorithm, std::size_t group, std::size_t items,
                             const void* start);

enum class part { sort, reduce_chunk, scan_chunk };

/// Rounds of x = next(part(x)) on unsigned integers of 4 or 8 bytes, `items` in all, where next(y) is
/// y * 1664525 + 1013904223: a sort of each work-group (algorithm 0: BlockRadixSort, 1: BlockMergeSort), the sum of
/// each eight work-items for all of them, an inclusive scan of each eight (groups of 256).
std::unique_ptr<work> repeat_part(part what, std::size_t bytes, int algorithm, std::size_t group, std::size_t items,
                                  const void* start);

/// Of the whole device, by CUB. One result for reduce.
std::unique_ptr<work> device_reduce(type of, const void* data, std::size_t count);
std::unique_ptr<work> device_inclusive_scan(type of, const void* data, std::size_t count);
/// Reads and writes as many bytes.
std::unique_ptr<work> device_copy(std::size_t bytes);

/// c = a b, square, tiles of 16x16 in shared memory.
std::unique_ptr<work> dgemm_tiled(const double* a, const double* b, std::size_t n);

/// Accelerations of n bodies (x, y, z, mass), blocks of 256.
std::unique_ptr<work> nbody(const double* bodies, std::size_t n, double softening);

/// The sums of segments [offsets[s], offsets[s + 1]), by CUB.
std::unique_ptr<work> segmented_reduce(const double* data, std::size_t count, const unsigned* offsets,
                                       std::size_t segments);

/// Says what cells of a patch leave for their neighbours in shared memory: fluxes and speeds of waves, or the
/// velocities, pressures and speeds of sound that these are made of.
enum class patches_share { fluxes, motions, nothing };

/// A step of `count` patches of p^dimensions cells (p in 4, 6, 8) and their halos, as examples/finite_volumes has them;
/// `scale` is half of the step's length by the size of a cell. The results are the states, then the speed of the
/// fastest wave of each patch.
std::unique_ptr<work> finite_volumes(int dimensions, int p, bool soa, patches_share what, std::size_t count,
                                     const double* states, double scale);

/// One empty kernel.
std::unique_ptr<work> empty_launch(std::size_t groups, std::size_t group);

} // namespace lanefold_cuda
