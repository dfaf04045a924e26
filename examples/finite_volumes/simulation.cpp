// SPDX-License-Identifier: Apache-2.0
#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace finite_volumes {

template <int D, layout L>
simulation<D, L>::simulation(lf::queue& q, const box<D>& where, double cfl, realisation how, const shares<D>& all,
                             std::shared_ptr<ranks> among, memory_way way)
    : m_queue(q), m_ranks(std::move(among)), m_box(where), m_shape{where.p}, m_cfl(cfl), m_how(how),
      m_patches(all.patches_of(m_ranks->rank())), m_rows(rows_of(where, m_patches)), m_halos(where, all, m_patches),
      m_fastest(m_patches.size()), m_inside(m_shape.cells()) {
  for (patch_values& states : m_states) {
    states.resize(m_patches.size() * m_shape.cells() * variables);
  }
  for (std::size_t c = 0; c < m_inside.size(); ++c) {
    m_inside[c] = m_shape.is_inner(c) ? 1 : 0;
  }
  if (way != memory_way::resident) {
    if (m_ranks->count() > 1) {
      throw std::invalid_argument("several ranks keep their patches: --memory resident");
    }
    m_offload = std::make_unique<offload<D, L>>(q, m_shape, m_inside, how, way);
  } else if (q.get_backend() == lf::backend::opencl) {
    m_device = std::make_unique<device_steps<D, L>>(q, m_shape, m_patches.size(), m_halos, m_inside, where.cell_size,
                                                    cfl * where.cell_size / D, how, m_ranks);
  }
}

template <int D, layout L>
simulation<D, L>::simulation(lf::queue& q, const box<D>& where, double cfl, realisation how,
                             const std::function<state(const std::array<double, D>&)>& initial,
                             std::shared_ptr<ranks> among, memory_way way)
    : simulation(q, where, cfl, how, shares<D>(where, among->count()), among, way) {
  const std::size_t cells = m_shape.cells();
  for (std::size_t slot = 0; slot < m_patches.size(); ++slot) {
    const std::array<std::size_t, D> at = where.place(m_patches[slot]);
    for (std::size_t c = 0; c < cells; ++c) {
      std::array<double, D> centre{};
      std::size_t rest = c;
      for (std::size_t d = D; d-- > 0; rest /= m_shape.edge()) { // halo cells outside of the box have states, too
        const double cell = static_cast<double>(at[d] * where.p + rest % m_shape.edge()) - 0.5;
        centre[d] = cell * where.cell_size;
      }
      const state q0 = initial(centre);
      for (std::size_t v = 0; v < variables; ++v) {
        m_states[0][value_at<L>(m_shape, slot, c, v)] = q0[v];
      }
    }
  }
  m_states[1] = m_states[0];
  begin();
}

template <int D, layout L>
simulation<D, L>::simulation(lf::queue& q, const box<D>& where, double cfl, realisation how, const snapshot<D>& from,
                             std::shared_ptr<ranks> among, memory_way way)
    : simulation(q, where, cfl, how, shares<D>(where, among->count()), among, way) {
  const std::size_t rows = m_shape.inner_cells() / m_shape.p;
  if (!std::ranges::equal(from.rows, m_rows, {}, {}, &patch_row::begin) ||
      from.states.size() != m_rows.size() * m_shape.p * variables) {
    throw std::invalid_argument("simulation: a snapshot of other patches");
  }
  std::vector<std::size_t> number_of(m_rows.size());
  for (std::size_t i = 0; i < m_rows.size(); ++i) {
    number_of[m_rows[i].slot * rows + m_rows[i].row] = i;
  }
  for (std::size_t slot = 0; slot < m_patches.size(); ++slot) {
    for (std::size_t c = 0; c < m_shape.cells(); ++c) {
      // Cells of the halo have the state of the nearest cell of the patch: some valid one.
      std::array<std::size_t, D> near{};
      std::size_t rest = c;
      for (std::size_t d = D; d-- > 0; rest /= m_shape.edge()) {
        near[d] = std::clamp<std::size_t>(rest % m_shape.edge(), 1, m_shape.p) - 1;
      }
      const std::size_t row = D == 2 ? near[0] : near[0] * m_shape.p + near[1];
      const double* const q0 =
          from.states.data() + (number_of[slot * rows + row] * m_shape.p + near[D - 1]) * variables;
      for (std::size_t v = 0; v < variables; ++v) {
        m_states[0][value_at<L>(m_shape, slot, c, v)] = q0[v];
      }
    }
  }
  m_states[1] = m_states[0];
  m_clock.time = from.time;
  m_clock.steps = from.steps;
  begin();
}

/// Computes the speeds of the fastest waves, and gives a device what it steps, before the first step.
template <int D, layout L>
void simulation<D, L>::begin() {
  for (std::size_t slot = 0; slot < m_patches.size(); ++slot) {
    double fastest = 0;
    for (std::size_t c = 0; c < m_shape.cells(); ++c) {
      if (m_inside[c] > 0) {
        state q;
        for (std::size_t v = 0; v < variables; ++v) {
          q[v] = m_states[0][value_at<L>(m_shape, slot, c, v)];
        }
        fastest = std::max(fastest, euler<D>::fastest(q));
      }
    }
    m_fastest[slot] = fastest;
  }
  if (m_device) {
    m_device->write(m_states[0], m_fastest);
  }
}

/// Returns whether pressure or density are not positive in a patch of any rank; collective.
template <int D, layout L>
bool simulation<D, L>::is_gone() const {
  double gone = std::ranges::any_of(m_fastest, [](double s) { return !std::isfinite(s); }) ? 1 : 0;
  m_ranks->maximum({&gone, 1});
  return gone != 0;
}

/// Chooses the length of the next step; collective.
template <int D, layout L>
void simulation<D, L>::choose_step(double end) {
  double fastest = 0;
  double gone = m_clock.gone ? 1 : 0; // beside it: NaN would be lost in a maximum
  for (const double speed : m_fastest) {
    if (std::isfinite(speed)) {
      fastest = std::max(fastest, speed);
    } else {
      gone = 1;
    }
  }
  std::array most{fastest, gone};
  m_ranks->maximum(most);
  m_clock.gone = most[1] != 0;
  const double longest = m_cfl * m_box.cell_size / (D * most[0]);
  m_clock.step = m_clock.gone ? 0 : std::clamp(end - m_clock.time, 0.0, longest);
  m_clock.scale = 0.5 * m_clock.step / m_box.cell_size;
  m_clock.time = m_clock.step < longest && !m_clock.gone ? std::max(m_clock.time, end) : m_clock.time + m_clock.step;
  m_clock.steps += m_clock.step > 0 ? 1 : 0;
}

/// Returns what a step of `count` patches needs, from one of the two arrays to the other one.
template <int D, layout L>
step_data<D, L> simulation<D, L>::data(std::size_t parity, std::size_t first, std::size_t count) {
  const std::size_t of_patch = m_shape.cells() * variables;
  const std::span<const double> from(m_states[parity]);
  const std::span<double> to(m_states[1 - parity]);
  return {m_shape,
          count,
          {from.data() + first * of_patch, count * of_patch},
          {to.data() + first * of_patch, count * of_patch},
          {m_fastest.data() + first, count},
          {m_inside.data(), m_inside.size()},
          {&m_clock.scale, 1}};
}

/// Submits a step of the patches in `data`, in any realisation but `graph`.
template <int D, layout L>
void simulation<D, L>::submit_step(const step_data<D, L>& data) {
  if (m_how == realisation::patch_wise) {
    submit_patch_wise(m_queue, data);
  } else if (m_how == realisation::scoped) {
    submit_scoped(m_queue, data);
  } else { // the queue is in order: memory of one step serves the next one
    const std::size_t cells = m_patches.size() * m_shape.cells();
    m_waves.resize(cells * step_data<D, L>::temporaries);
    m_speeds.resize(cells);
    submit_batched<D, L>(m_queue, data, lf::view<double>(m_waves.data(), m_waves.size()),
                         lf::view<double>(m_speeds.data(), m_speeds.size()));
  }
}

/// Submits a step from one of the two arrays to the other one. Patches that need nothing of other ranks are stepped
/// while the messages travel.
template <int D, layout L>
void simulation<D, L>::submit(std::size_t parity, double end) {
  double* const values = m_states[parity].data();
  const std::size_t border = m_halos.border();
  if (border != 0) {
    m_queue.parallel_for(lf::range<1>(border), [=, this](lf::id<1> slot) { m_halos.pack(values, slot[0]); });
    m_queue.submit(
        [&](lf::handler& h) { h.host_task([this] { m_ranks->begin_exchange(m_halos.sent(), m_halos.received()); }); });
  }
  m_queue.parallel_for(lf::range<1>(m_patches.size()), [=, this](lf::id<1> slot) { m_halos.fill(values, slot[0]); });
  m_queue.single_task([=, this] { choose_step(end); });
  if (border != m_patches.size()) {
    submit_step(data(parity, border, m_patches.size() - border));
  }
  if (border != 0) {
    m_queue.submit([&](lf::handler& h) { h.host_task([this] { m_ranks->end_exchange(); }); });
    m_queue.parallel_for(lf::range<1>(border), [=, this](lf::id<1> slot) { m_halos.unpack(values, slot[0]); });
    submit_step(data(parity, 0, border));
  }
}

/// Two steps: a patch's halo can be filled when the neighbours are there, and it is stepped when its halo is filled and
/// the length of the step is known. What is collective has one order.
template <int D, layout L>
void simulation<D, L>::make_graph() {
  namespace graph = lf::graph;
  graph::command_graph g(m_queue);
  const std::size_t border = m_halos.border();
  std::vector<graph::node> stepped;
  const auto add = [&](auto&& task, std::vector<graph::node> before) {
    return g.add([&](lf::handler& h) { h.single_task(task); }, graph::property::node::depends_on(std::move(before)));
  };
  const auto add_exchange = [&](auto&& task, std::vector<graph::node> before) {
    return g.add([&](lf::handler& h) { h.host_task(task); }, graph::property::node::depends_on(std::move(before)));
  };
  for (const std::size_t parity : {0, 1}) {
    double* const values = m_states[parity].data();
    std::vector<graph::node> before_length = stepped;
    std::vector<graph::node> packed;
    for (std::size_t t = 0; t < border; ++t) {
      packed.push_back(add([=, this] { m_halos.pack(values, t); },
                           stepped.empty() ? std::vector<graph::node>() : std::vector{stepped[t]}));
    }
    if (border != 0) {
      before_length.push_back(
          add_exchange([this] { m_ranks->begin_exchange(m_halos.sent(), m_halos.received()); }, packed));
    }
    const graph::node length = add([this] { choose_step(m_end); }, before_length);
    std::optional<graph::node> received;
    if (border != 0) {
      received = add_exchange([this] { m_ranks->end_exchange(); }, {length});
    }
    std::vector<graph::node> next;
    for (std::size_t t = 0; t < m_patches.size(); ++t) {
      std::vector<graph::node> before;
      if (!stepped.empty()) {
        before.push_back(stepped[t]);
        for (const std::size_t other : m_halos.neighbours(t)) {
          if (other < m_patches.size()) {
            before.push_back(stepped[other]);
          }
        }
      }
      std::vector<graph::node> ready{length, add([=, this] { m_halos.fill(values, t); }, before)};
      if (t < border) {
        ready.push_back(add([=, this] { m_halos.unpack(values, t); }, {*received}));
      }
      next.push_back(g.add([&](lf::handler& h) { patch_command(h, data(parity, 0, m_patches.size()), t); },
                           graph::property::node::depends_on(std::move(ready))));
    }
    stepped = std::move(next);
  }
  m_two_steps = g.finalize();
}

template <int D, layout L>
void simulation<D, L>::run(std::size_t steps, double end) {
  m_end = end;
  if (m_offload) {
    run_offloaded(steps, end);
  } else if (m_device) {
    run_on_device(steps, end);
  } else {
    if (m_how == realisation::graph && !m_two_steps) {
      make_graph();
    }
    for (std::size_t s = 0; s < steps; s += 2) {
      if (m_how == realisation::graph) {
        m_queue.ext_oneapi_graph(*m_two_steps);
      } else {
        submit(0, end);
        submit(1, end);
      }
    }
    m_queue.wait();
  }
  if (is_gone() || m_clock.gone) {
    throw gas_is_gone("pressure or density are not positive any more, near time " + std::to_string(m_clock.time) +
                      ", step " + std::to_string(m_clock.steps) + ": a smaller --cfl may help");
  }
}

template <int D, layout L>
void simulation<D, L>::run_on_device(std::size_t steps, double end) {
  m_device->write(
      {m_clock.time, m_clock.step, static_cast<double>(m_clock.steps), m_clock.gone ? 1.0 : 0.0, m_clock.scale, end});
  for (std::size_t s = 0; s < steps; s += 2) {
    m_device->submit_two();
  }
  device_clock now;
  m_device->read(m_states[0], m_fastest, now);
  m_clock = {now.time, now.step, now.scale, static_cast<std::uint64_t>(now.steps), now.gone != 0};
}

template <int D, layout L>
void simulation<D, L>::run_offloaded(std::size_t steps, double end) {
  std::array<std::vector<double*>, 2> addresses; // of the patches, in both arrays
  for (const std::size_t parity : {0, 1}) {
    for (std::size_t slot = 0; slot < m_patches.size(); ++slot) {
      addresses[parity].push_back(m_states[parity].data() + slot * m_shape.cells() * variables);
    }
  }
  for (std::size_t s = 0; s < steps; ++s) {
    const std::size_t parity = s % 2;
    for (std::size_t slot = 0; slot < m_patches.size(); ++slot) {
      m_halos.fill(m_states[parity].data(), slot);
    }
    choose_step(end);
    const std::vector<const double*> from(addresses[parity].begin(), addresses[parity].end());
    m_offload->step(from, addresses[1 - parity], m_fastest, m_clock.scale);
  }
}

template <int D, layout L>
void simulation<D, L>::submit_bare_step() {
  if (m_device) {
    m_device->submit_bare();
    return;
  }
  if (m_how != realisation::graph) {
    submit_step(data(0, 0, m_patches.size()));
    return;
  }
  if (!m_bare_step) {
    lf::graph::command_graph g(m_queue);
    for (std::size_t t = 0; t < m_patches.size(); ++t) {
      g.add([&](lf::handler& h) { patch_command(h, data(0, 0, m_patches.size()), t); });
    }
    m_bare_step = g.finalize();
  }
  m_queue.ext_oneapi_graph(*m_bare_step);
}

template <int D, layout L>
std::optional<typename simulation<D, L>::state> simulation<D, L>::at(const std::array<std::size_t, D>& cell) const {
  std::size_t number = 0;
  for (std::size_t d = 0; d < D; ++d) {
    number = number * m_box.cells(d) + cell[d];
  }
  const std::size_t column = cell[D - 1] % m_box.p;
  const auto row = std::ranges::lower_bound(m_rows, number - column, {}, &patch_row::begin);
  if (row == m_rows.end() || row->begin != number - column) {
    return {};
  }
  state result;
  for (std::size_t v = 0; v < variables; ++v) {
    result[v] = m_states[0][value_at<L>(m_shape, row->slot, m_shape.row(row->row) + column, v)];
  }
  return result;
}

template <int D, layout L>
snapshot<D> simulation<D, L>::save() const {
  snapshot<D> result{m_clock.time, m_clock.steps, 0, {}, {}};
  result.rows.reserve(m_rows.size());
  result.states.reserve(m_rows.size() * m_box.p * variables);
  for (const patch_row& row : m_rows) {
    result.rows.push_back(row.begin);
    for (std::size_t column = 0; column < m_box.p; ++column) {
      for (std::size_t v = 0; v < variables; ++v) {
        result.states.push_back(m_states[0][value_at<L>(m_shape, row.slot, m_shape.row(row.row) + column, v)]);
      }
    }
  }
  return result;
}

template <int D, layout L>
typename simulation<D, L>::state simulation<D, L>::totals() const {
  const snapshot<D> all = save();
  state sum{};
  state lost{}; // Kahan's: the sum is to show what the scheme does, not what the sum does
  for (std::size_t i = 0; i < all.states.size(); ++i) {
    const std::size_t v = i % variables;
    const double next = all.states[i] - lost[v];
    const double total = sum[v] + next;
    lost[v] = (total - sum[v]) - next;
    sum[v] = total;
  }
  m_ranks->sum(sum);
  for (double& s : sum) {
    s *= std::pow(m_box.cell_size, D);
  }
  return sum;
}

template class simulation<2, layout::soa>;
template class simulation<2, layout::aos>;
template class simulation<3, layout::soa>;
template class simulation<3, layout::aos>;

} // namespace finite_volumes
