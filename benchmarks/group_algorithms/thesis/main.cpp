// SPDX-License-Identifier: Apache-2.0
/// The measurements of the thesis "SYCL 2020 work group parallel primitives", see thesis.hpp and table.py.
#include <benchmark/benchmark.h>

BENCHMARK_MAIN();
