// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/usm_allocator.hpp>

#include "queue_state.hpp"

#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void refuse_usm_allocation(std::size_t count, std::size_t element) {
  throw exception(make_error_code(errc::memory_allocation), "usm_allocator: there is no memory for " +
                                                                std::to_string(count) + " elements of " +
                                                                std::to_string(element) + " bytes");
}

void free_when_complete(void* memory, const context& where, const std::weak_ptr<queue_state>& commands) {
  if (const std::shared_ptr<queue_state> pending = commands.lock()) {
    pending->wait_before_free();
  }
  usm_free(memory, where.usm_context());
}

device usm_device(const void* memory, const context& where) {
  if (get_pointer_type(memory, where) == usm::alloc::unknown) {
    throw exception(make_error_code(errc::invalid),
                    "get_pointer_device: the pointer does not point into a live USM allocation of this context");
  }
  return where.get_devices().front();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
