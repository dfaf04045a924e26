// SPDX-License-Identifier: Apache-2.0
/// Kernels of plain SYCL that call elementary functions, against loops of which an expert has compiled the file with
/// -ffast-math (functions_by_hand.cpp). Results that differ by a part of 1e-5 are right.
#include "contest.hpp"
#include "programs.hpp"
#include "queues.hpp"

#include <string>

namespace lanefold_benchmarks {

namespace {

template <class T, class F>
void measure(report& to, const options& given, const std::string& name, by_hand::function of, F function) {
  constexpr std::size_t count = std::size_t{1} << 19;
  array<T> x(count), y(count);
  for (std::size_t i = 0; i < count; ++i)
    x[i] = T(0.1) + T(i % 997) / 128;
  sycl::queue q = queue_of(given.threads);
  const T* const from = x.data();
  T* const into = y.data();
  contest<T>{to, given, y, double(count), T(1e-5)}.compare(
      name, by_hand::functions(of, from, into, count, given.threads), "nd_range", [&q, from, into, function] {
        q.parallel_for(sycl::nd_range<1>(count, 256), [=](sycl::nd_item<1> it) {
           const std::size_t i = it.get_global_id(0);
           if (i < count)
             into[i] = function(from[i]);
         }).wait();
      });
}

} // namespace

void measure_functions(report& to, const options& given) {
  using by_hand::function;
  measure<float>(to, given, "functions/fp32/sqrt", function::sqrt, [](float x) { return sycl::sqrt(x); });
  measure<float>(to, given, "functions/fp32/exp", function::exp, [](float x) { return sycl::exp(-x); });
  measure<float>(to, given, "functions/fp32/log", function::log, [](float x) { return sycl::log(x); });
  measure<float>(to, given, "functions/fp32/pow", function::pow, [](float x) { return sycl::pow(x, 1.1F); });
  measure<float>(to, given, "functions/fp32/sincos", function::sincos,
                 [](float x) { return sycl::sin(x) * sycl::cos(x); });
  measure<double>(to, given, "functions/fp64/exp", function::exp, [](double x) { return sycl::exp(-x); });
  measure<double>(to, given, "functions/fp64/pow", function::pow, [](double x) { return sycl::pow(x, 1.1); });
}

} // namespace lanefold_benchmarks
