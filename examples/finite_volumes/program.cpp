// SPDX-License-Identifier: Apache-2.0
#include "program.hpp"

#include "devices.hpp"
#include "files.hpp"
#include "options.hpp"
#include "problems.hpp"
#include "verify.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

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
void simulate(lf::queue& q, const options& o, const std::shared_ptr<ranks>& among) {
  const bool is_sod = o.what == problem::sod;
  const box<D> where = is_sod ? sod_box<D>(o.patches, o.p) : explosion_box<D>(o.patches, o.p);
  std::optional<simulation<D, L>> made;
  std::uint32_t pictures = 0;
  if (o.restart.empty()) {
    made.emplace(q, where, o.cfl, o.how, is_sod ? sod_state<D> : explosion_state<D>, among, o.memory);
  } else {
    const snapshot<D> before = read_checkpoint<D>(o.restart, where, *among);
    pictures = before.pictures;
    made.emplace(q, where, o.cfl, o.how, before, among, o.memory);
  }
  simulation<D, L>& s = *made;
  const auto begun = s.totals();
  const double first = s.time();
  const std::uint64_t first_step = s.steps();
  const auto save = [&] {
    if (o.checkpoint.empty() && o.pictures.empty()) {
      return;
    }
    snapshot<D> now = s.save();
    now.pictures = pictures;
    if (!o.checkpoint.empty()) {
      write_checkpoint(o.checkpoint, where, now, *among);
    }
    if (!o.pictures.empty()) {
      char number[16];
      std::snprintf(number, sizeof(number), "%04u", pictures++);
      write_picture(o.pictures + number + ".vtk", where, now, *among);
    }
  };
  save();
  const auto start = std::chrono::steady_clock::now();
  const bool reports = among->rank() == 0;
  while (s.time() < o.end) {
    s.run(o.every + o.every % 2, o.end);
    save();
    if (reports) {
      report_progress(s.time(), first, o.end, s.steps(), s.steps() - first_step, static_cast<double>(where.cells()),
                      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
  }
  const auto ended = s.totals();
  const double error = is_sod && s.time() > 0 ? sod_error(s, where, *among) : 0;
  if (!reports) {
    return;
  }
  std::printf("time %.9g after %llu steps, %s, %zu patches of %zu^%d", s.time(),
              static_cast<unsigned long long>(s.steps()), realisation_names[static_cast<int>(o.how)], where.count(),
              o.p, D);
  if (among->count() > 1) {
    std::printf(", %zu ranks", among->count());
  }
  if (o.on_device) {
    std::printf(", on %s", q.get_device().get_info<lf::info::device::name>().c_str());
  }
  std::printf("\n");
  std::printf("mass %.15g, before %.15g; energy %.15g, before %.15g\n", ended[0], begun[0], ended[D + 1], begun[D + 1]);
  if (error > 0) {
    std::printf("mean difference of the density from the exact solution: %.4g\n", error);
  }
}

template <int D>
void simulate(lf::queue& q, const options& o, const std::shared_ptr<ranks>& among) {
  if (o.values == layout::soa) {
    simulate<D, layout::soa>(q, o, among);
  } else {
    simulate<D, layout::aos>(q, o, among);
  }
}

/// Returns a queue on this rank's OpenCL device. Where there are several ranks, the first one prints which device each
/// of them has.
lf::queue queue_on_device(ranks& among) {
  const device_of_rank mine = device_for(among);
  if (among.count() > 1) {
    const std::vector<std::string> devices = among.gather(mine.text());
    for (std::size_t rank = 0; rank < devices.size(); ++rank) {
      std::printf("rank %zu: %s\n", rank, devices[rank].c_str());
    }
    std::fflush(stdout);
  }
  try {
    return lf::queue(mine.device, lf::property::in_order());
  } catch (const lf::exception& e) {
    throw std::runtime_error("--device opencl: " + mine.text() + ": " + e.what());
  }
}

/// Returns the queue that the options ask for; collective.
lf::queue queue_for(const options& o, ranks& among) {
  if (o.on_device) {
    return queue_on_device(among);
  }
  const lf::property::in_order in_order;
  const std::size_t threads = o.threads == 0 ? among.threads() : o.threads;
  return lf::queue(threads == 0 ? lf::property_list{in_order}
                                : lf::property_list{in_order, lf::property::threads(threads)});
}

/// Throws bad_file where what has been printed is lost.
void end_output() {
  errno = 0;
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    throw not_written("standard output");
  }
}

/// Does what the options say; returns the exit status.
int run(const options& o, const std::shared_ptr<ranks>& among) {
  if (o.help) {
    if (among->rank() == 0) {
      std::fputs(usage, stdout);
    }
    return 0;
  }
  lf::queue q = queue_for(o, *among);
  if (o.verify) { // what it checks needs no other rank
    return among->rank() != 0 || verify(q) ? 0 : 1;
  }
  if (o.dimensions == 2) {
    simulate<2>(q, o, among);
  } else {
    simulate<3>(q, o, among);
  }
  return 0;
}

} // namespace

int run_program(const std::shared_ptr<ranks>& among, int argc, char** argv) {
  try {
    const int status = run(parse(argc, argv), among);
    end_output();
    return status;
  } catch (const bad_option& e) {
    if (among->rank() == 0) {
      std::fprintf(stderr, "lanefold_euler: %s\n\n%s", e.what(), usage);
    }
    return 2;
  } catch (const std::bad_alloc&) {
    return among->fail("there is not enough memory for so many patches: take fewer, or ranks on more machines");
  } catch (const std::exception& e) {
    return among->fail(e.what());
  }
}

} // namespace finite_volumes
