// SPDX-License-Identifier: Apache-2.0
#include <lanefold/execution/fiber/meeting.hpp>

#include <new>
#include <utility>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {
constexpr std::align_val_t alignment{64};
} // namespace

meeting_slot::~meeting_slot() { ::operator delete(m_large, alignment); }

std::byte* meeting_slot::large_data(std::size_t bytes) {
  if (bytes > m_large_bytes) {
    ::operator delete(std::exchange(m_large, nullptr), alignment);
    m_large_bytes = 0;
    m_large = static_cast<std::byte*>(::operator new(bytes, alignment));
    m_large_bytes = bytes;
  }
  return m_large;
}

} // namespace detail
LANEFOLD_END_NAMESPACE
