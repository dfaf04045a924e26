// SPDX-License-Identifier: Apache-2.0
#include <lanefold/memory/detail/unreachable_memory.hpp>

#include <lanefold/exception.hpp>

#include <atomic>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

LANEFOLD_BEGIN_NAMESPACE
namespace detail {
namespace {

struct ranges {
  std::mutex guard;
  std::map<const std::byte*, std::size_t, std::less<>> bytes; // by the beginning
};

constinit std::atomic<std::size_t> number_of_ranges{0};

ranges& all() {
  static ranges& made = *new ranges(); // never destroyed: static objects may free memory in their destructors
  return made;
}

} // namespace

void add_unreachable_memory(const void* begin, std::size_t bytes) {
  ranges& its = all();
  const std::lock_guard lock(its.guard);
  its.bytes.insert_or_assign(static_cast<const std::byte*>(begin), bytes);
  number_of_ranges.store(its.bytes.size(), std::memory_order_relaxed);
}

void remove_unreachable_memory(const void* begin) noexcept {
  ranges& its = all();
  const std::lock_guard lock(its.guard);
  its.bytes.erase(static_cast<const std::byte*>(begin));
  number_of_ranges.store(its.bytes.size(), std::memory_order_relaxed);
}

bool is_unreachable_memory(const void* pointer) noexcept {
  if (number_of_ranges.load(std::memory_order_relaxed) == 0) { // in front of what allocates
    return false;
  }
  ranges& its = all();
  const std::lock_guard lock(its.guard);
  const auto* const at = static_cast<const std::byte*>(pointer);
  const auto behind = its.bytes.upper_bound(at);
  if (behind == its.bytes.begin()) {
    return false;
  }
  const auto& [begin, bytes] = *std::prev(behind);
  return static_cast<std::size_t>(at - begin) < bytes;
}

void check_reached_by_host(const void* pointer, const char* what) {
  if (is_unreachable_memory(pointer)) {
    throw exception(make_error_code(errc::invalid),
                    std::string(what) + ": a pointer is memory of a device (malloc_device), which the host cannot "
                                        "access: use memcpy, memset or fill of a queue of that device");
  }
}

} // namespace detail
LANEFOLD_END_NAMESPACE
