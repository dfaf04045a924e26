// SPDX-License-Identifier: Apache-2.0
/// Runs every program under every strategy and fiber engine that applies, and prints one table.
/// Usage: lanefold_demo [--quick] [--out DIRECTORY]
#include "demo.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>

namespace demo {

void table::measure(std::string_view program, std::string_view strategy, std::string_view engine,
                    const std::function<void()>& work, const std::function<bool()>& verify) {
  using clock = std::chrono::steady_clock;
  constexpr double enough = 0.5; // seconds for repetitions
  constexpr int most_runs = 5;
  std::fprintf(stderr, "  %-16s %-10s %-13s ", program.data(), strategy.data(), engine.data());
  double best = std::numeric_limits<double>::infinity();
  double total = 0;
  for (int run = 0; run < most_runs && (run == 0 || total < enough); ++run) {
    const auto start = clock::now();
    work();
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    best = std::min(best, seconds);
    total += seconds;
  }
  const bool verified = verify();
  std::fprintf(stderr, "%10.2f ms  %s\n", best * 1e3, verified ? "verified" : "WRONG");
  m_rows.push_back({std::string(program), std::string(strategy), std::string(engine), best, verified});
}

namespace {

/// Time of one Boost.Fiber per work-item, by program.
std::map<std::string, double> baselines(const std::vector<row>& rows) {
  std::map<std::string, double> result;
  for (const row& r : rows) {
    if (r.strategy == "scalar" && (r.engine == "boost_fiber" || r.engine == "-")) {
      result[r.program] = r.seconds;
    }
  }
  return result;
}

void print(const std::vector<row>& rows, std::ofstream& csv) {
  const auto baseline = baselines(rows);
  std::printf("\n%-16s %-11s %-14s %12s %10s  %s\n", "program", "strategy", "engine", "time [ms]", "speed-up",
              "verified");
  csv << "program,strategy,engine,milliseconds,speedup,verified\n";
  for (const row& r : rows) {
    const double speedup = baseline.at(r.program) / r.seconds;
    std::printf("%-16s %-11s %-14s %12.2f %9.1fx  %s\n", r.program.c_str(), r.strategy.c_str(), r.engine.c_str(),
                r.seconds * 1e3, speedup, r.verified ? "yes" : "NO");
    csv << r.program << ',' << r.strategy << ',' << r.engine << ',' << r.seconds * 1e3 << ',' << speedup << ','
        << (r.verified ? "yes" : "no") << '\n';
  }
  std::printf(
      "\nspeed-up: over the scalar strategy with one Boost.Fiber per work-item; programs without barriers (engine -)\n"
      "need no fibers, there it is over the scalar strategy.\n");
}

int run(int argc, char** argv) {
  sizes s;
  std::string out = ".";
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0) {
      s = {.matrix = 128, .bodies = 1024, .elements = 1UL << 18, .pixels = 128};
    } else if (std::strcmp(argv[i], "--out") == 0 && i + 1 < argc) {
      out = argv[++i];
    } else {
      std::fprintf(stderr, "usage: %s [--quick] [--out DIRECTORY]\n", argv[0]);
      return 2;
    }
  }
  std::vector<row> rows;
  table t(rows);
  lf::queue q{lf::property_list{lf::property::in_order{}}};
  std::fprintf(stderr, "Lanefold %s on %s, %zu threads\n", LANEFOLD_VERSION_STRING, q.get_device().get_name().c_str(),
               q.get_device().max_compute_units());
  const std::string picture = out + "/mandelbrot.ppm";
  run_vector_add(q, s, t);
  run_matrix_product(q, s, t);
  run_transposition(q, s, t);
  run_nbody(q, s, t);
  run_reduction(q, s, t);
  run_mandelbrot(q, s, t, picture);
  const std::string csv_path = out + "/demo.csv";
  std::ofstream csv(csv_path);
  print(rows, csv);
  csv.close();
  if (!csv) {
    std::fprintf(stderr, "could not write %s\n", csv_path.c_str());
    return 1;
  }
  std::printf("table: %s, picture: %s\n", csv_path.c_str(), picture.c_str());
  return std::ranges::all_of(rows, &row::verified) ? 0 : 1;
}

} // namespace
} // namespace demo

int main(int argc, char** argv) {
  try {
    return demo::run(argc, argv);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
