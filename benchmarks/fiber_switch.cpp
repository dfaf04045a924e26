// SPDX-License-Identifier: Apache-2.0
// Measures what a barrier costs by itself: groups of 256 units that do nothing else, on one thread, for every fiber
// engine.
//   barrier/<engine>/<units>       one call site, per unit and barrier
//   two_barriers/<engine>/<units>  two call sites with a little work between, as in a tile loop; per unit and barrier
//   start/<engine>/<units>         a launch of one group with one barrier: what starting and ending a unit costs
#include <lanefold/execution/fiber/worker.hpp>
#include <lanefold/execution/launch.hpp>

#include <benchmark/benchmark.h>

#include <cstddef>
#include <exception>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace {

namespace lf = lanefold;
namespace detail = lanefold::detail;

// One group; the units call Body(state).
template <class Body>
class one_group final : public detail::launch {
public:
  one_group(lf::fiber_engine engine, unsigned units, Body body)
      : launch(1, 1, 0, engine, typeid(Body)), m_units(units), m_body(std::move(body)) {}

  void run(std::size_t, std::size_t) override {
    detail::worker& owner = detail::this_worker();
    owner.begin(*this, m_units, &run_other_unit, this);
    std::exception_ptr failure;
    try {
      detail::unit_state state{&owner, nullptr, 0, m_units, false};
      m_body(state);
      detail::end_group(state);
    } catch (...) {
      failure = std::current_exception();
    }
    owner.leave(std::move(failure));
  }

private:
  static void run_other_unit(void* self, detail::worker& owner, unsigned unit) {
    auto& group = *static_cast<one_group*>(self);
    detail::unit_state state{&owner, owner.inline_slot(unit), unit, group.m_units, true};
    group.m_body(state);
    detail::end_group(state);
  }

  unsigned m_units;
  Body m_body;
};

template <class Body>
void run(lf::fiber_engine engine, unsigned units, Body body) {
  one_group<Body> group(engine, units, std::move(body));
  group.run(0, 1);
}

void report(benchmark::State& bench, double barriers, unsigned units) {
  bench.counters["per_unit_and_barrier"] =
      benchmark::Counter(barriers * units, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

void barrier(benchmark::State& bench, lf::fiber_engine engine) {
  const auto units = static_cast<unsigned>(bench.range(0));
  constexpr int rounds = 400;
  for (auto _ : bench) {
    run(engine, units, [](detail::unit_state& state) {
      for (int i = 0; i < rounds; ++i) {
        detail::arrive_at_barrier(state);
      }
    });
  }
  report(bench, rounds, units);
}

void two_barriers(benchmark::State& bench, lf::fiber_engine engine) {
  const auto units = static_cast<unsigned>(bench.range(0));
  constexpr int rounds = 200;
  std::vector<float> tile(units);
  for (auto _ : bench) {
    run(engine, units, [&tile](detail::unit_state& state) {
      float sum = 0;
      for (int i = 0; i < rounds; ++i) {
        tile[state.unit] = sum + static_cast<float>(i);
        detail::arrive_at_barrier(state);
        sum += tile[state.units - 1 - state.unit];
        detail::arrive_at_barrier(state);
      }
      tile[state.unit] = sum;
    });
    benchmark::DoNotOptimize(tile.data());
  }
  report(bench, 2 * rounds, units);
}

void start(benchmark::State& bench, lf::fiber_engine engine) {
  const auto units = static_cast<unsigned>(bench.range(0));
  for (auto _ : bench) {
    run(engine, units, [](detail::unit_state& state) { detail::arrive_at_barrier(state); });
  }
  report(bench, 1, units);
}

int register_all() {
  for (lf::fiber_engine engine :
       {lf::fiber_engine::native, lf::fiber_engine::boost_context, lf::fiber_engine::boost_fiber}) {
    if (engine == lf::fiber_engine::native && !LANEFOLD_HAS_NATIVE_SWITCH) {
      continue;
    }
    const std::string name(to_string(engine));
    for (auto [title, function] :
         {std::pair("barrier/", &barrier), {"two_barriers/", &two_barriers}, {"start/", &start}}) {
      benchmark::RegisterBenchmark((title + name).c_str(), function, engine)->Arg(16)->Arg(256)->Arg(1024);
    }
  }
  return 0;
}

const int registered = register_all();

} // namespace
