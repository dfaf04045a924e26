// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/fiber_engine.hpp>

LANEFOLD_BEGIN_NAMESPACE

std::optional<fiber_engine> fiber_engine_from_string(std::string_view name) noexcept {
  for (const fiber_engine engine :
       {fiber_engine::automatic, fiber_engine::native, fiber_engine::boost_context, fiber_engine::boost_fiber}) {
    if (name == to_string(engine)) {
      return engine;
    }
  }
  return std::nullopt;
}

LANEFOLD_END_NAMESPACE
