// SPDX-License-Identifier: Apache-2.0
// A lanefold-bench with programs that take no time, for bench_test.py.
#include "programs.hpp"

#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

namespace lanefold_bench {

namespace {

using namespace lanefold_benchmarks;

/// Makes a form that takes some microseconds.
work sleeping(const std::string& name, int microseconds) {
  return {name, [microseconds] { std::this_thread::sleep_for(std::chrono::microseconds(microseconds)); }, {}};
}

side side_of(std::vector<work> forms, bool is_ours) {
  side made{std::move(forms), {}, {}, "it is not there", false};
  made.is_ours = is_ours;
  return made;
}

void measure_sums(report& to, const options& given) {
  for (const int size : {256, 1024}) {
    const std::string name = "sum/" + std::to_string(size);
    const double flops = size * (given.quick ? 1 : 2);
    const cost of_run{flops, 8 * flops};
    to.absolute(name, side_of({sleeping("scalar", 4 * size), sleeping("1x16 lanes", size)}, true), -flops * 1e-9,
                "GFLOP/s", of_run);
    to.absolute(name, side_of({sleeping("by hand", size / 2)}, false), -flops * 1e-9, "GFLOP/s", of_run);
    to.absolute(name, side_of({}, false), -flops * 1e-9, "GFLOP/s", of_run);
  }
}

void measure_peak(report& to, const options&) {
  to.absolute("peak/fp32", side_of({sleeping("registers", 100)}, false), -1e-3, "GFLOP/s", {1e6, 0});
  to.absolute("peak/read", side_of({sleeping("loads", 100)}, false), -1e-3, "GB/s", {0, 1e6});
}

void measure_wrong(report& to, const options&) {
  if (std::getenv("LANEFOLD_TINY_WRONG") != nullptr) {
    side wrong = side_of({sleeping("scalar", 1)}, true);
    wrong.check = [] { return "item 3 is wrong"; };
    to.absolute("wrong", wrong, 1e6, "us");
  }
}

} // namespace

const std::vector<program>& programs() {
  static const std::vector<program> all = {{"peak", &measure_peak}, {"sum", &measure_sums}, {"wrong", &measure_wrong}};
  return all;
}

void prepare(unsigned, char**) {}

} // namespace lanefold_bench
