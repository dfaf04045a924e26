// SPDX-License-Identifier: Apache-2.0
#include "observers.hpp"

#include "command.hpp"
#include "launch_explanation.hpp"
#include "trace.hpp"

#include <lanefold/execution/detail/environment_variable.hpp>

#include <atomic>
#include <cstdio>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

observed_queue observers_of_new_queue() {
  static constinit std::atomic<unsigned> queues{0};
  const bool explains = value_of(environment_variables::explain).value_or(0) == 1;
  const bool traces = trace::open_if_wanted();
  return {traces || explains ? queues.fetch_add(1, std::memory_order_relaxed) + 1 : 0, explains};
}

void tell_observers(const command& of, const std::exception_ptr& error, const failure* cause) noexcept {
  observation& notes = *of.observed();
  try {
    if (of.device() != nullptr && of.device()->event) {
      trace::place_on_device(notes, *of.times());
    } else if (notes.queue().explains && !notes.stretches().empty() && of.action() != nullptr && !error) {
      std::fputs(explain(*of.action(), notes).c_str(), stderr); // one call, so that launches do not mix
    }
    notes.close();
    trace::add(of, notes, cause != nullptr && !error ? cause->error() : error);
  } catch (const std::exception&) { // there is no memory: it is missing
  }
  notes.forget_dependencies();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
