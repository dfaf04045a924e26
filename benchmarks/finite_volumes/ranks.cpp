// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `ranks` (benchmarks/targets.py): weak scaling of the simulation over
/// the ranks that mpirun has started, one thread each. The first rank alone, and all of them on a box that has as many
/// patches for each, take turns; while one simulates alone the other ones wait. What the machine leaves of it is a
/// third one: all at the same time, each alone on its own box. With `--device opencl` each rank has a device in place
/// of a thread; where several would share one, nothing is measured.
#include "ratio.hpp"

#include "devices.hpp"
#include "mpi_ranks.hpp"
#include "simulation.hpp"
#include "uneven.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace fv = finite_volumes;
namespace lf = lanefold;

/// A cube of patches for each rank, side by side.
template <int D>
fv::box<D> box_of(std::size_t edge, std::size_t ranks) {
  fv::box<D> where{};
  where.patches.fill(edge);
  where.patches[0] = edge * ranks;
  where.p = 8;
  where.cell_size = 0.01;
  where.sides.fill(fv::boundary::periodic);
  return where;
}

constexpr fv::realisation realisations[] = {fv::realisation::patch_wise, fv::realisation::scoped,
                                            fv::realisation::graph};

/// Returns the name of a measurement; `where` is empty for CPUs.
std::string name_of(int dimensions, const std::string& where, fv::realisation how) {
  return std::to_string(dimensions) + "d/" + where + fv::realisation_names[static_cast<int>(how)] + "/one_rank";
}

/// Simulates `edge`^D patches for each rank.
template <int D>
void measure(lf::queue& q, const std::string& name, fv::realisation how, const std::shared_ptr<fv::ranks>& all,
             const std::shared_ptr<fv::ranks>& self, std::size_t edge, bool verify_only) {
  using simulation = fv::simulation<D, fv::layout::soa>;
  const auto wait_for_all = [&] { static_cast<void>(all->sum(std::uint64_t{0})); };
  simulation alone(q, box_of<D>(edge, 1), 0.5, how, lanefold_benchmarks::uneven<D>, self);
  simulation together(q, box_of<D>(edge, all->count()), 0.5, how, lanefold_benchmarks::uneven<D>, all);
  const auto mass = together.totals()[0];
  std::size_t steps = 2;
  const auto run = [&](simulation& s, bool is_in_it) { // what a device has comes back at the end
    wait_for_all();
    return lanefold_benchmarks::detail::seconds_of([&] {
      if (is_in_it) {
        s.run(steps, 1e9);
      }
      wait_for_all();
    });
  };
  run(together, true);
  if (!verify_only) { // rounds of a fifth of a second; of half of one where the states come back from a device
    const auto least_of_three = [&] { // what delays one run is not part of a step
      return std::min({run(together, true), run(together, true), run(together, true)});
    };
    const double two = least_of_three();
    steps = 22;
    const double more = least_of_three();
    double step = std::max((more - two) / 20, more / 2000);
    all->maximum({&step, 1});
    const double wanted = q.get_backend() == lf::backend::opencl ? 0.5 : 0.2;
    steps = 2 * static_cast<std::size_t>(std::ceil(0.5 * wanted / step));
  }
  std::vector<double> ratios;
  std::vector<double> limits;
  double seconds = 0;
  for (int round = 0; round < (verify_only ? 1 : 15); ++round) {
    const double one = run(alone, all->rank() == 0);
    seconds = run(together, true);
    ratios.push_back(one / seconds);
    limits.push_back(one / run(alone, true));
  }
  const bool holds = std::abs(together.totals()[0] - mass) <= 1e-12 * mass;
  if (all->rank() == 0) {
    const double cells = static_cast<double>(box_of<D>(edge, all->count()).cells() * steps);
    std::printf("# %s: %.3g ns for a cell and step on %zu ranks; without messages the ratio would be %.3g\n",
                name.c_str(), 1e9 * seconds / cells, all->count(), lanefold_benchmarks::detail::quantile(limits, 0.5));
    if (holds) {
      std::printf("%s\t%.4g\n", name.c_str(), lanefold_benchmarks::detail::quantile(ratios, 0.5));
    } else {
      std::printf("%s\twrong\tmass is lost\n", name.c_str());
    }
  }
}

template <int D>
void measure(lf::queue& q, const std::string& where, const std::shared_ptr<fv::ranks>& all,
             const std::shared_ptr<fv::ranks>& self, std::size_t edge, bool verify_only) {
  for (const auto how : realisations) {
    const std::string name = name_of(D, where, how);
    try {
      measure<D>(q, name, how, all, self, edge, verify_only);
    } catch (const std::invalid_argument& e) { // on every rank: a device has too little local memory
      if (all->rank() == 0) {
        std::printf("%s\tskipped\t%s\n", name.c_str(), e.what());
      }
    }
  }
}

void measure_on_cpus(const std::shared_ptr<fv::ranks>& all, const std::shared_ptr<fv::ranks>& self, bool verify_only) {
  lf::queue q(lf::property_list{lf::property::in_order(), lf::property::threads(1)});
  measure<2>(q, "", all, self, 48, verify_only);
  measure<3>(q, "", all, self, 10, verify_only);
}

/// Returns this rank's device, or nothing and why there is none or not one for each rank (where a launcher gives each
/// rank a device of its own, it sees one only).
std::pair<std::optional<fv::device_of_rank>, std::string> own_device(const fv::ranks& all) {
  try {
    fv::device_of_rank mine = fv::device_for(all);
    if (all.rank_on_host() >= mine.count) {
      return {{}, "a rank has no device of its own"};
    }
    return {std::move(mine), ""};
  } catch (const std::runtime_error& e) {
    return {{}, e.what()};
  }
}

void measure_on_devices(const std::shared_ptr<fv::ranks>& all, const std::shared_ptr<fv::ranks>& self,
                        bool verify_only) {
  const std::string where = "device/";
  const auto [mine, why] = own_device(*all);
  double is_missing = mine ? 0 : 1;
  all->maximum({&is_missing, 1});
  const std::vector<std::string> reasons = all->gather(why);
  if (is_missing != 0) {
    const auto reason = std::ranges::find_if(reasons, [](const std::string& r) { return !r.empty(); });
    for (const int dimensions : {2, 3}) {
      for (const auto how : realisations) {
        if (all->rank() == 0) {
          std::printf("%s\tskipped\t%s\n", name_of(dimensions, where, how).c_str(), reason->c_str());
        }
      }
    }
    return;
  }
  lf::queue q(mine->device, lf::property::in_order());
  measure<2>(q, where, all, self, verify_only ? 6 : 384, verify_only);
  measure<3>(q, where, all, self, verify_only ? 3 : 24, verify_only);
}

} // namespace

int main(int argc, char** argv) {
  const fv::mpi_library library(argc, argv);
  const auto is_given = [&](const char* option) {
    return std::any_of(argv + 1, argv + argc, [&](const char* given) { return std::strcmp(given, option) == 0; });
  };
  const bool verify_only = is_given("--verify"); // of both
  const bool on_devices = is_given("--device");
  const std::shared_ptr<fv::ranks> all = fv::make_all_ranks();
  const std::shared_ptr<fv::ranks> self = fv::make_own_rank();
  if (!on_devices) {
    measure_on_cpus(all, self, verify_only);
  }
  if (on_devices || verify_only) {
    measure_on_devices(all, self, verify_only);
  }
  return 0;
}
