// SPDX-License-Identifier: Apache-2.0
#include "simulation.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace finite_volumes {

template <int D, layout L>
simulation<D, L>::simulation(lf::queue& q, const box<D>& where, double cfl, realisation how)
    : m_queue(q), m_box(where), m_shape{where.p}, m_cfl(cfl), m_how(how), m_fastest(where.count()),
      m_inside(m_shape.cells()), m_neighbours(where.count() * 2 * D) {
  for (std::vector<double>& states : m_states) {
    states.resize(where.count() * m_shape.cells() * variables);
  }
  for (std::size_t c = 0; c < m_inside.size(); ++c) {
    m_inside[c] = m_shape.is_inner(c) ? 1 : 0;
  }
  for (std::size_t t = 0; t < where.count(); ++t) {
    for (std::size_t d = 0; d < D; ++d) {
      m_neighbours[(t * D + d) * 2] = neighbour(t, d, false);
      m_neighbours[(t * D + d) * 2 + 1] = neighbour(t, d, true);
    }
  }
}

template <int D, layout L>
simulation<D, L>::simulation(lf::queue& q, const box<D>& where, double cfl, realisation how,
                             const std::function<state(const std::array<double, D>&)>& initial)
    : simulation(q, where, cfl, how) {
  const std::size_t cells = m_shape.cells();
  for (std::size_t t = 0; t < where.count(); ++t) {
    const std::array<std::size_t, D> at = where.place(t);
    for (std::size_t c = 0; c < cells; ++c) {
      std::array<double, D> centre{};
      std::size_t rest = c;
      for (std::size_t d = D; d-- > 0; rest /= m_shape.edge()) { // halo cells outside of the box have states, too
        const double cell = static_cast<double>(at[d] * where.p + rest % m_shape.edge()) - 0.5;
        centre[d] = cell * where.cell_size;
      }
      const state q0 = initial(centre);
      for (std::size_t v = 0; v < variables; ++v) {
        m_states[0][value_at<L>(m_shape, t, c, v)] = q0[v];
      }
    }
  }
  m_states[1] = m_states[0];
  learn_waves();
}

template <int D, layout L>
simulation<D, L>::simulation(lf::queue& q, const box<D>& where, double cfl, realisation how, const snapshot<D>& from)
    : simulation(q, where, cfl, how, [&](const std::array<double, D>& centre) {
        std::size_t cell = 0;
        for (std::size_t d = 0; d < D; ++d) {
          const double last = static_cast<double>(where.cells(d) - 1);
          cell = cell * where.cells(d) +
                 static_cast<std::size_t>(std::clamp(std::floor(centre[d] / where.cell_size), 0.0, last));
        }
        state result;
        std::copy_n(from.states.begin() + static_cast<std::ptrdiff_t>(cell * variables), variables, result.begin());
        return result;
      }) {
  m_clock.time = from.time;
  m_clock.steps = from.steps;
}

/// The speeds of the fastest waves, before the first step.
template <int D, layout L>
void simulation<D, L>::learn_waves() {
  for (std::size_t t = 0; t < m_box.count(); ++t) {
    double fastest = 0;
    for (std::size_t c = 0; c < m_shape.cells(); ++c) {
      if (m_inside[c] > 0) {
        state q;
        for (std::size_t v = 0; v < variables; ++v) {
          q[v] = m_states[0][value_at<L>(m_shape, t, c, v)];
        }
        const std::array<double, D> speeds = euler<D>::eigenvalue(q);
        fastest = std::max(fastest, *std::max_element(speeds.begin(), speeds.end()));
      }
    }
    m_fastest[t] = fastest;
  }
}

template <int D, layout L>
std::size_t simulation<D, L>::neighbour(std::size_t patch, std::size_t d, bool above) const {
  std::array<std::size_t, D> at = m_box.place(patch);
  const bool ends = above ? at[d] + 1 == m_box.patches[d] : at[d] == 0;
  if (ends && m_box.sides[d] != boundary::periodic) {
    return none;
  }
  at[d] = (at[d] + (above ? 1 : m_box.patches[d] - 1)) % m_box.patches[d];
  std::size_t number = 0;
  for (std::size_t k = 0; k < D; ++k) {
    number = number * m_box.patches[k] + at[k];
  }
  return number;
}

/// Fills the halo of a patch, along the axes, from its neighbours or from what lies behind the box.
template <int D, layout L>
void simulation<D, L>::fill_halo(double* values, std::size_t patch) const {
  const std::size_t p = m_shape.p;
  for (std::size_t d = 0; d < D; ++d) {
    const std::size_t along = m_shape.stride(d);
    for (const bool above : {false, true}) {
      const std::size_t other = m_neighbours[(patch * D + d) * 2 + (above ? 1 : 0)];
      const std::size_t from = other == none ? patch : other;
      const std::size_t to_layer = above ? p + 1 : 0;
      // The layer next to the side: that of the neighbour, or the patch's own one.
      const std::size_t from_layer = (other == none) == above ? p : 1;
      const std::size_t turned = other == none && m_box.sides[d] == boundary::wall ? d + 1 : none;
      const std::size_t first = m_shape.stride((d + 1) % D);
      const std::size_t second = D == 3 ? m_shape.stride((d + 2) % D) : 0;
      for (std::size_t v = 0; v < variables; ++v) {
        const double sign = v == turned ? -1 : 1;
        for (std::size_t a = 1; a <= (D == 3 ? p : 1); ++a) {
          for (std::size_t b = 1; b <= p; ++b) {
            const std::size_t cell = a * second + b * first;
            values[value_at<L>(m_shape, patch, cell + to_layer * along, v)] =
                sign * values[value_at<L>(m_shape, from, cell + from_layer * along, v)];
          }
        }
      }
    }
  }
}

template <int D, layout L>
void simulation<D, L>::choose_step(double end) {
  double fastest = 0;
  for (std::size_t t = 0; t < m_fastest.size(); ++t) {
    if (!std::isfinite(m_fastest[t]) && m_clock.gone == none) {
      m_clock.gone = t;
    }
    fastest = std::max(fastest, m_fastest[t]);
  }
  const double longest = m_cfl * m_box.cell_size / (D * fastest);
  m_clock.step = m_clock.gone != none ? 0 : std::clamp(end - m_clock.time, 0.0, longest);
  m_clock.time =
      m_clock.step < longest && m_clock.gone == none ? std::max(m_clock.time, end) : m_clock.time + m_clock.step;
  m_clock.steps += m_clock.step > 0 ? 1 : 0;
}

template <int D, layout L>
step_data<D, L> simulation<D, L>::data(std::size_t parity) {
  const std::vector<double>& from = m_states[parity];
  std::vector<double>& to = m_states[1 - parity];
  return {m_shape,
          m_box.count(),
          m_box.cell_size,
          {from.data(), from.size()},
          {to.data(), to.size()},
          {m_fastest.data(), m_fastest.size()},
          {m_inside.data(), m_inside.size()},
          {&m_clock.step, 1}};
}

/// Submits a step from one of the two arrays to the other one.
template <int D, layout L>
void simulation<D, L>::submit(std::size_t parity, double end) {
  double* const values = m_states[parity].data();
  m_queue.parallel_for(lf::range<1>(m_box.count()), [=, this](lf::id<1> patch) { fill_halo(values, patch[0]); });
  m_queue.single_task([=, this] { choose_step(end); });
  submit_step(m_queue, m_how, data(parity), m_batch);
}

/// Two steps: a patch's halo can be filled when the neighbours are there, and it is stepped when its halo is filled and
/// the length of the step is known.
template <int D, layout L>
void simulation<D, L>::make_graph() {
  namespace graph = lf::graph;
  graph::command_graph g(m_queue);
  std::vector<graph::node> stepped;
  const auto after = [](std::vector<graph::node> nodes) { return graph::property::node::depends_on(std::move(nodes)); };
  for (const std::size_t parity : {0, 1}) {
    const graph::node length =
        g.add([&](lf::handler& h) { h.single_task([this] { choose_step(m_end); }); }, after(stepped));
    std::vector<graph::node> next;
    for (std::size_t t = 0; t < m_box.count(); ++t) {
      std::vector<graph::node> before;
      if (!stepped.empty()) {
        before.push_back(stepped[t]);
        for (std::size_t n = t * 2 * D; n < (t + 1) * 2 * D; ++n) {
          if (m_neighbours[n] != none) {
            before.push_back(stepped[m_neighbours[n]]);
          }
        }
      }
      double* const values = m_states[parity].data();
      const graph::node halo =
          g.add([&](lf::handler& h) { h.single_task([=, this] { fill_halo(values, t); }); }, after(before));
      next.push_back(g.add([&](lf::handler& h) { patch_command(h, data(parity), t); }, after({length, halo})));
    }
    stepped = std::move(next);
  }
  m_two_steps = g.finalize();
}

template <int D, layout L>
void simulation<D, L>::run(std::size_t steps, double end) {
  m_end = end;
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
  const bool is_gone = std::any_of(m_fastest.begin(), m_fastest.end(), [](double s) { return !std::isfinite(s); });
  if (m_clock.gone != none || is_gone) {
    throw gas_is_gone("pressure or density are not positive any more, near time " + std::to_string(m_clock.time) +
                      ", step " + std::to_string(m_clock.steps) + ": a smaller --cfl may help");
  }
}

template <int D, layout L>
void simulation<D, L>::submit_bare_step() {
  if (m_how != realisation::graph) {
    submit_step(m_queue, m_how, data(0), m_batch);
    return;
  }
  if (!m_bare_step) {
    lf::graph::command_graph g(m_queue);
    for (std::size_t t = 0; t < m_box.count(); ++t) {
      g.add([&](lf::handler& h) { patch_command(h, data(0), t); });
    }
    m_bare_step = g.finalize();
  }
  m_queue.ext_oneapi_graph(*m_bare_step);
}

template <int D, layout L>
typename simulation<D, L>::state simulation<D, L>::at(const std::array<std::size_t, D>& cell) const {
  std::size_t patch = 0;
  std::size_t inner = 0;
  for (std::size_t d = 0; d < D; ++d) {
    patch = patch * m_box.patches[d] + cell[d] / m_box.p;
    inner = inner * m_shape.edge() + cell[d] % m_box.p + 1;
  }
  state result;
  for (std::size_t v = 0; v < variables; ++v) {
    result[v] = m_states[0][value_at<L>(m_shape, patch, inner, v)];
  }
  return result;
}

template <int D, layout L>
snapshot<D> simulation<D, L>::save() const {
  snapshot<D> result{m_clock.time, m_clock.steps, {}};
  std::size_t cells = 1;
  for (std::size_t d = 0; d < D; ++d) {
    cells *= m_box.cells(d);
  }
  result.states.reserve(cells * variables);
  for (std::size_t c = 0; c < cells; ++c) {
    std::array<std::size_t, D> cell{};
    std::size_t rest = c;
    for (std::size_t d = D; d-- > 0; rest /= m_box.cells(d)) {
      cell[d] = rest % m_box.cells(d);
    }
    const state q = at(cell);
    result.states.insert(result.states.end(), q.begin(), q.end());
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
