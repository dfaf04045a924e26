// SPDX-License-Identifier: Apache-2.0
/// Runs groups of plain functions on a worker, the way the launches of kernels do.
#pragma once

#include <lanefold/execution/fiber/worker.hpp>
#include <lanefold/execution/launch.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace fiber_harness {

namespace lf = lanefold;
namespace detail = lanefold::detail;

/// Returns every engine of this build.
inline std::vector<lf::fiber_engine> all_engines() {
  return {detail::fiber_engines().begin(), detail::fiber_engines().end()};
}

/// Holds what a unit of the tests knows of itself.
struct unit_item {
  detail::unit_state& state;
  std::size_t group;
  unsigned unit;
  unsigned units;

  void barrier() { detail::arrive_at_barrier(state); }
  /// Of the sub-group of `width` units that this one belongs to.
  void sub_group_barrier(unsigned width) {
    const unsigned first = unit / width * width;
    detail::arrive_at_part_barrier(state, first, std::min(width, units - first));
  }
};

/// `groups` groups of `units` units, each of which calls `Body` with a unit_item&.
template <class Body>
class group_launch final : public detail::launch {
public:
  group_launch(lf::fiber_engine engine, std::size_t groups, unsigned units, Body body)
      : launch(groups, 1, 0, engine, typeid(Body)), m_units(units), m_body(std::move(body)) {}

  void run(std::size_t first, std::size_t last) override {
    detail::worker& owner = detail::this_worker();
    frame f{this, first, last, false};
    owner.begin(*this, m_units, &run_other_unit, &f);
    owner.position = first;
    std::exception_ptr failure;
    try {
      run_groups(owner, f);
    } catch (...) {
      failure = std::current_exception();
    }
    owner.leave(std::move(failure));
  }

  void run() { run(0, size()); }

private:
  struct frame {
    group_launch* self;
    std::size_t group;
    std::size_t last;
    bool done;
  };

  void run_groups(detail::worker& owner, frame& f) {
    detail::unit_state state{&owner, nullptr, 0, m_units, false};
    for (;;) {
      for (unsigned u = 0; u < m_units && !state.fibers; ++u) {
        state.unit = u;
        call(state, f);
      }
      if (state.fibers) {
        break;
      }
      if (!next_group(owner, f)) {
        return;
      }
    }
    detail::end_group(state);
    if (next_group(owner, f)) {
      run_unit(owner, f, 0);
    }
  }

  void run_unit(detail::worker& owner, frame& f, unsigned unit) {
    detail::unit_state state{&owner, owner.inline_slot(unit), unit, m_units, true};
    for (;;) {
      call(state, f);
      detail::end_group(state);
      if (unit == 0 ? !next_group(owner, f) : f.done) {
        return;
      }
    }
  }

  void call(detail::unit_state& state, const frame& f) {
    unit_item item{state, f.group, state.unit, m_units};
    m_body(item);
  }

  static bool next_group(detail::worker& owner, frame& f) {
    owner.position = ++f.group;
    f.done = f.group == f.last;
    return !f.done;
  }

  static void run_other_unit(void* shared, detail::worker& owner, unsigned unit) {
    frame& f = *static_cast<frame*>(shared);
    f.self->run_unit(owner, f, unit);
  }

  unsigned m_units;
  Body m_body;
};

/// Runs `body` for all units of all groups on the calling thread.
template <class Body>
void run_groups(lf::fiber_engine engine, std::size_t groups, unsigned units, Body body) {
  group_launch<Body> launch(engine, groups, units, std::move(body));
  launch.run();
}

} // namespace fiber_harness
