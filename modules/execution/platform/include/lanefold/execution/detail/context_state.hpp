// SPDX-License-Identifier: Apache-2.0
/// Holds what the handles of a context share.
#pragma once

#include <lanefold/execution/async_handler.hpp>
#include <lanefold/execution/device.hpp>
#include <lanefold/execution/property.hpp>

#include <cstdint>
#include <vector>

LANEFOLD_BEGIN_NAMESPACE

class context;

namespace detail {

class context_state {
public:
  context_state(std::vector<device> of, async_handler errors, const property_list& given);
  context_state(const context_state&) = delete;
  context_state& operator=(const context_state&) = delete;
  ~context_state();

  const std::vector<device> devices; ///< at least one, all of one platform
  const async_handler handler;       ///< gets the errors of queues that have no handler; may be empty
  const property_list properties;
  const std::uint64_t number; ///< its own, from 1
};

/// The context of queues on the device that are given none.
context default_context(const device& of);

} // namespace detail
LANEFOLD_END_NAMESPACE
