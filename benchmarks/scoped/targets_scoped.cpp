// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `scoped` (benchmarks/targets.py).
#include "data.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

namespace lanefold_benchmarks::scoped {

namespace {

namespace opencl = lanefold_peers::opencl;
namespace by_hand = lanefold_peers::by_hand;

/// Hierarchical against scoped, strategy by strategy; `make(model, strategy)` returns the forms.
template <class Make>
void compare_models(report& to, const std::string& name, const expectation& expected, const Make& make) {
  for (const strategy s : strategies) {
    to.compare(name + "/hierarchical/" + name_of(s), quantity::speed, expected.of(make(model::hierarchical, s)),
               expected.of(make(model::scoped, s)));
  }
}

/// The forms of all models by lanes.
template <class Make>
std::vector<work> all_models(const Make& make) {
  std::vector<work> forms;
  for (const model m : models) {
    for (work& each : make(m, strategy::simd)) {
      forms.push_back(std::move(each));
    }
  }
  return forms;
}

template <class T>
void measure_nbody(report& to, const options& given, const std::string& name) {
  cloud<T> data(16384);
  const auto expected = data.expected();
  const auto make = [&](model m, strategy s) { return nbody(data.set(), m, s, given.threads); };
  std::vector<work> hand;
  for (const unsigned registers : {1u, 2u, 4u}) {
    hand.push_back(by_hand::nbody(data.set(), registers, given.threads));
  }
  const side scoped = expected.of(make(model::scoped, strategy::simd));
  to.compare(name + "/scoped/by_hand", quantity::speed, scoped, expected.of(hand));
  to.compare(name + "/ndrange/by_hand", quantity::speed, expected.of(make(model::ndrange, strategy::simd)),
             expected.of(hand));
  to.compare(name + "/scalar", quantity::speed, scoped, expected.of(make(model::scoped, strategy::scalar)));
  to.compare(name + "/intel", quantity::time, expected.of(all_models(make)),
             expected.on_intel([&](const auto& on) { return opencl::nbody(on, data.set()); }));
  compare_models(to, name, expected, make);
}

/// `make(model, strategy)` is the reduction or the segmented one.
template <class Make, class Peer>
void measure_sum(report& to, const options& given, const std::string& name, summands& data, const Make& make,
                 const Peer& peer) {
  const auto expected = data.expected();
  const side scoped = expected.of(make(model::scoped, strategy::simd));
  const auto read = by_hand::sum(data.in.data(), data.in.size(), data.result.data(), given.threads);
  to.compare(name + "/read", quantity::speed, scoped, expected.of(read));
  to.compare(name + "/ndrange", quantity::speed, expected.of(make(model::ndrange, strategy::simd)), scoped);
  to.compare(name + "/intel", quantity::time, expected.of(all_models(make)), expected.on_intel(peer));
  to.compare(name + "/std_reduce", quantity::speed, scoped,
             expected.of(std_reduce(data.in.data(), data.in.size(), data.result.data())));
  compare_models(to, name, expected, make);
}

void measure_reductions(report& to, const options& given) {
  for (const int exponent : {22, 25}) {
    summands data(std::size_t{1} << exponent);
    const std::size_t count = data.in.size();
    const std::string of = "/2^" + std::to_string(exponent);
    measure_sum(
        to, given, "reduction" + of, data,
        [&](model m, strategy s) { return reduction(data.in.data(), count, data.result.data(), m, s, given.threads); },
        [&](const auto& on) { return opencl::tree_reduction(on, data.in.data(), count, data.result.data()); });
    measure_sum(
        to, given, "segmented_reduction" + of, data,
        [&](model m, strategy s) {
          return segmented_reduction(data.in.data(), count, data.result.data(), m, s, given.threads);
        },
        [&](const auto& on) {
          return opencl::segmented_reduction(on, data.in.data(), count, data.sums.data(), data.result.data());
        });
  }
}

void measure_dgemm(report& to, const options& given) {
  for (const std::size_t n : {std::size_t{1024}, std::size_t{1040}}) {
    matrices data(n);
    const auto expected = data.expected();
    const std::string name = "dgemm/" + std::to_string(n);
    const auto make = [&](model m, strategy s) {
      return dgemm(data.a.data(), data.b.data(), data.c.data(), n, m, s, given.threads);
    };
    to.compare(name + "/ndrange", quantity::speed, expected.of(make(model::ndrange, strategy::simd)),
               expected.of(make(model::scoped, strategy::simd)));
    if (n != 1024) {
      continue;
    }
    const auto blocked = [&](unsigned threads) {
      return expected.of(register_blocked_dgemm(data.a.data(), data.b.data(), data.c.data(), n, threads));
    };
    to.note("OpenBLAS takes this CPU for: " + openblas_core());
    to.compare(name + "/openblas", quantity::speed, blocked(1),
               expected.of(openblas_dgemm(data.a.data(), data.b.data(), data.c.data(), n), "OpenBLAS is not there"));
    const auto intel = expected.on_intel(
        [&](const auto& on) { return opencl::matmul_tiled(on, data.a.data(), data.b.data(), data.c.data(), n); });
    to.compare(name + "/intel", quantity::time, expected.of(all_models(make)), intel);
    to.compare(name + "/register_blocked/intel", quantity::time, blocked(given.threads), intel);
    compare_models(to, name, expected, make);
  }
}

/// The program beside this one that another compiler made.
void run_sibling(report& to, const std::string& compiler, const options& given, const char* self) {
  const auto program = std::filesystem::absolute(self).parent_path() / ("lanefold_scoped_omp_simd_" + compiler);
  if (!std::filesystem::exists(program)) {
    return to.skipped("dgemm/1024/omp_simd/" + compiler, "no " + compiler + " when the benchmarks were configured");
  }
  const std::string command =
      "'" + program.string() + "' --threads " + std::to_string(given.threads) + (given.verify_only ? " --verify" : "");
  if (std::system(command.c_str()) != 0) {
    to.wrong("dgemm/1024/omp_simd/" + compiler, program.filename().string() + " failed");
  }
}

} // namespace

} // namespace lanefold_benchmarks::scoped

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  using namespace lanefold_benchmarks::scoped;
  options given = parse_options(argc, argv);
  given.how.repetitions = 9;
  given.how.budget_seconds = 6;
  lanefold_peers::prepare_process(given.threads, argv);

  report to(given);
  to.note("threads: " + std::to_string(given.threads));
  for (const auto& line : lanefold_peers::describe_environment()) {
    to.note(line);
  }
  to.run("reduction", measure_reductions);
  to.run("dgemm", measure_dgemm);
  to.run("omp_simd", [&](report& all, const options& how) {
    run_sibling(all, "gcc", how, argv[0]);
    run_sibling(all, "clang", how, argv[0]);
  });
  to.run("nbody", [](report& all, const options& how) { measure_nbody<float>(all, how, "nbody/fp32"); });
  to.run("nbody", [](report& all, const options& how) { measure_nbody<double>(all, how, "nbody/fp64"); });
  return to.exit_status();
}
