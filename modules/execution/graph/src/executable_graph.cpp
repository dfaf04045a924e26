// SPDX-License-Identifier: Apache-2.0
#include "executable_graph.hpp"

#include "scheduler.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/execution/detail/kernel_scope.hpp>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// Guards the orders and the requirements of all executable graphs. Recursive: where a process gets no more threads,
/// the one that submits runs what is ready, which may submit graphs, too.
std::recursive_mutex& submissions() {
  static std::recursive_mutex& guard = *new std::recursive_mutex;
  return guard;
}

/// Adds a requirement to those of a whole graph: what one node needs as it was, the graph needs, unless an earlier node
/// writes it, which nobody looks at.
void merge(std::vector<buffer_requirement>& all, const buffer_requirement& r) {
  for (buffer_requirement& known : all) {
    if (known.buffer == r.buffer) {
      known.begin = std::min(known.begin, r.begin);
      known.end = std::max(known.end, r.end);
      known.object_begin = std::min(known.object_begin, r.object_begin);
      known.object_end = std::max(known.object_end, r.object_end);
      known.kind.writes = known.kind.writes || r.kind.writes;
      known.kind.needs_old = true;
      known.by_part = false;
      return;
    }
  }
  all.push_back(r);
  all.back().kind.needs_old = true;
}

std::string name_of_run(std::size_t nodes) {
  return "graph of " + std::to_string(nodes) + (nodes == 1 ? " node" : " nodes");
}

} // namespace

std::vector<buffer_requirement> requirements_of(const std::vector<std::vector<buffer_requirement>>& uses) {
  std::vector<buffer_requirement> all;
  for (const std::vector<buffer_requirement>& of_step : uses) {
    for (const buffer_requirement& r : of_step) {
      merge(all, r);
    }
  }
  return all;
}

/// A run on the CPU: its groups are the threads of a team.
class graph_launch final : public launch {
public:
  graph_launch(const launch_settings& settings, std::shared_ptr<executable_graph> graph)
      : launch(graph->m_program.threads(), 1, settings, name_of_run(graph->nodes())), m_graph(std::move(graph)) {}
  ~graph_launch() override {
    if (m_began.load(std::memory_order_relaxed)) { // else another run may be under way
      m_graph->m_program.prepare();
    }
  }

  void run(std::size_t first, std::size_t last) override {
    m_began.store(true, std::memory_order_relaxed);
    for (std::size_t member = first; member < last; ++member) {
      m_graph->m_program.participate(member);
    }
    if (m_graph->m_program.has_failed() && !m_thrown.exchange(true)) {
      std::rethrow_exception(m_graph->m_program.error());
    }
  }
  [[nodiscard]] float known_nanoseconds() const noexcept override { return m_graph->m_program.last_nanoseconds(); }
  launch_description describe() const override { return {.what = launch_description::action::graph}; }

private:
  std::shared_ptr<executable_graph> m_graph;
  std::atomic<bool> m_began{false};
  std::atomic<bool> m_thrown{false};
};

executable_graph::executable_graph(graph_contents&& of, std::vector<std::uint32_t> step_of_node,
                                   const launch_settings& settings)
    : m_program(of.steps, settings.threads), m_device(settings.device),
      m_device_steps(m_device == nullptr ? std::vector<step_description>() : of.steps), m_uses(std::move(of.uses)),
      m_orders(std::move(of.orders)), m_nodes(of.nodes), m_edges(of.edges), m_step_of_node(std::move(step_of_node)),
      m_memory(std::move(of.memory)) {
  m_requirements = requirements_of(m_uses);
}

std::shared_ptr<const graph_contents> executable_graph::contents(const launch_settings& of_whole) const {
  if (of_whole.device != m_device) {
    throw exception(make_error_code(errc::invalid),
                    "command_graph: a node is a graph of another device than the whole");
  }
  const std::lock_guard lock(submissions());
  return std::make_shared<const graph_contents>(
      graph_contents{m_program.describe(), m_uses, m_orders, m_nodes, m_edges, m_memory});
}

std::size_t executable_graph::memory() const noexcept {
  return std::accumulate(m_memory.begin(), m_memory.end(), std::size_t{0},
                         [](std::size_t sum, const auto& block) { return sum + block->bytes(); });
}

std::unique_ptr<launch> executable_graph::make_run(const std::shared_ptr<executable_graph>& self,
                                                   const launch_settings& settings) const {
  if (m_device == nullptr || m_device_steps.do_nothing()) {
    return std::make_unique<graph_launch>(settings, self);
  }
  return std::make_unique<device_graph_launch>(settings, name_of_run(nodes()), m_device_steps, self);
}

command_ptr executable_graph::submit(const std::shared_ptr<executable_graph>& self, const launch_settings& settings,
                                     const std::shared_ptr<queue_state>& queue, submission&& given) {
  if (settings.device != self->m_device) {
    throw exception(make_error_code(errc::invalid), "the graph is one of another device than the queue");
  }
  const std::lock_guard lock(submissions());
  for (const buffer_requirement& r : self->m_requirements) {
    if (r.buffer->is_closed()) {
      throw exception(make_error_code(errc::accessor),
                      "a buffer was destroyed that a node of the graph uses: it must live as long as the graph runs");
    }
  }
  for (const std::shared_ptr<run_order>& order : self->m_orders) {
    if (order->last && !order->last->is_complete()) {
      given.after.push_back({order->last, dependency_kind::order});
    }
  }
  given.requirements.insert(given.requirements.end(), self->m_requirements.begin(), self->m_requirements.end());
  given.work = self->make_run(self, settings);
  command_ptr submitted = queue->submit(queue, std::move(given));
  for (const std::shared_ptr<run_order>& order : self->m_orders) {
    order->last = submitted;
  }
  return submitted;
}

void executable_graph::update(std::vector<change> changes, const std::shared_ptr<run_order>& order) {
  kernel_scope::refuse_inside();
  std::unique_lock lock(submissions());
  for (std::size_t i = 0; i < m_orders.size();) {
    const command_ptr last = m_orders[i]->last;
    if (last && !last->is_complete()) {
      lock.unlock();
      scheduler::wait(last);
      lock.lock();
      i = 0;
    } else {
      ++i;
    }
  }
  m_orders.reserve(m_orders.size() + 1);
  std::for_each(changes.begin(), changes.end(), [&](change& c) { exchange(c); });
  try {
    std::vector<buffer_requirement> requirements = requirements_of(m_uses);
    m_program.fit_team();
    m_requirements = std::move(requirements);
  } catch (...) {
    std::for_each(changes.rbegin(), changes.rend(), [&](change& c) { exchange(c); }); // a node may have several
    throw;
  }
  if (std::find(m_orders.begin(), m_orders.end(), order) == m_orders.end()) {
    m_orders.push_back(order);
  }
}

void executable_graph::exchange(change& c) noexcept {
  const std::size_t step = m_step_of_node.empty() ? c.node : m_step_of_node[c.node];
  if (m_device != nullptr) {
    m_device_steps.replace(step, c.work);
  }
  c.work = m_program.replace(step, std::move(c.work));
  c.uses.swap(m_uses[step]);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
