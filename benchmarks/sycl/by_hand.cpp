// SPDX-License-Identifier: Apache-2.0
#include "by_hand.hpp"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

namespace lanefold_benchmarks::by_hand {

namespace {

template <class T>
T sum_of(const T* x, std::size_t count) {
  constexpr std::size_t accumulators = 512 / sizeof(T);
  T sums[accumulators] = {};
  std::size_t i = 0;
  for (; i + accumulators <= count; i += accumulators) {
    for (std::size_t k = 0; k < accumulators; ++k)
      sums[k] += x[i + k];
  }
  T total = 0;
  for (; i < count; ++i)
    total += x[i];
  for (const T part : sums)
    total += part;
  return total;
}

template <class T>
work make_sum(const T* x, std::size_t count, T* result, unsigned threads) {
  return {"loop by hand",
          [=] {
            T total = 0;
#pragma omp parallel for reduction(+ : total) num_threads(static_cast<int>(threads))
            for (std::size_t piece = 0; piece < 64; ++piece) {
              const std::size_t first = count * piece / 64;
              total += sum_of(x + first, count * (piece + 1) / 64 - first);
            }
            *result = total;
          },
          {}};
}

template <class T>
work make_arithmetic(const T* x, T* y, std::size_t count, unsigned threads) {
  return {"OpenMP loop, simd",
          [=] {
#pragma omp parallel for simd num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < count; ++i) {
              const T first = x[i];
              T value = first;
              for (int step = 0; step < arithmetic_steps; ++step) {
                value = value * value + value;
                value = value * first - first;
              }
              y[i] = value;
            }
          },
          {}};
}

} // namespace

work sum(const float* x, std::size_t count, float* result, unsigned threads) {
  return make_sum(x, count, result, threads);
}
work sum(const double* x, std::size_t count, double* result, unsigned threads) {
  return make_sum(x, count, result, threads);
}
work sum_of_some(const float* x, std::size_t count, float* result, unsigned threads) {
  return {"OpenMP loop, simd",
          [=] {
            const float* const from = x;
            float total = 0;
#pragma omp parallel for simd reduction(+ : total) num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < count; ++i) {
              if (from[i] > 0.5F)
                total += from[i];
            }
            *result = total;
          },
          {}};
}

work arithmetic(const float* x, float* y, std::size_t count, unsigned threads) {
  return make_arithmetic(x, y, count, threads);
}
work arithmetic(const double* x, double* y, std::size_t count, unsigned threads) {
  return make_arithmetic(x, y, count, threads);
}

work pairs(const float* x, float* y, std::size_t count, unsigned threads) {
  return {"OpenMP loop, simd",
          [=] {
#pragma omp parallel for simd num_threads(static_cast<int>(threads))
            for (std::size_t i = 0; i < count; ++i) {
              const float own = x[i];
              float sum = 0;
              for (std::size_t k = 0; k < count; ++k) {
                const float apart = x[k] - own;
                sum += apart * (apart * apart + 0.125F);
              }
              y[i] = sum;
            }
          },
          {}};
}

work column_sums(const float* a, const float* x, float* y, std::size_t edge, unsigned threads) {
  return {"OpenMP loop, simd",
          [=] {
#pragma omp parallel for simd num_threads(static_cast<int>(threads))
            for (std::size_t column = 0; column < edge; ++column) {
              float sum = 0;
              for (std::size_t row = 0; row < edge; ++row)
                sum += a[row * edge + column] * x[row];
              y[column] = sum;
            }
          },
          {}};
}

work histogram(const std::uint8_t* bytes, std::size_t count, std::uint32_t* bins, unsigned threads) {
  return {"one histogram a thread",
          [=] {
            std::fill_n(bins, 256, 0u);
#pragma omp parallel num_threads(static_cast<int>(threads))
            {
              std::array<std::uint32_t, 256> mine{};
#pragma omp for schedule(static)
              for (std::size_t i = 0; i < count; ++i)
                ++mine[bytes[i]];
#pragma omp critical
              for (std::size_t k = 0; k < 256; ++k)
                bins[k] += mine[k];
            }
          },
          {}};
}

work stencil(float* a, float* b, std::size_t rows, std::size_t columns, int steps, unsigned threads) {
  return {"OpenMP loop",
          [=] {
            const float* now = a;
            float* next = b;
            for (int step = 0; step < steps; ++step) {
              const float* __restrict const u = now;
              float* __restrict const v = next;
#pragma omp parallel for schedule(static) num_threads(static_cast<int>(threads))
              for (std::size_t y = 1; y < rows - 1; ++y) {
                for (std::size_t x = 1; x < columns - 1; ++x) {
                  const std::size_t i = y * columns + x;
                  v[i] = 0.25f * (u[i - 1] + u[i + 1] + u[i - columns] + u[i + columns]);
                }
              }
              now = v;
              next = const_cast<float*>(u);
            }
          },
          {}};
}

work chained_calls(std::function<void()> function, std::size_t count, unsigned threads) {
  struct chain {
    chain(std::function<void()> f, unsigned threads) : function(std::move(f)), arena(static_cast<int>(threads), 1) {}
    void link() {
      function();
      if (left.fetch_sub(1) > 1) {
        arena.enqueue([this] { link(); });
      } else {
        done.store(true);
        done.notify_one();
      }
    }
    std::function<void()> function;
    tbb::task_arena arena;
    std::atomic<std::size_t> left{0};
    std::atomic<bool> done{false};
  };
  return {"tasks of oneTBB",
          [count, calls = std::make_shared<chain>(std::move(function), threads)] {
            calls->left = count;
            calls->done = false;
            calls->arena.enqueue([c = calls.get()] { c->link(); });
            calls->done.wait(false);
          },
          {}};
}

} // namespace lanefold_benchmarks::by_hand
