// SPDX-License-Identifier: Apache-2.0
/// The measurements of the thesis "SYCL 2020 work group parallel primitives" for one element type:
///
///   <function>/<version>/<type>/<work-group size>
///
/// Each file is compiled once for each type (LANEFOLD_THESIS_TYPE, LANEFOLD_THESIS_NAME, see ../CMakeLists.txt), and
/// table.py makes the thesis' table of the times.
#pragma once

#include <lanefold/lanefold.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace thesis {

namespace lf = lanefold;

using element = LANEFOLD_THESIS_TYPE;
inline constexpr const char* type_name = LANEFOLD_THESIS_NAME;

inline constexpr std::size_t group_sizes[] = {32, 64, 128, 256, 512, 1024};
inline constexpr std::size_t work_items = 32768;     ///< of functions of values
inline constexpr std::size_t range_elements = 51200; ///< of pointer-based functions in ND-range kernels
inline constexpr std::size_t loop_elements = 204800; ///< in plain loops

/// Lanes of a lane-generic kernel: 16 registers of AVX-512 a value, and fewer for small groups.
inline constexpr std::size_t wide_lanes = 1024 / sizeof(element);
inline constexpr std::size_t narrow_lanes = wide_lanes < 32 ? wide_lanes : 32;

inline lf::queue& queue() {
  static lf::queue q{lf::property_list{lf::property::in_order{}}};
  return q;
}

/// Says how a kernel runs.
template <class Strategy>
auto how(lf::fiber_engine engine = lf::fiber_engine::native) {
  return lf::properties{lf::property::strategy<Strategy>{}, lf::property::fiber_engine{engine}};
}

template <class T>
T number_of(std::size_t i) {
  const auto small = static_cast<int>(i * 2654435761U % 5); // sums are exact
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(small);
  } else {
    T v(static_cast<typename T::element_type>(small));
    v[0] = static_cast<typename T::element_type>(4 - small);
    return v;
  }
}
inline element number(std::size_t i) { return number_of<element>(i); }

inline std::vector<element> numbers(std::size_t n) {
  std::vector<element> all(n);
  for (std::size_t i = 0; i < n; ++i) {
    all[i] = number(i);
  }
  return all;
}

template <class T>
bool same(const T& a, const T& b) {
  if constexpr (std::is_arithmetic_v<T>) {
    return a == b;
  } else {
    for (int i = 0; i < static_cast<int>(T::size()); ++i) {
      if (a[i] != b[i]) {
        return false;
      }
    }
    return true;
  }
}

/// Returns what the votes look for: it is not among the numbers.
inline element sought() { return element(9); }

template <class T, class X>
LANEFOLD_ALWAYS_INLINE auto matches(const X& x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return x == T(9);
  } else {
    return x[0] == typename T::element_type(9);
  }
}
template <class X>
LANEFOLD_ALWAYS_INLINE auto is_sought(const X& x) {
  return matches<element>(x);
}

/// Registers a benchmark. `run()` is the whole work once; `right()` says whether its results are right, after one run.
template <class Run, class Right>
void measure(const std::string& function, const char* version, std::size_t group, Run run, Right right) {
  const std::string name = function + "/" + version + "/" + type_name + "/" + std::to_string(group);
  benchmark::RegisterBenchmark(name.c_str(),
                               [=](benchmark::State& state) {
                                 run();
                                 if (!right()) {
                                   state.SkipWithError("wrong result");
                                   return;
                                 }
                                 for (auto _ : state) {
                                   run();
                                 }
                               })
      ->Unit(benchmark::kMicrosecond)
      ->UseRealTime();
}

} // namespace thesis
