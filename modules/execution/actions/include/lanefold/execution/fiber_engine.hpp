// SPDX-License-Identifier: Apache-2.0
/// Which fiber engine keeps the stacks of suspended work-items and sub-groups.
#pragma once

#include <lanefold/version.hpp>

#include <optional>
#include <string_view>

LANEFOLD_BEGIN_NAMESPACE

/// Says how a suspended work-item or sub-group keeps its stack.
/// A launch property wins over a queue property, which wins over the environment variable LANEFOLD_FIBER_ENGINE, which
/// wins over the fastest engine that works on the platform.
enum class fiber_engine {
  automatic,     ///< the fastest engine that works in this build
  native,        ///< a minimal stack switch (x86-64, AArch64), inlined at the barrier
  boost_context, ///< Boost.Context, portable
  boost_fiber    ///< Boost.Fiber: the reference to measure against
};

/// "automatic", "native", "boost_context" or "boost_fiber".
constexpr std::string_view to_string(fiber_engine engine) noexcept {
  switch (engine) {
  case fiber_engine::automatic: return "automatic";
  case fiber_engine::native: return "native";
  case fiber_engine::boost_context: return "boost_context";
  case fiber_engine::boost_fiber: return "boost_fiber";
  }
  return "unknown";
}

/// The engine of that name; nothing if there is none.
std::optional<fiber_engine> fiber_engine_from_string(std::string_view name) noexcept;

LANEFOLD_END_NAMESPACE
