// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/dynamic_parameter.hpp>

#include "graph_nodes.hpp"
#include "node_command.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

dynamic_value::dynamic_value(const ext::oneapi::experimental::command_graph<>& home)
    : m_home(graph_nodes::of(home).weak_from_this()) {}
dynamic_value::dynamic_value() = default;
dynamic_value::~dynamic_value() = default;

void dynamic_value::add(graph_nodes& home, const std::shared_ptr<node_command>& command) {
  {
    const std::lock_guard lock(m_binding);
    const std::shared_ptr<graph_nodes> now = m_home.lock();
    if (now && now.get() != &home) {
      throw exception(make_error_code(errc::invalid),
                      "command_graph: the kernel captures a dynamic parameter of another graph");
    }
    m_home = home.weak_from_this();
  }
  std::erase_if(m_commands, [](const auto& each) { return each.expired(); });
  m_commands.push_back(command);
}

std::vector<std::shared_ptr<node_command>> dynamic_value::commands() const {
  std::vector<std::shared_ptr<node_command>> found;
  for (const std::weak_ptr<node_command>& each : m_commands) {
    if (std::shared_ptr<node_command> command = each.lock()) {
      found.push_back(std::move(command));
    }
  }
  return found;
}

void dynamic_value::update(void (*exchange)(void*), void* argument) {
  const auto change = [&] {
    exchange(argument);
    m_version.fetch_add(1, std::memory_order_release);
  };
  std::shared_ptr<graph_nodes> home;
  {
    const std::lock_guard lock(m_binding);
    home = m_home.lock();
    if (!home) { // there are no kernels to be launched again
      return change();
    }
  }
  home->make_again(*this, change);
}

bool node_source::is_outdated() const noexcept {
  return std::any_of(parameters.begin(), parameters.end(),
                     [](const captured_parameter& p) { return p.value->version() != p.version; });
}

void add_parameter(std::vector<captured_parameter>& all, const std::shared_ptr<dynamic_value>& found) {
  if (std::none_of(all.begin(), all.end(), [&](const captured_parameter& p) { return p.value == found; })) {
    all.push_back({found, found->version()});
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
