// SPDX-License-Identifier: Apache-2.0
/// lanefold_euler: see options.cpp and docs/finite-volumes.md.
#include "files.hpp"
#include "options.hpp"
#include "problems.hpp"
#include "verify.hpp"

#include <chrono>
#include <cstdio>
#include <exception>

namespace finite_volumes {
namespace {

/// A line on standard error: where the simulation is, how fast, and how long it will take at this pace.
void report_progress(double time, double first, double end, std::uint64_t steps, std::uint64_t steps_here, double cells,
                     double seconds) {
  const double part = end > first ? (time - first) / (end - first) : 1;
  const double left = part > 0 ? seconds * (1 - part) / part : 0;
  std::fprintf(stderr, "step %llu, time %.5f of %.5f (%3.0f %%), %.3g cells/s, %.0f s left\n",
               static_cast<unsigned long long>(steps), time, end, 100 * part,
               seconds > 0 ? cells * static_cast<double>(steps_here) / seconds : 0, left);
}

template <int D, layout L>
void simulate(lf::queue& q, const options& o) {
  const bool is_sod = o.what == problem::sod;
  const box<D> where = is_sod ? sod_box<D>(o.patches, o.p) : explosion_box<D>(o.patches, o.p);
  std::optional<simulation<D, L>> made;
  if (o.restart.empty()) {
    made.emplace(q, where, o.cfl, o.how, is_sod ? sod_state<D> : explosion_state<D>);
  } else {
    made.emplace(q, where, o.cfl, o.how, read_checkpoint<D>(o.restart, where));
  }
  simulation<D, L>& s = *made;
  const auto begun = s.totals();
  const double first = s.time();
  const std::uint64_t first_step = s.steps();
  int pictures = 0;
  const auto save = [&] {
    if (!o.checkpoint.empty()) {
      write_checkpoint(o.checkpoint, where, s.save());
    }
    if (!o.pictures.empty()) {
      char number[16];
      std::snprintf(number, sizeof(number), "%04d", pictures++);
      write_picture(o.pictures + number + ".vtk", where, s.save());
    }
  };
  save();
  const auto start = std::chrono::steady_clock::now();
  const double cells = static_cast<double>(s.save().states.size() / (D + 2));
  while (s.time() < o.end) {
    s.run(o.every + o.every % 2, o.end);
    save();
    report_progress(s.time(), first, o.end, s.steps(), s.steps() - first_step, cells,
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  const auto ended = s.totals();
  std::printf("time %.9g after %llu steps, %s, %zu patches of %zu^%d\n", s.time(),
              static_cast<unsigned long long>(s.steps()), realisation_names[static_cast<int>(o.how)], where.count(),
              o.p, D);
  std::printf("mass %.15g, before %.15g; energy %.15g, before %.15g\n", ended[0], begun[0], ended[D + 1], begun[D + 1]);
  if (is_sod && s.time() > 0) {
    std::printf("mean difference of the density from the exact solution: %.4g\n", sod_error(s, where));
  }
}

template <int D>
void simulate(lf::queue& q, const options& o) {
  if (o.values == layout::soa) {
    simulate<D, layout::soa>(q, o);
  } else {
    simulate<D, layout::aos>(q, o);
  }
}

} // namespace
} // namespace finite_volumes

int main(int argc, char** argv) {
  using namespace finite_volumes;
  try {
    const options o = parse(argc, argv);
    const lf::property::in_order in_order;
    lf::queue q(o.threads == 0 ? lf::property_list{in_order}
                               : lf::property_list{in_order, lf::property::threads(o.threads)});
    if (o.verify) {
      return verify(q) ? 0 : 1;
    }
    if (o.dimensions == 2) {
      simulate<2>(q, o);
    } else {
      simulate<3>(q, o);
    }
    return 0;
  } catch (const bad_option& e) {
    std::fprintf(stderr, "lanefold_euler: %s\n\n%s", e.what(), usage);
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "lanefold_euler: %s\n", e.what());
    return 1;
  }
}
