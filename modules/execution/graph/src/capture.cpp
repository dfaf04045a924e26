// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/buffer_requirement.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/memory/detail/captured_memory.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void check_captured(std::uint64_t buffer, const void* begin, const void* end, bool writes) {
  if (captured_memory* const all = captured_memory::current(); all != nullptr && begin != end) {
    all->add(begin, end, writes);
  }
  const auto covers = [&](const buffer_requirement& r) {
    const std::byte* const memory = r.buffer->memory();
    return r.buffer->id() == buffer && memory + r.begin <= begin && end <= memory + r.end && (r.kind.writes || !writes);
  };
  if (buffer != 0 && begin != end &&
      std::none_of(capturing->requirements.begin(), capturing->requirements.end(), covers)) {
    throw exception(errc::accessor, "the kernel captures an accessor that is not of its command: accessors are made "
                                    "with the handler of the command group, or given to handler::require");
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
