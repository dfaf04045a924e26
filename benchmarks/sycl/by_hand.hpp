// SPDX-License-Identifier: Apache-2.0
/// The work of the area `sycl` without SYCL: loops on OpenMP threads, and calls through a thread pool.
#pragma once

#include "peers.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>

namespace lanefold_benchmarks::by_hand {

using lanefold_peers::work;

/// *result = the sum of x, read by a loop with several accumulators.
work sum(const float* x, std::size_t count, float* result, unsigned threads);
work sum(const double* x, std::size_t count, double* result, unsigned threads);
/// *result = the sum of those x that are greater than 1/2.
work sum_of_some(const float* x, std::size_t count, float* result, unsigned threads);

/// bins[k] = how many bytes are k; one private histogram a thread.
work histogram(const std::uint8_t* bytes, std::size_t count, std::uint32_t* bins, unsigned threads);

/// Steps of the five-point stencil on a plate of `rows` times `columns`, edges fixed. `a` holds the state before and,
/// for an even number of steps, after; `b` has the same edges.
work stencil(float* a, float* b, std::size_t rows, std::size_t columns, int steps, unsigned threads);

inline constexpr int arithmetic_steps = 512;

/// y[i] = what that many times two dependent operations make of x[i], as SYCL-Bench's kernel `arith` does.
work arithmetic(const float* x, float* y, std::size_t count, unsigned threads);
work arithmetic(const double* x, double* y, std::size_t count, unsigned threads);

/// y[i] = the sum of d (d^2 + 1/8) over the differences d of all others to x[i].
work pairs(const float* x, float* y, std::size_t count, unsigned threads);

/// y = a x, of `edge` rows and columns, row by row; each thread has some of the columns, whose sums it keeps.
work column_sums(const float* a, const float* x, float* y, std::size_t edge, unsigned threads);

enum class function { exp, log, pow, sincos, sqrt };

/// y[i] = exp(-x), log x, x^1.1, sin x cos x or the root of x[i].
work functions(function of, const float* x, float* y, std::size_t count, unsigned threads);
work functions(function of, const double* x, double* y, std::size_t count, unsigned threads);

/// Calls `function` `count` times, one after the other: each call is a task of a oneTBB arena of `threads` threads, and
/// puts the next one into it.
work chained_calls(std::function<void()> function, std::size_t count, unsigned threads);

} // namespace lanefold_benchmarks::by_hand
