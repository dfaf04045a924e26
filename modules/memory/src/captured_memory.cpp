// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/detail/captured_memory.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

void captured_memory::add(const void* begin, const void* end, bool writes) noexcept {
  constexpr std::less<> before;
  const auto meets = [&](const part& other) {
    return (writes || other.writes) && before(begin, other.end) && before(other.begin, end);
  };
  m_is_apart = m_is_apart && m_count < most && std::none_of(m_parts, m_parts + m_count, meets);
  if (m_is_apart) {
    m_parts[m_count++] = {begin, end, writes};
  }
}

void note_captured_local_memory(std::size_t place) noexcept {
  if (captured_memory* const all = captured_memory::current(); all != nullptr) {
    // An address that no buffer has.
    const std::uintptr_t address = place | std::uintptr_t{1} << (8 * sizeof(std::uintptr_t) - 1);
    all->add(reinterpret_cast<const void*>(address), reinterpret_cast<const void*>(address + 1), true);
  }
}

// Callers must not see that it returns what it gets, nor may optimisation of the whole program.
#if defined(__GNUC__) && !defined(__clang__)
[[gnu::noipa]]
#endif
void* only_pointer_to(const volatile void* memory) noexcept {
  return const_cast<void*>(memory);
}

} // namespace detail
LANEFOLD_END_NAMESPACE
