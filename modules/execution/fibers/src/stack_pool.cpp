// SPDX-License-Identifier: Apache-2.0
#include "stack_pool.hpp"

#include "sanitizer.hpp"

#include <lanefold/exception.hpp>
#include <lanefold/execution/detail/environment_variable.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {

namespace {

constexpr std::size_t most_colour_bytes = 4096; // addresses this far apart share a set of the first-level cache
constexpr std::size_t smallest_stack = environment_variables::stack_size.least;
constexpr std::size_t default_stack = 256 * 1024;

std::size_t page_bytes() {
  static const std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// This much lies below a stack and belongs to no other: frames that are larger than what is left of a stack, up to
// this, do not reach the next one.
constexpr std::size_t gap_bytes = sizeof(void*) == 8 ? std::size_t{1} << 20 : 4096;
/// Below everything, there may be frames that are larger still.
constexpr std::size_t largest_frame = std::size_t{64} << 20;

// Usable bytes to the distance of two stacks: gap, stack, room for the colours; an odd number of pages, so that the
// tops spread over all sets of the address translation caches.
std::size_t stack_stride(std::size_t gap, std::size_t bytes) {
  const std::size_t page = page_bytes();
  const std::size_t pages = (gap + round_up(bytes + most_colour_bytes, page)) / page;
  return (pages | 1) * page;
}

// Guards that split a mapping (two mappings a stack), of all threads.
std::atomic<std::size_t> mapping_guards{0};

std::size_t most_mapping_guards() {
  static const std::size_t most = [] {
    std::size_t mappings = 65530;
    std::ifstream("/proc/sys/vm/max_map_count") >> mappings;
    return mappings / 8;
  }();
  return most;
}

bool is_accessible(const std::byte* page) {
  return access(reinterpret_cast<const char*>(page), F_OK) == 0 || errno != EFAULT;
}

// The page just below a stack: what lies deeper is memory that nobody has, and costs more to guard.
bool install_light_guard(std::byte* page) {
#if defined(__linux__)
  constexpr int guard_install = 102; // MADV_GUARD_INSTALL, Linux 6.13
  if (madvise(page, page_bytes(), guard_install) != 0) {
    return false;
  }
  static const bool works = !is_accessible(page); // emulators accept any advice
  return works;
#else
  (void)page;
  return false;
#endif
}

bool install_mapping_guard(std::byte* gap, std::size_t bytes) {
  if (mapping_guards.fetch_add(1, std::memory_order_relaxed) < most_mapping_guards() &&
      mprotect(gap, bytes, PROT_NONE) == 0) {
    return true;
  }
  mapping_guards.fetch_sub(1, std::memory_order_relaxed);
  return false;
}

} // namespace

std::size_t stack_bytes(std::size_t requested) {
  if (requested != 0) {
    return std::max(requested, smallest_stack);
  }
  static const std::size_t bytes =
      value_of(environment_variables::stack_size).value_or(under_sanitizer() ? 4 * default_stack : default_stack);
  return bytes;
}

stack_pool::~stack_pool() { release(); }

void stack_pool::release() {
  for (const block& each : m_blocks) {
    munmap(each.memory, each.bytes);
  }
  mapping_guards.fetch_sub(m_counted_guards, std::memory_order_relaxed);
  m_blocks.clear();
  m_stacks.clear();
  m_guarded = 0;
  m_counted_guards = 0;
}

void stack_pool::reserve(std::size_t count, std::size_t bytes) {
  if (bytes > m_bytes) {
    release();
    m_bytes = 0;
  }
  if (count > m_stacks.size()) {
    grow(count - m_stacks.size(), m_bytes != 0 ? m_bytes : round_up(bytes, page_bytes()));
  }
}

void stack_pool::grow(std::size_t count, std::size_t stack_bytes) {
  m_stacks.reserve(m_stacks.size() + count);
  m_blocks.reserve(m_blocks.size() + 1);
  std::size_t gap = std::max(gap_bytes, page_bytes());
  std::size_t stride = stack_stride(gap, stack_bytes);
  const auto map = [&] {
    return mmap(nullptr, count * stride, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  };
  void* memory = map();
  if (memory == MAP_FAILED) { // a process may be limited in address space
    gap = page_bytes();
    stride = stack_stride(gap, stack_bytes);
    memory = map();
  }
  if (memory == MAP_FAILED) {
    throw exception(make_error_code(errc::memory_allocation),
                    "no address space for " + std::to_string(count) + " stacks of " +
                        std::to_string(stack_bytes / 1024) + " KiB for suspended work-items (mmap: " +
                        std::strerror(errno) + "); a smaller LANEFOLD_STACK_SIZE or smaller work-groups need less");
  }
  const std::size_t bytes = count * stride;
  auto* base = static_cast<std::byte*>(memory);
#if defined(MADV_NOHUGEPAGE)
  madvise(base, bytes, MADV_NOHUGEPAGE); // a huge page would make the memory of eight stacks resident at once
#endif
  m_bytes = stack_bytes;
  m_blocks.push_back({base, bytes, gap, m_stacks.size(), stride, static_cast<unsigned>(std::countr_zero(page_bytes())),
                      (std::uint64_t{1} << block::inverse_bits) / (stride / page_bytes())});
  bool light = true;
  bool mapping = true;
  for (std::size_t i = 0; i < count; ++i) {
    std::byte* const below = base + i * stride;
    light = light && install_light_guard(below + gap - page_bytes());
    if (!light) {
      mapping = mapping && install_mapping_guard(below, gap);
      m_counted_guards += mapping ? 1 : 0;
    }
    m_guarded += light || mapping ? 1 : 0;
    m_stacks.push_back({below + gap, below + stride});
  }
}

LANEFOLD_ALWAYS_INLINE stack_pool::block::position stack_pool::block::position_of(std::size_t offset) const {
  // A division costs more than all the rest of a query. This gives the quotient, or one less.
  const auto number = static_cast<std::size_t>((std::uint64_t{offset} >> page_bits) * inverse >> inverse_bits);
  const std::size_t rest = offset - number * stride;
  return rest < stride ? position{number, rest} : position{number + 1, rest - stride};
}

std::size_t stack_pool::find_guard(const void* address) const {
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  for (const block& each : m_blocks) {
    const std::size_t offset = where - reinterpret_cast<std::uintptr_t>(each.memory);
    const block::position found = each.position_of(offset);
    if (offset < each.bytes && found.rest < each.gap) {
      return each.first + found.number;
    }
  }
  return size();
}

std::size_t stack_pool::find_below(const void* address) const {
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  for (const block& each : m_blocks) {
    if (reinterpret_cast<std::uintptr_t>(each.memory) - where < largest_frame) {
      return each.first;
    }
  }
  return size();
}

std::size_t stack_pool::find(const void* address) const {
  const auto where = reinterpret_cast<std::uintptr_t>(address);
  for (const block& each : m_blocks) {
    const std::size_t offset = where - reinterpret_cast<std::uintptr_t>(each.memory);
    const block::position found = each.position_of(offset);
    if (offset < each.bytes && found.rest >= each.gap) {
      return each.first + found.number;
    }
  }
  return size();
}

} // namespace detail
LANEFOLD_END_NAMESPACE
