// SPDX-License-Identifier: Apache-2.0
// The work of SYCL-Bench's kernels as OpenMP loops, written as the kernels are: one iteration for one work-item.
// scripts/sycl-bench-speed compiles it and compares. `openmp_loops NAME SIZE RUNS` prints the seconds of each run.
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using loop = std::function<void()>;

template <class T>
loop arith(std::size_t n) {
  auto in = std::vector<T>(n, T(1));
  return [in, out = std::vector<T>(n), n]() mutable {
    const T* const x = in.data();
    T* const y = out.data();
#pragma omp parallel for simd
    for (std::size_t i = 0; i < n; ++i) {
      T a = x[i];
      const T b = a;
      for (int k = 0; k < 512; ++k) {
        a = a * a + a;
        a = a * b - b;
      }
      y[i] = a;
    }
  };
}

template <class T>
loop special(std::size_t n) {
  auto in = std::vector<T>(n, T(3.14));
  return [in, out = std::vector<T>(n), n]() mutable {
    const T* const x = in.data();
    T* const y = out.data();
#pragma omp parallel for simd
    for (std::size_t i = 0; i < n; ++i) {
      T a = x[i], b = a, c = a;
      for (int k = 0; k < 16; ++k) {
        a = std::cos(b);
        b = std::sin(c);
        c = std::tan(a);
      }
      y[i] = c;
    }
  };
}

/// c += a b, each of n × n, one element an iteration; `again` of them.
loop matrix_product(std::size_t n, int again, float alpha, float beta) {
  return [=, a = std::vector<float>(n * n, .5f), b = std::vector<float>(n * n, .25f),
          c = std::vector<float>(n * n)]() mutable {
    for (int r = 0; r < again; ++r) {
      const float *const x = a.data(), *const y = b.data();
      float* const z = c.data();
#pragma omp parallel for collapse(2)
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) {
          z[i * n + j] *= beta;
          for (std::size_t k = 0; k < n; ++k) {
            z[i * n + j] += alpha * x[i * n + k] * y[k * n + j];
          }
        }
      }
    }
  };
}

/// A row-wise and a column-wise product with a vector.
loop two_products(std::size_t n) {
  return [n, a = std::vector<float>(n * n, .5f), x = std::vector<float>(n, .25f), y = std::vector<float>(n),
          z = std::vector<float>(n)]() mutable {
    const float *const m = a.data(), *const v = x.data();
    float *const r = y.data(), *const c = z.data();
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        r[i] += m[i * n + j] * v[j];
      }
    }
#pragma omp parallel for simd
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        c[j] += m[i * n + j] * v[i];
      }
    }
  };
}

struct particle {
  float x, y, z, w;
};

loop bodies(std::size_t n) {
  std::vector<particle> p(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto r = static_cast<float>(i) / static_cast<float>(n);
    p[i] = {r * std::cos(r), r * std::sin(r), r, 1.f};
  }
  return [n, p, next = std::vector<particle>(n)]() mutable {
    const particle* const all = p.data();
    particle* const to = next.data();
#pragma omp parallel for simd
    for (std::size_t i = 0; i < n; ++i) {
      float ax = 0, ay = 0, az = 0;
      for (std::size_t j = 0; j < n; ++j) {
        const float dx = all[j].x - all[i].x, dy = all[j].y - all[i].y, dz = all[j].z - all[i].z;
        const float inverse = 1.f / std::sqrt(dx * dx + dy * dy + dz * dz + 1e-5f);
        const float s = i != j ? all[j].w * inverse * inverse * inverse : 0.f;
        ax += s * dx;
        ay += s * dy;
        az += s * dz;
      }
      to[i] = {all[i].x + ax * 1e-4f, all[i].y + ay * 1e-4f, all[i].z + az * 1e-4f, all[i].w};
    }
  };
}

/// Gradients of an image of n × n pixels of four floats.
template <int Width>
loop sobel(std::size_t n) {
  using pixel = std::array<float, 4>;
  std::array<float, Width * Width> weights;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    weights[k] = static_cast<float>(k % 7) - 3;
  }
  return [n, weights, in = std::vector<pixel>(n * n, pixel{.1f, .2f, .3f, 1.f}),
          out = std::vector<pixel>(n * n)]() mutable {
    const pixel* const from = in.data();
    pixel* const to = out.data();
    const int size = static_cast<int>(n);
#pragma omp parallel for collapse(2)
    for (int x = 0; x < size; ++x) {
      for (int y = 0; y < size; ++y) {
        pixel gx{}, gy{};
        for (int i = 0; i < Width; ++i) {
          for (int j = 0; j < Width; ++j) {
            const int xs = x + i - Width / 2, ys = y + j - Width / 2;
            if ((xs == x && ys == y) || xs < 0 || xs >= size || ys < 0 || ys >= size) {
              continue;
            }
            const pixel& sample = from[static_cast<std::size_t>(xs) * n + static_cast<std::size_t>(ys)];
            for (std::size_t c = 0; c < 4; ++c) {
              gx[c] += weights[static_cast<std::size_t>(i + j * Width)] * sample[c];
              gy[c] += weights[static_cast<std::size_t>(j + i * Width)] * sample[c];
            }
          }
        }
        pixel& result = to[static_cast<std::size_t>(x) * n + static_cast<std::size_t>(y)];
        for (std::size_t c = 0; c < 4; ++c) {
          result[c] = std::fmin(std::fmax(std::hypot(gx[c], gy[c]), 0.f), 1.f);
        }
      }
    }
  };
}

loop dot(std::size_t n) {
  return [n, a = std::vector<float>(n, 1.f), b = std::vector<float>(n, 2.f), sum = 0.f]() mutable {
    const float *const x = a.data(), *const y = b.data();
    float s = 0;
#pragma omp parallel for simd reduction(+ : s)
    for (std::size_t i = 0; i < n; ++i) {
      s += x[i] * y[i];
    }
    sum = s;
  };
}

template <class T>
loop atomic_sum(std::size_t n) {
  return [n, a = std::vector<T>(n, T(1)), sum = T(0)]() mutable {
    const T* const x = a.data();
    T& s = sum;
#pragma omp parallel for
    for (std::size_t i = 0; i < n; ++i) {
#pragma omp atomic
      s += x[i];
    }
  };
}

const std::map<std::string, std::function<loop(std::size_t)>>& loops() {
  static const std::map<std::string, std::function<loop(std::size_t)>> all{
      {"arith_int32", arith<std::int32_t>},
      {"arith_fp32", arith<float>},
      {"arith_fp64", arith<double>},
      {"special_fp32", special<float>},
      {"special_fp64", special<double>},
      {"gemm", [](std::size_t n) { return matrix_product(n, 1, 1.5f, 0.9f); }},
      {"2mm", [](std::size_t n) { return matrix_product(n, 2, 1.f, 1.f); }},
      {"two_products", two_products},
      {"bodies", bodies},
      {"sobel5", sobel<5>},
      {"sobel7", sobel<7>},
      {"dot", dot},
      {"atomic_int32", atomic_sum<std::int32_t>},
      {"atomic_fp32", atomic_sum<float>},
  };
  return all;
}

} // namespace

int main(int argc, char** argv) {
  const auto found = argc == 4 ? loops().find(argv[1]) : loops().end();
  if (found == loops().end()) {
    std::fprintf(stderr, "openmp_loops NAME SIZE RUNS; names:");
    for (const auto& [name, unused] : loops()) {
      std::fprintf(stderr, " %s", name.c_str());
    }
    std::fprintf(stderr, "\n");
    return 2;
  }
  const loop run = found->second(std::strtoul(argv[2], nullptr, 10));
  run();
  for (int r = std::atoi(argv[3]); r > 0; --r) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    std::printf("%.9f\n", std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
}
