// SPDX-License-Identifier: Apache-2.0
#include <lanefold/recorded/detail/scoped_frame.hpp>

#include <lanefold/exception.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

std::size_t local_blocks::take(recorder& r, recorded_type type, std::size_t bytes) {
  const auto found = std::find_if(m_blocks.begin(), m_blocks.end(),
                                  [&](const block& b) { return !b.taken && b.type == type && b.bytes == bytes; });
  if (found != m_blocks.end() || r.is_in_loop()) {
    record_work_group_barrier(r, "local memory");
  }
  if (found != m_blocks.end()) {
    found->taken = true;
    return found->offset;
  }
  constexpr std::size_t alignment = 64;
  const std::size_t offset = (m_used + alignment - 1) / alignment * alignment;
  m_used = offset + bytes;
  m_blocks.push_back({type, offset, bytes, true});
  return offset;
}

void local_blocks::release(std::size_t offset) noexcept {
  for (block& b : m_blocks) {
    if (b.offset == offset) {
      b.taken = false;
    }
  }
}

memory_arena& no_arena::operator*() const {
  throw exception(make_error_code(errc::kernel_not_supported),
                  "local memory of a recorded scoped kernel names its group: local_memory<T, decltype(group)>, or "
                  "memory_environment");
}

void refuse_item_callable() {
  throw exception(make_error_code(errc::kernel_not_supported),
                  "a callable of distribute_items spells the type of its item, so it runs on the CPU only: for the "
                  "queue of an OpenCL device write [&](auto it), which is recorded");
}

void refuse_uneven_tiles() {
  throw exception(make_error_code(errc::kernel_not_supported),
                  "distribute_groups: on the queue of an OpenCL device tiles that do not divide their group without a "
                  "rest have neither barriers nor local memory, because they run side by side");
}

void refuse_scoped_group_algorithm() {
  throw exception(make_error_code(errc::kernel_not_supported),
                  "group algorithms of recorded scoped kernels take private memory and the work-group outside of the "
                  "code of items, and it.get_sub_group() inside");
}

} // namespace detail
LANEFOLD_END_NAMESPACE
