// SPDX-License-Identifier: Apache-2.0
/// The programs of the GPU path as OpenCL C kernels.
#pragma once

namespace lanefold_programs {

/// c = a b, n x n, row by row; groups of 16x16, each of which computes a tile of 16x16. n is a multiple of 16.
inline constexpr char dgemm_tiled[] = R"CLC(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void dgemm_tiled(global const double* a, global const double* b, global double* c, uint n) {
  // Without the attribute only aligned to 8 bytes, which halves the width of loads.
  local double tile_a[16][16] __attribute__((aligned(16)));
  local double tile_b[16][16] __attribute__((aligned(16)));
  const uint x = get_local_id(0), y = get_local_id(1);
  const uint column = get_group_id(0) * 16 + x, row = get_group_id(1) * 16 + y;
  double sum = 0;
  for (uint first = 0; first < n; first += 16) {
    tile_a[y][x] = a[row * n + first + x];
    tile_b[y][x] = b[(first + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < 16; ++k)
      sum = fma(tile_a[y][k], tile_b[k][x], sum);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
)CLC";

/// Computes the same as dgemm_tiled; groups of 16x16, each of which computes a tile of 64x64, 4x4 elements a work-item
/// in registers. n is a multiple of 64.
inline constexpr char dgemm_registers[] = R"CLC(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void dgemm_registers(global const double* a, global const double* b, global double* c, uint n) {
  // Columns of a, so that four rows are neighbours; two more elements put columns into different banks.
  local double tile_a[16][66] __attribute__((aligned(16)));
  local double tile_b[16][64] __attribute__((aligned(16)));
  const uint x = get_local_id(0), y = get_local_id(1), id = y * 16 + x;
  const uint column = get_group_id(0) * 64, row = get_group_id(1) * 64;
  double2 sum[4][2];
#pragma unroll
  for (uint i = 0; i < 4; ++i)
    sum[i][0] = sum[i][1] = (double2)(0);
  for (uint first = 0; first < n; first += 16) {
#pragma unroll
    for (uint i = 0; i < 4; ++i)
      tile_a[x][y + 16 * i] = a[(row + y + 16 * i) * n + first + x];
#pragma unroll
    for (uint i = 0; i < 4; ++i)
      tile_b[id / 64 + 4 * i][id % 64] = b[(first + id / 64 + 4 * i) * n + column + id % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint k = 0; k < 16; ++k) {
      const double2 a01 = *(local const double2*)&tile_a[k][4 * y], a23 = *(local const double2*)&tile_a[k][4 * y + 2];
      const double2 b0 = *(local const double2*)&tile_b[k][2 * x], b1 = *(local const double2*)&tile_b[k][2 * x + 32];
      sum[0][0] = fma((double2)(a01.x), b0, sum[0][0]);
      sum[0][1] = fma((double2)(a01.x), b1, sum[0][1]);
      sum[1][0] = fma((double2)(a01.y), b0, sum[1][0]);
      sum[1][1] = fma((double2)(a01.y), b1, sum[1][1]);
      sum[2][0] = fma((double2)(a23.x), b0, sum[2][0]);
      sum[2][1] = fma((double2)(a23.x), b1, sum[2][1]);
      sum[3][0] = fma((double2)(a23.y), b0, sum[3][0]);
      sum[3][1] = fma((double2)(a23.y), b1, sum[3][1]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (uint i = 0; i < 4; ++i) {
    global double* const to = c + (row + 4 * y + i) * n + column + 2 * x;
    vstore2(sum[i][0], 0, to);
    vstore2(sum[i][1], 0, to + 32);
  }
}
)CLC";

/// Accelerations of n bodies (x, y, z, mass) by their gravity; groups of 256. n is a multiple of 256.
inline constexpr char nbody[] = R"CLC(
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void nbody(global const double4* bodies, global double4* accelerations, uint n, double softening) {
  local double4 tile[256];
  const uint id = get_local_id(0);
  const double4 mine = bodies[get_global_id(0)];
  double ax = 0, ay = 0, az = 0;
  for (uint first = 0; first < n; first += 256) {
    tile[id] = bodies[first + id];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 8
    for (uint j = 0; j < 256; ++j) {
      const double4 other = tile[j];
      const double dx = other.x - mine.x, dy = other.y - mine.y, dz = other.z - mine.z;
      const double inverse = rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
      const double s = other.w * inverse * (inverse * inverse);
      ax = fma(s, dx, ax);
      ay = fma(s, dy, ay);
      az = fma(s, dz, az);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  accelerations[get_global_id(0)] = (double4)(ax, ay, az, 0);
}
)CLC";

} // namespace lanefold_programs
