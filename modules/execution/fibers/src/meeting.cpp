// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/fiber/meeting.hpp>

#include <new>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {
constexpr std::align_val_t alignment{64};
} // namespace

void meeting_slot::release::operator()(std::byte* memory) const { ::operator delete(memory, alignment); }

std::byte* meeting_slot::large_data(std::size_t bytes) {
  if (bytes > m_large_bytes) {
    m_large.reset();
    m_large_bytes = 0;
    m_large.reset(static_cast<std::byte*>(::operator new(bytes, alignment)));
    m_large_bytes = bytes;
  }
  return m_large.get();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
