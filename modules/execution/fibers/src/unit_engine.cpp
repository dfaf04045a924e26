// SPDX-License-Identifier: Apache-2.0
#if defined(LANEFOLD_BOOST_CONTEXT)
#include "boost_context_engine.hpp"
#endif
#if defined(LANEFOLD_BOOST_FIBER)
#include "boost_fiber_engine.hpp"
#endif
#include "native_engine.hpp"

#include <lanefold/execution/fiber/worker.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

std::span<const fiber_engine> fiber_engines() {
  static constexpr fiber_engine engines[] = {
#if LANEFOLD_HAS_NATIVE_SWITCH
      fiber_engine::native,
#endif
#if defined(LANEFOLD_BOOST_CONTEXT)
      fiber_engine::boost_context,
#endif
#if defined(LANEFOLD_BOOST_FIBER)
      fiber_engine::boost_fiber,
#endif
  };
  return engines;
}

std::unique_ptr<unit_engine> make_unit_engine(fiber_engine engine) {
  switch (engine) {
#if LANEFOLD_HAS_NATIVE_SWITCH
  case fiber_engine::native: return std::make_unique<native_engine>();
#endif
#if defined(LANEFOLD_BOOST_CONTEXT)
  case fiber_engine::boost_context: return std::make_unique<boost_context_engine>();
#endif
#if defined(LANEFOLD_BOOST_FIBER)
  case fiber_engine::boost_fiber: return std::make_unique<boost_fiber_engine>();
#endif
  default: break;
  }
  std::string message = "the fiber engine " + std::string(to_string(engine)) + " is not in this build; there are:";
  for (const fiber_engine there : fiber_engines()) {
    message += " " + std::string(to_string(there));
  }
  throw exception(make_error_code(errc::feature_not_supported), message);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
