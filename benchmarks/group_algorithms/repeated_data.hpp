// SPDX-License-Identifier: Apache-2.0
/// Inputs and right results of kernels that call a group function over and over.
#pragma once

#include "programs.hpp"

#include <cmath>
#include <type_traits>

namespace lanefold_benchmarks {

using lanefold_peers::array;
namespace opencl = lanefold_peers::opencl;

/// One number as the checks see it.
inline double number(double x) { return x; }
template <class T, std::size_t N>
double number(const numbers<T, N>& x) {
  return static_cast<double>(x.all[N - 1]);
}

template <class T, class S>
struct repeated_data {
  array<T> start, values;
  ours::repeated<T, S> work;

  repeated_data(std::size_t items, std::size_t group, unsigned rounds)
      : start(items), values(items),
        // Numbers with fractions shrink again in each round, whole ones wrap around.
        work{start.data(), values.data(), items,
             group,        rounds,        std::is_integral_v<S> ? S(1) : S(0.25) / static_cast<S>(group)} {
    for (std::size_t i = 0; i < items; ++i)
      start[i] = at(static_cast<S>(i * 2654435761u % 17));
  }

  template <ours::function F>
  expectation expected() {
    return {[this] { std::fill(values.begin(), values.end(), at(S(77))); }, [this] { return error<F>(); }};
  }

private:
  static T at(S x) {
    if constexpr (std::is_arithmetic_v<T>)
      return x;
    else {
      T result{};
      result.all.fill(x);
      return result;
    }
  }

  template <ours::function F>
  std::string error() const {
    using ours::function;
    using R = std::conditional_t<std::is_integral_v<S>, S, double>;
    constexpr bool sub = F != function::reduce && F != function::inclusive_scan;
    constexpr bool scan = F == function::inclusive_scan || F == function::sub_group_scan;
    const std::size_t size = sub ? 16 : work.group;
    std::vector<R> now(size);
    for (std::size_t first = 0; first < work.items; first += size) {
      for (std::size_t k = 0; k < size; ++k)
        now[k] = static_cast<R>(original(first + k));
      for (unsigned round = 0; round < work.rounds; ++round) {
        if (F == function::sub_group_exchange) {
          const std::vector<R> before = now;
          for (std::size_t k = 0; k < size; ++k)
            now[k] = static_cast<R>(static_cast<R>(original(first + k)) +
                                    before[k ^ opencl::exchange_mask] * static_cast<R>(work.scale));
          continue;
        }
        R sum{};
        for (std::size_t k = 0; k < size; ++k) {
          sum = static_cast<R>(sum + now[k]);
          if (scan)
            now[k] = static_cast<R>(static_cast<R>(original(first + k)) + sum * static_cast<R>(work.scale));
        }
        if (!scan)
          for (std::size_t k = 0; k < size; ++k)
            now[k] = static_cast<R>(static_cast<R>(original(first + k)) + sum * static_cast<R>(work.scale));
      }
      for (std::size_t k = 0; k < size; ++k)
        if (differs(values[first + k], now[k]))
          return "item " + std::to_string(first + k) + " is wrong";
    }
    return {};
  }

  S original(std::size_t i) const { return static_cast<S>(i * 2654435761u % 17); }

  template <class R>
  static bool differs(const T& x, R right) {
    if constexpr (std::is_integral_v<T>)
      return x != right;
    else
      return !(std::abs(number(x) - right) <= 1e-3 * (1 + std::abs(right)));
  }
};

} // namespace lanefold_benchmarks
