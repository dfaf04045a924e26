// SPDX-License-Identifier: Apache-2.0
#include "node_command.hpp"

#include "executable_graph.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/dynamic_parameter.hpp>

#include <string>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

/// "an nd_range of 2 dimensions"
std::string description_of(const index_space& space) {
  if (space.dimensions == 0) {
    return "no index space";
  }
  return (space.has_groups ? "an nd_range of " : "a range of ") + std::to_string(space.dimensions) +
         (space.dimensions == 1 ? " dimension" : " dimensions");
}

} // namespace

node_command::node_command(handler&& told) : m_told(std::move(told)), m_type(m_told.node_type()) {
  if (!m_told.m_contents.source->recipe && !m_told.m_contents.source->required.empty()) {
    throw exception(make_error_code(errc::invalid), "command_graph: the dynamic parameter that the command requires is "
                                                    "for kernels, and this command has none");
  }
  if (!m_told.m_contents.source->recipe && !m_told.m_contents.source->parameters.empty()) {
    throw exception(make_error_code(errc::invalid),
                    "command_graph: a host task captures a dynamic parameter, and these "
                    "are for kernels; it can capture a pointer to the value");
  }
  if (m_told.m_contents.graph) {
    if (!m_told.m_contents.requirements.empty()) {
      throw exception(make_error_code(errc::invalid),
                      "command_graph: a node that is a graph uses the buffers of its nodes, and has no accessors");
    }
    m_type = ext::oneapi::experimental::node_type::subgraph;
    m_told.m_contents.graph.reset();
    m_graph = m_told.m_contents.source->part;
    m_uses = requirements_of(m_graph->uses);
  } else {
    set(take());
  }
}

node_command::made node_command::take() {
  std::shared_ptr<launch> work = std::move(m_told.m_contents.work);
  if (work && work->has_attachments()) {
    throw exception(make_error_code(errc::feature_not_supported), "command_graph: kernel '" + work->kernel_name() +
                                                                      "' has a stream, whose output belongs to one "
                                                                      "command, and nodes run many times");
  }
  if (work && m_told.m_settings.device != nullptr && work->on_device() == nullptr) {
    throw exception(make_error_code(errc::feature_not_supported),
                    "command_graph: '" + work->kernel_name() +
                        "' runs on the host, and all nodes of a graph of a device are given to it at once");
  }
  return {std::move(work), std::move(m_told.m_contents.requirements)};
}

node_command::made node_command::make_again() {
  m_told.launch_again();
  return take();
}

node_command::made node_command::make_over(const index_space& space) {
  const std::unique_ptr<launch_recipe>& recipe = m_told.m_contents.source->recipe;
  const std::string call = space.has_groups ? "update_nd_range" : "update_range";
  if (m_type != ext::oneapi::experimental::node_type::kernel || !recipe) {
    throw exception(make_error_code(errc::invalid), call + ": the node runs no kernel");
  }
  if (recipe->space.dimensions != space.dimensions || recipe->space.has_groups != space.has_groups) {
    throw exception(make_error_code(errc::invalid), call + ": the kernel of the node has " +
                                                        description_of(recipe->space) + ", and is given " +
                                                        description_of(space));
  }
  const index_space before = std::exchange(recipe->space, space);
  try {
    return make_again();
  } catch (...) {
    recipe->space = before;
    throw;
  }
}

void node_command::set(made&& now) noexcept {
  m_work = std::move(now.work);
  m_uses = std::move(now.uses);
}

} // namespace detail

// ---- what handlers keep for nodes

detail::capture_scope handler::capture() const noexcept {
  return {m_contents.requirements, m_contents.source ? &m_contents.source->parameters : nullptr};
}

void handler::launch_by(detail::launch_recipe&& recipe) {
  auto owned = std::make_unique<detail::launch_recipe>(std::move(recipe));
  refuse_second_action();
  m_contents.source->recipe = std::move(owned);
  m_contents.source->fixed = m_contents.requirements;
  for (;;) {
    try {
      return launch_again();
    } catch (const exception&) {
      if (!m_contents.source->is_outdated()) {
        throw;
      }
      m_contents.source->parameters.clear(); // while they changed, it saw two values of an accessor
    }
  }
}

void handler::launch_again() {
  m_contents.work.reset();
  m_contents.requirements = m_contents.source->fixed;
  for (const detail::shared_part<detail::dynamic_value>& value : m_contents.source->required) {
    detail::add_parameter(m_contents.source->parameters, value);
    require(value->requirement());
  }
  const detail::capture_scope scope = capture();
  m_contents.source->recipe->launch_on(*this);
}

void handler::require_value(const detail::shared_part<detail::dynamic_value>& changing) {
  detail::buffer_requirement now = changing->requirement();
  if (!now.buffer) {
    throw exception(make_error_code(errc::invalid), "require: the value of the dynamic parameter is no accessor");
  }
  if (!m_contents.source) {
    require(std::move(now));
    m_contents.is_no_node = true;
  } else {
    m_contents.source->required.push_back(changing);
  }
}

LANEFOLD_END_NAMESPACE
