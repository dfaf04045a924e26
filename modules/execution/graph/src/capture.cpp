// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/detail/buffer_access.hpp>

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/buffer_state.hpp>
#include <lanefold/memory/detail/captured_memory.hpp>

#include <algorithm>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

template <int D>
std::size_t reach_of(range<D> pitch, range<D> part) noexcept {
  if (part.size() == 0) {
    return 0;
  }
  id<D> last = part;
  for (int d = 0; d < D; ++d) {
    --last[d];
  }
  return linear_offset(pitch, last) + 1;
}
template std::size_t reach_of(range<1>, range<1>) noexcept;
template std::size_t reach_of(range<2>, range<2>) noexcept;
template std::size_t reach_of(range<3>, range<3>) noexcept;

static void check_captured(std::uint64_t buffer, const std::byte* begin, const std::byte* end, bool writes) {
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

template <int D>
void check_captured(std::uint64_t buffer, const void* first, std::size_t element, range<D> pitch, range<D> part,
                    bool writes) {
  const auto* const begin = static_cast<const std::byte*>(first);
  check_captured(buffer, begin, begin + reach_of(pitch, part) * element, writes);
}
template void check_captured(std::uint64_t, const void*, std::size_t, range<1>, range<1>, bool);
template void check_captured(std::uint64_t, const void*, std::size_t, range<2>, range<2>, bool);
template void check_captured(std::uint64_t, const void*, std::size_t, range<3>, range<3>, bool);

} // namespace detail
LANEFOLD_END_NAMESPACE
