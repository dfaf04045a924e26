// SPDX-License-Identifier: Apache-2.0
#include "verify.hpp"

#include "files.hpp"
#include "problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace finite_volumes {
namespace {

bool all_hold = true;

void check(bool holds, const std::string& what) {
  std::printf("%s  %s\n", holds ? "holds " : "FAILS ", what.c_str());
  all_hold = all_hold && holds;
}

std::string text(double x) {
  char digits[32];
  std::snprintf(digits, sizeof(digits), "%.3g", x);
  return digits;
}

/// A flow without symmetry, in which all variables change along all dimensions.
template <int D>
auto uneven_state(const std::array<double, D>& at) {
  double phase = 0;
  for (std::size_t d = 0; d < D; ++d) {
    phase += static_cast<double>(d + 2) * at[d];
  }
  auto q = conserved<D>({1 + 0.3 * std::sin(3 * phase), 0.2 * std::cos(2 * phase), 1 + 0.2 * std::cos(5 * phase)});
  q[2] += 0.1 * std::sin(phase);
  return q;
}

template <int D, layout L>
snapshot<D> after_steps(lf::queue& q, const box<D>& where, realisation how, std::size_t steps,
                        memory_way way = memory_way::resident) {
  simulation<D, L> s(q, where, 0.5, how, uneven_state<D>, make_only_rank(), way);
  s.run(steps, 1);
  return s.save();
}

/// Does the same step by plain loops over the whole box: no patches, no halos, no lanes.
template <int D>
std::vector<double> plain_step(const box<D>& where, const std::vector<double>& from, double dt) {
  constexpr std::size_t n = D + 2;
  using state = typename euler<D>::template state<double>;
  const auto at = [&](std::array<std::size_t, D> cell, std::size_t d, int offset) {
    const std::size_t along = where.cells(d);
    cell[d] = (cell[d] + along + static_cast<std::size_t>(offset)) % along; // periodic
    std::size_t number = 0;
    for (std::size_t k = 0; k < D; ++k) {
      number = number * where.cells(k) + cell[k];
    }
    state q;
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(number * n), n, q.begin());
    return q;
  };
  std::vector<double> to(from.size());
  for (std::size_t c = 0; c < from.size() / n; ++c) {
    std::array<std::size_t, D> cell{};
    std::size_t rest = c;
    for (std::size_t d = D; d-- > 0; rest /= where.cells(d)) {
      cell[d] = rest % where.cells(d);
    }
    const state q = at(cell, 0, 0);
    state flow{};
    step_data<D, layout::soa>::template repeat<D>([&](auto d) {
      const auto face = [&](const state& below, const state& above) {
        const auto b = euler<D>::motion_of(below);
        const auto a = euler<D>::motion_of(above);
        const double fastest = std::max(euler<D>::eigenvalue(b[d], b[D + 1]), euler<D>::eigenvalue(a[d], a[D + 1]));
        const state of_below = euler<D>::flux(d, below, b[d], b[D]);
        const state of_above = euler<D>::flux(d, above, a[d], a[D]);
        state through;
        for (std::size_t v = 0; v < n; ++v) {
          through[v] = 0.5 * (of_below[v] + of_above[v]) - 0.5 * fastest * (above[v] - below[v]);
        }
        return through;
      };
      const state out = face(q, at(cell, d, 1));
      const state in = face(at(cell, d, -1), q);
      for (std::size_t v = 0; v < n; ++v) {
        flow[v] += out[v] - in[v];
      }
    });
    for (std::size_t v = 0; v < n; ++v) {
      to[c * n + v] = q[v] - dt / where.cell_size * flow[v];
    }
  }
  return to;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = a.size() == b.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    most = std::max(most, std::abs(a[i] - b[i]));
  }
  return most;
}

template <int D>
void check_realisations(lf::queue& q, std::size_t p) {
  box<D> where{};
  where.patches.fill(2);
  where.patches[0] = 3;
  where.p = p;
  where.cell_size = 1.0 / static_cast<double>(3 * p);
  where.sides.fill(boundary::periodic);
  const std::string name = std::to_string(D) + "-D, p = " + std::to_string(p) + ": ";
  const snapshot<D> first = after_steps<D, layout::soa>(q, where, realisation::patch_wise, 8);
  for (const realisation how :
       {realisation::patch_wise, realisation::batched, realisation::graph, realisation::scoped}) {
    // Masked and unmasked lanes may contract products and sums differently.
    const double difference =
        std::max(largest_difference(after_steps<D, layout::soa>(q, where, how, 8).states, first.states),
                 largest_difference(after_steps<D, layout::aos>(q, where, how, 8).states, first.states));
    check(difference < 1e-13, name + realisation_names[static_cast<int>(how)] +
                                  ", both layouts: as patch_wise, but for " + text(difference));
  }
  const snapshot<D> before = after_steps<D, layout::soa>(q, where, realisation::patch_wise, 2);
  const snapshot<D> after = after_steps<D, layout::soa>(q, where, realisation::patch_wise, 4);
  simulation<D, layout::soa> one(q, where, 0.5, realisation::scoped, before);
  one.run(2, before.time); // no time passes
  check(largest_difference(one.save().states, before.states) == 0, name + "steps without time change nothing");
  // Two steps of lengths that are given: shorter than the longest ones.
  simulation<D, layout::soa> two(q, where, 0.5, realisation::scoped, before);
  const double length = 0.4 * (after.time - before.time);
  std::vector<double> plain = before.states;
  for (int i = 0; i < 2; ++i) {
    two.run(2, before.time + (i + 1) * length); // one step, and one without time
    plain = plain_step(where, plain, length);
  }
  check(largest_difference(two.save().states, plain) < 1e-13,
        name + "as plain loops without patches, difference " + text(largest_difference(two.save().states, plain)));
}

template <int D>
void check_sod(lf::queue& q, realisation how) {
  double last = 0;
  double order = 0;
  std::string errors;
  for (const std::size_t n : {8, 16, 32, 64}) {
    const box<D> where = sod_box<D>(n, 8);
    simulation<D, layout::soa> s(q, where, 0.9, how, sod_state<D>);
    while (s.time() < sod_end) {
      s.run(20, sod_end);
    }
    const double error = sod_error(s, where, *make_only_rank());
    order = std::log2(last / error);
    last = error;
    errors.append(" ").append(text(error));
  }
  check(order > 0.6 && order < 1.1, std::to_string(D) + "-D: Sod's tube, " + realisation_names[static_cast<int>(how)] +
                                        ": errors" + errors + ", order of convergence " + text(order));
}

template <int D>
void check_conservation(lf::queue& q) {
  const box<D> where = explosion_box<D>(D == 2 ? 8 : 3, 6);
  simulation<D, layout::soa> s(q, where, 0.8, realisation::patch_wise, explosion_state<D>);
  const auto before = s.totals();
  s.run(100, 1000);
  const auto after = s.totals();
  const double mass = std::abs(after[0] - before[0]) / before[0];
  const double energy = std::abs(after[D + 1] - before[D + 1]) / before[D + 1];
  check(mass < 1e-13 && energy < 1e-13 && s.steps() == 100,
        std::to_string(D) + "-D: 100 steps of an explosion in a box: mass changes by " + text(mass) +
            " of it, energy by " + text(energy));
  double uneven = 0;
  std::array<std::size_t, D> cell{};
  std::array<std::size_t, D> mirrored{};
  for (std::size_t i = 0; i < where.cells(0); ++i) {
    cell[0] = i;
    mirrored[D - 1] = where.cells(0) - 1 - i;
    uneven = std::max(uneven, std::abs((*s.at(cell))[0] - (*s.at(mirrored))[0]));
  }
  check(uneven < 1e-11, std::to_string(D) + "-D: it is symmetric, but for " + text(uneven));
}

void check_gone(lf::queue& q, std::initializer_list<realisation> all) {
  const box<2> where = explosion_box<2>(2, 4);
  for (const realisation how : all) {
    bool refused = false;
    try {
      simulation<2, layout::soa> s(q, where, 0.8, how,
                                   [](const auto& at) { return conserved<2>({1, 0, at[0] < 0.5 ? 1 : -0.1}); });
      s.run(10, 1);
    } catch (const gas_is_gone&) {
      refused = true;
    }
    check(refused, std::string("negative pressure is noticed, ") + realisation_names[static_cast<int>(how)]);
  }
}

/// Realisations on a device against the CPU's: the same values, and negative pressure is noticed.
template <int D, layout L>
void check_device(lf::queue& cpu, const lf::device& on, std::size_t p, std::initializer_list<realisation> all) {
  lf::queue q(on, lf::property::in_order());
  box<D> where{};
  where.patches.fill(2);
  where.p = p;
  where.cell_size = 1.0 / static_cast<double>(2 * p);
  where.sides.fill(boundary::periodic);
  where.sides[D - 1] = boundary::wall;
  where.sides[0] = boundary::outflow;
  const snapshot<D> wanted = after_steps<D, L>(cpu, where, realisation::patch_wise, 6);
  for (const realisation how : all) {
    const snapshot<D> found = after_steps<D, L>(q, where, how, 6);
    const double difference =
        std::max(largest_difference(found.states, wanted.states), std::abs(found.time - wanted.time));
    check(difference < 1e-13 && found.steps == wanted.steps,
          std::to_string(D) + "-D, p = " + std::to_string(p) + (L == layout::soa ? ", soa, " : ", aos, ") +
              realisation_names[static_cast<int>(how)] + " on " + on.get_info<lf::info::device::name>() +
              ": as on the CPU, but for " + text(difference));
  }
}

/// All ways to have memory give the same bits, and on CPUs those of patches that stay.
template <int D, layout L>
void check_memory_ways(lf::queue& q, std::size_t p, std::initializer_list<realisation> all) {
  box<D> where{};
  where.patches.fill(2);
  where.p = p;
  where.cell_size = 1.0 / static_cast<double>(2 * p);
  where.sides.fill(boundary::periodic);
  where.sides[0] = boundary::wall;
  const bool is_cpu = q.get_backend() != lf::backend::opencl;
  const bool has_shared = q.get_device().has(lf::aspect::usm_shared_allocations);
  for (const realisation how : all) {
    const snapshot<D> wanted = after_steps<D, L>(q, where, how, 6, is_cpu ? memory_way::resident : memory_way::copies);
    bool holds = true;
    for (const memory_way way : {memory_way::managed, memory_way::copies, memory_way::usm}) {
      if (way != memory_way::usm || has_shared) {
        const snapshot<D> found = after_steps<D, L>(q, where, how, 6, way);
        holds = holds && found.states == wanted.states && found.time == wanted.time && found.steps == wanted.steps;
      }
    }
    check(holds, std::to_string(D) + "-D, " + realisation_names[static_cast<int>(how)] + " on " +
                     q.get_device().get_info<lf::info::device::name>() +
                     ": the same bits in memory that is managed, copied" + (has_shared ? ", shared" : ""));
  }
}

void check_devices(lf::queue& cpu) {
  check_memory_ways<2, layout::soa>(cpu, 6, {realisation::patch_wise, realisation::batched, realisation::scoped});
  check_memory_ways<3, layout::aos>(cpu, 4, {realisation::patch_wise});
  constexpr auto patch_wise = realisation::patch_wise;
  for (const lf::device& on : lf::device::get_devices()) {
    if (on.get_backend() == lf::backend::opencl && on.has(lf::aspect::fp64)) {
      check_device<2, layout::soa>(cpu, on, 4,
                                   {patch_wise, realisation::batched, realisation::graph, realisation::scoped});
      check_device<2, layout::aos>(cpu, on, 5, {patch_wise, realisation::batched});
      check_device<3, layout::soa>(cpu, on, 4, {patch_wise, realisation::scoped, realisation::batched});
      check_device<3, layout::soa>(cpu, on, 8, {patch_wise, realisation::scoped}); // 40 KB of local memory
      lf::queue q(on, lf::property::in_order());
      check_gone(q, {patch_wise});
      check_memory_ways<2, layout::soa>(q, 6, {patch_wise, realisation::batched, realisation::scoped});
      check_memory_ways<3, layout::aos>(q, 4, {patch_wise});
    }
  }
}

bool is_refused(const std::string& path, const box<2>& where, const std::string& because) {
  try {
    read_checkpoint<2>(path, where, *make_only_rank());
  } catch (const bad_file& e) {
    return std::string(e.what()).find(because) != std::string::npos;
  }
  return false;
}

void check_checkpoints(lf::queue& q) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("lanefold_euler_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = folder / "checkpoint";
  const std::unique_ptr<ranks> one = make_only_rank();
  const box<2> where = explosion_box<2>(4, 8);
  simulation<2, layout::soa> whole(q, where, 0.8, realisation::graph, explosion_state<2>);
  whole.run(20, 1);
  snapshot<2> saved = whole.save();
  saved.pictures = 3;
  write_checkpoint(path, where, saved, *one);
  check(read_checkpoint<2>(path, where, *one).pictures == 3, "a checkpoint knows the number of its picture");
  whole.run(20, 1);
  simulation<2, layout::soa> restarted(q, where, 0.8, realisation::graph, read_checkpoint<2>(path, where, *one));
  restarted.run(20, 1);
  check(restarted.save().states == whole.save().states && restarted.time() == whole.time() && restarted.steps() == 40,
        "a restart gives the same values as no restart, bit by bit");
  box<2> other_patches = where; // the same cells
  other_patches.p = 4;
  other_patches.patches.fill(8);
  simulation<2, layout::aos> other(q, other_patches, 0.8, realisation::scoped,
                                   read_checkpoint<2>(path, other_patches, *one));
  other.run(20, 1);
  check(largest_difference(other.save().states, whole.save().states) < 1e-13,
        "and with other patches, layout and realisation the same values, but for rounding");

  std::string bytes;
  {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  const auto with = [&](std::string changed) {
    std::ofstream(path, std::ios::binary) << changed;
    return path;
  };
  const auto damaged = [&](std::size_t at) {
    std::string other = bytes;
    other[at] ^= 1;
    return other;
  };
  const std::size_t pictures = 52; // where they are in the header, see files.cpp
  const std::size_t time = 64;
  std::string newer = bytes;
  newer[8] = 99;
  check(is_refused(with(bytes.substr(0, bytes.size() - 8)), where, "cut short") &&
            is_refused(with(bytes.substr(0, 20)), where, "no checkpoint") &&
            is_refused(with(damaged(bytes.size() / 2)), where, "damaged") &&
            is_refused(with(damaged(pictures)), where, "damaged") &&
            is_refused(with(damaged(time)), where, "damaged") && is_refused(with(newer), where, "version 99") &&
            is_refused(with(bytes), explosion_box<2>(5, 8), "other") &&
            is_refused((folder / "absent").string(), where, "cannot be read"),
        "checkpoints that are cut short, damaged, of another version or box are refused");
  std::filesystem::remove_all(folder);
}

/// The curve visits each cell of a cube once, in steps to a neighbour; shares of odd boxes are whole.
template <int D>
void check_shares() {
  constexpr int bits = 3;
  box<D> cube{};
  cube.patches.fill(1U << bits);
  std::vector<std::size_t> along(cube.count(), none);
  for (std::size_t t = 0; t < cube.count(); ++t) {
    std::array<std::uint32_t, D> at{};
    std::ranges::copy(cube.place(t), at.begin());
    along[position_on_curve<D>(at, bits)] = t;
  }
  bool holds = std::ranges::find(along, none) == along.end();
  for (std::size_t i = 1; holds && i < along.size(); ++i) {
    std::size_t steps = 0;
    for (std::size_t d = 0; d < D; ++d) {
      const std::size_t a = cube.place(along[i])[d];
      const std::size_t b = cube.place(along[i - 1])[d];
      steps += std::max(a, b) - std::min(a, b);
    }
    holds = steps == 1;
  }
  box<D> odd{};
  odd.patches.fill(3);
  odd.patches[0] = 5;
  for (const std::size_t count : {1, 2, 7}) {
    std::vector<std::size_t> all;
    const shares<D> of(odd, count);
    for (std::size_t r = 0; r < count; ++r) {
      const std::vector<std::size_t> mine = of.patches_of(r);
      holds = holds && mine.size() >= odd.count() / count && mine.size() <= odd.count() / count + 1 &&
              std::ranges::all_of(mine, [&](std::size_t t) { return of.rank_of(t) == r; });
      all.insert(all.end(), mine.begin(), mine.end());
    }
    std::ranges::sort(all);
    holds = holds && all.size() == odd.count() && std::ranges::adjacent_find(all) == all.end();
  }
  check(holds, std::to_string(D) + "-D: Hilbert's curve goes from neighbour to neighbour, and ranks share all patches");
}

} // namespace

bool verify(lf::queue& q) {
  check_shares<2>();
  check_shares<3>();
  for (const std::size_t p : {4, 6, 8}) {
    check_realisations<2>(q, p);
  }
  check_realisations<2>(q, 3);
  for (const std::size_t p : {4, 5, 8}) {
    check_realisations<3>(q, p);
  }
  check_sod<2>(q, realisation::patch_wise);
  check_sod<2>(q, realisation::graph);
  check_sod<3>(q, realisation::scoped);
  check_conservation<2>(q);
  check_conservation<3>(q);
  check_checkpoints(q);
  check_gone(q, {realisation::patch_wise, realisation::batched, realisation::graph, realisation::scoped});
  check_devices(q);
  return all_hold;
}

} // namespace finite_volumes
