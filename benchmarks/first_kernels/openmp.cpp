// SPDX-License-Identifier: Apache-2.0
#include "data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <omp.h>

namespace lanefold_benchmarks::openmp {

work stencil(const plate& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            const std::size_t row = of.edge + 2;
            const float* now = of.a;
            float* next = of.b;
            for (int step = 0; step < of.steps; ++step) {
              const float* __restrict const u = now;
              float* __restrict const v = next;
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
              for (std::size_t y = 1; y <= of.edge; ++y) {
                for (std::size_t x = 1; x <= of.edge; ++x) {
                  const std::size_t i = y * row + x;
                  v[i] = 0.25F * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row]);
                }
              }
              now = v;
              next = const_cast<float*>(u);
            }
          },
          {}};
}

work compaction(const sieve& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            std::vector<std::size_t> found(threads + 1);
#pragma omp parallel num_threads(static_cast<int>(threads))
            {
              const auto me = static_cast<std::size_t>(omp_get_thread_num());
              const std::size_t first = of.count * me / threads, last = of.count * (me + 1) / threads;
              std::size_t mine = 0;
              for (std::size_t i = first; i < last; ++i)
                mine += of.in[i] > 0;
              found[me + 1] = mine;
#pragma omp barrier
#pragma omp single
              for (std::size_t t = 0; t < threads; ++t)
                found[t + 1] += found[t];
              std::size_t at = found[me];
              const std::size_t end = found[me + 1];
              for (std::size_t i = first; at < end; ++i) { // no branch that could be mispredicted
                of.out[at] = of.in[i];
                at += of.in[i] > 0;
              }
            }
            *of.kept = static_cast<std::uint32_t>(found[threads]);
          },
          {}};
}

work histogram(const bytes& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            std::fill_n(of.bins, 256, 0U);
#pragma omp parallel num_threads(static_cast<int>(threads))
            {
              std::array<std::uint32_t, 256> mine{};
#pragma omp for schedule(static)
              for (std::size_t i = 0; i < of.count; ++i)
                ++mine[of.in[i]];
#pragma omp critical
              for (std::size_t k = 0; k < 256; ++k)
                of.bins[k] += mine[k];
            }
          },
          {}};
}

work sparse(const sparse_matrix& of, unsigned threads) {
  return {"OpenMP",
          [=] {
#pragma omp parallel for schedule(dynamic, 256) num_threads(static_cast<int>(threads))
            for (std::size_t row = 0; row < of.rows; ++row) {
              float sum = 0;
#pragma omp simd reduction(+ : sum)
              for (std::uint32_t k = of.first[row]; k < of.first[row + 1]; ++k)
                sum += of.values[k] * of.x[of.columns[k]];
              of.y[row] = sum;
            }
          },
          {}};
}

namespace {

/// Compares neighbours `distance` apart in runs: upwards where bit `size` of the position is not set.
void exchange(float* keys, std::size_t size, std::size_t distance) {
  for (std::size_t run = 0; run < key_arrays::length; run += 2 * distance) {
    float* __restrict const a = keys + run;
    float* __restrict const b = a + distance;
    if ((run & size) == 0) {
#pragma omp simd
      for (std::size_t i = 0; i < distance; ++i) {
        const float low = std::min(a[i], b[i]), high = std::max(a[i], b[i]);
        a[i] = low;
        b[i] = high;
      }
    } else {
#pragma omp simd
      for (std::size_t i = 0; i < distance; ++i) {
        const float low = std::min(a[i], b[i]), high = std::max(a[i], b[i]);
        a[i] = high;
        b[i] = low;
      }
    }
  }
}

} // namespace

work sort(const key_arrays& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            constexpr std::size_t n = key_arrays::length;
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t each = 0; each < of.arrays; ++each) {
              float* const keys = of.out + each * n;
              std::copy_n(of.in + each * n, n, keys);
              for (std::size_t size = 2; size <= n; size *= 2)
                for (std::size_t distance = size / 2; distance > 0; distance /= 2)
                  exchange(keys, size, distance);
            }
          },
          {}};
}

work cholesky(const matrices& of, unsigned threads) {
  return {"OpenMP",
          [=] {
            constexpr std::size_t n = matrices::n, lanes = 16;
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t first = 0; first < of.count; first += lanes) {
              alignas(64) float l[n][n][lanes];
              alignas(64) float inverse[lanes], sum[lanes];
              for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t i = j; i < n; ++i) {
                  const float* const a = of.in + (i * n + j) * of.count + first;
#pragma omp simd
                  for (std::size_t m = 0; m < lanes; ++m)
                    sum[m] = a[m];
                  for (std::size_t k = 0; k < j; ++k) {
#pragma omp simd
                    for (std::size_t m = 0; m < lanes; ++m)
                      sum[m] -= l[i][k][m] * l[j][k][m];
                  }
                  float* const out = of.out + (i * n + j) * of.count + first;
                  if (i == j) {
#pragma omp simd
                    for (std::size_t m = 0; m < lanes; ++m) {
                      out[m] = l[j][j][m] = std::sqrt(sum[m]);
                      inverse[m] = 1 / l[j][j][m];
                    }
                  } else {
#pragma omp simd
                    for (std::size_t m = 0; m < lanes; ++m)
                      out[m] = l[i][j][m] = sum[m] * inverse[m];
                  }
                }
              }
            }
          },
          {}};
}

namespace {

/// Stockham's transformation: after each step `span` transforms of twice the length before, side by side.
void transform(const signals& of, std::size_t which) {
  constexpr unsigned n = signals::length, half = n / 2;
  alignas(64) float re[2][n], im[2][n];
  std::copy_n(of.re + which * n, n, re[0]);
  std::copy_n(of.im + which * n, n, im[0]);
  unsigned from = 0;
  for (unsigned span = 1; span < n; span *= 2) {
    const float* __restrict const a = re[from], * __restrict const b = im[from];
    float* __restrict const c = re[1 - from], * __restrict const d = im[1 - from];
    const unsigned stride = half / span;
    if (span < 16) { // few neighbours: the loop over all pairs is the one to vectorise
#pragma omp simd
      for (unsigned t = 0; t < half; ++t) {
        const unsigned k = t & (span - 1), to = 2 * t - k;
        const float x = of.cosines[k * stride], y = of.sines[k * stride];
        const float u = a[t + half] * x - b[t + half] * y, v = a[t + half] * y + b[t + half] * x;
        c[to] = a[t] + u;
        d[to] = b[t] + v;
        c[to + span] = a[t] - u;
        d[to + span] = b[t] - v;
      }
    } else {
      for (unsigned block = 0; block < half; block += span) {
#pragma omp simd
        for (unsigned k = 0; k < span; ++k) {
          const unsigned t = block + k, to = 2 * block + k;
          const float x = of.cosines[k * stride], y = of.sines[k * stride];
          const float u = a[t + half] * x - b[t + half] * y, v = a[t + half] * y + b[t + half] * x;
          c[to] = a[t] + u;
          d[to] = b[t] + v;
          c[to + span] = a[t] - u;
          d[to + span] = b[t] - v;
        }
      }
    }
    from = 1 - from;
  }
  std::copy_n(re[from], n, of.out_re + which * n);
  std::copy_n(im[from], n, of.out_im + which * n);
}

} // namespace

work fft(const signals& of, unsigned threads) {
  return {"OpenMP",
          [=] {
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t which = 0; which < of.count; ++which)
              transform(of, which);
          },
          {}};
}

work flux(const gas& of, unsigned threads) {
  return {
      "OpenMP",
      [=] {
        constexpr float gamma = 1.4F;
        float* __restrict const flux_rho = of.flux_rho, * __restrict const flux_mom = of.flux_mom, * __restrict const flux_ene = of.flux_ene;
#pragma omp parallel for simd schedule(static) num_threads(static_cast<int>(threads))
        for (std::size_t i = 0; i < of.count; ++i) {
          const float rho0 = of.rho[i], mom0 = of.mom[i], ene0 = of.ene[i];
          const float rho1 = of.rho[i + 1], mom1 = of.mom[i + 1], ene1 = of.ene[i + 1];
          const float v0 = mom0 / rho0, v1 = mom1 / rho1;
          const float p0 = (gamma - 1) * (ene0 - 0.5F * mom0 * v0), p1 = (gamma - 1) * (ene1 - 0.5F * mom1 * v1);
          const float c0 = std::sqrt(gamma * p0 / rho0), c1 = std::sqrt(gamma * p1 / rho1);
          const float s = std::max(std::fabs(v0) + c0, std::fabs(v1) + c1);
          flux_rho[i] = 0.5F * (mom0 + mom1) - 0.5F * s * (rho1 - rho0);
          flux_mom[i] = 0.5F * (mom0 * v0 + p0 + mom1 * v1 + p1) - 0.5F * s * (mom1 - mom0);
          flux_ene[i] = 0.5F * (v0 * (ene0 + p0) + v1 * (ene1 + p1)) - 0.5F * s * (ene1 - ene0);
        }
      },
      {}};
}

namespace {

struct four_words {
  std::uint32_t w[4];
};

inline four_words philox(four_words counter, std::uint32_t key0, std::uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53U} * counter.w[0], b = std::uint64_t{0xCD9E8D57U} * counter.w[2];
    counter = {{static_cast<std::uint32_t>(b >> 32) ^ counter.w[1] ^ key0, static_cast<std::uint32_t>(b),
                static_cast<std::uint32_t>(a >> 32) ^ counter.w[3] ^ key1, static_cast<std::uint32_t>(a)}};
    key0 += 0x9E3779B9U;
    key1 += 0xBB67AE85U;
  }
  return counter;
}

inline std::uint32_t in_circle(std::uint32_t x, std::uint32_t y) {
  const float a = static_cast<float>(x >> 8) * 0x1p-24F, b = static_cast<float>(y >> 8) * 0x1p-24F;
  return a * a + b * b < 1 ? 1 : 0;
}

} // namespace

work monte_carlo(const darts& of, unsigned threads) {
  return {"OpenMP",
          [=] {
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < of.count; ++i) {
              std::uint32_t inside = 0;
#pragma omp simd reduction(+ : inside)
              for (std::uint32_t k = 0; k < of.draws; ++k) {
                const four_words r = philox({{static_cast<std::uint32_t>(i), k, 0, 0}}, 42, 7);
                inside += in_circle(r.w[0], r.w[1]) + in_circle(r.w[2], r.w[3]);
              }
              of.inside[i] = inside;
            }
          },
          {}};
}

} // namespace lanefold_benchmarks::openmp
