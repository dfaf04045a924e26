// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/usm.hpp>

#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>
#include <sstream>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t page_aligned_from = 64 * 1024;

struct allocation {
  std::size_t bytes;
  usm::alloc kind;
  std::uint64_t context; ///< 0: none in particular
  usm_source* source;    ///< null: the host

  [[nodiscard]] bool is_of(std::uint64_t asked) const noexcept {
    return context == 0 || asked == 0 || context == asked;
  }
};

/// The live allocations of the process.
class registry {
public:
  void insert(void* memory, allocation a) {
    const std::lock_guard lock(m_guard);
    m_live.emplace(key(memory), a);
    m_bytes += a.bytes;
  }

  /// Throws unless it is the beginning of a live allocation of the context. Returns where it is from.
  usm_source* erase(void* memory, std::uint64_t context) {
    const std::lock_guard lock(m_guard);
    const auto found = find(memory);
    if (found == m_live.end() || found->first != key(memory) || !found->second.is_of(context)) {
      std::ostringstream text;
      text << "free(" << memory << "): ";
      if (found == m_live.end()) {
        text << "not a live USM allocation; was it freed before, or does it come from elsewhere?";
      } else if (found->first == key(memory)) {
        text << "this memory was allocated for another context";
      } else {
        text << "points " << address(memory) - ~found->first << " bytes into a USM allocation, not to its beginning";
      }
      throw exception(make_error_code(errc::invalid), text.str());
    }
    m_bytes -= found->second.bytes;
    usm_source* const source = found->second.source;
    m_live.erase(found);
    return source;
  }

  usm::alloc kind(const void* memory, std::uint64_t context) {
    const std::lock_guard lock(m_guard);
    const auto found = find(memory);
    return found == m_live.end() || !found->second.is_of(context) ? usm::alloc::unknown : found->second.kind;
  }

  void add_source(std::uint64_t context, usm_source& source) {
    const std::lock_guard lock(m_guard);
    m_sources.insert_or_assign(context, &source);
    m_has_sources.store(true, std::memory_order_relaxed);
  }

  void remove_source(std::uint64_t context) noexcept {
    const std::lock_guard lock(m_guard);
    m_sources.erase(context);
  }

  usm_source* source_of(std::uint64_t context) {
    if (!m_has_sources.load(std::memory_order_relaxed)) {
      return nullptr;
    }
    const std::lock_guard lock(m_guard);
    const auto found = m_sources.find(context);
    return found == m_sources.end() ? nullptr : found->second;
  }

  usm_usage usage() {
    const std::lock_guard lock(m_guard);
    return {m_live.size(), m_bytes};
  }

private:
  // Keys are complements of addresses: a leak checker must not find the pointers here, or it would never report memory
  // that the program has lost. Their order is reversed.
  using map = std::map<std::uintptr_t, allocation>;

  static std::uintptr_t address(const void* memory) noexcept { return reinterpret_cast<std::uintptr_t>(memory); }
  static std::uintptr_t key(const void* memory) noexcept { return ~address(memory); }

  /// The allocation that holds the address.
  map::iterator find(const void* memory) {
    const auto found = m_live.lower_bound(key(memory)); // the last that does not begin behind the address
    return found != m_live.end() && address(memory) - ~found->first < found->second.bytes ? found : m_live.end();
  }

  std::mutex m_guard;
  map m_live;
  std::size_t m_bytes = 0;
  std::map<std::uint64_t, usm_source*> m_sources; // by context
  std::atomic<bool> m_has_sources{false};
};

registry& live() {
  static registry& r = *new registry(); // never destroyed: static objects may free memory in their destructors
  return r;
}

} // namespace

void add_usm_source(std::uint64_t context, usm_source& source) { live().add_source(context, source); }
void remove_usm_source(std::uint64_t context) noexcept { live().remove_source(context); }

namespace {

void* host_memory(std::size_t bytes, std::size_t alignment) noexcept {
  const std::size_t least = bytes >= page_aligned_from ? page : usm_alignment;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment > least ? alignment : least, bytes) == 0 ? memory : nullptr;
}

void give_back(void* memory, usm_source* to) noexcept {
  if (to != nullptr) {
    to->free(memory);
  } else {
    std::free(memory);
  }
}

} // namespace

void* usm_allocate(std::size_t bytes, std::size_t alignment, usm::alloc kind, std::uint64_t context) {
  if (bytes == 0 || (alignment != 0 && !std::has_single_bit(alignment)) || kind == usm::alloc::unknown) {
    return nullptr;
  }
  usm_source* const source = live().source_of(context);
  void* const memory = source != nullptr ? source->allocate(bytes, alignment, kind) : host_memory(bytes, alignment);
  if (memory == nullptr) {
    return nullptr;
  }
  try {
    live().insert(memory, {bytes, kind, context, source});
  } catch (const std::bad_alloc&) {
    give_back(memory, source);
    return nullptr;
  }
  return memory;
}

void usm_free(void* memory, std::uint64_t context) {
  if (memory != nullptr) {
    give_back(memory, live().erase(memory, context));
  }
}

usm::alloc usm_kind(const void* memory, std::uint64_t context) noexcept { return live().kind(memory, context); }

usm_usage usm_in_use() noexcept { return live().usage(); }

} // namespace detail
LANEFOLD_END_NAMESPACE
