// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/dynamic_parameter.hpp>

#include "graph_nodes.hpp"
#include "node_command.hpp"

#include <lanefold/exception.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

struct dynamic_value::users {
  std::mutex binding; // of home
  std::weak_ptr<graph_nodes> home;
  std::vector<std::weak_ptr<node_command>> commands; // under the guard of home
};

dynamic_value::dynamic_value(const ext::oneapi::experimental::command_graph<>& home) : dynamic_value() {
  m_users->home = graph_nodes::of(home).weak_from_this();
}
dynamic_value::dynamic_value() : m_users(std::make_shared<users>()) {}
dynamic_value::~dynamic_value() = default;

void dynamic_value::add(graph_nodes& home, const std::shared_ptr<node_command>& command) {
  {
    const std::lock_guard lock(m_users->binding);
    const std::shared_ptr<graph_nodes> now = m_users->home.lock();
    if (now && now.get() != &home) {
      throw exception(make_error_code(errc::invalid),
                      "command_graph: the kernel captures a dynamic parameter of another graph");
    }
    m_users->home = home.weak_from_this();
  }
  std::erase_if(m_users->commands, [](const auto& each) { return each.expired(); });
  m_users->commands.push_back(command);
}

std::vector<std::shared_ptr<node_command>> dynamic_value::commands() const {
  std::vector<std::shared_ptr<node_command>> found;
  for (const std::weak_ptr<node_command>& each : m_users->commands) {
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
    const std::lock_guard lock(m_users->binding);
    home = m_users->home.lock();
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

void add_parameter(std::vector<captured_parameter>& all, const shared_part<dynamic_value>& found) {
  if (std::none_of(all.begin(), all.end(), [&](const captured_parameter& p) { return p.value == found; })) {
    all.push_back({found, found->version()});
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
