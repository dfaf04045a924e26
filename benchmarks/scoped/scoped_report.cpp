// SPDX-License-Identifier: Apache-2.0
/// Writes what scripts/scoped-report shows: every program of the paper in every model and strategy, its peers, all
/// verified. Standard output is for that script, a line each: program TAB model TAB strategy TAB size TAB seconds TAB
/// verified TAB form. Lines that start with '#' are for readers. `--quick` takes small sizes.
#include "data.hpp"

#include <cstdio>
#include <cstring>

namespace lanefold_benchmarks::scoped {

namespace {

namespace opencl = lanefold_peers::opencl;

class table {
public:
  explicit table(const sampling& how) : m_how(how) {}

  /// Checks every form, and prints the fastest.
  void add(const std::string& program, const std::string& model, const std::string& strategy, std::size_t size,
           const side& which) {
    for (const work& each : which.candidates) {
      which.clear();
      each.run();
      if (each.fetch) {
        each.fetch();
      }
      if (const std::string wrong = which.check(); !wrong.empty()) {
        m_good = false;
        std::printf("%s\t%s\t%s\t%zu\t-\tno\t%s: %s\n", program.c_str(), model.c_str(), strategy.c_str(), size,
                    each.name.c_str(), wrong.c_str());
        return;
      }
    }
    const work* best = nullptr;
    double least = 0;
    for (const work& each : which.candidates) {
      const double seconds = timed(each.run, m_how).median;
      if (best == nullptr || seconds < least) {
        best = &each;
        least = seconds;
      }
    }
    if (best == nullptr) {
      std::printf("# %s, %s: %s\n", program.c_str(), model.c_str(), which.absent.c_str());
    } else {
      std::printf("%s\t%s\t%s\t%zu\t%.6g\tyes\t%s\n", program.c_str(), model.c_str(), strategy.c_str(), size, least,
                  best->name.c_str());
    }
    std::fflush(stdout);
  }

  /// Every model and strategy; `make(model, strategy)` returns the forms.
  template <class Make>
  void add_all(const std::string& program, std::size_t size, const expectation& expected, const Make& make) {
    for (const model m : models) {
      for (const strategy s : strategies) {
        add(program, name_of(m), name_of(s), size, expected.of(make(m, s)));
      }
    }
  }

  [[nodiscard]] bool good() const { return m_good; }

private:
  sampling m_how;
  bool m_good = true;
};

template <class T>
void add_nbody(table& to, const char* name, std::size_t count, unsigned threads) {
  cloud<T> data(count);
  const auto expected = data.expected();
  to.add_all(name, count, expected, [&](model m, strategy s) { return nbody(data.set(), m, s, threads); });
  std::vector<work> hand;
  for (const unsigned registers : {1u, 2u, 4u}) {
    hand.push_back(lanefold_peers::by_hand::nbody(data.set(), registers, threads));
  }
  to.add(name, "by hand", "xsimd", count, expected.of(hand));
  to.add(name, "opencl", "intel", count,
         expected.on_intel([&](const auto& on) { return opencl::nbody(on, data.set()); }));
}

void add_reductions(table& to, std::size_t count, unsigned threads) {
  summands data(count);
  const auto expected = data.expected();
  double *const in = data.in.data(), *const result = data.result.data();
  to.add_all("reduction", count, expected,
             [&](model m, strategy s) { return reduction(in, count, result, m, s, threads); });
  to.add("reduction", "opencl", "intel", count,
         expected.on_intel([&](const auto& on) { return opencl::tree_reduction(on, in, count, result); }));
  to.add_all("segmented_reduction", count, expected,
             [&](model m, strategy s) { return segmented_reduction(in, count, result, m, s, threads); });
  to.add("segmented_reduction", "opencl", "intel", count, expected.on_intel([&](const auto& on) {
    return opencl::segmented_reduction(on, in, count, data.sums.data(), result);
  }));
  for (const char* const program : {"reduction", "segmented_reduction"}) {
    to.add(program, "plain loop", "xsimd", count,
           expected.of(lanefold_peers::by_hand::sum(in, count, result, threads)));
    to.add(program, "std::reduce", "par_unseq", count, expected.of(std_reduce(in, count, result)));
  }
}

void add_dgemm(table& to, std::size_t n, unsigned threads, bool slow_ones) {
  matrices data(n);
  const auto expected = data.expected();
  double *const a = data.a.data(), *const b = data.b.data(), *const c = data.c.data();
  for (const model m : models) {
    for (const strategy s : strategies) {
      if (s == strategy::simd || slow_ones) {
        to.add("dgemm", name_of(m), name_of(s), n, expected.of(dgemm(a, b, c, n, m, s, threads)));
      }
    }
  }
  to.add("dgemm", "register-blocked", "simd", n, expected.of(register_blocked_dgemm(a, b, c, n, threads)));
  to.add("dgemm", "register-blocked", "simd, one thread", n, expected.of(register_blocked_dgemm(a, b, c, n, 1)));
  to.add("dgemm", "OpenBLAS", "one thread", n, expected.of(openblas_dgemm(a, b, c, n), "OpenBLAS is not there"));
  to.add("dgemm", "opencl", "intel", n,
         expected.on_intel([&](const auto& on) { return opencl::matmul_tiled(on, a, b, c, n); }));
}

} // namespace

} // namespace lanefold_benchmarks::scoped

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  using namespace lanefold_benchmarks::scoped;
  const bool quick = argc > 1 && std::strcmp(argv[argc - 1], "--quick") == 0;
  const options given = parse_options(quick ? argc - 1 : argc, argv);
  lanefold_peers::prepare_process(given.threads, argv);
  for (const auto& line : lanefold_peers::describe_environment()) {
    std::printf("# %s\n", line.c_str());
  }
  std::printf("# threads: %u; OpenBLAS takes this CPU for: %s\n", given.threads, openblas_core().c_str());

  sampling how;
  how.repetitions = quick ? 1 : 5;
  how.budget_seconds = quick ? 0.2 : 4;
  table to(how);
  const std::size_t bodies = quick ? 2048 : 16384;
  add_nbody<float>(to, "nbody fp32", bodies, given.threads);
  add_nbody<double>(to, "nbody fp64", bodies, given.threads);
  add_reductions(to, std::size_t{1} << (quick ? 18 : 22), given.threads);
  if (!quick) {
    add_reductions(to, std::size_t{1} << 25, given.threads);
  }
  for (std::size_t n = 256; n <= (quick ? 256U : 2048U); n += 256) {
    add_dgemm(to, n, given.threads, n <= 1024);
  }
  return to.good() ? 0 : 1;
}
