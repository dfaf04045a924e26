// SPDX-License-Identifier: Apache-2.0
#include "host_queue.hpp"

#include "observers.hpp"
#include "scheduler.hpp"

#include <lanefold/execution/detail/environment.hpp>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

const std::shared_ptr<queue_state>& host_queue() {
  static const auto& queue = *new std::shared_ptr<queue_state>(
      std::make_shared<queue_state>(scheduler::executor_for(environment::read().threads), async_handler(), false, false,
                                    nullptr, observers_of_new_queue()));
  return queue;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
