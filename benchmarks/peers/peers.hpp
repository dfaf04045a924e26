// SPDX-License-Identifier: Apache-2.0
/// The work of Lanefold's benchmarks on other implementations: OpenCL C on the CPU OpenCL devices of this machine, and
/// loops by hand (xsimd batches, or left to the compiler's vectoriser) on OpenMP threads. Plain C++ types only, so that
/// any benchmark can link it.
///
/// Every function prepares one piece of work on arrays of the caller and returns it as a `work`. The arrays must
/// outlive it; they should come from `array` below, because OpenCL only works in place on page-aligned memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace lanefold_peers {

/// Something to be timed.
struct work {
  std::string name;
  std::function<void()> run;   ///< the whole work once, on data that is in place; returns when it is finished
  std::function<void()> fetch; ///< makes the results visible in the caller's arrays; empty if they are; not timed

  explicit operator bool() const { return static_cast<bool>(run); }
};

/// A page-aligned array of `size` zeroes.
template <class T>
class array {
public:
  explicit array(std::size_t size)
      : m_size(size), m_data(static_cast<T*>(::operator new(size * sizeof(T), std::align_val_t(4096)))) {
    for (std::size_t i = 0; i < size; ++i)
      new (m_data.get() + i) T();
  }

  T* data() { return m_data.get(); }
  const T* data() const { return m_data.get(); }
  std::size_t size() const { return m_size; }
  T& operator[](std::size_t i) { return m_data.get()[i]; }
  const T& operator[](std::size_t i) const { return m_data.get()[i]; }
  T* begin() { return data(); }
  T* end() { return data() + m_size; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + m_size; }

private:
  struct release {
    void operator()(T* p) const { ::operator delete(p, std::align_val_t(4096)); }
  };
  std::size_t m_size;
  std::unique_ptr<T, release> m_data;
};

/// Bodies of an n-body step as a structure of arrays: positions and masses in, accelerations out.
template <class T>
struct bodies {
  std::size_t count;
  const T *x, *y, *z, *mass;
  T *ax, *ay, *az;
  T softening; ///< added to every squared distance
};

/// A Mandelbrot picture: pixel (row, column) is the point (left + column * step, top + row * step), row-major; its
/// value is the number of iterations, at most `limit`, for which |z|² <= 4 holds, counted as `mandelbrot_pixel` does.
struct picture {
  std::size_t width, height;
  float left, top, step;
  std::int32_t limit;
  std::int32_t* counts;
};

/// Prepares this process for comparing implementations that all bring threads of their own: says how many threads each
/// may use, and keeps them from spinning for long after their work (a thread that spins slows down whoever is measured
/// next). Call it first in main(): OpenMP reads its settings before main, so the process is started again with them.
/// Values that are set already in the environment are left alone.
void prepare_process(unsigned threads, char** argv);

/// Items that take as long as one says: the value of item i begins as i and is the result of `steps[i]` dependent
/// steps, or of `even_steps` each where `steps` is null: compilers vectorise loops over such items.
struct heavy_items {
  std::size_t count;
  const std::uint32_t* steps;
  float* values;
};
inline constexpr std::uint32_t even_steps = 4096;
inline float heavy_item(std::size_t i, std::uint32_t steps) {
  float value = static_cast<float>(i);
  for (std::uint32_t step = 0; step < steps; ++step)
    value = value * 0.999f + 0.5f;
  return value;
}

/// Says what a reader of the results must know: CPU, compiler, flags, OpenCL devices. One line each.
std::vector<std::string> describe_environment();

// ---- OpenCL
// ----------------------------------------------------------------------------------------------------------

namespace opencl {

class device;
using device_ptr = std::shared_ptr<device>;

struct description {
  std::string platform, device, driver;
  unsigned compute_units;
};

/// All CPU devices of all platforms; none without OpenCL (`reason` then says why).
std::vector<device_ptr> cpu_devices(std::string* reason = nullptr);

/// The first CPU device whose platform's name contains `part`, or null.
device_ptr find(std::string_view part, std::string* reason = nullptr);
/// Intel's CPU runtime (scripts/opencl-cpu-runtime installs it), or null.
device_ptr intel(std::string* reason = nullptr);
/// PoCL, or null.
device_ptr pocl(std::string* reason = nullptr);

const description& describe(const device_ptr&);

// Each `run` enqueues on an in-order queue and waits for the end; the buffers wrap the caller's arrays and were placed
// on the device before. Sizes that the group's shape must divide are stated; anything else throws std::runtime_error.

/// A barrier with a shift through local memory, `rounds` times: each of `items` work-items (a multiple of `group`) adds
/// the value of the next item of its group to its own (the last one of a group adds 0). Two alternating local arrays,
/// so one barrier a round. The values start as the global id; `values` gets the end.
work barrier_shift(const device_ptr&, std::uint32_t* values, std::size_t items, std::size_t group, unsigned rounds);

/// The sum of `count` doubles by a tree in local memory: a barrier per level, the items that add halve each step, one
/// value per group, launched again on those until one group is left. `result` gets the sum.
work tree_reduction(const device_ptr&, const double* in, std::size_t count, double* result, std::size_t group = 256);
/// One launch of the same on every `group` doubles: `sums` gets one value per group, `result` what the host adds up.
work segmented_reduction(const device_ptr&, const double* in, std::size_t count, double* sums, double* result,
                         std::size_t group = 256);

/// c = a · b, all n × n and row-major, one work-item an element, groups of tile × tile, tiles of a and b through local
/// memory with two barriers each. `tile` divides n.
work matmul_tiled(const device_ptr&, const double* a, const double* b, double* c, std::size_t n, std::size_t tile = 16);
/// Computes the same without local memory and barriers.
work matmul_naive(const device_ptr&, const double* a, const double* b, double* c, std::size_t n, std::size_t tile = 16);

/// Accelerations of all bodies: one work-item a body, tiles of `tile` bodies through local memory with two barriers
/// each. `tile` is the group's size and divides the count.
work nbody(const device_ptr&, const bodies<float>&, std::size_t tile = 256);
work nbody(const device_ptr&, const bodies<double>&, std::size_t tile = 256);

/// out[column][row] = in[row][column] through a local tile (tile × tile, padded by one column); `tile` divides both.
work transpose(const device_ptr&, const float* in, float* out, std::size_t rows, std::size_t columns,
               std::size_t tile = 16);

/// One work-item a pixel, groups of 16 × 16 (they divide the picture).
work mandelbrot(const device_ptr&, const picture&);

/// a[i] = b[i] + s * c[i] and a[i] = b[i] + c[i]; `group` divides `count`.
work triad(const device_ptr&, float* a, const float* b, const float* c, float s, std::size_t count,
           std::size_t group = 256);
work triad(const device_ptr&, double* a, const double* b, const double* c, double s, std::size_t count,
           std::size_t group = 256);
work vector_add(const device_ptr&, float* a, const float* b, const float* c, std::size_t count,
                std::size_t group = 256);

/// A kernel that does nothing: what is left is submitting it and waiting for it.
work empty_launch(const device_ptr&, std::size_t groups = 1024, std::size_t group = 256);

/// A function of OpenCL C that the work-items of a group or sub-group call together.
enum class group_function {
  work_group_reduce_add,
  work_group_scan_inclusive_add,
  sub_group_reduce_add,
  sub_group_scan_inclusive_add,
  sub_group_butterfly, ///< four times x += sub_group_shuffle_xor(x, m), m = 8, 4, 2, 1
  sub_group_exchange   ///< sub_group_shuffle_xor(x, exchange_mask), where the kernel gets the mask as an argument
};
inline constexpr unsigned exchange_mask = 5;

/// `rounds` times value = start[i] + function(value) * scale, beginning with start[i]; fused, and without the scale for
/// whole numbers. One work-item a value; `group` divides `items`. Sub-groups have 16 work-items.
work repeat(const device_ptr&, group_function, const std::uint32_t* start, std::uint32_t* values, std::size_t items,
            std::size_t group, unsigned rounds, std::uint32_t scale);
work repeat(const device_ptr&, group_function, const float* start, float* values, std::size_t items, std::size_t group,
            unsigned rounds, float scale);

} // namespace opencl

// ---- by hand
// ---------------------------------------------------------------------------------------------------------

/// Loops by hand on `threads` OpenMP threads, with the batches of xsimd for the instruction set that they are compiled
/// for. Where several forms are plausible, a parameter chooses one, and the fastest is the one to compare with.
namespace by_hand {

/// The order in which the tiles of a product are walked.
enum class walk {
  rows,    ///< row after row of tiles
  columns, ///< column after column of tiles: one column of tiles of b stays in the cache
  blocks   ///< in blocks of 8 × 8 tiles
};

/// The loops of `opencl::matmul_tiled` (16 × 16 tiles, copied into local arrays step by step, the sums of a tile of c
/// in a local array) without barriers, as register-blocked loops over batches.
work matmul_tiled(const double* a, const double* b, double* c, std::size_t n, walk order, unsigned threads);

/// Batches of bodies against every body; `registers` (1, 2 or 4) batches at once share what is loaded. The reciprocal
/// square root is the estimate of the instruction set, refined to within 2 ulp.
work nbody(const bodies<float>&, unsigned registers, unsigned threads);
work nbody(const bodies<double>&, unsigned registers, unsigned threads);

/// Batches of neighbouring pixels, `registers` (1, 2, 4 or 8) of them interleaved.
work mandelbrot(const picture&, unsigned registers, unsigned threads);

/// The work of `opencl::barrier_shift` for groups of 256: a group is 16 batches of 16 (AVX-512) in registers that go
/// through an array each round. It measures what the shift through memory costs by itself.
work barrier_shift(std::uint32_t* values, std::size_t items, unsigned rounds, unsigned threads);

/// The sum with four batches of accumulators per thread: the speed at which memory can be read.
work sum(const double* in, std::size_t count, double* result, unsigned threads);

/// Multiply-adds in registers, on all threads, as many at a time as hide how long one takes; and how many operations of
/// floating point one run is.
struct arithmetic {
  work run;
  double flops;
};
arithmetic multiply_add_fp32(unsigned threads);
arithmetic multiply_add_fp64(unsigned threads);

/// a[i] = b[i] + s * c[i] with batches.
work triad(float* a, const float* b, const float* c, float s, std::size_t count, unsigned threads);
work triad(double* a, const double* b, const double* c, double s, std::size_t count, unsigned threads);

} // namespace by_hand

/// Plain loops on `threads` OpenMP threads, vectorised by the compiler or not at all.
namespace plain {

/// a[i] = b[i] + s * c[i] in the order of the work-items of `count / group` groups: group g works on the elements from
/// (g * group) % footprint on. With a footprint of `count` this is one pass over the arrays; a smaller one (a multiple
/// of `group`, of which one thread touches all) keeps the work in a cache of that size.
work triad(float* a, const float* b, const float* c, float s, std::size_t count, std::size_t group,
           std::size_t footprint, unsigned threads);
work triad(double* a, const double* b, const double* c, double s, std::size_t count, std::size_t group,
           std::size_t footprint, unsigned threads);
work vector_add(float* a, const float* b, const float* c, std::size_t count, unsigned threads);

/// Three nested loops, in the order i-k-j, whose innermost loop vectorises.
work matmul(const double* a, const double* b, double* c, std::size_t n, unsigned threads);
/// out[column][row] = in[row][column], in square blocks.
work transpose(const float* in, float* out, std::size_t rows, std::size_t columns, unsigned threads);
/// One pixel after the other, no SIMD.
work mandelbrot(const picture&, unsigned threads);

/// Names how an OpenMP loop hands out its iterations.
enum class schedule { fixed, dynamic };
work heavy(const heavy_items&, schedule, unsigned threads);

} // namespace plain

// ---- references to check against
// ---------------------------------------------------------------------------------------

/// The count of one pixel, as every implementation computes it: each operation is written out with the fused
/// multiply-add where one is meant, so that all of them agree to the last bit (where the instruction set has one).
std::int32_t mandelbrot_pixel(const picture&, std::size_t row, std::size_t column);

/// The acceleration of body i in long double.
template <class T>
void nbody_reference(const bodies<T>&, std::size_t i, long double (&acceleration)[3]);

/// The values that `barrier_shift` must leave in a group that starts at `first`.
std::vector<std::uint32_t> barrier_shift_reference(std::uint32_t first, std::size_t group, unsigned rounds);

} // namespace lanefold_peers
