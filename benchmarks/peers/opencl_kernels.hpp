// SPDX-License-Identifier: Apache-2.0
/// The OpenCL C kernels of the peers. Each is built by itself, with the sizes as macros, which is the form that the
/// compilers of the devices handle best: GROUP (the work-group's size) or TILE (its edge), TYPE (float or double).
#pragma once

namespace lanefold_peers::opencl::kernels {

inline constexpr char barrier_shift[] = R"CLC(
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void barrier_shift(global uint* values, uint rounds) {
  local uint slots[2][GROUP + 1];
  const size_t item = get_local_id(0);
  uint value = get_global_id(0);
  if (item == 0) slots[0][GROUP] = slots[1][GROUP] = 0;
  for (uint round = 0; round < rounds; ++round) {
    slots[round & 1][item] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    value += slots[round & 1][item + 1];
  }
  values[get_global_id(0)] = value;
}
)CLC";

inline constexpr char tree_reduction[] = R"CLC(
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_reduction(global const double* in, global double* out, ulong count) {
  local double sums[GROUP];
  const size_t item = get_local_id(0);
  const size_t i = get_global_id(0);
  sums[item] = i < count ? in[i] : 0.0;
  for (uint active = GROUP / 2; active > 0; active /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < active) sums[item] += sums[item + active];
  }
  if (item == 0) out[get_group_id(0)] = sums[0];
}
)CLC";

inline constexpr char matmul_tiled[] = R"CLC(
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_tiled(global const double* a, global const double* b, global double* c, uint n) {
  local double tile_a[TILE][TILE];
  local double tile_b[TILE][TILE];
  const size_t x = get_local_id(0), y = get_local_id(1);
  const size_t column = get_global_id(0), row = get_global_id(1);
  double sum = 0.0;
  for (uint first = 0; first < n; first += TILE) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < TILE; ++k) sum = fma(tile_a[y][k], tile_b[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
)CLC";

inline constexpr char matmul_naive[] = R"CLC(
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_naive(global const double* a, global const double* b, global double* c, uint n) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  double sum = 0.0;
  for (uint k = 0; k < n; ++k) sum = fma(a[row * n + k], b[k * n + column], sum);
  c[row * n + column] = sum;
}
)CLC";

inline constexpr char nbody[] = R"CLC(
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void nbody(global const TYPE* x, global const TYPE* y, global const TYPE* z, global const TYPE* mass,
           global TYPE* ax, global TYPE* ay, global TYPE* az, uint count, TYPE softening) {
  local TYPE tile_x[GROUP], tile_y[GROUP], tile_z[GROUP], tile_mass[GROUP];
  const size_t item = get_local_id(0);
  const size_t i = get_global_id(0);
  const TYPE my_x = x[i], my_y = y[i], my_z = z[i];
  TYPE sum_x = 0, sum_y = 0, sum_z = 0;
  for (uint first = 0; first < count; first += GROUP) {
    tile_x[item] = x[first + item];
    tile_y[item] = y[first + item];
    tile_z[item] = z[first + item];
    tile_mass[item] = mass[first + item];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint j = 0; j < GROUP; ++j) {
      const TYPE dx = tile_x[j] - my_x, dy = tile_y[j] - my_y, dz = tile_z[j] - my_z;
      const TYPE inverse = rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
      const TYPE s = tile_mass[j] * inverse * (inverse * inverse);
      sum_x = fma(s, dx, sum_x);
      sum_y = fma(s, dy, sum_y);
      sum_z = fma(s, dz, sum_z);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  ax[i] = sum_x;
  ay[i] = sum_y;
  az[i] = sum_z;
}
)CLC";

inline constexpr char transpose[] = R"CLC(
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose(global const float* in, global float* out, uint rows, uint columns) {
  local float tile[TILE][TILE + 1];
  const size_t x = get_local_id(0), y = get_local_id(1);
  const size_t column = get_group_id(0) * TILE, row = get_group_id(1) * TILE;
  tile[y][x] = in[(row + y) * columns + column + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[(column + y) * rows + row + x] = tile[x][y];
}
)CLC";

inline constexpr char mandelbrot[] = R"CLC(
kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void mandelbrot(global int* counts, float left, float top, float step, int limit) {
  const size_t column = get_global_id(0), row = get_global_id(1);
  const float cx = fma((float)column, step, left), cy = fma((float)row, step, top);
  float x = cx, y = cy, yy = cy * cy;
  int count = 0;
  while (fma(x, x, yy) <= 4.0f && count < limit) {
    const float next = fma(x, x, fma(-y, y, cx));
    y = fma(x + x, y, cy);
    x = next;
    yy = y * y;
    ++count;
  }
  counts[row * get_global_size(0) + column] = count;
}
)CLC";

inline constexpr char triad[] = R"CLC(
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void triad(global TYPE* a, global const TYPE* b, global const TYPE* c, TYPE s) {
  const size_t i = get_global_id(0);
  a[i] = fma(s, c[i], b[i]);
}
)CLC";

inline constexpr char vector_add[] = R"CLC(
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void vector_add(global TYPE* a, global const TYPE* b, global const TYPE* c) {
  const size_t i = get_global_id(0);
  a[i] = b[i] + c[i];
}
)CLC";

inline constexpr char empty[] = R"CLC(
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void empty(uint nothing) {}
)CLC";

/// FUNCTION(x): a function of the work-group or the sub-group. NEXT(y): what a round makes of its result.
inline constexpr char group_function[] = R"CLC(
#ifdef SUB_GROUPS
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
TYPE butterfly(TYPE x) {
  x += sub_group_shuffle_xor(x, 8u);
  x += sub_group_shuffle_xor(x, 4u);
  x += sub_group_shuffle_xor(x, 2u);
  x += sub_group_shuffle_xor(x, 1u);
  return x;
}
#define exchange(x) sub_group_shuffle_xor(x, mask)
#define SIZE_OF_SUB_GROUP __attribute__((intel_reqd_sub_group_size(16)))
#else
#define SIZE_OF_SUB_GROUP
#endif
kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) SIZE_OF_SUB_GROUP
void group_function(global const TYPE* start, global TYPE* values, uint rounds, TYPE scale, uint mask) {
  const size_t i = get_global_id(0);
  const TYPE first = start[i];
  TYPE value = first;
  for (uint round = 0; round < rounds; ++round) value = NEXT(FUNCTION(value));
  values[i] = value;
}
)CLC";

} // namespace lanefold_peers::opencl::kernels
