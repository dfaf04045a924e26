// SPDX-License-Identifier: Apache-2.0
/// Lanefold's sides of the comparisons, one function for each program. Each returns the forms that may be tried (lane
/// shapes, for instance); the fastest is compared. Arrays belong to the caller and outlive the work.
#pragma once

#include "peers.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanefold_benchmarks::ours {

using lanefold_peers::bodies;
using lanefold_peers::heavy_items;
using lanefold_peers::picture;
using lanefold_peers::work;

enum class model { lanes, work_item };
enum class engine { native, boost_fiber };

/// See lanefold_peers::opencl for what each of them computes.
std::vector<work> barrier_shift(std::uint32_t* values, std::size_t items, std::size_t group, unsigned rounds, model,
                                engine, unsigned threads);
std::vector<work> tree_reduction(const double* in, std::size_t count, double* result, std::size_t group, model, engine,
                                 unsigned threads);
std::vector<work> matmul_tiled(const double* a, const double* b, double* c, std::size_t n, unsigned threads);
std::vector<work> nbody(const bodies<float>&, unsigned threads);
std::vector<work> nbody(const bodies<double>&, unsigned threads);
/// `model::work_item` is the scalar strategy here.
std::vector<work> mandelbrot(const picture&, model, unsigned threads);
/// See lanefold_peers::plain::triad for `footprint`.
std::vector<work> triad(float* a, const float* b, const float* c, float s, std::size_t count, std::size_t group,
                        std::size_t footprint, model, unsigned threads);
std::vector<work> triad(double* a, const double* b, const double* c, double s, std::size_t count, std::size_t group,
                        std::size_t footprint, model, unsigned threads);
/// The arrays of a = b + s * c.
struct triad_arrays {
  float *a, *b, *c;
  float s;
  std::size_t count;
};
enum class row_kernel { lanes, lanes_in_groups, work_items };
/// Computes that over rows of `width` elements, as an index space of one to four dimensions (one: a single row), in
/// groups of 16 rows in three and four; by work-items in one and two.
work rows(const triad_arrays&, std::size_t width, int dimensions, row_kernel kernel, unsigned threads);
/// Computes `to[i] = 2 * from[i] + 1` over a range of two dimensions of n times n work-items, where the last id is the
/// one next to itself in memory, or the first one; or transposes.
enum class direction { along_rows, along_columns, transposed };
work columns(direction, const float* from, float* to, std::size_t n, unsigned threads);
/// Computes y = x / 4 + 3 / 2, or a polynomial of degree 9 of x, in float, half or bfloat16.
enum class small_real_kernel { scaled, polynomial };
template <class T>
work small_reals(small_real_kernel, const T* x, T* y, std::size_t count, unsigned threads);
/// Computes y = x / 7 for a 7 that is a constant in the kernel, or a number that it has captured.
enum class divisor { constant, uniform };
inline constexpr int known_divisor = 7;
template <class T>
work quotients(divisor, const T* x, T* y, std::size_t count);
/// Runs heavy items, one work-item each: a kernel over a range of one, two or three dimensions (a number of items
/// that 32 divides), over at least 64 groups of up to 64, over groups of four, or over a range with a reduction.
enum class space { range, range_2d, range_3d, nd_range, nd_range_3d, groups_of_256, reduction };
std::vector<work> heavy(const heavy_items&, space, unsigned threads);
/// Computes a = b + s * c in work-item kernels that take ids as int or as size_t; `guarded`: over groups, behind a
/// condition, with a sum of the id.
enum class id_space { range, range_2d, nd_range, nd_range_3d, guarded };
work int_ids(id_space, const triad_arrays&);
work size_ids(id_space, const triad_arrays&);
/// Computes `sums[i] = 2 * x + y + z + w` of the i-th point, or of point order[i], in lanes: of four floats side by
/// side (`vectors`), or of four arrays of `count` floats each.
struct points {
  const float* values;
  const unsigned* order; ///< null: all points, one behind the other
  float* sums;
  std::size_t count;
};
work sums_of_vectors(const points&);
work sums_of_arrays(const points&);
/// A command graph with a node for each heavy item: without edges, each behind three of the hundred before, or two
/// chains.
enum class edges { none, layers, chains };
work replayed_graph(const heavy_items&, edges, unsigned threads);
std::vector<work> empty_launch(std::size_t groups, std::size_t group, unsigned threads);

/// Resident memory that launches of a kernel with barriers in groups of 1024 work-items leave behind, beyond the data,
/// in bytes for each unit and thread.
std::optional<double> resident_bytes_per_unit(unsigned threads);

} // namespace lanefold_benchmarks::ours
