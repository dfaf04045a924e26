// SPDX-License-Identifier: Apache-2.0
#include "boost_context_engine.hpp"
#include "boost_fiber_engine.hpp"
#include "native_engine.hpp"

#include <lanefold/execution/fiber/worker.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

fiber_engine default_fiber_engine() {
  return LANEFOLD_HAS_NATIVE_SWITCH ? fiber_engine::native : fiber_engine::boost_context;
}

std::unique_ptr<unit_engine> make_unit_engine(fiber_engine engine) {
  switch (engine) {
#if LANEFOLD_HAS_NATIVE_SWITCH
  case fiber_engine::native: return std::make_unique<native_engine>();
#endif
  case fiber_engine::boost_context: return std::make_unique<boost_context_engine>();
  case fiber_engine::boost_fiber: return std::make_unique<boost_fiber_engine>();
  default: break;
  }
  throw exception(make_error_code(errc::feature_not_supported),
                  "the fiber engine " + std::string(to_string(engine)) + " does not exist on this platform");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
