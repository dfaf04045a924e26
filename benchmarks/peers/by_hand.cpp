// SPDX-License-Identifier: Apache-2.0
/// Loops by hand over the batches of xsimd. What is kept in registers is an array whose indices are constants
/// (`unrolled`), because compilers keep nothing in registers that a loop variable indexes.
#include "peers.hpp"

#include <xsimd/xsimd.hpp>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace lanefold_peers::by_hand {

namespace {

template <class T>
using batch = xsimd::batch<T>;

template <std::size_t N, class F>
[[gnu::always_inline]] inline void unrolled(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    (f(std::integral_constant<std::size_t, I>{}), ...);
  }(std::make_index_sequence<N>{});
}

/// Returns how much of `count` pieces of work a thread takes at a time: like the schedulers of the other
/// implementations, the loops must not wait for a thread that something else has interrupted.
std::size_t share_of(std::size_t count) { return std::max<std::size_t>(1, count / 64); }

// ---- fused multiply-add
// ----------------------------------------------------------------------------------------------

// xsimd 8.1 writes x * y + z on AVX-512 and leaves the fusing to the compiler: g++ then chooses which of two products
// of a sum it fuses, and clang++ fuses none.
template <class T>
[[gnu::always_inline]] inline batch<T> fma(const batch<T>& x, const batch<T>& y, const batch<T>& z) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == sizeof(float))
    return _mm512_fmadd_ps(x, y, z);
  else
    return _mm512_fmadd_pd(x, y, z);
#else
  return xsimd::fma(x, y, z);
#endif
}

/// z - x * y
template <class T>
[[gnu::always_inline]] inline batch<T> fnma(const batch<T>& x, const batch<T>& y, const batch<T>& z) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == sizeof(float))
    return _mm512_fnmadd_ps(x, y, z);
  else
    return _mm512_fnmadd_pd(x, y, z);
#else
  return xsimd::fnma(x, y, z);
#endif
}

// ---- reciprocal square root
// ------------------------------------------------------------------------------------------

// The estimates of the instruction sets, with the number of bits that are right.
#if defined(__AVX512F__)
inline constexpr int estimate_bits = 14;
inline batch<float> estimate(const batch<float>& v) { return _mm512_rsqrt14_ps(v); }
inline batch<double> estimate(const batch<double>& v) { return _mm512_rsqrt14_pd(v); }
#elif defined(__AVX__)
inline constexpr int estimate_bits = 11;
inline batch<float> estimate(const batch<float>& v) { return _mm256_rsqrt_ps(v); }
inline batch<double> estimate(const batch<double>& v) { return _mm256_cvtps_pd(_mm_rsqrt_ps(_mm256_cvtpd_ps(v))); }
#elif defined(__SSE2__)
inline constexpr int estimate_bits = 11;
inline batch<float> estimate(const batch<float>& v) { return _mm_rsqrt_ps(v); }
inline batch<double> estimate(const batch<double>& v) { return _mm_cvtps_pd(_mm_rsqrt_ps(_mm_cvtpd_ps(v))); }
#else
inline constexpr int estimate_bits = 64;
template <class T>
batch<T> estimate(const batch<T>& v) {
  return batch<T>(T(1)) / xsimd::sqrt(v);
}
#endif

/// y (1 + e/2), where e = 1 - v y²: doubles the bits that are right (Newton).
template <class T>
[[gnu::always_inline]] inline batch<T> refined_twice(const batch<T>& v, const batch<T>& y) {
  const batch<T> e = fnma(v * y, y, batch<T>(T(1)));
  return fma(y * batch<T>(T(0.5)), e, y);
}

/// y (1 + e/2 + 3 e²/8 + 5 e³/16): four times the bits, for two operations less than two Newton steps.
template <class T>
[[gnu::always_inline]] inline batch<T> refined_four_times(const batch<T>& v, const batch<T>& y) {
  const batch<T> e = fnma(v * y, y, batch<T>(T(1)));
  const batch<T> p = fma(fma(batch<T>(T(0.3125)), e, batch<T>(T(0.375))), e, batch<T>(T(0.5)));
  return fma(y * e, p, y);
}

template <class T>
[[gnu::always_inline]] inline batch<T> rsqrt(const batch<T>& v) {
  const batch<T> y = estimate(v);
  if constexpr (estimate_bits >= 64)
    return y;
  else if constexpr (sizeof(T) == sizeof(float))
    return refined_twice(v, y);
  else if constexpr (estimate_bits * 4 >= 54)
    return refined_four_times(v, y);
  else
    return refined_twice(v, refined_four_times(v, y));
}

// ---- shift through an array
// ------------------------------------------------------------------------------------------

constexpr std::size_t shift_group = 256;

void shift_rounds(std::uint32_t* values, std::uint32_t first, unsigned rounds) {
  using V = batch<std::uint32_t>;
  constexpr std::size_t lanes = V::size, count = shift_group / lanes;
  alignas(64) std::uint32_t slots[2][shift_group + lanes] = {};
  std::array<V, count> value;
  for (std::size_t i = 0; i < shift_group; ++i)
    slots[0][i] = first + static_cast<std::uint32_t>(i);
  unrolled<count>([&](auto i) __attribute__((always_inline)) { value[i] = V::load_aligned(&slots[0][i * lanes]); });
  for (unsigned round = 0; round < rounds; ++round) {
    std::uint32_t* const now = slots[round & 1];
    unrolled<count>([&](auto i) __attribute__((always_inline)) { value[i].store_aligned(now + i * lanes); });
    asm volatile("" : : : "memory"); // a load right behind the stores that it spans is five times as slow
    unrolled<count>([&](auto i) __attribute__((always_inline)) { value[i] += V::load_unaligned(now + i * lanes + 1); });
  }
  unrolled<count>([&](auto i) __attribute__((always_inline)) { value[i].store_unaligned(values + i * lanes); });
}

// ---- n-body
// ----------------------------------------------------------------------------------------------------------

/// The accelerations of R batches of bodies from `i` on.
template <std::size_t R, class T>
void nbody_block(const bodies<T>& set, std::size_t i) {
  using V = batch<T>;
  constexpr std::size_t lanes = V::size;
  const V softening(set.softening), zero(T(0));
  std::array<V, R> x, y, z, ax, ay, az;
  unrolled<R>([&](auto r) __attribute__((always_inline)) {
    x[r] = V::load_unaligned(set.x + i + r * lanes);
    y[r] = V::load_unaligned(set.y + i + r * lanes);
    z[r] = V::load_unaligned(set.z + i + r * lanes);
    ax[r] = ay[r] = az[r] = zero;
  });
  for (std::size_t j = 0; j < set.count; ++j) {
    const V xj(set.x[j]), yj(set.y[j]), zj(set.z[j]), mass(set.mass[j]);
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      const V dx = xj - x[r], dy = yj - y[r], dz = zj - z[r];
      const V inverse = rsqrt(fma(dx, dx, fma(dy, dy, fma(dz, dz, softening))));
      const V s = mass * inverse * (inverse * inverse);
      ax[r] = fma(s, dx, ax[r]);
      ay[r] = fma(s, dy, ay[r]);
      az[r] = fma(s, dz, az[r]);
    });
  }
  unrolled<R>([&](auto r) __attribute__((always_inline)) {
    ax[r].store_unaligned(set.ax + i + r * lanes);
    ay[r].store_unaligned(set.ay + i + r * lanes);
    az[r].store_unaligned(set.az + i + r * lanes);
  });
}

template <std::size_t R, class T>
work nbody_of(const bodies<T>& set, unsigned threads) {
  constexpr std::size_t step = R * batch<T>::size;
  if (set.count % step != 0)
    throw std::runtime_error("nbody by hand: the count is no multiple of the registers");
  return {"xsimd by hand, " + std::to_string(R) + " registers",
          [set, threads] {
            const std::size_t share = share_of(set.count / step);
#pragma omp parallel for schedule(dynamic, share) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < set.count; i += step)
              nbody_block<R>(set, i);
          },
          {}};
}

template <class T>
work nbody_any(const bodies<T>& set, unsigned registers, unsigned threads) {
  switch (registers) {
  case 1: return nbody_of<1>(set, threads);
  case 2: return nbody_of<2>(set, threads);
  case 4: return nbody_of<4>(set, threads);
  }
  throw std::runtime_error("nbody by hand: registers must be 1, 2 or 4");
}

// ---- matrix product
// --------------------------------------------------------------------------------------------------

inline constexpr std::size_t tile = 16;
struct alignas(64) square {
  double at[tile][tile];
};

/// c += a · b for one tile, with as many rows of c at once as the registers hold.
/// Out of line, because what surrounds it would take its registers.
[[gnu::noinline]] void multiply_tile(const square& a, const square& b, square& c) {
  using V = batch<double>;
  constexpr std::size_t lanes = V::size;
  constexpr std::size_t width = tile / lanes; // registers of a row
  constexpr std::size_t rows = width <= 2 ? 8 : width == 4 ? 2 : 1;
  for (std::size_t first = 0; first < tile; first += rows) {
    std::array<std::array<V, width>, rows> sum;
    unrolled<rows>([&](auto y) __attribute__((always_inline)) {
      unrolled<width>([&](auto x)
                          __attribute__((always_inline)) { sum[y][x] = V::load_aligned(&c.at[first + y][x * lanes]); });
    });
    for (std::size_t k = 0; k < tile; ++k) {
      std::array<V, width> row;
      unrolled<width>([&](auto x) __attribute__((always_inline)) { row[x] = V::load_aligned(&b.at[k][x * lanes]); });
      unrolled<rows>([&](auto y) __attribute__((always_inline)) {
        const V factor(a.at[first + y][k]);
        unrolled<width>([&](auto x) __attribute__((always_inline)) { sum[y][x] = fma(factor, row[x], sum[y][x]); });
      });
    }
    unrolled<rows>([&](auto y) __attribute__((always_inline)) {
      unrolled<width>([&](auto x)
                          __attribute__((always_inline)) { sum[y][x].store_aligned(&c.at[first + y][x * lanes]); });
    });
  }
}

/// Inlined and unrolled: then every load has a constant stride from tile to tile, which prefetchers follow. In a loop
/// over the rows they do not, and large products take half as long again.
[[gnu::always_inline]] inline void copy_tile(const double* from, std::size_t stride, square& to) {
  using V = batch<double>;
  unrolled<tile>([&](auto y) __attribute__((always_inline)) {
    unrolled<tile / V::size>([&](auto x) __attribute__((always_inline)) {
      V::load_unaligned(from + y * stride + x * V::size).store_aligned(&to.at[y][x * V::size]);
    });
  });
}

void store_tile(const square& from, double* to, std::size_t stride) {
  using V = batch<double>;
  for (std::size_t y = 0; y < tile; ++y)
    unrolled<tile / V::size>([&](auto x) __attribute__((always_inline)) {
      V::load_aligned(&from.at[y][x * V::size]).store_unaligned(to + y * stride + x * V::size);
    });
}

/// Does the work of a work-group: one tile of c, in steps of a tile of a and b each.
void matmul_group(const double* a, const double* b, double* c, std::size_t n, std::size_t row, std::size_t column) {
  square tile_a, tile_b, sum{};
  for (std::size_t k = 0; k < n; k += tile) {
    copy_tile(a + row * n + k, n, tile_a);
    copy_tile(b + k * n + column, n, tile_b);
    multiply_tile(tile_a, tile_b, sum);
  }
  store_tile(sum, c + row * n + column, n);
}

/// The (row, column) of tiles in the order in which they are to be walked.
std::vector<std::pair<std::uint32_t, std::uint32_t>> walked(std::size_t edge, walk order) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> tiles;
  tiles.reserve(edge * edge);
  const std::size_t rows = order == walk::rows ? 1 : order == walk::columns ? edge : 8;
  const std::size_t columns = order == walk::rows ? edge : order == walk::columns ? 1 : 8;
  for (std::size_t row = 0; row < edge; row += rows)
    for (std::size_t column = 0; column < edge; column += columns)
      for (std::size_t y = row; y < std::min(row + rows, edge); ++y)
        for (std::size_t x = column; x < std::min(column + columns, edge); ++x)
          tiles.emplace_back(y, x);
  return tiles;
}

const char* name_of(walk order) { return order == walk::rows ? "rows" : order == walk::columns ? "columns" : "blocks"; }

// ---- Mandelbrot
// ------------------------------------------------------------------------------------------------------

template <std::size_t R>
void mandelbrot_block(const picture& of, const batch<float>& cy, std::size_t row, std::size_t column) {
  using V = batch<float>;
  using mask = typename V::batch_bool_type;
  constexpr std::size_t lanes = V::size;
  const V four(4.0f), one(1.0f);
  alignas(64) float columns[R * lanes];
  for (std::size_t i = 0; i < R * lanes; ++i)
    columns[i] = static_cast<float>(column + i);

  std::array<V, R> cx, x, y, yy, counts;
  std::array<mask, R> active;
  unrolled<R>([&](auto r) __attribute__((always_inline)) {
    cx[r] = fma(V::load_aligned(columns + r * lanes), V(of.step), V(of.left));
    x[r] = cx[r];
    y[r] = cy;
    yy[r] = cy * cy;
    counts[r] = V(0.0f);
    active[r] = mask(true);
  });
  for (std::int32_t round = 0; round < of.limit; ++round) {
    mask some(false);
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      active[r] = active[r] & (fma(x[r], x[r], yy[r]) <= four);
      some = some | active[r];
    });
    if (!xsimd::any(some))
      break;
    unrolled<R>([&](auto r) __attribute__((always_inline)) {
      counts[r] = xsimd::select(active[r], counts[r] + one, counts[r]);
      const V next = fma(x[r], x[r], fnma(y[r], y[r], cx[r]));
      y[r] = fma(x[r] + x[r], y[r], cy);
      x[r] = next;
      yy[r] = y[r] * y[r];
    });
  }
  alignas(64) float stored[R * lanes];
  unrolled<R>([&](auto r) __attribute__((always_inline)) { counts[r].store_aligned(stored + r * lanes); });
  std::int32_t* const to = of.counts + row * of.width + column;
  for (std::size_t i = 0; i < R * lanes; ++i)
    to[i] = static_cast<std::int32_t>(stored[i]);
}

template <std::size_t R>
work mandelbrot_of(const picture& of, unsigned threads) {
  constexpr std::size_t step = R * batch<float>::size;
  if (of.width % step != 0)
    throw std::runtime_error("mandelbrot by hand: the width is no multiple of the registers");
  return {"xsimd by hand, " + std::to_string(R) + " registers",
          [of, threads] {
#pragma omp parallel for schedule(dynamic, 4) num_threads(static_cast<int>(threads))
            for (std::size_t row = 0; row < of.height; ++row) {
              const auto cy = fma(batch<float>(static_cast<float>(row)), batch<float>(of.step), batch<float>(of.top));
              for (std::size_t column = 0; column < of.width; column += step)
                mandelbrot_block<R>(of, cy, row, column);
            }
          },
          {}};
}

// ---- streams
// ---------------------------------------------------------------------------------------------------------

double sum_part(const double* in, std::size_t count) {
  using V = batch<double>;
  constexpr std::size_t lanes = V::size, registers = 4;
  std::array<V, registers> sums;
  unrolled<registers>([&](auto r) __attribute__((always_inline)) { sums[r] = V(0.0); });
  std::size_t i = 0;
  for (; i + registers * lanes <= count; i += registers * lanes)
    unrolled<registers>(
        [&](auto r) __attribute__((always_inline)) { sums[r] = sums[r] + V::load_unaligned(in + i + r * lanes); });
  alignas(64) double stored[lanes];
  ((sums[0] + sums[1]) + (sums[2] + sums[3])).store_aligned(stored);
  double total = 0.0;
  for (const double lane : stored)
    total += lane;
  for (; i < count; ++i)
    total += in[i];
  return total;
}

template <class T>
void triad_part(T* a, const T* b, const T* c, T s, std::size_t first, std::size_t last) {
  using V = batch<T>;
  const V factor(s);
  std::size_t i = first;
  for (; i + V::size <= last; i += V::size)
    fma(factor, V::load_unaligned(c + i), V::load_unaligned(b + i)).store_unaligned(a + i);
  for (; i < last; ++i)
    a[i] = b[i] + s * c[i];
}

template <class T>
work triad_of(T* a, const T* b, const T* c, T s, std::size_t count, unsigned threads) {
  return {"xsimd by hand",
          [=] {
            if (threads == 1)
              return triad_part(a, b, c, s, 0, count);
            // Whole pages, so that no two threads write to the same cache line.
            constexpr std::size_t page = 4096 / sizeof(T);
            const std::size_t step = share_of((count + page - 1) / page) * page;
#pragma omp parallel for schedule(dynamic) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < count; i += step)
              triad_part(a, b, c, s, i, std::min(count, i + step));
          },
          {}};
}

} // namespace

work barrier_shift(std::uint32_t* values, std::size_t items, unsigned rounds, unsigned threads) {
  return {"xsimd by hand",
          [=] {
            const std::size_t share = share_of(items / shift_group);
#pragma omp parallel for schedule(dynamic, share) num_threads(static_cast<int>(threads))
            for (std::size_t group = 0; group < items / shift_group; ++group) {
              const std::size_t first = group * shift_group;
              shift_rounds(values + first, static_cast<std::uint32_t>(first), rounds);
            }
          },
          {}};
}

work matmul_tiled(const double* a, const double* b, double* c, std::size_t n, walk order, unsigned threads) {
  if (n % tile != 0)
    throw std::runtime_error("matmul by hand: n is no multiple of 16");
  const auto tiles =
      std::make_shared<const std::vector<std::pair<std::uint32_t, std::uint32_t>>>(walked(n / tile, order));
  return {std::string("xsimd by hand, ") + name_of(order),
          [=] {
            const std::size_t share = share_of(tiles->size());
#pragma omp parallel for schedule(dynamic, share) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < tiles->size(); ++i)
              matmul_group(a, b, c, n, (*tiles)[i].first * tile, (*tiles)[i].second * tile);
          },
          {}};
}

work nbody(const bodies<float>& set, unsigned registers, unsigned threads) {
  return nbody_any(set, registers, threads);
}
work nbody(const bodies<double>& set, unsigned registers, unsigned threads) {
  return nbody_any(set, registers, threads);
}

work mandelbrot(const picture& of, unsigned registers, unsigned threads) {
  switch (registers) {
  case 1: return mandelbrot_of<1>(of, threads);
  case 2: return mandelbrot_of<2>(of, threads);
  case 4: return mandelbrot_of<4>(of, threads);
  case 8: return mandelbrot_of<8>(of, threads);
  }
  throw std::runtime_error("mandelbrot by hand: registers must be 1, 2, 4 or 8");
}

work sum(const double* in, std::size_t count, double* result, unsigned threads) {
  return {"xsimd by hand",
          [=] {
            const std::size_t step = std::max<std::size_t>(4096, share_of(count));
            double total = 0.0;
#pragma omp parallel for schedule(dynamic) num_threads(static_cast<int>(threads)) reduction(+ : total)
            for (std::size_t i = 0; i < count; i += step)
              total += sum_part(in + i, std::min(step, count - i));
            *result = total;
          },
          {}};
}

work triad(float* a, const float* b, const float* c, float s, std::size_t count, unsigned threads) {
  return triad_of(a, b, c, s, count, threads);
}
work triad(double* a, const double* b, const double* c, double s, std::size_t count, unsigned threads) {
  return triad_of(a, b, c, s, count, threads);
}

} // namespace lanefold_peers::by_hand
