// SPDX-License-Identifier: Apache-2.0
/// The measurements behind the targets of the area `finite_volumes` (benchmarks/targets.py): a step of T patches in
/// each realisation against loops on OpenMP threads, the task graph against patch-wise, and ways to bring scattered
/// patches to the kernels of a step.
#include "openmp.hpp"
#include "peers.hpp"
#include "report.hpp"

#include "offload.hpp"
#include "simulation.hpp"
#include "uneven.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanefold_benchmarks {
namespace {

namespace fv = finite_volumes;
namespace lf = lanefold;

/// A side with one form of the work; `check` says what is wrong with its results.
side side_of(
    const std::string& name, std::function<void()> run,
    std::function<std::string()> check = [] { return std::string(); }) {
  return {{{name, std::move(run), {}}}, [] {}, std::move(check), "", false};
}

template <int D, fv::layout L>
class contest {
public:
  contest(report& to, const options& given, lf::queue& q, std::size_t p, std::size_t patches)
      : m_to(to), m_queue(q), m_box(box_of(p, patches)),
        m_name(std::to_string(D) + "d/" + (L == fv::layout::soa ? "soa" : "aos") + "/p" + std::to_string(p) + "/T" +
               std::to_string(patches)) {
    // The loops have arrays of their own, in which the same values lie.
    const fv::patch_shape<D> shape{p};
    m_from.resize(patches * shape.cells() * (D + 2));
    for (std::size_t t = 0; t < patches; ++t) {
      for (std::size_t c = 0; c < shape.cells(); ++c) {
        const auto q0 = uneven<D>(
            {static_cast<double>(c % 7) * 0.01, static_cast<double>(t % 5) * 0.01 + 0.003 * static_cast<double>(c)});
        for (std::size_t v = 0; v < D + 2; ++v) {
          m_from[fv::value_at<L>(shape, t, c, v)] = q0[v];
        }
      }
    }
    m_next = m_from;
    m_fastest.resize(patches);
    openmp::patches loops{D,    p,   L == fv::layout::soa, patches, m_from.data(), m_next.data(), m_fastest.data(),
                          1e-4, 0.1, openmp::form::fluxes};
    const auto run = [threads = given.threads](const openmp::patches& of) { openmp::step(of, threads); };
    m_loops = side_of("openmp, fluxes kept", [=] { run(loops); });
    loops.keeps = openmp::form::motion;
    m_loops.candidates.push_back({"openmp, motion kept", [=] { run(loops); }, {}});
  }

  void against_openmp(fv::realisation how) {
    simulation& s = of(how);
    m_to.compare(name(how) + "/openmp", quantity::speed, step_of(s, how), m_loops);
  }
  void graph_against_patch_wise() {
    m_to.compare(name(fv::realisation::graph) + "/patch_wise", quantity::time,
                 step_of(of(fv::realisation::graph), fv::realisation::graph),
                 step_of(of(fv::realisation::patch_wise), fv::realisation::patch_wise));
  }

private:
  using simulation = fv::simulation<D, L>;

  static fv::box<D> box_of(std::size_t p, std::size_t patches) {
    fv::box<D> where{};
    where.patches.fill(1);
    where.patches[0] = patches;
    where.p = p;
    where.cell_size = 0.01;
    where.sides.fill(fv::boundary::periodic);
    return where;
  }
  [[nodiscard]] std::string name(fv::realisation how) const {
    return m_name + "/" + fv::realisation_names[static_cast<int>(how)];
  }
  simulation& of(fv::realisation how) {
    std::optional<simulation>& s = m_simulations[static_cast<std::size_t>(how)];
    if (!s) {
      s.emplace(m_queue, m_box, 0.5, how, uneven<D>);
      s->run(2, 1e-3);
    }
    return *s;
  }
  side step_of(simulation& s, fv::realisation how) {
    return side_of(fv::realisation_names[static_cast<int>(how)], [&s, this] {
      s.submit_bare_step();
      m_queue.wait();
    });
  }

  report& m_to;
  lf::queue& m_queue;
  fv::box<D> m_box;
  std::string m_name;
  std::array<std::optional<simulation>, 4> m_simulations;
  std::vector<double> m_from;
  std::vector<double> m_next;
  std::vector<double> m_fastest;
  side m_loops;
};

template <int D, fv::layout L>
void measure(report& to, const options& given, lf::queue& q, std::initializer_list<std::size_t> counts) {
  for (const std::size_t p : {4, 6, 8}) {
    for (const std::size_t patches : counts) {
      contest<D, L> with(to, given, q, p, patches);
      for (const auto how : {fv::realisation::patch_wise, fv::realisation::scoped, fv::realisation::batched}) {
        with.against_openmp(how);
      }
      with.graph_against_patch_wise();
    }
  }
}

/// Patches that lie scattered over the heap, gathered into one array and back as a command each; against copies of as
/// many bytes in one block.
template <int D>
void measure_scattered(report& to, lf::queue& q, std::size_t p, std::size_t patches) {
  const std::size_t count = fv::patch_shape<D>{p}.cells() * (D + 2);
  std::vector<std::vector<double>> scattered;
  for (std::size_t t = 0; t < patches; ++t) {
    scattered.emplace_back(count, static_cast<double>(t));
  }
  std::vector<double> there(patches * count), whole(patches * count, 1), copy(patches * count);
  std::vector<double*> addresses; // each patch once, far from the one before
  for (std::size_t t = 0; t < patches; ++t) {
    addresses.push_back(scattered[t * 7919 % patches].data());
  }
  using list = std::shared_ptr<const std::vector<lf::block_copy>>;
  const auto shared = [](std::vector<lf::block_copy> all) {
    return std::make_shared<const std::vector<lf::block_copy>>(std::move(all));
  };
  double* const array = there.data();
  const list gather = shared(lf::gather_blocks(std::span<double* const>(addresses), count, array));
  const list scatter = shared(lf::scatter_blocks(array, count, std::span<double* const>(addresses)));
  const auto check = [&] {
    for (std::size_t t = 0; t < patches; ++t) {
      const auto expected = static_cast<double>(t * 7919 % patches);
      if (there[t * count] != expected || there[(t + 1) * count - 1] != expected || *addresses[t] != expected) {
        return "patch " + std::to_string(t) + " is wrong";
      }
    }
    return std::string();
  };
  to.compare("scattered/" + std::to_string(D) + "d/p" + std::to_string(p) + "/T" + std::to_string(patches) +
                 "/contiguous",
             quantity::time,
             side_of(
                 "blocks",
                 [&] {
                   lf::copy_blocks(q, gather);
                   lf::copy_blocks(q, scatter);
                   q.wait();
                 },
                 check),
             side_of("one block", [&] {
               q.memcpy(copy.data(), whole.data(), whole.size() * sizeof(double));
               q.memcpy(whole.data(), copy.data(), whole.size() * sizeof(double));
               q.wait();
             }));
}

/// A patch-wise step of patches that lie scattered over the heap, before and after it: they are gathered, brought to
/// the kernel by recycled memory, by memory that is allocated for each step, by shared memory, and scattered again.
template <int D>
class memory_ways {
public:
  memory_ways(lf::queue& q, std::size_t p, std::size_t patches) : m_queue(q), m_shape{p}, m_fastest(patches) {
    const std::size_t count = m_shape.cells() * (D + 2);
    for (std::size_t c = 0; c < m_shape.cells(); ++c) {
      m_inside.push_back(m_shape.is_inner(c) ? 1 : 0);
    }
    for (std::size_t t = 0; t < patches; ++t) {
      for (auto* const all : {&m_before, &m_after}) {
        std::vector<double>& values = all->emplace_back(count);
        for (std::size_t c = 0; c < m_shape.cells(); ++c) {
          const auto q0 = uneven<D>(
              {static_cast<double>(c % 7) * 0.01, static_cast<double>(t % 5) * 0.01 + 0.003 * static_cast<double>(c)});
          for (std::size_t v = 0; v < D + 2; ++v) {
            values[fv::value_at<fv::layout::soa>(m_shape, 0, c, v)] = q0[v];
          }
        }
      }
    }
    for (std::size_t t = 0; t < patches; ++t) { // each patch once, far from the one before
      m_from.push_back(m_before[t * 7919 % patches].data());
      m_to.push_back(m_after[t * 7919 % patches].data());
    }
  }

  void against_copies(report& to, const std::string& name, fv::memory_way way) {
    to.compare(name, quantity::time, side_of_way(way), side_of_way(fv::memory_way::copies));
  }

private:
  side side_of_way(fv::memory_way way) {
    auto& made = m_made[static_cast<std::size_t>(way)];
    if (!made) {
      made = std::make_unique<fv::offload<D, fv::layout::soa>>(m_queue, m_shape, m_inside, fv::realisation::patch_wise,
                                                               way);
    }
    const auto run = [this, &made] { made->step(m_from, m_to, m_fastest, 1e-4); };
    const auto check = [this] { // the values of inner cells, which all ways give the same bits
      double sum = 0;
      for (const std::vector<double>& patch : m_after) {
        for (std::size_t c = 0; c < m_shape.cells(); ++c) {
          for (std::size_t v = 0; m_inside[c] > 0 && v < D + 2; ++v) {
            sum += patch[fv::value_at<fv::layout::soa>(m_shape, 0, c, v)];
          }
        }
      }
      if (m_sum == 0) {
        m_sum = sum;
      }
      return sum == m_sum && m_fastest.front() > 0 ? std::string() : std::string("another way gives other values");
    };
    return side_of(fv::memory_way_names[static_cast<int>(way)], run, check);
  }

  lf::queue& m_queue;
  fv::patch_shape<D> m_shape;
  std::vector<double> m_inside, m_fastest;
  std::vector<std::vector<double>> m_before, m_after;
  std::vector<const double*> m_from;
  std::vector<double*> m_to;
  std::array<std::unique_ptr<fv::offload<D, fv::layout::soa>>, 4> m_made;
  double m_sum = 0;
};

/// `q` null: there is no such device.
template <int D>
void measure_memory_ways(report& to, lf::queue* q, const std::string& place) {
  for (const std::size_t patches : {64, 1024}) {
    std::optional<memory_ways<D>> with;
    if (q != nullptr) {
      with.emplace(*q, 6, patches);
    }
    for (const fv::memory_way way : {fv::memory_way::managed, fv::memory_way::usm}) {
      const std::string name = "memory/" + place + "/" + std::to_string(D) + "d/p6/T" + std::to_string(patches) + "/" +
                               fv::memory_way_names[static_cast<int>(way)] + "/copies";
      if (q == nullptr) {
        to.skipped(name, "there is no OpenCL device with doubles");
      } else if (way == fv::memory_way::usm && !q->get_device().has(lf::aspect::usm_shared_allocations)) {
        to.skipped(name, "the device has no memory that it shares with the host");
      } else {
        with->against_copies(to, name, way);
      }
    }
  }
}

/// An OpenCL device with doubles: a GPU, else Intel's runtime for CPUs, else another one.
std::optional<lf::device> opencl_device() {
  std::optional<lf::device> best;
  int most = 0;
  for (const lf::device& each : lf::device::get_devices()) {
    if (each.get_backend() == lf::backend::opencl && each.has(lf::aspect::fp64)) {
      const std::string platform = each.get_platform().get_info<lf::info::platform::name>();
      const int liking = each.is_gpu() ? 3 : platform.starts_with("Intel") ? 2 : 1;
      if (liking > most) {
        best = each;
        most = liking;
      }
    }
  }
  return best;
}

} // namespace
} // namespace lanefold_benchmarks

int main(int argc, char** argv) {
  using namespace lanefold_benchmarks;
  const options given = parse_options(argc, argv);
  lanefold_peers::prepare_process(given.threads, argv);
  report to(given);
  to.note_environment(lanefold_peers::describe_environment());
  lf::queue q(lf::property_list{lf::property::in_order(), lf::property::threads(given.threads)});
  to.run("soa", [&](report&, const options&) {
    measure<2, fv::layout::soa>(to, given, q, {1, 64, 1024, 4096});
    measure<3, fv::layout::soa>(to, given, q, {1, 64, 1024});
  });
  to.run("aos", [&](report&, const options&) {
    measure<2, fv::layout::aos>(to, given, q, {1024});
    measure<3, fv::layout::aos>(to, given, q, {1024});
  });
  to.run("scattered", [&](report&, const options&) {
    measure_scattered<2>(to, q, 6, 1024);
    measure_scattered<3>(to, q, 6, 1024);
  });
  to.run("memory", [&](report&, const options&) {
    measure_memory_ways<2>(to, &q, "cpu");
    measure_memory_ways<3>(to, &q, "cpu");
    std::optional<lf::queue> on_device;
    if (const std::optional<lf::device> device = opencl_device()) {
      to.note("OpenCL: " + device->get_platform().get_info<lf::info::platform::name>() + ", " +
              device->get_info<lf::info::device::name>() + ", " + device->get_info<lf::info::device::driver_version>());
      on_device.emplace(*device, lf::property_list{lf::property::in_order()});
    }
    measure_memory_ways<2>(to, on_device ? &*on_device : nullptr, "opencl");
    measure_memory_ways<3>(to, on_device ? &*on_device : nullptr, "opencl");
  });
  return to.exit_status();
}
