// SPDX-License-Identifier: Apache-2.0
/// Declares handlers as the library makes them.
#pragma once

#include "handler_contents.hpp"

#include <lanefold/execution/handler.hpp>

#include <memory>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

/// A handler with what it keeps.
class whole_handler : private handler_contents, public handler {
public:
  explicit whole_handler(const launch_settings& common) : handler(common, *this) {
    if (common.is_node) {
      source = std::make_unique<node_source>();
    }
  }
  /// Takes what the other was told.
  explicit whole_handler(handler&& told) noexcept
      : handler_contents(std::move(told.m_contents)), handler(told.m_settings, *this) {}
};

} // namespace detail
LANEFOLD_END_NAMESPACE
